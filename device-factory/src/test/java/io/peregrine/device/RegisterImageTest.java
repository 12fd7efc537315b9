package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class RegisterImageTest {
    private final RegisterImage image = new RegisterImage();

    private static byte[] read(RegisterImage from, long address, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        from.read(address, bytes);
        return bytes.array();
    }

    @Test
    void whatWasNotWrittenIsZero() {
        image.write(2, ByteBuffer.wrap(new byte[] {5}));
        assertArrayEquals(new byte[] {0, 0, 5, 0}, read(image, 0, 4));
    }

    @Test
    void runsAreWrittenWithAddressAndLength() {
        image.write(0x1234, ByteBuffer.wrap(new byte[] {7, 8}));
        image.write(0x1238, ByteBuffer.wrap(new byte[] {9}));
        assertEquals(
                "0000000000001234" + "00000002" + "0708" + "0000000000001238" + "00000001" + "09",
                HexFormat.of().formatHex(image.toBytes()));
    }

    @Test
    void registersOverAPageAreReadAsTheyWereWritten() {
        byte[] bytes = new byte[1000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 7 + 1);
        }
        image.write(200, ByteBuffer.wrap(bytes));
        assertArrayEquals(bytes, read(RegisterImage.parse(image.toBytes()), 200, 1000));
    }

    @Test
    void aRunThatEndsEarlyIsRefused() {
        byte[] whole = HexFormat.of().parseHex("0000000000001234" + "00000002" + "0708");
        for (int length = 1; length < whole.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(whole, length);
            assertThrows(DeviceException.class, () -> RegisterImage.parse(cut));
        }
    }

    @Test
    void anImpossibleAddressIsRefused() {
        byte[] negative = HexFormat.of().parseHex("8000000000001234" + "00000002" + "0708");
        assertThrows(DeviceException.class, () -> RegisterImage.parse(negative));
        byte[] tooFar = HexFormat.of().parseHex("7fffffffffffffff" + "00000002" + "0708");
        assertThrows(DeviceException.class, () -> RegisterImage.parse(tooFar));
    }

    @Test
    void memoryOfAHostileImageIsBounded() {
        ByteBuffer runs = ByteBuffer.allocate(300_000 * 13);
        for (long i = 0; i < 300_000; i++) {
            runs.putLong(i << 20).putInt(1).put((byte) 1);
        }
        assertThrows(DeviceException.class, () -> RegisterImage.parse(runs.array()));
    }
}
