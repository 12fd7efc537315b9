package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.peregrine.device.DeviceRegisters;
import io.peregrine.virtualcamera.VirtualCamera;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two cameras share a link, on the page. */
@PageTimeout
class BandwidthOnPageTest {
    /** SCPD of the first stream channel (GigE Vision 2.2). */
    private static final int SCPD = 0x0D08;

    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;
    private VirtualCamera other;

    @BeforeEach
    void start() {
        rig = PAGES.rig(Rig.scenario("127.60.0.41"));
        other = PAGES.camera(Rig.scenario("127.60.0.42").serial("PG-61").userName("right"));
    }

    /** A page that has opened both cameras, and shows the plan of their link. */
    private Locator plan(Page page) {
        page.locator("camera-list input[name=device]").fill(address(other));
        Rig.click(page.locator("camera-list"), "Add");
        Locator second = page.locator("camera-list li").filter(new Locator.FilterOptions().setHasText("PG-61"));
        Rig.click(second, "Open");
        assertThat(second).containsText("controlled from here");
        Rig.click(page.locator("tools-bar"), "Bandwidth");
        Locator dialog = page.locator("bandwidth-dialog");
        assertThat(dialog.locator("tr[data-camera]")).hasCount(2);
        return dialog;
    }

    private static void giveLink(Locator dialog, String megabits) {
        Locator speed = dialog.locator("input.speed");
        speed.fill(megabits);
        speed.press("Enter");
        assertThat(dialog).containsText("as you gave it");
    }

    private static String address(VirtualCamera camera) {
        return camera.address().getAddress().getHostAddress() + ":"
                + camera.address().getPort();
    }

    private int delay(VirtualCamera camera) {
        try (DeviceRegisters registers =
                rig.devices().openRegisters(rig.devices().find(address(camera)))) {
            return registers.read(SCPD);
        }
    }

    /**
     * 3072 bytes in packets of 1500 are 3 packets, leader and trailer. At 30 a second and 95 % of the frame time, each
     * packet has 6 333 333 ns, of which 1538 bytes at 100 Mbit/s take 123 040.
     */
    @Test
    void thePlannedDelaysAreSet() {
        Page page = rig.openCamera();
        Locator dialog = plan(page);
        giveLink(dialog, "100");
        assertThat(dialog.locator(".planned").first()).hasText("6210293 ticks of 1 ns");
        Rig.screenshot(page, "browser-bandwidth.png");
        dialog.locator(".apply").click();
        assertThat(dialog.locator("#done")).hasText("the packet delays are set");
        assertThat(dialog.locator(".delay")).hasText(new String[] {"6210293", "6210293"});
        assertEquals(6_210_293, delay(rig.camera()));
        assertEquals(6_210_293, delay(other));
    }

    /** Each camera sends 3072 + 3 x 74 + 2 x 138 bytes 30 times a second: 107 100. */
    @Test
    void aLinkThatIsTooSlowIsWarnedOf() {
        Locator dialog = plan(rig.openCamera());
        assertThat(dialog.locator(".rate").first()).hasText("0.107 MB/s");
        giveLink(dialog, "1");
        assertThat(dialog.locator(".load")).hasText("171.36 %");
        assertThat(dialog.locator(".warning")).containsText("oversubscribed");
    }

    @Test
    void aProbeSaysWhichPacketsArrive() {
        Locator dialog = plan(rig.openCamera());
        dialog.locator(".probe").first().click();
        assertThat(dialog.locator(".result")).containsText("bytes arrive");
    }

    @Test
    void aViewerSetsNoDelay() {
        plan(rig.openCamera());
        Page viewer = rig.newPage(false);
        Rig.click(viewer.locator("tools-bar"), "Bandwidth");
        assertThat(viewer.locator("bandwidth-dialog .apply")).isDisabled();
    }
}
