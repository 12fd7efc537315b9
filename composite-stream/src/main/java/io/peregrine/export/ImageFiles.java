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

/** Files of images, behind {@link Images}. */
final class ImageFiles {
    private ImageFiles() {}

    static void writePng(BufferedImage image, OutputStream target) throws IOException {
        write(image, "png", "", target);
    }

    static void writePng(BufferedImage image, Path file) throws IOException {
        refuseWhatDoesNotFit(image, "png");
        try (OutputStream target = Files.newOutputStream(file)) {
            writePng(image, target);
        }
    }

    static void writeTiff(BufferedImage image, OutputStream target) throws IOException {
        write(image, "tiff", "ZLib", target);
    }

    static void writeTiff(BufferedImage image, Path file) throws IOException {
        refuseWhatDoesNotFit(image, "tiff");
        try (OutputStream target = Files.newOutputStream(file)) {
            writeTiff(image, target);
        }
    }

    /** Before a file is opened, which empties it. */
    private static void refuseWhatDoesNotFit(BufferedImage image, String format) {
        writer(image, format).dispose();
    }

    private static ImageWriter writer(BufferedImage image, String format) {
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
        return writer;
    }

    private static void write(BufferedImage image, String format, String compression, OutputStream target)
            throws IOException {
        ImageWriter writer = writer(image, format);
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
