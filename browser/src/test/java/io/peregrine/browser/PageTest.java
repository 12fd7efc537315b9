package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import io.peregrine.testing.ExpectedWarning;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cameras and features on the page, in a real browser. */
@ExpectedWarning("UseRdma=\\w+ is not met")
@PageTimeout
class PageTest {
    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;

    @BeforeEach
    void start() {
        rig = PAGES.rig(Rig.scenario("127.60.0.1"));
    }

    @Test
    void theCameraIsFoundAndOpenedWithOneClick() {
        assertThat(rig.openCamera().locator("camera-list li.selected .name")).hasText("left");
    }

    @Test
    void theTokenLeavesTheAddress() {
        assertEquals(rig.browser().origin() + "/", rig.newPage(true).url());
    }

    @Test
    void aStrangerSeesWhatToDo() {
        Page page = PAGES.chromium().newPage();
        page.navigate(rig.browser().origin());
        assertThat(page.locator("[role=alert]")).hasText("Open the address that the program printed");
        PAGES.chromium().expectComplaint("401");
    }

    @Test
    void aWrongTokenIsRefused() {
        Page page = PAGES.chromium().newPage();
        page.navigate(rig.browser().newAddress(true) + "x");
        assertThat(page.locator("[role=alert]")).hasText("Open the address that the program printed");
        PAGES.chromium().expectComplaint("403");
        PAGES.chromium().expectComplaint("401");
    }

    @Test
    void aTokenIsGoodForOneBrowser() {
        String address = rig.browser().newAddress(true);
        Page first = PAGES.chromium().newPage();
        first.navigate(address);
        first.locator("#role").waitFor();
        Page second = PAGES.chromium().newPage();
        second.navigate(address);
        assertThat(second.locator("[role=alert]")).hasText("Open the address that the program printed");
        PAGES.chromium().expectComplaint("403");
        PAGES.chromium().expectComplaint("401");
    }

    @Test
    void anExposureTimeThatIsSetAppearsOnAnotherPage() {
        Page page = rig.openCamera();
        Page other = rig.newPage(false);
        Rig.seesValue(
                other,
                "ExposureTime",
                Rig.feature(page, "ExposureTime").locator("input").inputValue());
        Rig.set(page, "ExposureTime", "1234.5");
        Rig.seesValue(other, "ExposureTime", "1234.5");
    }

    @Test
    void aValueOutsideTheRangeIsRefusedWithTheReason() {
        Page page = rig.openCamera();
        Rig.set(page, "ExposureTime", "9999999");
        assertThat(Rig.feature(page, "ExposureTime").locator("[role=alert]")).containsText("1000000");
        PAGES.chromium().expectComplaint("422");
    }

    @Test
    void thePixelFormatIsChosenAmongThoseOfTheCamera() {
        Page page = rig.openCamera();
        Rig.choose(page, "PixelFormat", "Mono16");
        Rig.seesValue(page, "PixelFormat", "Mono16");
    }

    @Test
    void whatDependsOnASetFeatureIsReadAgain() {
        Page page = rig.openCamera();
        page.locator("feature-tree select[aria-label=Visibility]").selectOption("guru");
        page.locator("feature-tree #search").fill("/^(PixelFormat|PayloadSize)$/");
        Locator payload = page.locator("feature-row[data-feature=PayloadSize] input");
        assertThat(payload).hasValue(Integer.toString(Rig.WIDTH * Rig.HEIGHT));
        page.locator("feature-row[data-feature=PixelFormat] select").selectOption("Mono16");
        assertThat(payload).hasValue(Integer.toString(2 * Rig.WIDTH * Rig.HEIGHT));
    }

    @Test
    void aViewerChangesNothing() {
        rig.openCamera();
        Page viewer = rig.newPage(false);
        assertThat(Rig.feature(viewer, "ExposureTime").locator("input")).isDisabled();
        assertThat(viewer.locator("frame-panel #start")).isDisabled();
    }

    @Test
    void parametersForOpeningAreSetOnThePage() {
        Page page = rig.newPage(true);
        Rig.click(page.locator("camera-list"), "Parameters");
        page.locator("camera-parameters input#AccessMode").fill("ReadOnly");
        Rig.click(page.locator("camera-parameters"), "Save");
        Rig.click(page.locator("camera-list"), "Open");
        assertThat(page.locator("camera-list li.selected")).containsText("monitor");
    }

    @Test
    void rdmaThatIsUnavailableIsShownWithTheReason() {
        Page page = rig.newPage(true);
        Rig.click(page.locator("camera-list"), "Parameters");
        page.locator("camera-parameters input#UseRdma").fill("1");
        Rig.click(page.locator("camera-parameters"), "Save");
        Rig.click(page.locator("camera-list"), "Open");
        Rig.click(page.locator("frame-panel"), "Start");
        assertThat(page.locator("diagnosis-panel #mode"))
                .hasText(Pattern.compile("streaming over GVSP, RDMA was requested: \\S.*"));
    }

    @Test
    void aClosedCameraLeavesThePage() {
        Page page = rig.openCamera();
        Rig.click(page.locator("camera-list"), "Close");
        assertThat(page.locator("feature-tree")).hasCount(0);
    }

    @Test
    void whatThePageAsksOfACameraIsGivenUpBeforeItClosesTheCamera() {
        Page page = rig.openCamera();
        Rig.feature(page, "ExposureTime").locator("input").waitFor();
        List<Route> held = new ArrayList<>();
        page.route(url -> url.contains("/values?"), held::add);
        page.locator("feature-tree #search").fill("Gamma");
        page.waitForCondition(() -> !held.isEmpty());
        Rig.click(page.locator("camera-list"), "Close");
        assertThat(page.locator("camera-list li")).not().containsText("controlled from here");
        held.forEach(Route::resume);
        page.evaluate("fetch('/api/cameras').then(answer => answer.json())");
    }
}
