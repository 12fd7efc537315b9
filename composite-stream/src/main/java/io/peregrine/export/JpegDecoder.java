package io.peregrine.export;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.MemoryCacheImageInputStream;

/** Decodes JPEG from a camera or a file, which may be anything. */
final class JpegDecoder {
    private JpegDecoder() {}

    /**
     * Decodes one image.
     *
     * @param data from position to limit; bytes after the image are left alone
     * @param maxPixels most pixels to make room for
     * @throws ExportException if it is no JPEG, is damaged, is of a kind that Java does not decode, or is larger
     */
    static BufferedImage decode(ByteBuffer data, long maxPixels) {
        byte[] bytes = new byte[data.remaining()];
        data.duplicate().get(bytes);
        // By name, so that a hostile file cannot choose another decoder.
        Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName("jpeg");
        if (!readers.hasNext()) {
            throw new ExportException("This Java decodes no JPEG");
        }
        ImageReader reader = readers.next();
        List<String> warnings = new ArrayList<>();
        reader.addIIOReadWarningListener((source, warning) -> warnings.add(warning));
        try (MemoryCacheImageInputStream input = new MemoryCacheImageInputStream(new ByteArrayInputStream(bytes))) {
            reader.setInput(input, true, true);
            long pixels = (long) reader.getWidth(0) * reader.getHeight(0);
            if (pixels > maxPixels) {
                throw new ExportException("The JPEG has " + reader.getWidth(0) + "x" + reader.getHeight(0)
                        + " pixels, more than the allowed " + maxPixels);
            }
            BufferedImage image = reader.read(0);
            if (!warnings.isEmpty()) {
                throw new ExportException("The JPEG is damaged: " + warnings.get(0));
            }
            return image;
        } catch (ExportException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // The decoder answers damaged data with all kinds of unchecked exceptions.
            throw new ExportException("The JPEG cannot be decoded: " + e.getMessage(), e);
        } finally {
            reader.dispose();
        }
    }
}
