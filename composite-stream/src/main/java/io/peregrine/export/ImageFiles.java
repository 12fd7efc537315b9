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

/** Writes pictures as PNG and TIFF, with 8 or 16 bits a sample as they have them: no value is lost or changed. */
public final class ImageFiles {
    private ImageFiles() {}

    /**
     * Writes PNG. The stream is not closed.
     *
     * @throws ExportException if the format has no such samples, as PNG has no floating-point ones
     * @throws IOException if the stream refuses
     */
    public static void writePng(BufferedImage picture, OutputStream target) throws IOException {
        write(picture, "png", "", target);
    }

    /**
     * Writes a PNG file.
     *
     * @throws ExportException if the format has no such samples, as PNG has no floating-point ones
     * @throws IOException if the file cannot be written
     */
    public static void writePng(BufferedImage picture, Path file) throws IOException {
        try (OutputStream target = Files.newOutputStream(file)) {
            writePng(picture, target);
        }
    }

    /**
     * Writes TIFF, compressed without loss (Deflate). The stream is not closed.
     *
     * @throws ExportException if the format has no such samples, as PNG has no floating-point ones
     * @throws IOException if the stream refuses
     */
    public static void writeTiff(BufferedImage picture, OutputStream target) throws IOException {
        write(picture, "tiff", "ZLib", target);
    }

    /**
     * Writes a TIFF file, compressed without loss (Deflate).
     *
     * @throws ExportException if the format has no such samples, as PNG has no floating-point ones
     * @throws IOException if the file cannot be written
     */
    public static void writeTiff(BufferedImage picture, Path file) throws IOException {
        try (OutputStream target = Files.newOutputStream(file)) {
            writeTiff(picture, target);
        }
    }

    private static void write(BufferedImage picture, String format, String compression, OutputStream target)
            throws IOException {
        Objects.requireNonNull(picture, "picture");
        Iterator<ImageWriter> writers = ImageIO.getImageWritersByFormatName(format);
        if (!writers.hasNext()) {
            throw new ExportException("This Java writes no " + format + " pictures");
        }
        ImageWriter writer = writers.next();
        if (!writer.getOriginatingProvider().canEncodeImage(picture)) {
            writer.dispose();
            throw new ExportException("A picture of this kind does not fit a " + format + " file");
        }
        // TIFF goes back to fill in offsets, which a plain stream cannot.
        try (MemoryCacheImageOutputStream output = new MemoryCacheImageOutputStream(target)) {
            ImageWriteParam parameters = writer.getDefaultWriteParam();
            if (!compression.isEmpty()) {
                parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
                parameters.setCompressionType(compression);
            }
            writer.setOutput(output);
            writer.write(null, new javax.imageio.IIOImage(picture, null, null), parameters);
        } finally {
            writer.dispose();
        }
    }
}
