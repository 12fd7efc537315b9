package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Settings, user sets and addresses on the page. */
@PageTimeout
class SettingsOnPageTest {
    private static final String DEFAULT_EXPOSURE_CHANGED = "1234.5";

    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;

    @BeforeEach
    void start() {
        rig = PAGES.rig(Rig.scenario("127.60.0.8"));
    }

    private Page settings() {
        Page page = rig.openCamera();
        page.locator("work-panel [data-work=settings]").click();
        return page;
    }

    private static Locator panel(Page page) {
        return page.locator("settings-panel");
    }

    private static FilePayload file(byte[] bytes) {
        return new FilePayload("bench.txt", "text/plain", bytes);
    }

    private static byte[] saved(Page page) throws IOException {
        Download download = page.waitForDownload(() -> Rig.click(panel(page), "Save to a file"));
        try (var in = download.createReadStream()) {
            return in.readAllBytes();
        }
    }

    @Test
    void savedSettingsAreLoadedAgain() throws IOException {
        Page page = settings();
        Rig.set(page, "ExposureTime", DEFAULT_EXPOSURE_CHANGED);
        Rig.seesValue(page, "ExposureTime", DEFAULT_EXPOSURE_CHANGED);
        byte[] text = saved(page);
        Rig.set(page, "ExposureTime", "99.5");
        Rig.seesValue(page, "ExposureTime", "99.5");
        panel(page).locator("#load").setInputFiles(file(text));
        assertThat(panel(page).locator("#done")).hasText(Pattern.compile("(\\d+) of \\1 values of bench.txt are set"));
        Rig.seesValue(page, "ExposureTime", DEFAULT_EXPOSURE_CHANGED);
    }

    @Test
    void differencesToAFileAreShown() throws IOException {
        Page page = settings();
        Rig.set(page, "ExposureTime", "99.5");
        Rig.seesValue(page, "ExposureTime", "99.5");
        byte[] text = saved(page);
        Rig.set(page, "ExposureTime", DEFAULT_EXPOSURE_CHANGED);
        Rig.seesValue(page, "ExposureTime", DEFAULT_EXPOSURE_CHANGED);
        panel(page).locator("#compare").setInputFiles(file(text));
        assertThat(panel(page).locator("tr[data-difference]")).hasCount(1);
        assertThat(panel(page).locator("tr[data-difference=ExposureTime] td"))
                .hasText(new String[] {"ExposureTime", DEFAULT_EXPOSURE_CHANGED, "99.5"});
    }

    @Test
    void differencesToTheDefaultsAreShownAndTheSettingsStay() {
        Page page = settings();
        Rig.set(page, "ExposureTime", DEFAULT_EXPOSURE_CHANGED);
        Rig.seesValue(page, "ExposureTime", DEFAULT_EXPOSURE_CHANGED);
        panel(page).locator("#set").selectOption("Default");
        Rig.click(panel(page), "Compare");
        assertThat(panel(page).locator("tr[data-difference=ExposureTime] td").nth(1))
                .hasText(DEFAULT_EXPOSURE_CHANGED);
        Rig.screenshot(page, "browser-settings.png");
        Rig.seesValue(page, "ExposureTime", DEFAULT_EXPOSURE_CHANGED);
    }

    @Test
    void whatIsNoFileOfSettingsIsRefused() {
        Page page = settings();
        panel(page).locator("#load").setInputFiles(file("{".getBytes(StandardCharsets.UTF_8)));
        assertThat(panel(page).locator("[role=alert]")).containsText("no JSON");
        PAGES.chromium().expectComplaint("422");
    }

    @Test
    void aUserSetIsSavedAndLoaded() {
        Page page = settings();
        Rig.set(page, "ExposureTime", DEFAULT_EXPOSURE_CHANGED);
        Rig.seesValue(page, "ExposureTime", DEFAULT_EXPOSURE_CHANGED);
        panel(page).locator("#set").selectOption("UserSet1");
        panel(page).locator("#save-set").click();
        assertThat(panel(page).locator("#done")).hasText("saved");
        Rig.set(page, "ExposureTime", "99.5");
        Rig.seesValue(page, "ExposureTime", "99.5");
        panel(page).locator("#load-set").click();
        assertThat(panel(page).locator("#done")).hasText("loaded");
        Rig.seesValue(page, "ExposureTime", DEFAULT_EXPOSURE_CHANGED);
    }

    private static Locator change(Page page, String address) {
        Rig.click(page.locator("camera-list"), "Address");
        Locator dialog = page.locator("camera-address");
        dialog.locator("#wanted").fill(address);
        Rig.click(dialog, "Change");
        return dialog;
    }

    @Test
    void aCameraGetsAnAddressAfterASecondConfirmation() {
        Page page = rig.newPage(true);
        Locator dialog = change(page, "127.60.0.9/8");
        assertThat(dialog.locator("#what")).containsText("127.60.0.9/8 instead of 127.60.0.8 until it restarts");
        dialog.locator("#confirm").click();
        assertThat(dialog.locator("#present")).hasText("127.60.0.9");
        Rig.click(dialog, "Done");
        assertThat(page.locator("camera-list li")).containsText("127.60.0.9:");
    }

    @Test
    void anAddressIsKeptAfterASecondConfirmation() {
        Page page = rig.openCamera();
        Locator dialog = change(page, "192.0.2.7/24");
        assertThat(dialog.locator("#kept")).not().hasText("192.0.2.7/24");
        dialog.locator("#confirm").click();
        assertThat(dialog.locator("#kept")).hasText("192.0.2.7/24");
    }

    @Test
    void whatIsNoAddressIsRefused() {
        Page page = rig.newPage(true);
        Locator dialog = change(page, "example.org");
        assertThat(dialog.locator("[role=alert]")).isVisible();
        PAGES.chromium().expectComplaint("400");
    }

    @Test
    void whoControlsACameraIsShown() {
        try (var program = rig.devices().open("PG-60")) {
            Page page = rig.newPage(true);
            Rig.click(page.locator("camera-list"), "Monitor");
            page.locator("feature-tree").waitFor();
            Rig.click(page.locator("camera-list"), "Address");
            assertThat(page.locator("camera-address #controller"))
                    .hasText(Pattern.compile("127\\.\\d+\\.\\d+\\.\\d+:\\d+"));
            assertEquals("PG-60", program.info().serialNumber());
        }
    }
}
