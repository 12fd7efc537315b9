package io.peregrine.traffic;

import static io.peregrine.traffic.Packets.hex;
import static io.peregrine.traffic.Packets.join;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.DeviceException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Captures, written byte by byte after the drafts of the IETF. */
class CaptureFileTest {
    private static final String LITTLE = "d4c3b2a1 0200 0400 00000000 00000000 00000400 01000000";
    private static final String LITTLE_NANOS = "4d3cb2a1 0200 0400 00000000 00000000 00000400 01000000";
    private static final String BIG = "a1b2c3d4 0002 0004 00000000 00000000 00040000 00000001";
    private static final String RECORD = "02000000 03000000 04000000 04000000 01020304";
    private static final String SECTION = "0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000";
    private static final String LINK = "01000000 14000000 0100 0000 00000400 14000000";
    /** Nanoseconds: resolution 10^-9, then the end of options. */
    private static final String LINK_NANOS =
            "01000000 20000000 0100 0000 00000400 0900 0100 09000000 0000 0000 20000000";

    private static final String PACKET =
            "06000000 24000000 00000000 00000000 40420f00 03000000 05000000 01020300 24000000";

    private final List<CaptureFile.Packet> packets = new ArrayList<>();

    private boolean read(byte... file) {
        try {
            return CaptureFile.read(new ByteArrayInputStream(file), packets::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean read(String... parts) {
        return read(hex(String.join("", parts)));
    }

    private byte[] bytes(int index) {
        byte[] bytes = new byte[packets.get(index).data().limit()];
        packets.get(index).data().get(0, bytes);
        return bytes;
    }

    @Test
    void pcapGivesPacketsWithTheirTime() {
        assertTrue(read(LITTLE, RECORD, RECORD));

        assertEquals(2, packets.size());
        assertEquals(2_000_003_000L, packets.get(1).nanos());
        assertEquals(1, packets.get(1).linkType());
        assertArrayEquals(new byte[] {1, 2, 3, 4}, bytes(1));
    }

    @Test
    void pcapMayCountNanoseconds() {
        read(LITTLE_NANOS, RECORD);

        assertEquals(2_000_000_003L, packets.get(0).nanos());
    }

    @Test
    void pcapMayBeBigEndian() {
        read(BIG, "00000002 00000003 00000001 00000001 07");

        assertEquals(2_000_003_000L, packets.get(0).nanos());
        assertArrayEquals(new byte[] {7}, bytes(0));
    }

    @Test
    void aCaptureThatWasCutOffGivesWhatIsWhole() {
        byte[] whole = hex(LITTLE + RECORD + RECORD);
        for (int length = 24 + 20 + 1; length < whole.length; length++) {
            packets.clear();
            assertFalse(read(Arrays.copyOf(whole, length)), "cut at " + length);
            assertEquals(1, packets.size());
        }
    }

    @Test
    void pcapngGivesPacketsWithTheirTime() {
        assertTrue(read(SECTION, LINK, PACKET));

        assertEquals(1_000_000_000L, packets.get(0).nanos());
        assertArrayEquals(new byte[] {1, 2, 3}, bytes(0));
    }

    @Test
    void pcapngHasAClockForEachInterface() {
        read(SECTION, LINK, LINK_NANOS, PACKET, PACKET.replace("24000000 00000000", "24000000 01000000"));

        assertEquals(1_000_000_000L, packets.get(0).nanos());
        assertEquals(1_000_000L, packets.get(1).nanos());
    }

    @Test
    void pcapngMayCountInPowersOfTwo() {
        read(SECTION, LINK_NANOS.replace("09000000 0000 0000", "8a000000 0000 0000"), PACKET);

        assertEquals(1_000_000L * 1_000_000_000L / 1024, packets.get(0).nanos());
    }

    @Test
    void pcapngMayBeBigEndianAndChangeInTheNextSection() {
        String bigSection = "0a0d0d0a 0000001c 1a2b3c4d 0001 0000 ffffffffffffffff 0000001c";
        String bigLink = "00000001 00000014 0065 0000 00040000 00000014";
        String bigPacket = "00000006 00000024 00000000 00000000 000f4240 00000001 00000001 09000000 00000024";

        read(bigSection, bigLink, bigPacket, SECTION, LINK, PACKET);

        assertEquals(101, packets.get(0).linkType());
        assertArrayEquals(new byte[] {9}, bytes(0));
        assertEquals(1, packets.get(1).linkType());
        assertArrayEquals(new byte[] {1, 2, 3}, bytes(1));
    }

    @Test
    void otherBlocksArePassedOver() {
        String names = "04000000 14000000 0100 0400 7f000001 14000000";

        read(SECTION, names, LINK, names, PACKET);

        assertEquals(1, packets.size());
    }

    @Test
    void simplePacketsHaveNoTime() {
        read(SECTION, LINK, "03000000 14000000 03000000 05060700 14000000");

        assertEquals(0, packets.get(0).nanos());
        assertArrayEquals(new byte[] {5, 6, 7}, bytes(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00", "504b0304 00000000", "1f8b0800 00000000"})
    void anotherFileIsRefused(String file) {
        DeviceException refusal = assertThrows(DeviceException.class, () -> read(file));

        assertTrue(refusal.getMessage().contains("pcap or pcapng"), refusal::getMessage);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                LITTLE + "02000000 03000000 ffffffff 04000000 01020304",
                LITTLE + "02000000 03000000 01001000 04000000 01020304",
                "d4c3b2a1 0200",
                SECTION + PACKET,
                SECTION + LINK + "06000000 24000000 00000000 00000000 40420f00 ff000000 05000000 01020300 24000000",
                SECTION + LINK + "06000000 24000000 09000000 00000000 40420f00 03000000 05000000 01020300 24000000",
                SECTION + "01000000 0c000000 0c000000",
                SECTION + "01000000 08000000",
                SECTION + "01000000 0e000000 0000",
                SECTION + "01000000 fcffff7f 00000000",
                "0a0d0d0a 1c000000 00000000 0100 0000 ffffffffffffffff 1c000000"
            })
    void damageIsAnError(String file) {
        DeviceException refusal = assertThrows(DeviceException.class, () -> read(file));

        assertTrue(refusal.getMessage().startsWith("the capture is damaged"), refusal::getMessage);
    }

    @Test
    void datagramsAreFoundBehindTheHeadersOfManyLinks() {
        byte[] ip = new byte[28 + 4];
        Packets.udp(1, 2, 3, 4, (byte) 9).get(0, ip, 0, 29);
        assertDatagram(1, join(new byte[12], hex("0800"), ip));
        assertDatagram(1, join(new byte[12], hex("8100 0005 0800"), ip));
        assertDatagram(1, join(new byte[12], hex("88a8 0005 8100 0006 0800"), ip));
        assertDatagram(101, ip);
        assertDatagram(228, ip);
        assertDatagram(0, join(hex("02000000"), ip));
        assertDatagram(113, join(new byte[14], hex("0800"), ip));
        assertDatagram(276, join(hex("0800"), new byte[18], ip));
    }

    private static void assertDatagram(int linkType, byte... packet) {
        java.nio.ByteBuffer data = java.nio.ByteBuffer.wrap(packet);
        Datagram datagram =
                Datagram.parse(data, Datagram.ipOffset(linkType, data)).orElseThrow();
        assertEquals(2, datagram.sourcePort(), "link type " + linkType);
        assertEquals(1, datagram.lengthBytes());
        assertEquals(9, datagram.data().get(0));
    }

    @Test
    void whatIsNoDatagramIsPassedOver() {
        byte[] udp = new byte[29];
        Packets.udp(1, 2, 3, 4, (byte) 9).get(0, udp);
        int[][] changes = {{0, 0x65}, {0, 0x44}, {9, 6}, {6, 0x20}, {7, 1}, {3, 27}, {25, 7}, {25, 10}};
        for (int[] change : changes) {
            byte[] changed = udp.clone();
            changed[change[0]] = (byte) change[1];
            assertTrue(Datagram.parse(java.nio.ByteBuffer.wrap(changed), 0).isEmpty(), Arrays.toString(change));
        }
        for (int length = 0; length < 28; length++) {
            assertTrue(Datagram.parse(java.nio.ByteBuffer.wrap(udp, 0, length).slice(), 0)
                    .isEmpty());
        }
    }
}
