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

/** JPEG images of the test pattern: a few, which repeat. */
final class JpegData implements PartData {
    private static final int IMAGES = 4;

    private static JpegData latest;

    private final int width;
    private final int height;
    private final List<byte[]> images;
    private final int maxBytes;

    private JpegData(int width, int height) {
        this.width = width;
        this.height = height;
        List<byte[]> encoded = new ArrayList<>();
        for (int i = 0; i < IMAGES; i++) {
            encoded.add(encode(width, height, i));
        }
        // The block with the most bytes has the id 0.
        encoded.sort(Comparator.comparingInt(image -> -image.length));
        images = List.copyOf(encoded);
        maxBytes = images.get(0).length;
    }

    /** The images of a size; those of the last size asked for are kept. */
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

    private byte[] image(Stamp stamp) {
        return images.get((int) Long.remainderUnsigned(stamp.image(), IMAGES));
    }

    @Override
    public int maxBytes() {
        return maxBytes;
    }

    @Override
    public int bytes(Stamp stamp) {
        return image(stamp).length;
    }

    @Override
    public int count(Stamp stamp) {
        return height;
    }

    @Override
    public void fill(Stamp stamp, ByteBuffer target) {
        target.put(image(stamp));
    }
}
