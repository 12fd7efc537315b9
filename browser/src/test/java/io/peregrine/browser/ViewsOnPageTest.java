package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Content;
import io.peregrine.virtualcamera.ScenarioBuilder;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the page makes of a frame: profile of a line, cloud of points, window, chunk values, JPEG. */
@PageTimeout
class ViewsOnPageTest {
    private static final int MONO8 = 0x01080001;

    /** A number for what the canvas of the first tile shows now, and how many pixels are not background. */
    private static final String CANVAS = """
            () => {
              const panel = document.querySelector('peregrine-app').shadowRoot.querySelector('frame-panel');
              const tile = panel.shadowRoot.querySelector('frame-tile');
              tile.redraw();
              const { gl, canvas } = tile.view;
              const bytes = new Uint8Array(4 * canvas.width * canvas.height);
              gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
              let sum = 0, shown = 0;
              for (let i = 0; i < bytes.length; i += 4) {
                const background = bytes[i] === 31 && bytes[i + 1] === 33 && bytes[i + 2] === 36;
                if (!background) shown++;
                sum = (sum * 31 + bytes[i] + 256 * bytes[i + 1] + 65536 * bytes[i + 2]) % 1000003;
              }
              return [sum, shown];
            }""";

    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;

    private static ScenarioBuilder scenario() {
        return Rig.scenario("127.60.0.14");
    }

    private Page stream(ScenarioBuilder scenario) {
        rig = PAGES.rig(scenario);
        Page page = rig.openCamera();
        start(page);
        return page;
    }

    private static void start(Page page) {
        Rig.click(page.locator("frame-panel"), "Start");
        page.locator("frame-tile").first().waitFor();
    }

    private static void freeze(Page page) {
        page.locator("frame-panel #stop").click();
        page.locator("frame-panel #start").waitFor();
    }

    private static List<Integer> canvas(Page page) {
        return ((List<?>) page.evaluate(CANVAS))
                .stream().map(value -> ((Number) value).intValue()).toList();
    }

    /** Block id of the frame that the first tile shows, and the size at which it does. */
    private static String shown(Page page) {
        return (String) page.evaluate("""
                () => {
                  const panel = document.querySelector('peregrine-app').shadowRoot.querySelector('frame-panel');
                  const { layer, canvas } = panel.shadowRoot.querySelector('frame-tile');
                  return `${layer.blockId} ${canvas.width} x ${canvas.height}`;
                }""");
    }

    /** The three components of a frame with coordinates; the cloud of the range is shown. */
    private Page cloud() {
        Page page = stream(scenario().content(Content.COORDINATES).components(Set.of(ComponentKind.values())));
        page.locator("frame-panel [role=tab]")
                .filter(new com.microsoft.playwright.Locator.FilterOptions().setHasText("range"))
                .click();
        page.locator("frame-tile #cloud").waitFor();
        freeze(page);
        page.locator("frame-tile #cloud").click();
        return page;
    }

    @Test
    void theProfileOfTheMiddleLineHasTheValuesThatWereSent() {
        Page page = stream(scenario());
        Textures.block(page, 0);
        freeze(page);
        page.locator("frame-tile #tool-profile").click();
        long block = Textures.block(page, 0);
        List<Double> sent =
                Textures.bytes(Textures.sent(1, MONO8, block, Rig.WIDTH, Rig.HEIGHT, Rig.WIDTH * Rig.HEIGHT));
        List<Double> line = sent.subList(24 * Rig.WIDTH, 25 * Rig.WIDTH);
        int low = (int) line.stream().mapToDouble(value -> value).min().orElseThrow();
        int high = (int) line.stream().mapToDouble(value -> value).max().orElseThrow();
        double mean = line.stream().mapToDouble(value -> value).average().orElseThrow();
        assertThat(page.locator("line-profile #profile"))
                .hasText(String.format(
                        java.util.Locale.ROOT, "(0, 24) to (63, 24): 64 pixels, %d to %d, mean %.2f", low, high, mean));
    }

    @Test
    void aLineIsDrawnByTheMouse() {
        Page page = stream(scenario());
        Textures.block(page, 0);
        page.locator("frame-tile #tool-profile").click();
        BoundingBox box = page.locator("frame-tile canvas.image").boundingBox();
        page.mouse().move(box.x + box.width / 2, box.y + 1);
        page.mouse().down();
        page.mouse().move(box.x + box.width / 2, box.y + box.height - 2);
        page.mouse().up();
        assertThat(page.locator("line-profile #profile")).containsText("(32, 0) to (32, 47): 48 pixels");
    }

    @Test
    void aCloudOfPointsIsShown() {
        int shown = canvas(cloud()).get(1);
        assertTrue(shown > 1000, () -> shown + " pixels");
    }

    @Test
    void theCloudTurnsByKeysAndTurnsBack() {
        Page page = cloud();
        page.locator("frame-tile canvas.image").focus();
        String shown;
        List<Integer> before;
        List<Integer> turned;
        List<Integer> back;
        do {
            shown = shown(page);
            before = canvas(page);
            page.keyboard().press("ArrowRight");
            page.keyboard().press("ArrowDown");
            turned = canvas(page);
            page.keyboard().press("0");
            back = canvas(page);
            // The last frame of a stopped stream may still have been on its way, and the page still finding its layout.
        } while (!shown.equals(shown(page)));
        assertNotEquals(before, turned);
        assertEquals(before, back);
    }

    @Test
    void theCloudTurnsByTheMouse() {
        Page page = cloud();
        List<Integer> before = canvas(page);
        BoundingBox box = page.locator("frame-tile canvas.image").boundingBox();
        page.mouse().move(box.x + box.width / 2, box.y + box.height / 2);
        page.mouse().down();
        page.mouse().move(box.x + box.width / 2 + 60, box.y + box.height / 2 + 20);
        page.mouse().up();
        assertNotEquals(before, canvas(page));
        page.locator("frame-tile #auto").click();
        Rig.screenshot(page, "browser-cloud.png");
    }

    @Test
    void valuesAtTheLowerLimitAreBlackAndAtTheUpperWhite() {
        Page page = stream(scenario());
        Textures.block(page, 0);
        freeze(page);
        page.locator("frame-tile #low").fill("300");
        page.locator("frame-tile #low").press("Tab");
        page.locator("frame-tile #high").fill("400");
        page.locator("frame-tile #high").press("Tab");
        int black = canvas(page).get(0);
        page.locator("frame-tile #low").fill("-2");
        page.locator("frame-tile #low").press("Tab");
        page.locator("frame-tile #high").fill("-1");
        page.locator("frame-tile #high").press("Tab");
        assertNotEquals(black, canvas(page).get(0));
    }

    @Test
    void chunkValuesOfAFrameAreShown() {
        rig = PAGES.rig(scenario());
        Page page = rig.openCamera();
        page.locator("feature-tree select[aria-label=Visibility]").selectOption("guru");
        Rig.feature(page, "ChunkModeActive").locator("input").check();
        Rig.choose(page, "ChunkSelector", "Width");
        Rig.feature(page, "ChunkEnable").locator("input").check();
        start(page);
        page.locator("chunk-table summary").click();
        assertThat(page.locator("chunk-table [data-chunk=ChunkWidth]")).containsText(Integer.toString(Rig.WIDTH));
    }

    @Test
    void framesWithoutChunkDataSaySo() {
        Page page = stream(scenario());
        page.locator("chunk-table summary").click();
        assertThat(page.locator("chunk-table")).containsText("no chunk data");
    }

    /** Neighbours in the pattern differ little, so that JPEG changes a value by some steps only. */
    @Test
    void framesComeAsJpegForASlowLine() {
        Page page = stream(scenario());
        page.locator("frame-panel #quality").selectOption("90");
        page.locator("frame-tile #about")
                .filter(new com.microsoft.playwright.Locator.FilterOptions().setHasText("converted"))
                .waitFor();
        Textures.Texture texture = Textures.read(page, 0);
        List<Double> sent =
                Textures.bytes(Textures.sent(1, MONO8, texture.block(), Rig.WIDTH, Rig.HEIGHT, Rig.WIDTH * Rig.HEIGHT));
        double off = IntStream.range(0, sent.size())
                .mapToDouble(i -> Math.abs(sent.get(i) - texture.values().get(4 * i)))
                .average()
                .orElseThrow();
        assertTrue(off < 12, () -> "off by " + off);
    }

    @Test
    void valuesComeAgainAfterJpeg() {
        Page page = stream(scenario());
        page.locator("frame-panel #quality").selectOption("50");
        assertThat(page.locator("frame-tile #about")).containsText("converted");
        page.locator("frame-panel #quality").selectOption("0");
        assertThat(page.locator("frame-tile #about")).not().containsText("converted");
    }
}
