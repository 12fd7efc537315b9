package io.peregrine.virtualcamera;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

/** The payloads other than plain image and plain container, byte by byte. */
final class PayloadTest {
    private static final int STANDARD_HEADER = 8;
    private static final int EXTENDED_HEADER = 20;

    private static final byte LEADER = 1;
    private static final byte TRAILER = 2;
    private static final byte ALL_IN = 4;

    /** One block, packet by packet. */
    private static List<ByteBuffer> block(Content content, StreamPayload payload, int packetSize) throws IOException {
        return block(content, payload, packetSize, 1, false);
    }

    private static List<ByteBuffer> block(
            Content content, StreamPayload payload, int packetSize, long blockId, boolean descriptorWithData)
            throws IOException {
        Scenario scenario = Scenario.builder()
                .bindAddress("127.30.5.1")
                .port(0)
                .size(32, 16)
                .content(content)
                .payload(payload)
                .firstBlockId(blockId)
                .descriptorWithData(descriptorWithData)
                .build();
        try (VirtualCamera camera = VirtualCamera.start(scenario);
                Client client = new Client(camera)) {
            client.openStream(packetSize);
            if (payload == StreamPayload.AUTOMATIC) {
                client.write(0x0D24, 0x80);
            }
            client.write(0xA080, 1); // SingleFrame
            int most = client.read(0x0D30);
            client.start();
            List<ByteBuffer> packets = new ArrayList<>();
            ByteBuffer packet = client.packet();
            while ((packet.get(4) & 0x7F) != TRAILER && (packet.get(4) & 0x7F) != ALL_IN) {
                packets.add(packet);
                packet = client.packet();
            }
            packets.add(packet);
            assertTrue(packets.size() <= most, "not more packets than SCMPC says");
            return packets;
        }
    }

    private static String hex(ByteBuffer packet, int from, int to) {
        byte[] part = new byte[to - from];
        packet.get(from, part);
        return HexFormat.of().formatHex(part);
    }

    private static byte[] payload(List<ByteBuffer> packets, int headerBytes) {
        ByteBuffer all = ByteBuffer.allocate(1 << 16);
        for (ByteBuffer packet : packets.subList(1, packets.size() - 1)) {
            all.put(packet.slice(headerBytes, packet.limit() - headerBytes));
        }
        return Arrays.copyOf(all.array(), all.position());
    }

    @Test
    void multiPartDescribesPartsInLeaderAndTrailer() throws Exception {
        List<ByteBuffer> packets = block(Content.VARIABLE_HEIGHT, StreamPayload.MULTI_PART, 300);
        ByteBuffer leader = packets.get(0);
        assertEquals("0000" + "0000" + "81" + "0000" + "03" + "0000000000000001" + "00000000", hex(leader, 0, 20));
        assertEquals("0000" + "000a", hex(leader, 20, 24));
        String geometry = "00000020" + "00000010" + "00000000" + "00000000" + "0000" + "0000" + "00000000";
        assertEquals(
                "0001" + "000000000200" + "01080001" + "0000" + "00" + "00" + "00000000" + "0001" + "0000" + geometry,
                hex(leader, 32, 80));
        assertEquals(
                "0005" + "000000000400" + "011000b8" + "0000" + "00" + "00" + "00000000" + "0004" + "0000" + geometry,
                hex(leader, 80, 128));
        assertEquals(
                "0009" + "000000000200" + "010800c6" + "0000" + "00" + "00" + "00000000" + "0006" + "0000" + geometry,
                hex(leader, 128, 176));
        assertEquals(176, leader.remaining());

        // Block 1 is 5 lines short of 16: 11 lines.
        ByteBuffer trailer = packets.get(packets.size() - 1);
        assertEquals(
                "0000" + "000a"
                        + "0001" + "000000000160" + "0000000b" + "00000000"
                        + "0005" + "0000000002c0" + "0000000b" + "00000000"
                        + "0009" + "000000000160" + "0000000b" + "00000000",
                hex(trailer, 20, trailer.limit()));
    }

    @Test
    void partsTakeTurnsAndEndWithAFlag() throws Exception {
        // 300 - 28 - 20 - 8 = 244 bytes of data: 2, 3 and 2 packets of 352, 704 and 352 bytes.
        List<ByteBuffer> packets = block(Content.VARIABLE_HEIGHT, StreamPayload.MULTI_PART, 300);
        List<String> heads = packets.subList(1, packets.size() - 1).stream()
                .map(packet -> hex(packet, 20, 28))
                .toList();
        assertEquals(
                List.of(
                        "0000000000000000",
                        "0100000000000200",
                        "0200000000000600",
                        "00410000000000f4",
                        "01000000000002f4",
                        "02410000000006f4",
                        "01410000000003e8"),
                heads);
        assertEquals(244, packets.get(1).remaining() - EXTENDED_HEADER - 8);
        assertEquals(352 - 244, packets.get(4).remaining() - EXTENDED_HEADER - 8);
    }

    @Test
    void theImageIsTheFirstChunkOfAnImageWithChunks() throws Exception {
        List<ByteBuffer> packets = block(Content.COMPONENTS, StreamPayload.IMAGE_WITH_CHUNKS, 1500);
        assertEquals("4001", hex(packets.get(0), 10, 12));
        byte[] payload = payload(packets, STANDARD_HEADER);
        assertEquals(512 + 8 + 124, payload.length);
        ByteBuffer image = ByteBuffer.wrap(payload, 0, 512);
        assertEquals(0, TestPattern.countBadBytes(1, 0x01080001, 1, 32, 16, image));
        String timestamp = HexFormat.of().formatHex(reversed(hex(packets.get(0), 12, 20)));
        assertEquals(
                "a5000000" + "00000200" // image
                        + "0100000000000000" + "a5000001" + "00000008"
                        + timestamp + "a5000002" + "00000008"
                        + "000000000088c340" + "a5000003" + "00000008" // 10000 us
                        + "0000000000000000" + "a5000004" + "00000008"
                        + "20000000" + "a5000005" + "00000004"
                        + "10000000" + "a5000006" + "00000004"
                        + "01000801" + "a5000007" + "00000004"
                        + "00000000" + "a5000008" + "00000004"
                        + "00000000" + "a5000009" + "00000004",
                HexFormat.of().formatHex(payload, 512, 644));
        ByteBuffer trailer = packets.get(packets.size() - 1);
        assertEquals("0000" + "4001" + "00000010" + "00000284" + "000003ff", hex(trailer, 8, trailer.limit()));
    }

    private static byte[] reversed(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        for (int i = 0; i < bytes.length / 2; i++) {
            byte swapped = bytes[i];
            bytes[i] = bytes[bytes.length - 1 - i];
            bytes[bytes.length - 1 - i] = swapped;
        }
        return bytes;
    }

    @Test
    void theImageIsTheFirstChunkOfChunkData() throws Exception {
        List<ByteBuffer> packets = block(Content.COMPONENTS, StreamPayload.CHUNK, 1500);
        assertEquals("0004", hex(packets.get(0), 10, 12));
        assertEquals(STANDARD_HEADER + 12, packets.get(0).remaining());
        byte[] payload = payload(packets, STANDARD_HEADER);
        assertEquals(512 + 8 + 124, payload.length);
        assertEquals("a5000000" + "00000200", HexFormat.of().formatHex(payload, 512, 520));
        ByteBuffer trailer = packets.get(packets.size() - 1);
        assertEquals("0000" + "0004" + "00000284", hex(trailer, 8, trailer.limit()));
    }

    @Test
    void extendedChunkDataHasTheGeometryToo() throws Exception {
        List<ByteBuffer> packets = block(Content.VARIABLE_HEIGHT, StreamPayload.EXTENDED_CHUNK, 1500);
        assertEquals("0005", hex(packets.get(0), 10, 12));
        assertEquals("01080001" + "00000020" + "00000010", hex(packets.get(0), 20, 32));
        ByteBuffer trailer = packets.get(packets.size() - 1);
        // 11 lines of 32 pixels, id and length, and 124 bytes of other chunks.
        assertEquals("0000" + "0005" + "000001e4" + "0000000b" + "000003ff", hex(trailer, 8, trailer.limit()));
    }

    @Test
    void aContainerHasChunkIdsInLittleEndianOrder() throws Exception {
        List<ByteBuffer> packets = block(Content.METADATA, StreamPayload.AUTOMATIC, 9000);
        ByteBuffer container =
                ByteBuffer.allocate((int) packets.get(0).getLong(32)).order(ByteOrder.LITTLE_ENDIAN);
        for (ByteBuffer packet : packets.subList(1, packets.size() - 1)) {
            container.put((int) packet.getLong(24), packet, 36, packet.getInt(20));
        }
        int metadata = (int) container.getLong(56 + 8 * 3);
        assertEquals(0x8001, container.getLong(metadata + 32), "type of the component");
        assertEquals(2, container.getShort(metadata + 46), "parts");
        int chunk = (int) container.getLong(metadata + 48);
        assertEquals(0x4000, container.getShort(chunk), "chunk data");
        assertEquals(124, container.getLong(chunk + 24), "bytes");
        assertEquals(0x3FE, container.getLong(chunk + 56), "layout id");
        int data = (int) container.getLong(chunk + 32);
        assertEquals(1, container.getLong(data), "frame id");
        assertEquals("010000a5" + "08000000", hex(container, data + 8, data + 16));
        int xml = (int) container.getLong(metadata + 56);
        assertEquals(0x4001, container.getShort(xml), "XML");
        assertEquals(0x200, container.getShort(xml + 2), "it describes the chunk data");
        byte[] text = new byte[(int) container.getLong(xml + 24)];
        container.get((int) container.getLong(xml + 32), text);
        assertArrayEquals(Composition.chunkXml(), text);
    }

    @Test
    void aVariableHeightEndsWithTheFinalDescriptor() throws Exception {
        List<ByteBuffer> packets = block(Content.VARIABLE_HEIGHT, StreamPayload.AUTOMATIC, 9000);
        assertEquals((byte) 0x80, packets.get(0).get(40), "the leader promises a preliminary descriptor");
        ByteBuffer preliminary = packets.get(1);
        ByteBuffer last = packets.get(packets.size() - 2);
        assertEquals("f0" + "80" + "0000", hex(preliminary, 32, 36));
        assertEquals("70" + "40" + "0000", hex(last, 32, 36));
        assertEquals(0, last.getLong(24), "place of the final descriptor");
        ByteBuffer before = preliminary.slice(36, 416).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer after = last.slice(36, 416).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(0x25, before.getShort(24), "data size, size Y and timestamp may change");
        assertEquals(0, after.getShort(24), "nothing may change");
        for (int component = 0; component < 3; component++) {
            int part = 80 + 112 * component + 56;
            assertEquals(16, before.getInt(part + 44), "lines");
            assertEquals(11, after.getInt(part + 44), "lines");
            assertEquals(before.getLong(part + 32), after.getLong(part + 32), "place of the data");
            assertEquals(16 * after.getLong(part + 24), 11 * before.getLong(part + 24), "bytes");
        }
    }

    @Test
    void missingComponentsLeaveTheirHeadersEmptyAndAllOffsetsAsTheyWere() throws Exception {
        // Block 1 lacks one of three components, which the final descriptor tells.
        List<ByteBuffer> packets = block(Content.VARIABLE_COMPONENTS, StreamPayload.AUTOMATIC, 9000);
        assertEquals((byte) 0x80, packets.get(0).get(40), "the leader promises a preliminary descriptor");
        assertEquals(2 + 1 + 2 + 1, packets.size(), "leader, two descriptors, two images, trailer");
        ByteBuffer before = packets.get(1).slice(36, 416).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer after = packets.get(packets.size() - 2).slice(36, 416).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(0x60, before.getShort(24), "timestamp and component count may change");
        assertEquals(0, after.getShort(24), "nothing may change");
        assertEquals(3, before.getInt(52), "components");
        assertEquals(2, after.getInt(52), "components");
        assertEquals(80, before.getInt(12), "bytes of the header");
        assertEquals(72, after.getInt(12), "bytes of the header");
        assertEquals(before.getInt(48), after.getInt(48), "bytes of the descriptor");
        assertEquals(hex(before, 56, 72), hex(after, 56, 72), "places of the components");
        assertEquals("00".repeat(8), hex(after, 72, 80), "place of the component that is not there");
        assertEquals("00".repeat(112), hex(after, 304, 416), "headers of the component that is not there");
        for (int part : List.of(80 + 56, 80 + 112 + 56)) {
            assertEquals(hex(before, part, part + 56), hex(after, part, part + 56), "part");
        }
    }

    @Test
    void aNumberOfComponentsThatIsKnownAtTheStartNeedsNoPreliminaryDescriptor() throws Exception {
        List<ByteBuffer> packets = block(Content.VARIABLE_COMPONENTS, StreamPayload.AUTOMATIC, 9000, 2, false);
        assertEquals(0, packets.get(0).get(40), "flags of the leader");
        assertEquals(2 + 1 + 1, packets.size(), "leader, descriptor, one image, trailer");
        ByteBuffer descriptor = packets.get(1).slice(36, 416).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals("70" + "80" + "0000", hex(packets.get(1), 32, 36));
        assertEquals(1, descriptor.getInt(52), "components");
    }

    @Test
    void aMultiPartBlockHasTheComponentsThatAreThere() throws Exception {
        List<ByteBuffer> packets = block(Content.VARIABLE_COMPONENTS, StreamPayload.MULTI_PART, 9000, 2, false);
        assertEquals(1, packets.get(0).get(7), "parts");
        assertEquals(20 + 12 + 48, packets.get(0).remaining(), "bytes of the leader");
        assertEquals(20 + 4 + 16, packets.get(packets.size() - 1).remaining(), "bytes of the trailer");
        assertEquals(1 + 1 + 1, packets.size(), "leader, one image, trailer");
    }

    @Test
    void dataFollowsAFinalDescriptorInItsLastPacket() throws Exception {
        // 300 - 28 - 20 - 16 = 236 bytes of data: 416 of the descriptor, 512 of the intensity behind it.
        List<ByteBuffer> packets = block(Content.COMPONENTS, StreamPayload.AUTOMATIC, 300, 1, true);
        assertEquals(
                List.of(
                        "000000ec" + "0000000000000000" + "60" + "80" + "0000",
                        "000000ec" + "00000000000000ec" + "90" + "00" + "0000",
                        "000000ec" + "00000000000001d8" + "00" + "00" + "0000",
                        "000000dc" + "00000000000002c4" + "00" + "00" + "0000",
                        "000000ec" + "00000000000003a0" + "00" + "00" + "0000"),
                packets.subList(1, 6).stream()
                        .map(packet -> hex(packet, 20, 36))
                        .toList());
        ByteBuffer intensity = ByteBuffer.allocate(512);
        intensity.put(packets.get(2).slice(36 + 416 - 236, 2 * 236 - 416));
        intensity
                .put(packets.get(3).slice(36, 236))
                .put(packets.get(4).slice(36, 220))
                .flip();
        assertEquals(0, TestPattern.countBadBytes(1, 0x01080001, 1, 32, 16, intensity));
    }

    @Test
    void anInvalidComponentHasItsFlagAndNoData() throws Exception {
        List<ByteBuffer> packets = block(Content.INVALID, StreamPayload.AUTOMATIC, 9000);
        ByteBuffer descriptor = packets.get(1).slice(36, 416).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(2, descriptor.getShort(10), "some component is invalid");
        int confidence = (int) descriptor.getLong(72);
        assertEquals(1, descriptor.getShort(confidence + 2), "this one");
        assertEquals(0, descriptor.getLong(confidence + 56 + 24), "bytes");
        assertEquals(2 + 1 + 2, packets.size(), "leader, descriptor, two images, trailer");
    }

    @Test
    void h264ParametersStandInThePartHeader() throws Exception {
        List<ByteBuffer> packets = block(Content.H_264, StreamPayload.AUTOMATIC, 9000);
        ByteBuffer descriptor = packets.get(1);
        // Container 64 bytes, component 56, then the part.
        assertEquals("0342" + "0000" + "48000000", hex(descriptor, 36 + 120, 36 + 128));
        assertEquals(
                "00" + "64" + "15" + "28" + "0302" + "0504" + "08070600" + "0b0a0900",
                hex(descriptor, 36 + 120 + 56, 36 + 120 + 72));
    }

    @Test
    void h264ParametersStandInTheLeader() throws Exception {
        List<ByteBuffer> packets = block(Content.H_264, StreamPayload.IMAGE, 9000);
        assertEquals(
                "00" + "01" + "0000" + "00" + "64" + "a0" + "28" + "0203" + "0405" + "00060708" + "00090a0b",
                hex(packets.get(0), 8 + 12, 8 + 32));
        assertEquals(5, packets.get(1).get(4), "packet format");
    }

    @Test
    void zonesGoFromTheirEndsToTheirStartsInTurn() throws Exception {
        // 1036 - 28 - 20 - 8 = 980 bytes of data; each zone has 4 lines of 32 pixels of 12 bytes: 1536 bytes.
        List<ByteBuffer> packets = block(Content.COORDINATES, StreamPayload.MULTI_ZONE, 1036);
        assertEquals("0000" + "0000" + "81" + "0000" + "03", hex(packets.get(0), 0, 8));
        assertEquals("50000000" + "026000c0", hex(packets.get(0), 32, 40));
        assertEquals(
                List.of(
                        "0000" + "000000000000",
                        "0002" + "0000000009d4",
                        "0004" + "000000000c00",
                        "0006" + "0000000015d4",
                        "0001" + "0000000003d4",
                        "0003" + "000000000600",
                        "0005" + "000000000fd4",
                        "0007" + "000000001200"),
                packets.subList(1, packets.size() - 1).stream()
                        .map(packet -> hex(packet, 20, 28))
                        .toList());
    }

    @Test
    void allInIsLeaderTrailerAndDataInOnePacket() throws Exception {
        List<ByteBuffer> packets = block(Content.COMPONENTS, StreamPayload.ALL_IN, 1500);
        assertEquals(1, packets.size());
        ByteBuffer packet = packets.get(0);
        assertEquals("0000" + "0001" + "04" + "000000", hex(packet, 0, 8));
        assertEquals("0000" + "0001", hex(packet, 8, 12));
        assertEquals("0000" + "0001" + "00000010", hex(packet, 44, 52));
        ByteBuffer image = packet.slice(52, packet.limit() - 52);
        assertEquals(0, TestPattern.countBadBytes(1, 0x01080001, 1, 32, 16, image));
    }

    @Test
    void theJpegIsARealOne() throws Exception {
        List<ByteBuffer> packets = block(Content.JPEG, StreamPayload.IMAGE, 1500);
        ByteBuffer leader = packets.get(0);
        assertEquals("0006", hex(leader, 10, 12));
        byte[] jpeg = payload(packets, STANDARD_HEADER);
        assertEquals(jpeg.length, leader.getLong(20));
        var image = ImageIO.read(new ByteArrayInputStream(jpeg));
        assertEquals(32, image.getWidth());
        assertEquals(16, image.getHeight());
        assertEquals(LEADER, leader.get(4));
    }
}
