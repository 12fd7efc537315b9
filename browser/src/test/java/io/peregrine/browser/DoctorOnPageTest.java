package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.peregrine.device.Device;
import io.peregrine.testing.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The doctor on the page. */
@PageTimeout
class DoctorOnPageTest {
    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;

    @BeforeEach
    void start() {
        rig = PAGES.rig(Rig.scenario("127.60.0.40"));
    }

    private static Locator examined(Page page) {
        Rig.click(page.locator("tools-bar"), "Doctor");
        Locator dialog = page.locator("doctor-dialog");
        dialog.locator("#examine").click();
        dialog.locator("#counts").waitFor();
        dialog.locator("#all").check();
        return dialog;
    }

    @Test
    void theHostIsExaminedWithoutACamera() throws IOException {
        Path limit = Path.of("/proc/sys/net/core/rmem_max");
        Needs.that(Files.isReadable(limit), limit + " of Linux");
        Locator dialog = examined(rig.newPage(true));
        assertThat(dialog.locator("[data-group=network][data-check='receive buffer']"))
                .containsText(Files.readString(limit).strip());
        assertThat(dialog.locator("[data-group=rdma]").first()).isVisible();
        assertThat(dialog.locator("[data-group=camera]")).hasCount(0);
    }

    @Test
    void theCameraThatIsShownIsExaminedToo() {
        Page page = rig.openCamera();
        Locator dialog = examined(page);
        assertThat(dialog.locator("[data-group=camera][data-check=capabilities]"))
                .containsText("resend, events, actions");
        assertThat(dialog.locator("[data-group=camera][data-check=discovery]")).containsText("127.60.0.40");
        Rig.screenshot(page, "browser-doctor.png");
    }

    @Test
    void aCameraThatIsControlledFromHereIsNoConcern() {
        Locator access = examined(rig.openCamera()).locator("[data-group=camera][data-check=access]");
        assertThat(access).containsText("PASS");
        assertThat(access).containsText("controlled from here");
    }

    @Test
    void aCameraThatAnotherProgramControlsIsShown() {
        Device other = rig.devices().open("PG-60");
        try {
            Page page = rig.newPage(true);
            Rig.click(page.locator("camera-list"), "Parameters");
            page.locator("camera-parameters input#AccessMode").fill("ReadOnly");
            Rig.click(page.locator("camera-parameters"), "Save");
            Rig.click(page.locator("camera-list"), "Open");
            page.locator("feature-tree").waitFor();
            assertThat(examined(page).locator("[data-group=camera][data-check=access]"))
                    .containsText("WARN");
        } finally {
            other.close();
        }
    }

    @Test
    void whatFurtherModulesNeedIsExamined() {
        Locator dialog = examined(rig.newPage(true));
        assertThat(dialog.locator("[data-group='" + FurtherChecks.GROUP + "']")).containsText(FurtherChecks.EVIDENCE);
    }

    @Test
    void theFixesAreAScript() throws IOException {
        Page page = rig.newPage(true);
        Locator dialog = examined(page);
        Download download = page.waitForDownload(() -> dialog.locator("#script").click());
        try (var in = download.createReadStream()) {
            String script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(script.startsWith("#!/bin/sh\n"), script);
        }
    }

    private static Map<String, String> report(Page page) throws IOException {
        Rig.click(page.locator("tools-bar"), "Doctor");
        Download download =
                page.waitForDownload(() -> page.locator("doctor-dialog #report").click());
        Map<String, String> entries = new TreeMap<>();
        try (ZipInputStream zip = new ZipInputStream(download.createReadStream())) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                entries.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return entries;
    }

    @Test
    void theReportHasWhatABugReportNeeds() throws IOException {
        Map<String, String> report = report(rig.openCamera());
        assertEquals(
                Set.of(
                        "versions.txt",
                        "discovery.json",
                        "doctor.json",
                        "registers.txt",
                        "description.xml",
                        "stream.json",
                        "Device.txt",
                        "TLDevice.txt",
                        "TLDatastream.txt",
                        "problems.txt",
                        "settings.txt",
                        "errors.txt"),
                report.keySet());
        assertEquals("", report.get("errors.txt"));
        // GigE Vision 2.2, as the first register has it.
        assertTrue(report.get("registers.txt").startsWith("0000  00 02 00 02 "), report.get("registers.txt"));
        assertTrue(report.get("description.xml").startsWith("<?xml"));
        assertTrue(report.get("Device.txt").contains("DeviceSerialNumber\tPG-60"));
        assertTrue(report.get("settings.txt").contains("ExposureTime"), report.get("settings.txt"));
    }

    @Test
    void theReportHasNoKeyAndNoHomeFolder() throws IOException {
        Page page = rig.newPage(true);
        page.evaluate("() => fetch('/api/cameras/c1/parameters', {method: 'PUT',"
                + " headers: {'Content-Type': 'application/json'},"
                + " body: JSON.stringify({parameters: {SwitchoverKey: '54321'}})})");
        Rig.click(page.locator("camera-list"), "Open");
        page.locator("feature-tree").waitFor();
        Map<String, String> report = report(page);
        assertTrue(report.get("stream.json").contains("\"SwitchoverKey\" : \"***\""), report.get("stream.json"));
        assertEquals(
                List.of(),
                report.entrySet().stream()
                        .filter(entry -> entry.getValue().contains("54321")
                                || entry.getValue().contains(System.getProperty("user.home")))
                        .map(Map.Entry::getKey)
                        .toList());
    }

    @Test
    void withoutACameraTheReportIsAboutTheHost() throws IOException {
        assertEquals(
                Set.of("versions.txt", "discovery.json", "doctor.json", "errors.txt"),
                report(rig.newPage(true)).keySet());
    }

    @Test
    void aViewerExaminesNothing() {
        Page page = rig.newPage(false);
        Rig.click(page.locator("tools-bar"), "Doctor");
        assertThat(page.locator("doctor-dialog #examine")).isDisabled();
        assertThat(page.locator("doctor-dialog #report")).isDisabled();
    }
}
