package io.peregrine.virtualcamera;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** JPEG pictures of the test pattern: a few, which come again and again. */
final class JpegData implements PartData {
    private static final int PICTURES = 4;

    private static JpegData latest;

    private final int width;
    private final int height;
    private final List<byte[]> pictures;
    private final int maxBytes;

    private JpegData(int width, int height) {
        this.width = width;
        this.height = height;
        List<byte[]> encoded = new ArrayList<>();
        for (int i = 0; i < PICTURES; i++) {
            encoded.add(encode(width, height, i));
        }
        // The block that stands for the largest one has the id 0.
        encoded.sort(Comparator.comparingInt(picture -> -picture.length));
        pictures = List.copyOf(encoded);
        maxBytes = pictures.get(0).length;
    }

    /** The pictures of a size; those of the last size asked for are kept. */
    static synchronized JpegData of(int width, int height) {
        if (latest == null || latest.width != width || latest.height != height) {
            latest = new JpegData(width, height);
        }
        return latest;
    }

    private static byte[] encode(int width, int height, int number) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY);
        byte[] pixels = ((DataBufferByte) image.getRaster().getDataBuffer()).getData();
        TestPattern.fill(TestPattern.INTENSITY, Formats.MONO8, number, width, height, ByteBuffer.wrap(pixels));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
            if (!ImageIO.write(image, "jpeg", out)) {
                throw new VirtualCameraException("This Java cannot write JPEG: the module java.desktop is incomplete");
            }
        } catch (IOException e) {
            throw new VirtualCameraException("JPEG could not be written: " + e.getMessage(), e);
        }
        return bytes.toByteArray();
    }

    private byte[] picture(Stamp stamp) {
        return pictures.get((int) Long.remainderUnsigned(stamp.picture(), PICTURES));
    }

    @Override
    public int maxBytes() {
        return maxBytes;
    }

    @Override
    public int bytes(Stamp stamp) {
        return picture(stamp).length;
    }

    @Override
    public int count(Stamp stamp) {
        return height;
    }

    @Override
    public void fill(Stamp stamp, ByteBuffer target) {
        target.put(picture(stamp));
    }
}
