package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import io.peregrine.testing.VirtualFirmware;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files in a camera on the page. */
@PageTimeout
class FilesOnPageTest {
    private static final byte[] CONTENT =
            "what the user wants to keep".repeat(100).getBytes(StandardCharsets.UTF_8);

    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;

    @BeforeEach
    void start() {
        rig = PAGES.rig(Rig.scenario("127.60.0.45"));
    }

    private static Locator panel(Page page) {
        page.locator("work-panel [data-work=files]").click();
        Locator panel = page.locator("files-panel");
        panel.locator("tr[data-file=UserFile1]").waitFor();
        return panel;
    }

    private static void choose(Locator panel, String file, byte[] bytes) {
        panel.locator("tr[data-file=" + file + "] input[type=file]")
                .setInputFiles(new FilePayload("chosen.bin", "application/octet-stream", bytes));
    }

    private static byte[] saved(Page page, Locator panel, String file) throws IOException {
        Download download = page.waitForDownload(
                () -> panel.locator("tr[data-file=" + file + "] button.save").click());
        try (var in = download.createReadStream()) {
            return in.readAllBytes();
        }
    }

    @Test
    void aFileIsWrittenAfterADryRunAndASecondConfirmation() throws IOException {
        Page page = rig.openCamera();
        Locator panel = panel(page);
        choose(panel, "UserFile1", CONTENT);
        assertThat(panel.locator("#what")).hasText("UserFile1 of left will be replaced by 2700 bytes.");
        Rig.screenshot(page, "browser-files.png");
        panel.locator("#confirm").click();
        assertThat(panel.locator("#done")).containsText("written");
        assertThat(panel.locator("tr[data-file=UserFile1] .bytes")).hasText("2700 bytes");
        assertArrayEquals(CONTENT, saved(page, panel, "UserFile1"));
    }

    @Test
    void aDryRunWritesNothing() {
        Page page = rig.openCamera();
        Locator panel = panel(page);
        String before = panel.locator("tr[data-file=UserFile1] .bytes").textContent();
        choose(panel, "UserFile1", CONTENT);
        assertThat(panel.locator("#done")).hasText("looked at: nothing was written");
        Rig.click(panel, "Cancel");
        page.reload();
        assertThat(panel(page).locator("tr[data-file=UserFile1] .bytes")).hasText(before);
    }

    @Test
    void whatADryRunFindsWrongCannotBeConfirmed() {
        Page page = rig.openCamera();
        Locator panel = panel(page);
        choose(panel, "UserFile1", new byte[0]);
        assertThat(panel.locator("tr[data-check='file on this host']")).containsText("FAIL");
        assertThat(panel.locator("#refused")).isVisible();
        assertThat(panel.locator("#confirm")).hasCount(0);
    }

    @Test
    void firmwareIsWritten() throws IOException {
        byte[] firmware = VirtualFirmware.of(CONTENT);
        Page page = rig.openCamera();
        Locator panel = panel(page);
        choose(panel, "Firmware", firmware);
        panel.locator("#confirm").click();
        assertThat(panel.locator("#done")).containsText("written");
        assertArrayEquals(firmware, saved(page, panel, "Firmware"));
    }

    @Test
    void firmwareThatTheCameraDoesNotAcceptIsReported() {
        Page page = rig.openCamera();
        Locator panel = panel(page);
        choose(panel, "Firmware", CONTENT);
        panel.locator("#confirm").click();
        assertThat(panel.locator("[role=alert]")).containsText("Firmware");
        PAGES.chromium().expectComplaint("422");
    }

    private static int post(Page page, String path, String content) {
        Object status = page.evaluate(
                "async ([path, body]) => (await fetch(path, {method: 'POST', body,"
                        + " headers: {'Content-Type': 'application/octet-stream'}})).status",
                List.of("/api/cameras/c1/files/" + path, content));
        PAGES.chromium().expectComplaint(String.valueOf(status));
        return (Integer) status;
    }

    @Test
    void nothingIsWrittenWithoutAConfirmation() {
        assertEquals(409, post(rig.openCamera(), "Firmware/write", "x"));
    }

    @Test
    void aConfirmationIsForWhatWasLookedAt() {
        Page page = rig.openCamera();
        Object token = page.evaluate("async () => (await (await fetch('/api/cameras/c1/files/UserFile1/check',"
                + " {method: 'POST', body: 'harmless', headers: {'Content-Type': 'application/octet-stream'}}))"
                + ".json()).confirmation");
        assertEquals(409, post(page, "UserFile1/write?confirmation=" + token, "harmful"));
        assertEquals(409, post(page, "UserFile1/write?confirmation=" + token, "harmless"));
    }

    /** The file is so long that the camera is closed long before its end. */
    @Test
    void aTransferWhoseCameraIsClosedIsAnsweredSo() {
        Page page = rig.openCamera();
        Object status = page.evaluate("""
                async () => {
                  const files = '/api/cameras/c1/files/Firmware/';
                  const request = { method: 'POST', body: new Blob([new Uint8Array(4 << 20)]),
                    headers: { 'Content-Type': 'application/octet-stream' } };
                  const { confirmation } = await (await fetch(files + 'check', request)).json();
                  const events = new WebSocket(`ws://${location.host}/ws/events`);
                  const begun = new Promise((resolve) => {
                    events.onmessage = (event) => event.data.includes('file-progress') && resolve();
                  });
                  await new Promise((resolve) => (events.onopen = resolve));
                  const write = fetch(`${files}write?confirmation=${confirmation}`, request);
                  await begun;
                  await fetch('/api/cameras/c1/close', { method: 'POST' });
                  return (await write).status;
                }""");
        assertEquals(409, status);
        PAGES.chromium().expectComplaint("409");
    }

    @ParameterizedTest
    @ValueSource(strings = {"..%2f..%2fetc%2fpasswd", "%2e%2e", "..%5cx", "%2fetc%2fpasswd", "NoSuchFile"})
    void filesAreThoseOfTheCamera(String name) {
        int status = post(rig.openCamera(), name + "/read", "");
        assertEquals(4, status / 100, () -> name + " was answered by " + status);
    }

    @Test
    void aFileThatIsTooLongIsRefused() {
        Page page = rig.openCamera();
        Object status = page.evaluate("async () => (await fetch('/api/cameras/c1/files/UserFile1/check',"
                + " {method: 'POST', body: new Blob([new Uint8Array((64 << 20) + 1)]),"
                + " headers: {'Content-Type': 'application/octet-stream'}})).status");
        assertEquals(413, status);
        PAGES.chromium().expectComplaint("413");
    }
}
