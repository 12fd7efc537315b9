package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Page;
import io.peregrine.device.Device;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.genapi.Node;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Values of one camera that several clients see: pages, and programs with their connections to the camera. */
@PageTimeout
class OtherClientsOnPageTest {
    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;

    @BeforeEach
    void start() {
        rig = PAGES.rig(Rig.scenario("127.60.0.22"));
    }

    /** A program on the same host, with a connection of its own. */
    private Device program(String accessMode) {
        DiscoveryInformation info = rig.devices()
                .find(rig.camera().address().getAddress().getHostAddress() + ":"
                        + rig.camera().address().getPort());
        return rig.devices().open(info.setParameter("AccessMode", accessMode));
    }

    private Page monitor() {
        Page page = rig.newPage(true);
        Rig.click(page.locator("camera-list"), "Monitor");
        page.locator("feature-tree").waitFor();
        return page;
    }

    private static Node feature(Device program, String name) {
        return program.nodeMap("Device").find(name).orElseThrow();
    }

    @Test
    void anExposureTimeThatAProgramSetsAppearsOnThePage() {
        try (Device program = program("Control")) {
            Page page = monitor();
            assertThat(Rig.feature(page, "ExposureTime").locator("input")).not().hasValue("4321.5");
            feature(program, "ExposureTime").setFromText("4321.5");
            Rig.seesValue(page, "ExposureTime", "4321.5");
        }
    }

    @Test
    void aPixelFormatThatAProgramSetsAppearsOnThePage() {
        try (Device program = program("Control")) {
            Page page = monitor();
            Rig.seesValue(page, "PixelFormat", "Mono8");
            feature(program, "PixelFormat").setFromText("Mono12");
            Rig.seesValue(page, "PixelFormat", "Mono12");
        }
    }

    @Test
    void whatThePageSetsIsSeenByAProgramThatMonitors() {
        Page page = rig.openCamera();
        try (Device program = program("ReadOnly")) {
            Node format = feature(program, "PixelFormat");
            assertEquals("Mono8", format.valueAsText());
            Rig.choose(page, "PixelFormat", "Mono12");
            Rig.seesValue(page, "PixelFormat", "Mono12");
            format.refresh();
            assertEquals("Mono12", format.valueAsText());
        }
    }

    @Test
    void aPixelFormatThatIsSetAppearsOnAnotherPage() {
        Page page = rig.openCamera();
        Page other = rig.newPage(false);
        Rig.seesValue(other, "PixelFormat", "Mono8");
        Rig.choose(page, "PixelFormat", "Mono12");
        Rig.seesValue(other, "PixelFormat", "Mono12");
    }
}
