package io.peregrine.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The region of the sensor, drawn on the image and written to the camera. */
@PageTimeout
class RegionOnPageTest {
    @RegisterExtension
    static final Pages PAGES = new Pages();

    private Rig rig;
    private Page page;

    @BeforeEach
    void stream() {
        rig = PAGES.rig(Rig.scenario("127.60.0.12").sensorSize(Rig.WIDTH, Rig.HEIGHT));
        page = rig.openCamera();
        Rig.click(page.locator("frame-panel"), "Start");
        Textures.block(page, 0);
        page.locator("frame-tile #tool-region").click();
    }

    /** Moves the mouse to a place of the image, in pixels of it. */
    private void moveTo(double x, double y) {
        BoundingBox box = page.locator("frame-tile canvas.image").boundingBox();
        double scale = Math.min(box.width / Rig.WIDTH, box.height / Rig.HEIGHT);
        page.mouse()
                .move(
                        box.x + (box.width - scale * Rig.WIDTH) / 2 + scale * x,
                        box.y + (box.height - scale * Rig.HEIGHT) / 2 + scale * y);
    }

    private void draw(double fromX, double fromY, double toX, double toY) {
        moveTo(fromX, fromY);
        page.mouse().down();
        moveTo((fromX + toX) / 2, (fromY + toY) / 2);
        moveTo(toX, toY);
        page.mouse().up();
    }

    private String field(String name) {
        return page.locator("region-form #" + name).inputValue();
    }

    private void apply() {
        page.locator("region-form #apply-region").click();
        assertThat(page.locator("region-form #written")).containsText("set to");
    }

    @Test
    void theRectangleThatTheMouseDrawsIsShownInPixels() {
        draw(10.5, 6.5, 33.5, 21.5);
        assertEquals(List.of("10", "6", "24", "16"), List.of(field("x"), field("y"), field("width"), field("height")));
    }

    /** OffsetX and Width go in steps of 2, OffsetY too, Height in steps of 1: the region holds what was drawn. */
    @Test
    void theRegionIsWrittenInStepsOfTheCamera() {
        draw(11.5, 7.5, 32.5, 21.5);
        apply();
        Rig.seesValue(page, "OffsetX", "10");
        Rig.seesValue(page, "OffsetY", "6");
        Rig.seesValue(page, "Width", "24");
        Rig.seesValue(page, "Height", "16");
    }

    @Test
    void framesOfTheRegionFollowWithoutAnotherClick() {
        draw(10.5, 6.5, 33.5, 21.5);
        apply();
        page.waitForCondition(() -> Textures.read(page, 0).width() == 24);
        Textures.Texture texture = Textures.read(page, 0);
        assertEquals(
                List.of(24, 16, 10, 6),
                List.of(texture.width(), texture.height(), texture.offsetX(), texture.offsetY()));
    }

    @Test
    void aRegionOfARegionIsInPixelsOfTheSensor() {
        page.locator("region-form #x").fill("16");
        page.locator("region-form #y").fill("8");
        page.locator("region-form #width").fill("32");
        page.locator("region-form #height").fill("24");
        page.locator("region-form #height").press("Tab");
        apply();
        page.waitForCondition(() -> Textures.read(page, 0).width() == 32);
        BoundingBox box = page.locator("frame-tile canvas.image").boundingBox();
        page.mouse().move(box.x + box.width / 2, box.y + box.height / 2);
        page.mouse().down();
        page.mouse().move(box.x + box.width / 2 + 1, box.y + box.height / 2 + 1);
        page.mouse().up();
        assertTrue(List.of("31", "32").contains(field("x")), () -> field("x") + ", " + field("y"));
    }

    @Test
    void theWholeSensorComesBack() {
        draw(10.5, 6.5, 33.5, 21.5);
        apply();
        page.locator("region-form #whole-region").click();
        Rig.seesValue(page, "Width", Integer.toString(Rig.WIDTH));
        Rig.seesValue(page, "Height", Integer.toString(Rig.HEIGHT));
        Rig.seesValue(page, "OffsetX", "0");
    }
}
