package io.peregrine.export;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Objects;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/**
 * Writes images as PNG and TIFF, with 8 or 16 bits a sample as they have them: no value is lost or changed. For any
 * number of threads.
 */
public final class ImageFiles {
    private ImageFiles() {}

    /**
     * Writes PNG. The stream is not closed.
     *
     * @throws ExportException if the format has no such samples, as PNG has no floating-point ones
     * @throws IOException if the stream refuses
     */
    public static void writePng(BufferedImage image, OutputStream target) throws IOException {
        write(image, "png", "", target);
    }

    /**
     * Writes a PNG file.
     *
     * @throws ExportException if the format has no such samples, as PNG has no floating-point ones
     * @throws IOException if the file cannot be written
     */
    public static void writePng(BufferedImage image, Path file) throws IOException {
        try (OutputStream target = Files.newOutputStream(file)) {
            writePng(image, target);
        }
    }

    /**
     * Writes TIFF, compressed without loss (Deflate). The stream is not closed.
     *
     * @throws ExportException if the format has no such samples, as PNG has no floating-point ones
     * @throws IOException if the stream refuses
     */
    public static void writeTiff(BufferedImage image, OutputStream target) throws IOException {
        write(image, "tiff", "ZLib", target);
    }

    /**
     * Writes a TIFF file, compressed without loss (Deflate).
     *
     * @throws ExportException if the format has no such samples, as PNG has no floating-point ones
     * @throws IOException if the file cannot be written
     */
    public static void writeTiff(BufferedImage image, Path file) throws IOException {
        try (OutputStream target = Files.newOutputStream(file)) {
            writeTiff(image, target);
        }
    }

    private static void write(BufferedImage image, String format, String compression, OutputStream target)
            throws IOException {
        Objects.requireNonNull(image, "image");
        Iterator<ImageWriter> writers = ImageIO.getImageWritersByFormatName(format);
        if (!writers.hasNext()) {
            throw new ExportException("This Java writes no " + format + " images");
        }
        ImageWriter writer = writers.next();
        if (!writer.getOriginatingProvider().canEncodeImage(image)) {
            writer.dispose();
            throw new ExportException("An image of this kind does not fit a " + format + " file");
        }
        // TIFF goes back to fill in offsets, which a plain stream cannot.
        try (MemoryCacheImageOutputStream output = new MemoryCacheImageOutputStream(target)) {
            ImageWriteParam parameters = writer.getDefaultWriteParam();
            if (!compression.isEmpty()) {
                parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
                parameters.setCompressionType(compression);
            }
            writer.setOutput(output);
            writer.write(null, new javax.imageio.IIOImage(image, null, null), parameters);
        } finally {
            writer.dispose();
        }
    }
}
