package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Device descriptions from files on the page. */
@PageTimeout
class DescriptionOnPageTest {
    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;

    @BeforeEach
    void start() {
        rig = PAGES.rig(Rig.scenario("127.60.0.24"));
    }

    private Locator show(String name, byte[] file) {
        Page page = rig.newPage(true);
        Rig.click(page.locator("tools-bar"), "Description");
        Locator dialog = page.locator("description-dialog");
        dialog.locator("#description").setInputFiles(new FilePayload(name, "application/octet-stream", file));
        return dialog;
    }

    private static byte[] description() throws IOException {
        try (InputStream in =
                DescriptionOnPageTest.class.getResourceAsStream("/io/peregrine/virtualcamera/peregrine.xml")) {
            return in.readAllBytes();
        }
    }

    private static byte[] zip(byte[] content, int times) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("description.xml"));
            for (int i = 0; i < times; i++) {
                zip.write(content);
            }
        }
        return bytes.toByteArray();
    }

    private void refused(String name, byte[] file, String reason) {
        assertThat(show(name, file).locator("[role=alert]")).containsText(reason);
        PAGES.chromium().expectComplaint("4");
    }

    @Test
    void theFeaturesOfAZippedDescriptionAreATree() throws IOException {
        Locator dialog = show("camera.zip", zip(description(), 1));
        dialog.locator("[data-category=ImageFormatControl] > summary").click();
        assertThat(dialog.locator("[data-feature=PixelFormat]")).containsText("enumeration, beginner");
        dialog.locator("#search-description").fill("/^Exposure(Time|Mode)$/");
        assertThat(dialog.locator("[data-feature]")).hasCount(2);
    }

    @Test
    void aBrokenNodeIsListedWithTheReason() throws IOException {
        String broken = new String(description(), StandardCharsets.UTF_8)
                .replace("<pValue>OffsetYReg</pValue>", "<pValue>Nowhere</pValue>");
        Locator dialog = show("broken.xml", broken.getBytes(StandardCharsets.UTF_8));
        assertThat(dialog.locator("#problems [data-node=OffsetY]").first()).containsText("Nowhere");
        assertThat(dialog.locator("[data-category=ImageFormatControl]")).isVisible();
    }

    @Test
    void aFileThatIsNoDescriptionIsRefused() {
        refused("notes.xml", "shopping list".getBytes(StandardCharsets.UTF_8), "holds no XML");
    }

    @Test
    void entitiesOfADocumentTypeAreNotExpanded() {
        String evil = "<?xml version=\"1.0\"?><!DOCTYPE R [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>"
                + "<RegisterDescription ModelName=\"&e;\"></RegisterDescription>";
        refused("evil.xml", evil.getBytes(StandardCharsets.UTF_8), "DOCTYPE");
    }

    @Test
    void aFileThatUnpacksWithoutEndIsRefused() throws IOException {
        refused("bomb.zip", zip(new byte[1 << 20], 65), "bytes");
    }

    @Test
    void aFileThatIsTooLongIsRefused() throws IOException {
        RawHttp http = new RawHttp(rig.browser().origin());
        RawHttp.Answer answer = http.sendTo(
                http.host(),
                "POST",
                "/api/description",
                " ".repeat((16 << 20) + 1),
                "Cookie: " + RawHttp.login(rig.browser().newAddress(true)),
                http.ownOrigin(),
                "Content-Type: application/octet-stream");
        assertEquals(413, answer.status(), answer.body());
    }
}
