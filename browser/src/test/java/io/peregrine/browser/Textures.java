package io.peregrine.browser;

import com.microsoft.playwright.Page;
import io.peregrine.virtualcamera.TestPattern;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What WebGL has of a frame on a page, and what the virtual camera sent. */
final class Textures {
    /** A tile by the index of its item; an expression for scripts. */
    static final String TILE = """
            (item => document.querySelector('peregrine-app').shadowRoot.querySelector('frame-panel')
              .shadowRoot.querySelector(`frame-tile[data-item="${item}"]`))""";

    /** The layer of a tile, if it is what WebGL has. */
    private static final String LAYER = "const tile = " + TILE + """
            (item);
              const layer = tile?.layer;
              if (!layer || tile.view?.layer !== layer) return null;
            """;

    private static final String BLOCK = "item => { " + LAYER + "return String(layer.blockId); }";

    /** The layer and the values of its channels in the texture, read in one go. */
    private static final String TEXTURE = "item => { " + LAYER + """
              return { block: String(layer.blockId), width: layer.width, height: layer.height,
                offsetX: layer.offsetX, offsetY: layer.offsetY,
                values: Array.from(tile.view.readTexture()).filter((_, i) => i % 4 < layer.channels) };
            }""";

    private Textures() {}

    /** What was read: block id, size, place on the sensor, and the values of all pixels. */
    record Texture(long block, int width, int height, int offsetX, int offsetY, List<Double> values) {}

    /** Waits for a frame of an item: its block id. */
    static long block(Page page, int item) {
        return Long.parseLong((String) page.waitForFunction(BLOCK, item).jsonValue());
    }

    /** Waits for a frame of an item and reads all its values. */
    @SuppressWarnings("unchecked") // What JSON gives.
    static Texture read(Page page, int item) {
        Map<String, Object> read =
                (Map<String, Object>) page.waitForFunction(TEXTURE, item).jsonValue();
        return new Texture(
                Long.parseLong((String) read.get("block")),
                number(read, "width"),
                number(read, "height"),
                number(read, "offsetX"),
                number(read, "offsetY"),
                ((List<Number>) read.get("values"))
                        .stream().map(Number::doubleValue).toList());
    }

    private static int number(Map<String, Object> read, String name) {
        return ((Number) read.get(name)).intValue();
    }

    /** What the camera sent of a component in a block. */
    static ByteBuffer sent(long component, int format, long block, int width, int height, int bytes) {
        ByteBuffer pattern = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        TestPattern.fill(component, format, block, width, height, pattern);
        return pattern.flip();
    }

    static List<Double> bytes(ByteBuffer sent) {
        List<Double> values = new ArrayList<>();
        while (sent.hasRemaining()) {
            values.add((double) (sent.get() & 0xFF));
        }
        return values;
    }
}
