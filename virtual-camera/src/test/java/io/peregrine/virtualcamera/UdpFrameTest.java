package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class UdpFrameTest {
    private static byte[] mac(String hex) {
        return HexFormat.ofDelimiter(":").parseHex(hex);
    }

    private static String write(UdpFrame frame, int dataBytes) {
        ByteBuffer target = ByteBuffer.allocate(UdpFrame.BYTES + 3);
        frame.write(target, 3, dataBytes);
        return HexFormat.of().formatHex(target.array(), 3, target.capacity());
    }

    /** The IPv4 header is the example of a checksum that textbooks have, 0xB861. */
    @Test
    void headersAreThoseOfAnExample() {
        UdpFrame frame = new UdpFrame(
                mac("02:00:0a:4d:00:01"),
                mac("02:00:0a:4d:00:02"),
                new InetSocketAddress("192.168.0.1", 0x1234),
                new InetSocketAddress("192.168.0.199", 0x5678),
                64);
        String expected = "02000a4d0002" + "02000a4d0001" + "0800"
                + "45000073000040004011b861c0a80001c0a800c7"
                + "12345678" + "005f" + "0000";
        assertEquals(expected, write(frame, 0x73 - 28));
    }

    /** By RFC 1071, of 16-bit words whose sum carries twice: worked out by hand. */
    @Test
    void checksumCarriesTwice() {
        UdpFrame frame = new UdpFrame(
                new byte[6],
                new byte[6],
                new InetSocketAddress("255.255.255.255", 1),
                new InetSocketAddress("255.255.255.255", 2),
                255);
        // 4500 + 4000 + FF11 + 4 * FFFF = 5 840D; with length FFFF 6 840C; 840C + 6 = 8412; not: 7BED.
        assertEquals("7bed", write(frame, 0xFFFF - 28).substring(48, 52));
    }
}
