package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.peregrine.browser.Textures.block;
import static io.peregrine.browser.Textures.bytes;
import static io.peregrine.browser.Textures.read;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Page;
import io.peregrine.browser.Textures.Texture;
import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Content;
import io.peregrine.virtualcamera.ScenarioBuilder;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Frames on the page: what is in the textures of WebGL is what the camera sent. */
@PageTimeout
class FramesOnPageTest {
    private static final int PIXELS = Rig.WIDTH * Rig.HEIGHT;

    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;

    private Page stream(ScenarioBuilder scenario, String... format) {
        rig = PAGES.rig(scenario);
        Page page = rig.openCamera();
        if (format.length > 0) {
            Rig.choose(page, "PixelFormat", format[0]);
            Rig.seesValue(page, "PixelFormat", format[0]);
        }
        Rig.click(page.locator("frame-panel"), "Start");
        page.locator("frame-tile").first().waitFor();
        return page;
    }

    private static ScenarioBuilder scenario() {
        return Rig.scenario("127.60.0.2");
    }

    private static ByteBuffer sent(long component, int format, long block, int bytes) {
        return Textures.sent(component, format, block, Rig.WIDTH, Rig.HEIGHT, bytes);
    }

    private static List<Double> shorts(ByteBuffer sent) {
        List<Double> values = new ArrayList<>();
        while (sent.hasRemaining()) {
            values.add((double) (sent.getShort() & 0xFFFF));
        }
        return values;
    }

    /** Two pixels in three bytes, low bits first. */
    private static List<Double> twelveBits(ByteBuffer sent) {
        List<Double> values = new ArrayList<>();
        while (sent.hasRemaining()) {
            int first = sent.get() & 0xFF;
            int second = sent.get() & 0xFF;
            int third = sent.get() & 0xFF;
            values.add((double) (first | (second & 0xF) << 8));
            values.add((double) (second >> 4 | third << 4));
        }
        return values;
    }

    @Test
    void mono8IsInTheTextureAsItWasSent() {
        Texture texture = read(stream(scenario(), "Mono8"), 0);
        assertEquals(bytes(sent(1, 0x01080001, texture.block(), PIXELS)), texture.values());
    }

    @Test
    void mono12pIsInTheTextureWithAllTwelveBits() {
        Texture texture = read(stream(scenario(), "Mono12p"), 0);
        assertEquals(twelveBits(sent(1, 0x010C0047, texture.block(), PIXELS * 3 / 2)), texture.values());
    }

    @Test
    void mono12IsInTheTextureAsItWasSent() {
        Texture texture = read(stream(scenario(), "Mono12"), 0);
        assertEquals(shorts(sent(1, 0x01100005, texture.block(), PIXELS * 2)), texture.values());
    }

    @Test
    void mono16IsInTheTextureWithAllSixteenBits() {
        Texture texture = read(stream(scenario(), "Mono16"), 0);
        assertEquals(shorts(sent(1, 0x01100007, texture.block(), PIXELS * 2)), texture.values());
    }

    @Test
    void bayerRg8IsInTheTextureAsMosaic() {
        Texture texture = read(stream(scenario(), "BayerRG8"), 0);
        assertEquals(bytes(sent(1, 0x01080009, texture.block(), PIXELS)), texture.values());
    }

    @Test
    void coordinatesAreInTheTextureAsFloatingPoint() {
        Page page = stream(scenario().content(Content.COORDINATES).components(Set.of(ComponentKind.values())));
        String range = page.locator("frame-panel [role=tab]")
                .filter(new com.microsoft.playwright.Locator.FilterOptions().setHasText("range"))
                .getAttribute("data-tab");
        page.locator("frame-panel [role=tab][data-tab='" + range + "']").click();
        Texture texture = read(page, Integer.parseInt(range));
        ByteBuffer sent = sent(4, 0x026000C0, texture.block(), PIXELS * 12);
        List<Double> values = new ArrayList<>();
        while (sent.hasRemaining()) {
            values.add((double) sent.getFloat());
        }
        assertEquals(values, texture.values());
    }

    @Test
    void threeComponentsAreSideBySide() {
        Page page = stream(scenario().size(320, 240).components(Set.of(ComponentKind.values())));
        page.locator("frame-panel #tiles").check();
        assertThat(page.locator("frame-tile")).hasCount(3);
        for (int item = 0; item < 3; item++) {
            block(page, item);
        }
        page.locator("feature-tree #search").fill("");
        page.locator("feature-tree [data-category]").first().click();
        Rig.screenshot(page, "browser.png");
    }

    @Test
    void thePixelUnderThePointerShowsTheValueThatWasSent() {
        Page page = stream(scenario(), "Mono12p");
        page.locator("frame-panel #stop").click();
        page.locator("frame-panel #start").waitFor();
        page.locator("frame-tile canvas.image").hover();
        Texture texture = read(page, 0);
        String text = page.locator("frame-tile #pixel").textContent();
        String[] parts = text.replaceAll("[^0-9=,]", "").split("[,=]", -1);
        int at = Integer.parseInt(parts[1]) * Rig.WIDTH + Integer.parseInt(parts[0]);
        assertEquals(texture.values().get(at), Double.parseDouble(parts[2]), text);
    }

    @Test
    void aSnapshotHasTheValuesThatWereSent() throws IOException {
        Page page = stream(scenario(), "Mono8");
        block(page, 0);
        Download download = page.waitForDownload(
                () -> page.locator("frame-tile a[download]").first().click());
        long block = Long.parseLong(download.suggestedFilename().split("-", 3)[1]);
        BufferedImage image = ImageIO.read(download.path().toFile());
        List<Double> values = new ArrayList<>();
        for (int at = 0; at < PIXELS; at++) {
            values.add((double) image.getRaster().getSample(at % Rig.WIDTH, at / Rig.WIDTH, 0));
        }
        assertEquals(bytes(sent(1, 0x01080001, block, PIXELS)), values);
    }

    @Test
    void theStreamStopsAndStartsAgain() {
        Page page = stream(scenario(), "Mono8");
        block(page, 0);
        page.locator("frame-panel #stop").click();
        page.locator("frame-panel #start").click();
        page.locator("frame-panel #stop").waitFor();
        long before = block(page, 0);
        page.waitForCondition(() -> block(page, 0) > before);
    }

    @Test
    void aSecondViewerSeesTheSameStream() {
        stream(scenario(), "Mono8");
        Page viewer = rig.newPage(false);
        Texture texture = read(viewer, 0);
        assertEquals(bytes(sent(1, 0x01080001, texture.block(), PIXELS)), texture.values());
    }
}
