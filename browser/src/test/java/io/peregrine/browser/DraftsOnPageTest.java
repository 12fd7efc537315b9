package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Values that are collected on the page and set in one go. */
@PageTimeout
class DraftsOnPageTest {
    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;

    @BeforeEach
    void start() {
        rig = PAGES.rig(Rig.scenario("127.60.0.23").sensorSize(Rig.WIDTH, Rig.HEIGHT));
    }

    /** A page that keeps what is typed. */
    private Page drafting() {
        Page page = rig.openCamera();
        page.locator("drafts-bar #drafts").check();
        return page;
    }

    private static void draft(Page page, String feature, String value) {
        Rig.set(page, feature, value);
        assertThat(page.locator("drafts-bar [data-draft=" + feature + "]")).containsText("= " + value);
    }

    private static Locator apply(Page page) {
        page.locator("drafts-bar #apply").click();
        return page.locator("drafts-bar [data-draft]");
    }

    @Test
    void aDraftIsNotSetBeforeItIsApplied() {
        Page page = drafting();
        Page other = rig.newPage(false);
        draft(page, "ExposureTime", "1234.5");
        assertThat(Rig.feature(other, "ExposureTime").locator("input")).not().hasValue("1234.5");
        assertThat(apply(page)).hasCount(0);
        Rig.seesValue(other, "ExposureTime", "1234.5");
    }

    /** The offset is refused as long as the image is as wide as the sensor. */
    @Test
    void whatHangsOnAnotherDraftIsSetAfterIt() {
        Page page = drafting();
        draft(page, "OffsetX", "16");
        draft(page, "Width", "48");
        assertThat(apply(page)).hasCount(0);
        Rig.seesValue(page, "OffsetX", "16");
        Rig.seesValue(page, "Width", "48");
    }

    @Test
    void aDraftThatFailsStaysWithItsReasonAndTheOthersAreSet() {
        Page page = drafting();
        draft(page, "ExposureTime", "9999999");
        Rig.choose(page, "PixelFormat", "Mono16");
        assertThat(page.locator("drafts-bar [data-draft=PixelFormat]")).containsText("Mono16");
        Rig.screenshot(page, "browser-drafts.png");
        assertThat(apply(page)).hasCount(1);
        assertThat(Rig.feature(page, "ExposureTime").locator("[role=alert]")).containsText("1000000");
        Rig.seesValue(page, "PixelFormat", "Mono16");
    }

    @Test
    void discardedDraftsShowWhatTheCameraHas() {
        Page page = drafting();
        String before = Rig.feature(page, "ExposureTime").locator("input").inputValue();
        draft(page, "ExposureTime", "1234.5");
        page.locator("drafts-bar #discard").click();
        assertThat(page.locator("drafts-bar [data-draft]")).hasCount(0);
        Rig.seesValue(page, "ExposureTime", before);
    }

    @Test
    void aDraftBelongsToTheSelectionThatItWasTypedUnder() {
        Page page = drafting();
        draft(page, "Gain", "7");
        assertThat(page.locator("drafts-bar [data-draft=Gain]")).containsText("GainSelector ");
        assertThat(apply(page)).hasCount(0);
        Rig.seesValue(page, "Gain", "7.0");
    }
}
