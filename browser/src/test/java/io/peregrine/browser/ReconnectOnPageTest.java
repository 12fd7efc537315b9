package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.Scenario;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A camera that goes away, and comes back. */
@ExpectedWarning("Connection to .*: LOST")
@PageTimeout
class ReconnectOnPageTest {
    private static final LocatorAssertions.ContainsTextOptions PATIENT =
            new LocatorAssertions.ContainsTextOptions().setTimeout(60_000);

    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;

    @BeforeEach
    void start() {
        rig = PAGES.rig(Rig.scenario("127.60.0.13"));
    }

    private Page stream(String reconnect) {
        Page page = rig.newPage(true);
        Rig.click(page.locator("camera-list"), "Parameters");
        page.locator("camera-parameters input#HeartbeatTimeout").fill("1500ms");
        page.locator("camera-parameters input#Reconnect").fill(reconnect);
        Rig.click(page.locator("camera-parameters"), "Save");
        Rig.click(page.locator("camera-list"), "Open");
        Rig.click(page.locator("frame-panel"), "Start");
        Textures.block(page, 0);
        return page;
    }

    private void comeBack() {
        Scenario scenario = rig.camera().scenario();
        PAGES.camera(scenario.toBuilder()
                .serial(scenario.serial())
                .port(rig.camera().address().getPort()));
    }

    @Test
    void aCameraThatIsSwitchedOnLaterAppearsWithoutAClick() {
        rig.camera().close();
        Page page = rig.newPage(true);
        assertThat(page.locator("camera-list #none")).isVisible();
        comeBack();
        assertThat(page.locator("camera-list li .name")).hasText("left");
    }

    @Test
    void aListedCameraThatIsGoneIsMarkedUntilItIsBackWithoutAClick() {
        Page page = PAGES.chromium().newPage();
        page.clock().install();
        page.navigate(rig.browser().newAddress(true));
        assertThat(page.locator("camera-list li .name")).hasText("left");
        rig.camera().close();
        page.clock().fastForward(15_000);
        assertThat(page.locator("camera-list li")).containsText("did not answer");
        comeBack();
        page.clock().fastForward(15_000);
        assertThat(page.locator("camera-list li")).not().containsText("did not answer");
    }

    @Test
    void aSearchThatFailedIsRepeatedWithoutAClick() {
        Page page = PAGES.chromium().newPage();
        page.route(
                "**/api/search",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setStatus(503)
                        .setContentType("application/json")
                        .setBody("{\"error\":\"no interface is up\"}")),
                new Page.RouteOptions().setTimes(1));
        page.navigate(rig.browser().newAddress(true));
        assertThat(page.locator("camera-list")).containsText("no interface is up");
        assertThat(page.locator("camera-list li .name")).hasText("left");
        assertThat(page.locator("camera-list")).not().containsText("no interface is up");
        PAGES.chromium().expectComplaint("503");
    }

    @Test
    void aCameraThatIsGoneIsReportedWithTheReason() {
        Page page = stream("0");
        rig.camera().close();
        assertThat(page.locator("frame-panel #connection"))
                .containsText("The connection to the camera was lost: ", PATIENT);
        assertThat(page.locator("camera-list li.selected")).containsText("lost");
    }

    @Test
    void framesComeAgainWhenTheCameraIsBack() {
        Page page = stream("1");
        rig.camera().close();
        assertThat(page.locator("frame-panel #connection")).containsText("It is being looked for", PATIENT);
        long before = Textures.block(page, 0);
        comeBack();
        assertThat(page.locator("frame-panel #connection")).containsText("connected again", PATIENT);
        page.waitForCondition(
                () -> Textures.block(page, 0) != before, new Page.WaitForConditionOptions().setTimeout(60_000));
    }

    @Test
    void aCameraWithoutReconnectIsOpenedAgainByTwoClicks() {
        Page page = stream("0");
        rig.camera().close();
        assertThat(page.locator("frame-panel #connection")).containsText("Close and open it", PATIENT);
        comeBack();
        Rig.click(page.locator("camera-list"), "Close");
        Rig.click(page.locator("camera-list"), "Open");
        Rig.click(page.locator("frame-panel"), "Start");
        Textures.block(page, 0);
    }
}
