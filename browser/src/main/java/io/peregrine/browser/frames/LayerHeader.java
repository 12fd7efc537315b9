package io.peregrine.browser.frames;

import io.peregrine.composite.Composite;
import io.peregrine.composite.Item;
import io.peregrine.export.PixelView;
import java.nio.ByteBuffer;

/**
 * The first bytes of a message with pixels, little-endian:
 *
 * <pre>
 *  0  4  "PGF1"
 *  4  2  bytes of this header
 *  6  1  bytes of a value: 1 and 2 are unsigned integers, 4 are IEEE 754 numbers
 *  7  1  values of a pixel
 *  8  4  PFNC code of the format that the camera sent
 * 12  4  width, pixels
 * 16  4  height, lines
 * 20  2  index of the item in the frame
 * 22  1  significant bits of a value, of the format that the camera sent
 * 23  1  flags: 1 not complete, 2 converted for display, 4 last message of the frame, 8 a JPEG file instead of values
 * 24  8  block id
 * 32  8  timestamp, ticks of the device
 * 40  4  offset X, pixels
 * 44  4  offset Y, lines
 * 48  8  component type id (1 intensity, 4 range, 6 confidence)
 * 56  4  source id
 * 60  4  region id
 * </pre>
 */
final class LayerHeader {
    static final int BYTES = 64;
    static final int MAGIC = 0x31464750;
    static final int NOT_COMPLETE = 1;
    static final int CONVERTED = 2;
    static final int LAST = 4;
    static final int JPEG = 8;

    private LayerHeader() {}

    static void write(
            ByteBuffer message,
            Composite composite,
            Item item,
            PixelView view,
            LayerForm form,
            int index,
            boolean last) {
        int flags = (item.complete() ? 0 : NOT_COMPLETE)
                | (form.copy() == LayerForm.Copy.DISPLAY ? CONVERTED : 0)
                | (last ? LAST : 0);
        message.putInt(0, MAGIC)
                .putShort(4, (short) BYTES)
                .put(6, (byte) form.sampleBytes())
                .put(7, (byte) form.channels())
                .putInt(8, view.format().code())
                .putInt(12, view.width())
                .putInt(16, view.height())
                .putShort(20, (short) index)
                .put(22, (byte) view.format().significantBits())
                .put(23, (byte) flags)
                .putLong(24, composite.blockId())
                .putLong(32, composite.timestamp())
                .putInt(40, (int) item.offsetX())
                .putInt(44, (int) item.offsetY())
                .putLong(48, item.typeId())
                .putInt(56, item.sourceId())
                .putInt(60, item.regionId());
    }
}
