package io.peregrine.browser.frames;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Writes JPEG of a chosen quality, one image after the other. For one thread. */
public final class Jpeg {
    /** Good enough to look at, with a tenth of the bytes. */
    public static final int DEFAULT_QUALITY = 75;

    private final ImageWriter writer =
            ImageIO.getImageWritersByFormatName("jpeg").next();
    private final ImageWriteParam parameters = writer.getDefaultWriteParam();

    /** Creates a writer. */
    public Jpeg() {
        parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
    }

    /**
     * Writes an image of 8 bits a sample, gray or RGB.
     *
     * @param quality 1 to 100
     */
    public byte[] write(BufferedImage image, int quality) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        parameters.setCompressionQuality(Math.max(1, Math.min(100, quality)) / 100f);
        try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
            writer.setOutput(out);
            writer.write(null, new IIOImage(image, null, null), parameters);
        } catch (IOException e) {
            throw new IllegalStateException("Memory refused bytes", e);
        } finally {
            writer.reset();
        }
        return bytes.toByteArray();
    }
}
