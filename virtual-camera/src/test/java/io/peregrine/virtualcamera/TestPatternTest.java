package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TestPatternTest {
    private static final int WIDTH = 1300;
    private static final int HEIGHT = 20;

    @ParameterizedTest
    @CsvSource({
        "1, 0x01080001, 1300", // Mono8
        "1, 0x01100005, 2600", // Mono12
        "1, 0x010C0047, 1950", // Mono12p
        "1, 0x01100007, 2600", // Mono16
        "1, 0x02180014, 3900", // RGB8
        "1, 0x01080009, 1300", // BayerRG8
        "4, 0x011000B8, 2600", // Coord3D_C16
        "6, 0x010800C6, 1300", // Confidence8
        "1, 0x010A0046, 1625", // Mono10p
        "1, 0x010C0004, 1950", // Mono10Packed
        "1, 0x010C0006, 1950", // Mono12Packed
        "1, 0x010C0059, 1950", // BayerRG12p
        "1, 0x0210003B, 2600", // YCbCr422_8
        "4, 0x026000C0, 15600", // Coord3D_ABC32f
    })
    void everyByteIsCheckable(long typeId, String format, int lineBytes) {
        int code = Integer.decode(format);
        ByteBuffer data = ByteBuffer.allocate(lineBytes * HEIGHT);
        TestPattern.fill(typeId, code, 9, WIDTH, HEIGHT, data);
        assertEquals(0, data.remaining());
        data.flip();
        assertEquals(0, bad(typeId, code, 9, data));
        assertEquals(0, data.position());

        data.put(lineBytes + 3, (byte) (data.get(lineBytes + 3) + 1));
        data.put(data.limit() - 1, (byte) (data.get(data.limit() - 1) ^ 0x80));
        assertEquals(2, bad(typeId, code, 9, data));

        ByteBuffer shortened = data.duplicate().limit(data.limit() - 5);
        assertEquals(1 + 5, bad(typeId, code, 9, shortened));
        assertTrue(bad(typeId, code, 10, data) > data.limit() / 4, "another frame looks different");

        // A packet that landed one packet further must not pass.
        ByteBuffer moved = ByteBuffer.allocate(lineBytes * HEIGHT);
        TestPattern.fill(typeId, code, 9, WIDTH, HEIGHT, moved);
        moved.flip();
        System.arraycopy(moved.array(), 0, moved.array(), 1464, 1464);
        assertTrue(bad(typeId, code, 9, moved) > 300, "a packet in the wrong place");
    }

    /** The same picture in two packings: what one puts into two bytes the other spreads by its own rule. */
    @Test
    void packedFormatsShowTheSamePixels() {
        int[] mono12p = unpack12p(picture(0x010C0047));
        assertArrayEquals(mono12p, unpack12Packed(picture(0x010C0006)), "Mono12Packed");
        assertArrayEquals(mono12p, unpack12(picture(0x01100005)), "Mono12");
        int[] mono10p = unpack10p(picture(0x010A0046));
        for (int i = 0; i < 4; i++) {
            assertEquals(mono12p[i] >> 4, mono10p[i] >> 2, "Mono10p, pixel " + i + ", without its grain");
        }
    }

    /** The first four pixels. */
    private static byte[] picture(int code) {
        ByteBuffer data = ByteBuffer.allocate(16 * 2);
        TestPattern.fill(1, code, 0, 16, 1, data);
        return data.array();
    }

    /** Low byte first. */
    private static int[] unpack12(byte[] b) {
        return new int[] {
            (b[0] & 0xFF) | b[1] << 8, (b[2] & 0xFF) | b[3] << 8, (b[4] & 0xFF) | b[5] << 8, (b[6] & 0xFF) | b[7] << 8
        };
    }

    private static int[] unpack12p(byte[] b) {
        return new int[] {
            (b[0] & 0xFF) | (b[1] & 0x0F) << 8,
            (b[1] & 0xF0) >> 4 | (b[2] & 0xFF) << 4,
            (b[3] & 0xFF) | (b[4] & 0x0F) << 8,
            (b[4] & 0xF0) >> 4 | (b[5] & 0xFF) << 4
        };
    }

    private static int[] unpack12Packed(byte[] b) {
        return new int[] {
            (b[0] & 0xFF) << 4 | (b[1] & 0x0F),
            (b[2] & 0xFF) << 4 | (b[1] & 0xF0) >> 4,
            (b[3] & 0xFF) << 4 | (b[4] & 0x0F),
            (b[5] & 0xFF) << 4 | (b[4] & 0xF0) >> 4
        };
    }

    private static int[] unpack10p(byte[] b) {
        return new int[] {
            (b[0] & 0xFF) | (b[1] & 0x03) << 8,
            (b[1] & 0xFC) >> 2 | (b[2] & 0x0F) << 6,
            (b[2] & 0xF0) >> 4 | (b[3] & 0x3F) << 4,
            (b[3] & 0xC0) >> 6 | (b[4] & 0xFF) << 2
        };
    }

    private static long bad(long typeId, int code, long frame, ByteBuffer data) {
        return TestPattern.countBadBytes(typeId, code, frame, WIDTH, HEIGHT, data);
    }
}
