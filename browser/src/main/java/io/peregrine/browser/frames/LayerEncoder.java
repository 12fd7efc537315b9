package io.peregrine.browser.frames;

import io.peregrine.composite.BufferItem;
import io.peregrine.composite.ChunkItem;
import io.peregrine.composite.Composite;
import io.peregrine.composite.CompressedItem;
import io.peregrine.composite.Item;
import io.peregrine.composite.PlaneItem;
import io.peregrine.composite.PlanesItem;
import io.peregrine.composite.PointCloudItem;
import io.peregrine.export.ExportException;
import io.peregrine.export.Images;
import io.peregrine.export.PixelView;
import io.peregrine.pfnc.PixelConverter;
import io.peregrine.pfnc.PixelLayout;
import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Copies an item of a frame into a message for the page: a {@link LayerHeader}, then the values of all pixels line by
 * line without padding, little-endian. Values are those that the camera sent; bits that share bytes are spread over 16.
 * For one thread; keeps buffers for the largest item.
 */
final class LayerEncoder {
    private final PixelConverter converter = new PixelConverter();
    private short[] shorts = new short[0];
    private float[] floats = new float[0];
    private byte[] bytes = new byte[0];

    /** Whether an item holds pixels that can be shown. */
    static boolean showable(Item item) {
        return item.width() > 0
                && item.height() > 0
                && item.format().bitsPerPixel() > 0
                && item.valid()
                && !(item instanceof CompressedItem || item instanceof ChunkItem || item instanceof BufferItem);
    }

    /**
     * Encodes an item.
     *
     * @param index of the item in the frame
     * @param last whether no other message of the frame follows
     * @param target memory to use again, if it is large enough
     * @return the message, from position 0 to its limit
     * @throws ExportException if the item holds no pixels
     */
    ByteBuffer encode(Composite composite, Item item, int index, boolean last, ByteBuffer target) {
        PixelView view = view(item);
        LayerForm form = LayerForm.of(view.format());
        long pixels = view.pixels();
        int size = Math.toIntExact(Math.addExact(
                LayerHeader.BYTES, Math.multiplyExact(pixels, (long) form.sampleBytes() * form.channels())));
        ByteBuffer message = target.capacity() >= size ? target : ByteBuffer.allocateDirect(size);
        message.clear().limit(size);
        message.order(ByteOrder.LITTLE_ENDIAN);
        LayerHeader.write(message, composite, item, view, form, index, last);
        message.position(LayerHeader.BYTES);
        switch (form.copy()) {
            case LINES -> copyLines(view, form, message);
            case RAW16 -> {
                shorts = shorts.length >= pixels ? shorts : new short[(int) pixels];
                converter.toRaw16(layout(view), 0, view.data(), shorts);
                message.asShortBuffer().put(shorts, 0, (int) pixels);
            }
            case FLOATS -> {
                int count = Math.toIntExact(pixels * form.channels());
                floats = floats.length >= count ? floats : new float[count];
                converter.toFloat(layout(view), view.data(), floats);
                message.asFloatBuffer().put(floats, 0, count);
            }
            case DISPLAY -> display(view, message);
        }
        return message.position(0);
    }

    /** The pixels of an item, also of one that is not complete. */
    private static PixelView view(Item item) {
        boolean apart = item instanceof PlanesItem
                || (item instanceof PointCloudItem cloud && !cloud.interleaved())
                || (item instanceof PlaneItem plane
                        && plane.pixelStrideBytes() > plane.format().lineSizeBytes(1));
        if (item.complete() || apart) {
            return PixelView.of(item);
        }
        return new PixelView(item.format(), item.width(), item.height(), item.strideBytes(), item.data());
    }

    private static PixelLayout layout(PixelView view) {
        return view.strideBytes() == 0
                ? PixelLayout.of(view.format(), view.width(), view.height())
                : PixelLayout.strided(view.format(), view.width(), view.height(), view.strideBytes());
    }

    private static void copyLines(PixelView view, LayerForm form, ByteBuffer message) {
        ByteBuffer source = view.data().duplicate();
        int line = view.width() * form.sampleBytes() * form.channels();
        if (view.strideBytes() == 0 || view.strideBytes() == line) {
            message.put(source.limit(Math.multiplyExact(line, view.height())));
            return;
        }
        for (int y = 0; y < view.height(); y++) {
            int start = Math.toIntExact(y * view.strideBytes());
            message.put(source.limit(start + line).position(start));
        }
    }

    private void display(PixelView view, ByteBuffer message) {
        int count = message.remaining();
        if (PixelConverter.supports(view.format(), PixelConverter.Target.RGB8)) {
            bytes = bytes.length >= count ? bytes : new byte[count];
            converter.toRgb8(layout(view), view.data(), bytes);
            message.put(bytes, 0, count);
            return;
        }
        BufferedImage image = Images.forDisplay(view);
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                int colour = image.getRGB(x, y);
                message.put((byte) (colour >> 16)).put((byte) (colour >> 8)).put((byte) colour);
            }
        }
    }
}
