package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The events of a camera on the page. */
@PageTimeout
class EventsOnPageTest {
    private static final Pattern TICKS = Pattern.compile("[1-9]\\d*");
    private static final String FEATURES = "/api/cameras/c1/maps/Device/features/";

    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;

    @BeforeEach
    void start() {
        rig = PAGES.rig(Rig.scenario("127.60.0.43"));
    }

    private static Locator panel(Page page) {
        page.locator("work-panel [data-work=events]").click();
        return page.locator("events-panel");
    }

    private static void send(Page page, String method, String path, String body) {
        page.evaluate(
                "([method, path, body]) => fetch(path, {method, body, headers: {'Content-Type': 'application/json'}})",
                List.of(method, path, body));
    }

    @Test
    void anEventIsListedWithItsValues() {
        Page page = rig.openCamera();
        Locator panel = panel(page);
        switchOn(page, panel);
        generate(page);
        Locator event = panel.locator("tr[data-name=Test]").first();
        assertThat(event.locator(".time")).hasText(TICKS);
        String ticks = event.locator(".time").textContent();
        assertThat(event.locator("[data-value=EventTestTimestamp]")).hasText("EventTestTimestamp = " + ticks);
    }

    @Test
    void eventsOfAStreamComeByThemselves() {
        Page page = rig.openCamera();
        Locator panel = panel(page);
        panel.locator("[data-event=ExposureEnd]").check();
        Rig.click(page.locator("frame-panel"), "Start");
        assertThat(panel.locator("tr[data-name=ExposureEnd]").nth(3)).isVisible();
        Rig.screenshot(page, "browser-events.png");
    }

    @Test
    void anEventIsSwitchedOffAgain() {
        Page page = rig.openCamera();
        Locator panel = panel(page);
        switchOn(page, panel);
        panel.locator("[data-event=Test]").uncheck();
        seesNotification(page, "Off");
    }

    @Test
    void theAnswerToASwitchHidesNoEventThatCameBeforeIt() {
        Page page = rig.openCamera();
        Locator panel = panel(page);
        Route request = held(
                page, "**/events/Test", () -> panel.locator("[data-event=Test]").check());
        APIResponse answer = request.fetch();
        generate(page);
        assertThat(panel.locator("tr[data-name=Test]")).hasCount(1);
        page.waitForResponse("**/events/Test", () -> request.fulfill(new Route.FulfillOptions().setResponse(answer)));
        generate(page);
        assertThat(panel.locator("tr[data-name=Test]")).hasCount(2);
    }

    @Test
    void theAnswerToASwitchHasWhatIsSwitchedOnOnly() {
        Page page = rig.openCamera();
        Locator panel = panel(page);
        Response answer = page.waitForResponse(
                "**/events/Test", () -> panel.locator("[data-event=Test]").check());
        assertEquals("{\"enabled\":[\"Test\"]}", answer.text());
    }

    /** The first request to a path, which gets no answer until the test gives it one. */
    private static Route held(Page page, String path, Runnable cause) {
        List<Route> requests = new ArrayList<>();
        page.route(path, requests::add);
        cause.run();
        page.waitForCondition(() -> !requests.isEmpty());
        return requests.get(0);
    }

    private static void switchOn(Page page, Locator panel) {
        panel.locator("[data-event=Test]").check();
        send(page, "PUT", FEATURES + "EventSelector", "{\"value\":\"Test\"}");
        seesNotification(page, "On");
    }

    private static void generate(Page page) {
        send(page, "POST", FEATURES + "TestEventGenerate/execute", "{}");
    }

    private static void seesNotification(Page page, String value) {
        page.waitForFunction(
                "async ([path, value]) => (await (await fetch(path)).text()).includes(`\"value\":\"${value}\"`)",
                List.of("/api/cameras/c1/maps/Device/values?names=EventNotification", value));
    }

    @Test
    void whatCameBeforeIsShownToAPageThatComesLater() {
        Page page = rig.openCamera();
        Locator panel = panel(page);
        switchOn(page, panel);
        generate(page);
        panel.locator("tr[data-name=Test]").waitFor();
        Page viewer = rig.newPage(false);
        Locator shown = panel(viewer);
        assertThat(shown.locator("tr[data-name=Test]")).hasCount(1);
        assertThat(shown.locator("[data-event=Test]")).isChecked();
        assertThat(shown.locator("[data-event=Test]")).isDisabled();
    }

    @Test
    void anEventThatComesWhileAPageLoadsIsListedThereOnce() {
        Page page = rig.openCamera();
        switchOn(page, panel(page));
        generate(page);
        page.locator("events-panel tr[data-name=Test]").waitFor();
        Page viewer = rig.newPage(false);
        Route request = held(viewer, "**/cameras/c1/events", () -> panel(viewer));
        Locator shown = viewer.locator("events-panel");
        APIResponse answer = request.fetch();
        generate(page);
        viewer.waitForFunction("panel => panel.list.length === 1", shown.elementHandle());
        request.fulfill(new Route.FulfillOptions().setResponse(answer));
        assertThat(shown.locator("tr[data-name=Test]")).hasCount(2);
    }
}
