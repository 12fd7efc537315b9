package io.peregrine.gvcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes are written down from the standard's layout tables, not taken from the encoder. */
class GvcpPacketTest {
    private static final String DISCOVERY_ACK_HEX = "0000000300f80005" // status, DISCOVERY_ACK, 248 bytes, id 5
            + "00020002" // version 2.2
            + "80000001" // big-endian, transmitter, single link, UTF-8
            + "0000" // reserved
            + "00112233aabb" // MAC
            + "80000007" // supported: pause handling, link-local, DHCP, persistent
            + "00000006" // current: link-local, DHCP
            + "000000000000000000000000" // reserved up to 36
            + "0a4d0001" // 10.77.0.1
            + "000000000000000000000000" // reserved up to 52
            + "ffffff00" // mask
            + "000000000000000000000000" // reserved up to 68
            + "0a4d00fe" // gateway
            + text("Peregrine", 32)
            + text("Virtual 3D", 32)
            + text("1.0", 32)
            + text("for tests", 48)
            + text("SN-0042", 16)
            + text("left", 16);

    private static String text(String value, int lengthBytes) {
        StringBuilder hex = new StringBuilder();
        value.chars().forEach(c -> hex.append(String.format(Locale.ROOT, "%02x", c)));
        return hex + "00".repeat(lengthBytes - value.length());
    }

    private static InetAddress address(int a, int b, int c, int d) {
        try {
            return InetAddress.getByAddress(new byte[] {(byte) a, (byte) b, (byte) c, (byte) d});
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    static Stream<Arguments> commands() {
        return Stream.of(
                arguments("4201000200000001", new DiscoveryCommand(1, false)),
                arguments("421100020000ffff", new DiscoveryCommand(0xFFFF, true)),
                arguments(
                        "4211000400380007" + "0000" + "00112233aabb" + "000000000000000000000000" + "0a4d0001"
                                + "000000000000000000000000" + "ffffff00" + "000000000000000000000000" + "0a4d00fe",
                        new ForceIpCommand(
                                7,
                                true,
                                true,
                                new MacAddress(0x00112233AABBL),
                                address(10, 77, 0, 1),
                                address(255, 255, 255, 0),
                                address(10, 77, 0, 254))),
                arguments(
                        "42000040000c0009" + "0001" + "fffe" + "00" + "000003" + "00" + "ffffff",
                        new PacketResendCommand(9, false, 1, 0xFFFE, 3, 0xFFFFFF)),
                arguments(
                        "421000400014000a" + "0002" + "0000" + "00000004" + "ffffffff" + "8000000000000001",
                        new PacketResendCommand(10, true, 2, 0x8000000000000001L, 4, 0xFFFFFFFFL)),
                arguments("420100800004000b" + "00000938", new ReadRegisterCommand(11, List.of(0x0938))),
                arguments(
                        "420100800008000b" + "00000a00" + "fffffffc",
                        new ReadRegisterCommand(11, List.of(0x0A00, 0xFFFFFFFC))),
                arguments(
                        "420100820008000c" + "00000a00" + "00000002",
                        new WriteRegisterCommand(12, List.of(new RegisterValue(0x0A00, 2)))),
                arguments(
                        "420100820010000c" + "00000d00" + "0000c001" + "00000d18" + "0a4d0002",
                        new WriteRegisterCommand(
                                12, List.of(new RegisterValue(0x0D00, 0xC001), new RegisterValue(0x0D18, 0x0A4D0002)))),
                arguments("420100840008000d" + "00000200" + "00000200", new ReadMemoryCommand(13, 0x0200, 512)),
                arguments(
                        "420100860008000e" + "000000e8" + "6c656674",
                        new WriteMemoryCommand(14, 0xE8, new byte[] {'l', 'e', 'f', 't'})),
                arguments(
                        "420100c00010000f" + "0000" + "9001" + "0000" + "fffe" + "0102030405060708",
                        new EventCommand(
                                15,
                                true,
                                List.of(new GvcpEvent(false, 0x9001, 0, 0xFFFE, 0x0102030405060708L, new byte[0])))),
                arguments(
                        "421000c000180010" + "0000" + "0007" + "ffff" + "0000" + "0000000100000002"
                                + "0102030405060708",
                        new EventCommand(
                                16,
                                false,
                                List.of(new GvcpEvent(
                                        true, 7, 0xFFFF, 0x1_0000_0002L, 0x0102030405060708L, new byte[0])))),
                arguments(
                        "420100c200130011" + "0000" + "9002" + "0000" + "0001" + "0000000000000009" + "aabbcc",
                        new EventDataCommand(
                                17, true, List.of(new GvcpEvent(false, 0x9002, 0, 1, 9, bytes("aabbcc"))))),
                arguments(
                        "421100c200340012" + "001c" + "9002" + "0000" + "0000" + "0000000000000001"
                                + "0000000000000009" + "deadbeef" + "0018" + "9003" + "0000" + "0000"
                                + "0000000000000002" + "000000000000000a",
                        new EventDataCommand(
                                18,
                                true,
                                List.of(
                                        new GvcpEvent(true, 0x9002, 0, 1, 9, bytes("deadbeef")),
                                        new GvcpEvent(true, 0x9003, 0, 2, 10, new byte[0])))),
                arguments(
                        "42010100000c0013" + "11111111" + "22222222" + "0000000f",
                        new ActionCommand(19, true, 0x11111111, 0x22222222, 0xF, OptionalLong.empty())),
                arguments(
                        "4280010000140014" + "11111111" + "22222222" + "0000000f" + "0000000123456789",
                        new ActionCommand(20, false, 0x11111111, 0x22222222, 0xF, OptionalLong.of(0x123456789L))));
    }

    static Stream<Arguments> acknowledges() {
        return Stream.of(
                arguments(
                        DISCOVERY_ACK_HEX,
                        new DiscoveryAck(
                                5,
                                2,
                                2,
                                0x80000001,
                                MacAddress.parse("00:11:22:33:aa:bb"),
                                0x80000007,
                                6,
                                address(10, 77, 0, 1),
                                address(255, 255, 255, 0),
                                address(10, 77, 0, 254),
                                "Peregrine",
                                "Virtual 3D",
                                "1.0",
                                "for tests",
                                "SN-0042",
                                "left")),
                arguments("0000000500000007", new EmptyAck(7, Gvcp.FORCE_IP_ACK, GvcpStatus.SUCCESS)),
                arguments(
                        "000000810008000b" + "00000bb8" + "ffffffff",
                        new ReadRegisterAck(11, List.of(3000, 0xFFFFFFFF))),
                arguments("000000830004000c" + "0000" + "0002", new WriteRegisterAck(12, 2)),
                arguments(
                        "000000850008000d" + "00000200" + "4c6f6361",
                        new ReadMemoryAck(13, 0x200, new byte[] {'L', 'o', 'c', 'a'})),
                arguments("000000870004000e" + "0000" + "0200", new WriteMemoryAck(14, 512)),
                arguments("000000890004000e" + "0000" + "03e8", new PendingAck(14, 1000)),
                arguments("000000c10000000f", new EmptyAck(15, Gvcp.EVENT_ACK, GvcpStatus.SUCCESS)),
                arguments("000000c30000000f", new EmptyAck(15, Gvcp.EVENT_DATA_ACK, GvcpStatus.SUCCESS)),
                arguments("8016010100000013", new EmptyAck(19, Gvcp.ACTION_ACK, GvcpStatus.ACTION_LATE)),
                arguments("8006008300000010", new EmptyAck(16, Gvcp.WRITE_REGISTER_ACK, GvcpStatus.ACCESS_DENIED)));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void encodesCommands(String hex, GvcpCommand command) {
        assertEquals(hex, HexFormat.of().formatHex(command.encode()));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void decodesCommands(String hex, GvcpCommand command) {
        GvcpCommand decoded = GvcpCommand.decode(ByteBuffer.wrap(bytes(hex)));
        assertEquals(command, decoded);
        assertEquals(command.hashCode(), decoded.hashCode());
        assertFalse(decoded.toString().isBlank());
    }

    @ParameterizedTest
    @MethodSource("acknowledges")
    void encodesAcknowledges(String hex, GvcpAck ack) {
        assertEquals(hex, HexFormat.of().formatHex(ack.encode()));
    }

    @ParameterizedTest
    @MethodSource("acknowledges")
    void decodesAcknowledges(String hex, GvcpAck ack) {
        GvcpAck decoded = GvcpAck.decode(ByteBuffer.wrap(bytes(hex)));
        assertEquals(ack, decoded);
        assertEquals(ack.hashCode(), decoded.hashCode());
        assertFalse(decoded.toString().isBlank());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void rejectsCommandsCutAnywhere(String hex, GvcpCommand command) {
        byte[] packet = bytes(hex);
        for (int length = 0; length < packet.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(packet, 0, length);
            assertThrows(MalformedPacketException.class, () -> GvcpCommand.decode(cut), command::toString);
        }
    }

    @ParameterizedTest
    @MethodSource("acknowledges")
    void rejectsAcknowledgesCutAnywhere(String hex, GvcpAck ack) {
        byte[] packet = bytes(hex);
        for (int length = 0; length < packet.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(packet, 0, length);
            assertThrows(MalformedPacketException.class, () -> GvcpAck.decode(cut), ack::toString);
        }
    }

    @Test
    void decodingLeavesTheBufferAloneAndIgnoresItsByteOrder() {
        ByteBuffer datagram = ByteBuffer.wrap(bytes("ffff" + "420100800004000b" + "00000938" + "ee"))
                .position(2)
                .order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(new ReadRegisterCommand(11, List.of(0x0938)), GvcpCommand.decode(datagram));
        assertEquals(2, datagram.position());
        assertEquals(ByteOrder.LITTLE_ENDIAN, datagram.order());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4301000200000001", // key
                "4201012300000001", // command
                "420100800002000b0000", // half a register
                "420100800000000b", // no register
                "42010082000c000c000000000000000000000000", // one and a half registers
                "420100c00011000f0000000000000000000000000000000000", // an event and a byte
                "421100c2001800120017900200000000000000000000000000000000000000000000", // event shorter than its head
                "421100c2001800120019900200000000000000000000000000000000000000000000", // event longer than the packet
            })
    void rejectsCommandsThatContradictThemselves(String hex) {
        assertThrows(MalformedPacketException.class, () -> GvcpCommand.decode(ByteBuffer.wrap(bytes(hex))));
    }

    @Test
    void acceptsExtendedEventDataWithoutSize() {
        String hex = "421100c2001a0012" + "0000" + "9002" + "0000" + "0000" + "0000000000000001" + "0000000000000009"
                + "beef";
        assertEquals(
                new EventDataCommand(18, true, List.of(new GvcpEvent(true, 0x9002, 0, 1, 9, bytes("beef")))),
                GvcpCommand.decode(ByteBuffer.wrap(bytes(hex))));
    }

    @Test
    void anEventStandsInItsCommandAsItsItem() {
        String standard = "0000" + "9002" + "0000" + "0001" + "0000000000000009" + "aabbcc";
        assertArrayEquals(bytes(standard), new GvcpEvent(false, 0x9002, 0, 1, 9, bytes("aabbcc")).item());
        String extended = "001a" + "9002" + "0000" + "0000" + "0000000000000001" + "0000000000000009" + "beef";
        assertArrayEquals(bytes(extended), new GvcpEvent(true, 0x9002, 0, 1, 9, bytes("beef")).item());
    }

    @Test
    void eventsOfDifferentFormsDoNotGoIntoOneCommand() {
        List<GvcpEvent> mixed = List.of(
                new GvcpEvent(true, 0x9002, 0, 1, 9, new byte[0]), new GvcpEvent(false, 0x9002, 0, 1, 9, new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> new EventCommand(1, true, mixed));
    }

    @Test
    void doesNotShareBytes() {
        byte[] data = {1, 2, 3, 4};
        WriteMemoryCommand command = new WriteMemoryCommand(1, 0, data);
        data[0] = 9;
        command.data()[1] = 9;
        assertArrayEquals(new byte[] {1, 2, 3, 4}, command.data());
        assertNotEquals(command, new WriteMemoryCommand(1, 0, data));
    }

    @Test
    void replacesControlCharactersOfADevicesNames() {
        byte[] packet = bytes(DISCOVERY_ACK_HEX);
        packet[8 + 104] = 0x1B;
        DiscoveryAck ack = DiscoveryAck.decode(ByteBuffer.wrap(packet));
        assertEquals("\uFFFDirtual 3D", ack.model());
    }

    @Test
    void namesRegistersForPeople() {
        assertEquals("Heartbeat Timeout (0x0938)", BootstrapRegister.describe(0x0938));
        assertEquals("Control Channel Privilege (0x0A00)", BootstrapRegister.describe(0x0A00));
        assertEquals("First URL (0x0204)", BootstrapRegister.describe(0x0204));
        assertEquals("SCPS of stream channel 1 (0x0D44)", BootstrapRegister.describe(0x0D44));
        assertEquals("SCEBA of stream channel 0 (0x0D3C)", BootstrapRegister.describe(0x0D3C));
        assertEquals("0xA000", BootstrapRegister.describe(0xA000));
        assertEquals("0xFFFFFFFC", BootstrapRegister.describe(0xFFFFFFFC));
        assertEquals(0x0D44, StreamChannelRegister.address(1, StreamChannelRegister.SCPS));
        assertTrue(BootstrapRegister.nameOf(0x06F0).orElseThrow().contains("interface 1"));
    }

    @Test
    void printsWhatAPersonWantsToKnow() {
        assertEquals(
                "ReadRegisterCommand[requestId=11, addresses=Heartbeat Timeout (0x0938)]",
                new ReadRegisterCommand(11, List.of(0x0938)).toString());
        assertEquals("00:11:22:33:aa:bb", new MacAddress(0x00112233AABBL).toString());
        assertEquals("ACCESS_DENIED", GvcpStatus.of(0x8006).toString());
        assertEquals("0x8ABC", GvcpStatus.of(0x8ABC).toString());
    }

    @Test
    void knowsEveryStatusOfTheStandard() {
        assertEquals(26, GvcpStatus.standard().size());
        assertEquals("LEADER_TRAILER_OVERFLOW", GvcpStatus.of(0x8017).name());
        assertTrue(GvcpStatus.of(0x0100).success());
        assertFalse(GvcpStatus.of(0x8FFF).success());
    }
}
