package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TestPatternTest {
    private static final int WIDTH = 1300;
    private static final int HEIGHT = 20;

    @ParameterizedTest
    @CsvSource({
        "1, 0x01080001, 1300", // Mono8
        "1, 0x010C0047, 1950", // Mono12p
        "1, 0x01100007, 2600", // Mono16
        "1, 0x02180014, 3900", // RGB8
        "1, 0x01080009, 1300", // BayerRG8
        "4, 0x011000B8, 2600", // Coord3D_C16
        "6, 0x010800C6, 1300", // Confidence8
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

    private static long bad(long typeId, int code, long frame, ByteBuffer data) {
        return TestPattern.countBadBytes(typeId, code, frame, WIDTH, HEIGHT, data);
    }
}
