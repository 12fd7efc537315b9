package io.peregrine.rocev2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets laid out byte by byte from the tables of the InfiniBand architecture and its annex for RoCEv2. */
class PacketLayoutTest {
    private static final int BTH = 28;
    private static final int SOURCE = 0x0A000001;
    private static final int DESTINATION = 0x0A000002;
    private static final int SOURCE_PORT = 0xC001;
    private static final int DESTINATION_PORT = 4791;

    /** SEND_ONLY of 5 bytes with 3 of pad, 52 bytes in all, without a checksum. */
    private static final String SEND_ONLY =
            // Version, type of service, length, identification, do not fragment, time to live, protocol, checksum,
            // addresses.
            "45 00 0034 1234 4000 40 11 1477 0A000001 0A000002"
                    // Ports, length, checksum.
                    + "C001 12B7 0020 0000"
                    // Opcode, pad 3, partition, congestion, queue pair, acknowledge, sequence number.
                    + "04 30 FFFF 00 000011 80 001240"
                    + "0102030405 000000"
                    + "00000000";

    /** What routers may change: type of service, time to live, checksums of IP and UDP, congestion bits. */
    private static final int[] MASKED = {1, 8, 10, 11, 26, 27, 32};

    private final Icrc icrc = new Icrc();

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    /** CRC-32, one bit after the other. */
    private static int crc(byte[] bytes) {
        int crc = -1;
        for (byte value : bytes) {
            crc ^= value & 0xFF;
            for (int bit = 0; bit < 8; bit++) {
                crc = crc >>> 1 ^ ((crc & 1) == 0 ? 0 : 0xEDB88320);
            }
        }
        return ~crc;
    }

    /**
     * The checksum of an IP packet whose last four bytes are for it: 8 bytes of ones, then the packet without what may
     * change.
     */
    private static int expected(byte[] packet) {
        ByteBuffer covered =
                ByteBuffer.allocate(8 + packet.length - 4).put(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1});
        covered.put(packet, 0, packet.length - 4);
        for (int at : MASKED) {
            covered.put(8 + at, (byte) 0xFF);
        }
        return crc(covered.array());
    }

    /** What a UDP datagram carries of the packet. */
    private static ByteBuffer datagram(byte[] packet) {
        return ByteBuffer.wrap(packet, BTH, packet.length - BTH).slice();
    }

    private int computed(byte[] packet) {
        ByteBuffer datagram = datagram(packet);
        int identification = Short.toUnsignedInt(ByteBuffer.wrap(packet).getShort(4));
        return icrc.compute(
                SOURCE, SOURCE_PORT, DESTINATION, DESTINATION_PORT, identification, datagram, 0, datagram.capacity());
    }

    /** The identification that is found for what arrived. */
    private int found(ByteBuffer datagram) {
        return icrc.check(SOURCE, SOURCE_PORT, DESTINATION, DESTINATION_PORT, datagram, 0, datagram.capacity());
    }

    /** A packet with so many bytes of payload, and its checksum, which ends with its least significant byte first. */
    private static byte[] sealed(int identification, int payload) {
        byte[] headers = bytes(SEND_ONLY.substring(0, SEND_ONLY.indexOf("0102030405")));
        ByteBuffer packet = ByteBuffer.allocate(headers.length + payload + 4).put(headers);
        packet.putShort(2, (short) packet.capacity()).putShort(4, (short) identification);
        packet.putShort(24, (short) (packet.capacity() - 20)).put(BTH + 1, (byte) 0);
        packet.putInt(packet.capacity() - 4, Integer.reverseBytes(expected(packet.array())));
        return packet.array();
    }

    @Test
    void theChecksumOfOnesIsTheOneThatIsKnown() {
        assertEquals(0x2144DF1C, crc(bytes("FFFFFFFF FFFFFFFF")));
    }

    @Test
    void theChecksumCoversWhatRoutersLeaveAlone() {
        byte[] packet = bytes(SEND_ONLY);

        assertEquals(expected(packet), computed(packet));
    }

    @Test
    void congestionOnTheWayDoesNotChangeTheChecksum() {
        byte[] packet = bytes(SEND_ONLY);
        int before = computed(packet);
        packet[BTH + 4] = (byte) 0xC0;

        assertEquals(before, computed(packet));
    }

    @Test
    void everyOtherByteOfTheDatagramChangesTheChecksum() {
        int before = computed(bytes(SEND_ONLY));
        for (int at = BTH; at < BTH + 20; at++) {
            byte[] packet = bytes(SEND_ONLY);
            packet[at] ^= 1;
            if (at != BTH + 4) {
                assertNotEquals(before, computed(packet), "byte " + at);
            }
        }
    }

    @Test
    void theChecksumEndsThePacketLeastSignificantByteFirst() {
        ByteBuffer packet = ByteBuffer.allocate(16);
        Icrc.put(packet, 0, 16, 0x01020304);

        assertEquals(0x04030201, packet.getInt(12));
        assertEquals(0x01020304, Icrc.get(packet, 0, 16));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 256, 1024, 4096})
    void theIdentificationOfTheIpHeaderIsFoundFromTheChecksum(int payload) {
        for (int identification : new int[] {0, 1, 0x1234, 0x8000, 0xFFFF}) {
            assertEquals(identification, found(datagram(sealed(identification, payload))));
        }
    }

    @Test
    void noIdentificationExplainsADamagedPacket() {
        byte[] packet = sealed(0x1234, 8);
        List<Integer> passed = new ArrayList<>();
        for (int bit = 8 * BTH; bit < 8 * packet.length; bit++) {
            byte[] damaged = packet.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            if (bit / 8 != BTH + 4 && found(datagram(damaged)) != -1) {
                passed.add(bit);
            }
        }

        assertEquals(List.of(), passed);
    }

    @Test
    void everyPacketComesOutAsItWentIn() {
        Random random = new Random(1);
        for (int opcode = 0; opcode < 256; opcode++) {
            byte[] packet = new byte[64];
            random.nextBytes(packet);
            packet[0] = (byte) opcode;

            RocePacket parsed =
                    RocePacket.parse(ByteBuffer.wrap(packet), 0, packet.length).orElseThrow();
            assertEquals(ByteBuffer.wrap(packet), parsed.encode(), parsed::toString);
        }
    }

    @Test
    void aPacketTellsWhatItIs() {
        // Address, key and length of the whole message; 8 bytes of payload.
        ByteBuffer packet = ByteBuffer.wrap(bytes("06 00 FFFF 00 000011 00 001239"
                + "0000700010002000 00000123 00001388"
                + "0102030405060708"
                + "00000000"));

        assertEquals(
                "WRITE_FIRST to queue pair 0x11, sequence number 4665, address 0x700010002000 key 0x123 length 5000,"
                        + " 8 bytes",
                RocePacket.parse(packet, 0, packet.capacity()).orElseThrow().toString());
    }

    @Test
    void anAcknowledgementIsAsTheTablesHaveIt() {
        ByteBuffer ours = ByteBuffer.allocate(16);
        Headers.putBth(ours, 0, Opcode.ACKNOWLEDGE, false, 0, 0x13, false, 0x654321);
        Headers.putAeth(ours, 12, Headers.SYNDROME_ACK, 1);

        assertEquals(ByteBuffer.wrap(bytes("11 00 FFFF 00 000013 00 654321" + "1F 000001")), ours);
    }

    @Test
    void limitedMembersOfThePartitionAreWellFormed() {
        assertTrue(wellFormed(2, "7FFF"));
    }

    @Test
    void anotherVersionPartitionOrOpcodeIsNotWellFormed() {
        assertFalse(wellFormed(1, "31"));
        assertFalse(wellFormed(2, "1234"));
        assertFalse(wellFormed(0, "1F"));
    }

    /** Whether a receiver accepts SEND_ONLY with some bytes of its header replaced. */
    private static boolean wellFormed(int at, String hex) {
        ByteBuffer datagram = datagram(bytes(SEND_ONLY));
        assertTrue(Headers.wellFormed(datagram, 0, datagram.capacity()));
        datagram.put(at, bytes(hex));
        return Headers.wellFormed(datagram, 0, datagram.capacity());
    }
}
