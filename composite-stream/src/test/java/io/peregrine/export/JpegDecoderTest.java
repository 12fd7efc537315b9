package io.peregrine.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

/** JPEG of cameras and of attackers. */
class JpegDecoderTest {
    private static final long MANY = 1_000_000;

    private static byte[] jpeg() throws IOException {
        BufferedImage picture = new BufferedImage(64, 48, BufferedImage.TYPE_BYTE_GRAY);
        for (int y = 0; y < 48; y++) {
            for (int x = 0; x < 64; x++) {
                picture.getRaster().setSample(x, y, 0, 4 * x);
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(picture, "jpeg", bytes);
        return bytes.toByteArray();
    }

    private static ExportException refused(byte[] bytes) {
        return assertThrows(ExportException.class, () -> JpegDecoder.decode(ByteBuffer.wrap(bytes), MANY));
    }

    @Test
    void aPictureIsDecoded() throws IOException {
        BufferedImage picture = JpegDecoder.decode(ByteBuffer.wrap(jpeg()), MANY);
        assertEquals(64 * 48, picture.getWidth() * picture.getHeight());
        assertEquals(128, picture.getRaster().getSample(32, 24, 0), 3);
    }

    @Test
    void paddingBehindThePictureIsLeftAlone() throws IOException {
        byte[] jpeg = jpeg();
        BufferedImage picture = JpegDecoder.decode(ByteBuffer.wrap(Arrays.copyOf(jpeg, jpeg.length + 100)), MANY);
        assertEquals(64, picture.getWidth());
    }

    @Test
    void aTornPictureIsRefused() throws IOException {
        byte[] jpeg = jpeg();
        refused(Arrays.copyOf(jpeg, jpeg.length * 2 / 3));
    }

    @Test
    void aHeaderThatPromisesTooManyPixelsIsRefusedBeforeRoomIsMade() throws IOException {
        byte[] jpeg = jpeg();
        // Start of frame: marker, length, depth, then height and width as two bytes each.
        int frame = 0;
        while (jpeg[frame] != (byte) 0xFF || jpeg[frame + 1] != (byte) 0xC0) {
            frame++;
        }
        System.arraycopy(HexFormat.of().parseHex("FFDCFFDC"), 0, jpeg, frame + 5, 4);
        assertTrue(refused(jpeg).getMessage().contains("65500x65500"));
    }

    @Test
    void anotherFormatIsRefused() throws IOException {
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(1, 1, BufferedImage.TYPE_BYTE_GRAY), "png", png);
        refused(png.toByteArray());
    }

    @Test
    void nothingIsRefused() {
        refused(new byte[0]);
    }

    @Test
    void aSegmentOfImpossibleLengthIsRefused() {
        refused(HexFormat.of().parseHex("FFD8FFE00000FFC0000108"));
    }

    @Test
    void anyChangedByteEitherDecodesOrIsRefused() throws IOException {
        byte[] jpeg = jpeg();
        int decoded = 0;
        int refused = 0;
        for (int i = 0; i < jpeg.length; i++) {
            byte[] changed = jpeg.clone();
            changed[i] ^= (byte) 0x5A;
            try {
                BufferedImage picture = JpegDecoder.decode(ByteBuffer.wrap(changed), MANY);
                decoded += picture.getWidth() > 0 ? 1 : 0;
            } catch (ExportException e) {
                refused++;
            }
        }
        assertEquals(jpeg.length, decoded + refused);
    }
}
