package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Counters of a stream and their history on the page. */
@PageTimeout
class CountersOnPageTest {
    /** At least two points. */
    private static final Pattern LINE = Pattern.compile("0,[\\d.]+ 1,[\\d.]+.*");

    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;

    @BeforeEach
    void start() {
        rig = PAGES.rig(Rig.scenario("127.60.0.46"));
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
