package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Counters of a stream and their history on the page. */
@Timeout(60)
class CountersOnPageTest {
    /** At least two points. */
    private static final Pattern LINE = Pattern.compile("0,[\\d.]+ 1,[\\d.]+.*");

    private static Chromium chromium;

    private Rig rig;

    @BeforeAll
    static void startChromium() {
        chromium = Chromium.start();
    }

    @AfterAll
    static void stopChromium() {
        Chromium.stop(chromium);
    }

    @BeforeEach
    void start() {
        rig = new Rig(chromium, Rig.scenario("127.60.0.46"));
    }

    @AfterEach
    void stop() {
        rig.close();
        assertEquals(List.of(), chromium.complaints());
    }

    @Test
    void whatGrowsHasAChartOfItsHistory() {
        Page page = rig.openCamera();
        Rig.click(page.locator("frame-panel"), "Start");
        Locator panel = page.locator("diagnosis-panel");
        Locator chart = panel.locator(".counter [data-chart=PACKETS_RECEIVED]");
        assertThat(chart.locator("polyline")).hasAttribute("points", LINE);
        assertThat(chart).hasAttribute("aria-label", Pattern.compile("packets received a second.*at most [1-9]\\d*"));
    }

    @Test
    void whatDoesNotGrowHasNone() {
        Page page = rig.openCamera();
        Rig.click(page.locator("frame-panel"), "Start");
        Locator panel = page.locator("diagnosis-panel");
        panel.locator(".counter [data-chart=PACKETS_RECEIVED]").waitFor();
        assertThat(panel.locator("[data-counter=BLOCK_ID_GAPS]")).hasText("0");
        assertThat(panel.locator("[data-chart=BLOCK_ID_GAPS]")).hasCount(0);
    }
}
