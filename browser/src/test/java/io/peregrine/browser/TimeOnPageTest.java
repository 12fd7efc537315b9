package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clocks and actions on the page. */
@PageTimeout
class TimeOnPageTest {
    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;

    @BeforeEach
    void start() {
        rig = PAGES.rig(Rig.scenario("127.60.0.44"));
    }

    private static Locator dialog(Page page) {
        Rig.click(page.locator("tools-bar"), "Clocks");
        Locator dialog = page.locator("time-dialog");
        dialog.locator("[data-clock]").waitFor();
        return dialog;
    }

    /** The clock id is the MAC address with FFFE in the middle (IEEE 1588-2008, 7.5.2.2.2). */
    private String clockId() {
        String mac = rig.devices().find("PG-60").macAddress().replace(":", "").toUpperCase(Locale.ROOT);
        return mac.substring(0, 6) + "FFFE" + mac.substring(6);
    }

    @Test
    void aClockFollowsItsMasterOncePtpIsOn() {
        Page page = rig.openCamera();
        Locator dialog = dialog(page);
        assertThat(dialog.locator("[data-value=PtpStatus]")).hasText("Disabled");
        assertThat(dialog.locator("[data-value=PtpClockID]")).hasText(clockId());
        dialog.locator("#clocks input[type=checkbox]").check();
        assertThat(dialog.locator("[data-value=PtpStatus]"))
                .hasText("Slave", new LocatorAssertions.HasTextOptions().setTimeout(30_000));
        assertThat(dialog.locator("[data-value=PtpOffsetFromMaster]")).containsText(" ns");
        keys(dialog);
        dialog.locator("#send").click();
        assertThat(dialog.locator("#answers tr[data-answer]")).containsText("SUCCESS");
        Rig.screenshot(page, "browser-time.png");
    }

    private static void keys(Locator dialog) {
        dialog.locator("#device-key").fill("0x600DCA4E");
        dialog.locator("#group-key").fill("0x77");
        dialog.locator("#group-mask").fill("1");
        dialog.locator("#keys").click();
        assertThat(dialog.locator("#done")).hasText("the cameras listen to these keys");
    }

    private static void send(Locator dialog, String answer) {
        dialog.locator("#send").click();
        assertThat(dialog.locator("#answers tr[data-answer]")).containsText(answer);
    }

    @Test
    void onlyACameraWithTheKeysOfAnActionAnswers() {
        Locator dialog = dialog(rig.openCamera());
        keys(dialog);
        send(dialog, "SUCCESS");
        dialog.locator("#group-key").fill("0x78");
        send(dialog, "no answer");
    }

    @Test
    void aScheduledActionNeedsAClockThatFollowsAMaster() {
        Locator dialog = dialog(rig.openCamera());
        keys(dialog);
        dialog.locator("#delay").fill("500");
        send(dialog, "NO_REF_TIME");
    }

    @Test
    void whatIsNoKeyIsRefused() {
        Locator dialog = dialog(rig.openCamera());
        dialog.locator("#device-key").fill("0x100000000");
        dialog.locator("#send").click();
        assertThat(dialog.locator("[role=alert]")).containsText("more than 32 bits");
        PAGES.chromium().expectComplaint("400");
    }

    @Test
    void aViewerSendsNoAction() {
        rig.openCamera();
        Locator dialog = dialog(rig.newPage(false));
        assertThat(dialog.locator("#send")).isDisabled();
        assertThat(dialog.locator("#clocks input[type=checkbox]")).isDisabled();
    }
}
