package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Page;
import io.peregrine.device.Device;
import io.peregrine.device.configured.ConfiguredDevice;
import io.peregrine.device.configured.ConfiguredDevices;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Devices that a page configures are opened by programs, and the other way round. */
@PageTimeout
class ConfiguredOnPageTest {
    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;

    @BeforeEach
    void start() {
        rig = PAGES.rig(Rig.scenario("127.60.0.5"));
    }

    private void configure(Page page, String name, String flowSets) {
        Rig.click(page.locator("camera-list"), "Parameters");
        page.locator("camera-parameters #configured-name").fill(name);
        page.locator("camera-parameters input#FlowSetCount").fill(flowSets);
        Rig.click(page.locator("camera-parameters"), "Save");
        assertThat(page.locator("camera-list [data-camera] .name")).hasText(name);
    }

    @Test
    void aProgramOpensWhatThePageConfigured() {
        configure(rig.newPage(true), "bench 1", "4");
        try (Device device = rig.devices().open("bench 1")) {
            assertEquals("PG-60", device.info().serialNumber());
            assertEquals("4", device.info().parameters().get("FlowSetCount"));
        }
    }

    @Test
    void parametersThatAreChangedLaterAreKept() {
        Page page = rig.newPage(true);
        configure(page, "bench 1", "4");
        Rig.click(page.locator("camera-list"), "Parameters");
        page.locator("camera-parameters input#FlowSetCount").fill("6");
        Rig.click(page.locator("camera-parameters"), "Save");
        assertThat(page.locator("camera-parameters dialog")).isHidden();
        assertEquals("6", rig.devices().find("bench 1").parameters().get("FlowSetCount"));
    }

    @Test
    void whatAProgramConfiguredIsOnThePage() {
        ConfiguredDevices.in(rig.configuration())
                .put(new ConfiguredDevice("bench 2", "", "PG-60", "", Map.of("AccessMode", "ReadOnly")));
        Page page = rig.newPage(true);
        assertThat(page.locator("camera-list [data-camera] .name")).hasText("bench 2");
        Rig.click(page.locator("camera-list"), "Open");
        assertThat(page.locator("camera-list li.selected")).containsText("monitor");
    }

    @Test
    void anEmptyNameEndsTheConfiguration() {
        Page page = rig.newPage(true);
        configure(page, "bench 1", "4");
        Rig.click(page.locator("camera-list"), "Parameters");
        page.locator("camera-parameters #configured-name").fill("");
        Rig.click(page.locator("camera-parameters"), "Save");
        assertThat(page.locator("camera-list [data-camera] .name")).hasText("left");
        assertEquals(List.of(), ConfiguredDevices.in(rig.configuration()).list());
    }

    @Test
    void oneThatDoesNotAnswerIsListedAndCanBeForgotten() {
        ConfiguredDevices.in(rig.configuration())
                .put(new ConfiguredDevice("away", "02:00:00:00:00:99", "", "", Map.of()));
        Page page = rig.newPage(true);
        assertThat(page.locator("camera-list li[data-configured=away]")).containsText("02:00:00:00:00:99");
        Rig.click(page.locator("camera-list li[data-configured=away]"), "Forget");
        assertThat(page.locator("camera-list li[data-configured=away]")).hasCount(0);
    }

    @Test
    void aFileThatCannotBeUsedIsNamedAndHidesNoCamera() throws IOException {
        Files.writeString(rig.configuration(), "{\"devices\":[{\"name\":7}]}");
        Page page = rig.newPage(true);
        assertThat(page.locator("camera-list #broken")).containsText("devices.json cannot be used");
        assertThat(page.locator("camera-list [data-camera] .name")).hasText("left");
        PAGES.chromium().expectComplaint("409");
    }

    @Test
    void aDeviceIsAddedByItsAddress() {
        Page page = rig.newPage(true);
        page.locator("camera-list input[name=device]")
                .fill("127.60.0.5:" + rig.camera().address().getPort());
        Rig.click(page.locator("camera-list form"), "Add");
        assertThat(page.locator("camera-list [data-camera] .name")).hasCount(1);
    }

    @Test
    void aDeviceThatNoSearchFindsIsNotMissed() {
        VirtualCamera other =
                PAGES.camera(Rig.scenario("127.60.0.25").serial("PG-61").userName("right"));
        Page page = rig.newPage(true);
        page.locator("camera-list input[name=device]")
                .fill("127.60.0.25:" + other.address().getPort());
        Rig.click(page.locator("camera-list form"), "Add");
        assertThat(page.locator("camera-list [data-camera] .name")).hasCount(2);
        page.waitForResponse(
                "**/api/search", () -> page.locator("camera-list #search").click());
        assertThat(page.locator("camera-list #search")).hasText("Search");
        assertThat(page.locator("camera-list")).not().containsText("did not answer");
    }

    @Test
    void aCameraIsWatchedBesideTheProgramThatControlsIt() {
        try (Device program = rig.devices().open("PG-60")) {
            Page page = rig.newPage(true);
            Rig.click(page.locator("camera-list"), "Monitor");
            assertThat(page.locator("camera-list li.selected")).containsText("monitor");
            assertThat(Rig.feature(page, "ExposureTime").locator("input")).isDisabled();
            assertEquals("PG-60", program.info().serialNumber());
        }
    }
}
