package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.testing.TlsKey;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page by TLS, as other hosts reach it. */
@PageTimeout
class TlsTest {
    private static final String PASSWORD = "secret-of-the-test";

    @TempDir
    private static Path folder;

    private static Chromium chromium;
    private static Path keyStore;

    private VirtualCamera camera;
    private CameraBrowser browser;

    @BeforeAll
    static void makeKey() {
        keyStore = TlsKey.make(folder, "127.60.0.17", PASSWORD);
        chromium = Chromium.start();
    }

    @AfterAll
    static void stopChromium() {
        Chromium.stop(chromium);
    }

    private void start(String password) throws IOException {
        camera = VirtualCamera.start(Rig.scenario("127.60.0.17").build());
        BrowserOptions options = BrowserOptions.listening(
                InetAddress.getByName("127.60.0.17"), new BrowserOptions.KeyStore(keyStore, password));
        browser = CameraBrowser.start(
                DeviceFactory.create(PeregrineSettings.load()
                        .with(
                                PeregrineSettings.DISCOVERY_ADDRESSES,
                                "127.60.0.17:" + camera.address().getPort())
                        .with(PeregrineSettings.DISCOVERY_BROADCAST, "false")),
                options);
    }

    @AfterEach
    void stop() {
        chromium.closePages();
        if (browser != null) {
            browser.close();
        }
        camera.close();
    }

    private Page open() {
        Page page = chromium.newPage(new Browser.NewContextOptions().setIgnoreHTTPSErrors(true));
        page.navigate(browser.newAddress(true));
        page.locator("#role").waitFor();
        return page;
    }

    @Test
    void theAddressIsOfTls() throws IOException {
        start(PASSWORD);
        assertTrue(browser.newAddress(true).startsWith("https://127.60.0.17:"), browser.origin());
    }

    @Test
    void framesComeByTls() throws IOException {
        start(PASSWORD);
        Page page = open();
        Rig.click(page.locator("camera-list"), "Open");
        Rig.click(page.locator("frame-panel"), "Start");
        Textures.Texture texture = Textures.read(page, 0);
        assertEquals(
                Textures.bytes(
                        Textures.sent(1, 0x01080001, texture.block(), Rig.WIDTH, Rig.HEIGHT, Rig.WIDTH * Rig.HEIGHT)),
                texture.values());
        assertThat(page.locator("frame-panel #stop")).isEnabled();
        assertEquals(List.of(), chromium.complaints());
    }

    @Test
    void theCookieIsForTlsOnly() throws IOException {
        start(PASSWORD);
        assertTrue(open().context().cookies().stream().allMatch(cookie -> cookie.secure && cookie.httpOnly));
    }

    @Test
    void aWrongPasswordIsRefusedAtTheStart() {
        assertThrows(IOException.class, () -> start("wrong"));
    }
}
