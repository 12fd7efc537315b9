package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.conformance.CapturedScenariosMain.Captured;
import io.peregrine.testing.Capture;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every payload that the virtual camera sends, as the dissectors of Wireshark understand it. */
@EnabledIfPeers("tshark")
@Timeout(120)
class ScenarioCaptureTest {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int IMAGE_BYTES = CapturedScenariosMain.WIDTH * CapturedScenariosMain.HEIGHT;

    private static final int LEADER = 1;
    private static final int TRAILER = 2;
    private static final int ALL_IN = 4;
    private static final int MULTI_ZONE = 6;
    private static final int MULTI_PART = 7;
    private static final int GENDC = 8;

    private static final List<String> FIELDS = List.of(
            "ip.src",
            "udp.dstport",
            "frame.number",
            "gvsp.format",
            "gvsp.status",
            "gvsp.payloadtype",
            "gvsp.blockid64",
            "gvsp.numparts",
            "gvsp.multipartdatatype",
            "gvsp.partlength",
            "gvsp.datapurposeid",
            "gvsp.sourceid",
            "gvsp.regionid",
            "gvsp.sizex",
            "gvsp.sizey",
            "gvsp.partid",
            "gvsp.addressoffset",
            "gvsp.endofpart",
            "gvsp.addzones",
            "gvsp.zoneid",
            "gvsp.endofzone",
            "gvsp.payloaddata",
            "gvsp.payloaddatasize",
            "gvsp.payloadlength",
            "gvsp.filename",
            "gvsp.dataformat",
            "gvsp.profileidc",
            "gvsp.levelidc",
            "gvsp.chunkdatapayloadlengthhex",
            "gvsp.chunklayoutidhex",
            "gvsp.gendc.leader.flags",
            "gvsp.gendc.payload.dataflags",
            "gvsp.gendc.payload.flowid",
            "gvsp.gendc.header.type",
            "gvsp.gendc.component.header.typeid",
            "gvsp.gendc.component.header.regionid",
            "gvsp.gendc.container.header.datasize");

    @TempDir
    private static Path directory;

    private static Capture capture;
    private static final Map<String, String> SESSION = new HashMap<>();
    private static final Map<Captured, List<Map<String, String>>> PACKETS = new TreeMap<>();

    @BeforeAll
    static void recordEveryScenario() {
        try (NetworkNamespace namespace = NetworkNamespace.withLoopback()) {
            try (Capture recording = Capture.start(namespace, "lo", directory.resolve("scenarios.pcapng"))) {
                namespace
                        .run(LIMIT, ChildProcess.java(List.of(), CapturedScenariosMain.class.getName(), List.of()))
                        .lines()
                        .map(line -> line.split("=", 2))
                        .filter(pair -> pair.length == 2)
                        .forEach(pair -> SESSION.put(pair[0], pair[1]));
                recording.end("127.0.0.1");
                capture = recording;
            }
        }
        decode();
    }

    /** Reads the stream packets. */
    private static void decode() {
        Stream.of(Captured.values())
                .map(ScenarioCaptureTest::port)
                .distinct()
                .forEach(port -> capture.readAs("gvsp", port));
        Map<String, Captured> byAddress =
                Stream.of(Captured.values()).collect(Collectors.toMap(Captured::address, captured -> captured));
        for (Map<String, String> packet : capture.decode("gvsp", FIELDS.toArray(String[]::new))) {
            // The port of one stream may be used again for something else.
            Captured captured = byAddress.get(packet.get("ip.src"));
            if (captured != null && port(captured).equals(packet.get("udp.dstport"))) {
                PACKETS.computeIfAbsent(captured, key -> new ArrayList<>()).add(packet);
            }
        }
    }

    private static String port(Captured captured) {
        return SESSION.getOrDefault(captured.toString(), "0 0").split(" ", 2)[0];
    }

    @Test
    void everyFrameArrived() {
        for (Captured captured : Captured.values()) {
            assertEquals(
                    Integer.toString(CapturedScenariosMain.FRAMES),
                    SESSION.getOrDefault(captured.toString(), "0 0").split(" ", 2)[1],
                    captured::toString);
        }
    }

    @Test
    void nothingIsMalformedOrDoubtful() {
        assertEquals(Set.of(Captured.values()), PACKETS.keySet());
        Map<String, String> remarks = capture.doubtful("gvsp").stream()
                .collect(Collectors.toMap(packet -> packet.get("frame.number"), Map::toString));
        List<String> doubtful = PACKETS.entrySet().stream()
                .flatMap(entry -> entry.getValue().stream()
                        .map(packet -> packet.get("frame.number"))
                        .filter(remarks::containsKey)
                        .map(number -> entry.getKey() + " " + remarks.get(number)))
                .toList();
        assertEquals(List.of(), doubtful);
    }

    @ParameterizedTest
    @CsvSource({
        "REGIONS, 0x000b",
        "METADATA, 0x000b",
        "VARIABLE_HEIGHT, 0x000b",
        "PARTS, 0x000a",
        "PARTS_METADATA, 0x000a",
        "IMAGE_VARIABLE_HEIGHT, 0x0001",
        "IMAGE_WITH_CHUNKS, 0x4001",
        "CHUNK, 0x0004",
        "EXTENDED_CHUNK, 0x0005",
        "RAW, 0x0002",
        "FILE, 0x0003",
        "MULTI_ZONE, 0x0009",
        "JPEG_ALONE, 0x0006",
        "JPEG_2000_ALONE, 0x0007",
        "H_264_ALONE, 0x0008"
    })
    void leadersAndTrailersNameThePayload(Captured captured, String type) {
        for (int format : List.of(LEADER, TRAILER)) {
            assertEquals(
                    Set.of(type),
                    packets(captured, format).stream()
                            .map(packet -> packet.get("gvsp.payloadtype"))
                            .collect(Collectors.toSet()),
                    "format " + format);
        }
    }

    /**
     * Packets of a format, in standard or extended form. An answer that a packet cannot be sent again, as a busy host
     * asks for, has the format but no content.
     */
    private static List<Map<String, String>> packets(Captured captured, int format) {
        List<Map<String, String>> found = PACKETS.get(captured).stream()
                .filter(packet -> (number(packet.get("gvsp.format")) & 0x7F) == format)
                .filter(packet -> (number(packet.get("gvsp.status")) & 0x8000) == 0)
                .toList();
        assertTrue(found.size() >= CapturedScenariosMain.FRAMES, () -> found.size() + " packets of " + format);
        return found;
    }

    @Test
    void aMultiPartLeaderTellsOfEachPart() {
        for (Map<String, String> leader : packets(Captured.PARTS, LEADER)) {
            assertAll(
                    leader::toString,
                    () -> assertEquals(3, number(leader.get("gvsp.numparts"))),
                    () -> assertEquals(List.of(5L, 1L, 9L), numbers(leader.get("gvsp.multipartdatatype"))),
                    () -> assertEquals(
                            List.of(12L * IMAGE_BYTES, (long) IMAGE_BYTES, (long) IMAGE_BYTES),
                            numbers(leader.get("gvsp.partlength"))),
                    () -> assertEquals(List.of(4L, 1L, 6L), numbers(leader.get("gvsp.datapurposeid"))),
                    () -> assertEquals(List.of(160L, 160L, 160L), numbers(leader.get("gvsp.sizex"))),
                    () -> assertEquals(List.of(96L, 96L, 96L), numbers(leader.get("gvsp.sizey"))));
        }
    }

    @Test
    void multiPartPayloadFillsEachPartAndTakesTurns() {
        List<Map<String, String>> packets = packets(Captured.PARTS, MULTI_PART);
        assertEquals(
                List.of(0L, 1L, 2L, 0L, 1L, 2L),
                packets.stream()
                        .limit(6)
                        .map(packet -> number(packet.get("gvsp.partid")))
                        .toList());
        Map<String, Map<Long, Long>> blocks = new TreeMap<>();
        for (Map<String, String> packet : packets) {
            blocks.computeIfAbsent(packet.get("gvsp.blockid64"), key -> new TreeMap<>())
                    .put(number(packet.get("gvsp.addressoffset")), dataBytes(packet));
        }
        assertEquals(CapturedScenariosMain.FRAMES, blocks.size());
        blocks.forEach((block, pieces) -> assertEquals(14L * IMAGE_BYTES, contiguousBytes(pieces), block));
        assertEquals(
                3 * CapturedScenariosMain.FRAMES,
                packets.stream()
                        .filter(packet -> isSet(packet.get("gvsp.endofpart")))
                        .count());
    }

    @Test
    void planesAndChunkDataAreParts() {
        for (Map<String, String> leader : packets(Captured.PARTS_PLANAR, LEADER)) {
            assertEquals(List.of(3L, 3L, 3L), numbers(leader.get("gvsp.multipartdatatype")), "three planes");
        }
        for (Map<String, String> leader : packets(Captured.PARTS_METADATA, LEADER)) {
            assertEquals(List.of(1L, 5L, 9L, 0xAL, 0x8001L), numbers(leader.get("gvsp.multipartdatatype")), "parts");
        }
        for (Map<String, String> leader : packets(Captured.PARTS_JPEG, LEADER)) {
            assertEquals(List.of(0xBL), numbers(leader.get("gvsp.multipartdatatype")), "JPEG");
        }
        for (Map<String, String> leader : packets(Captured.PARTS_JPEG_2000, LEADER)) {
            assertEquals(List.of(0xCL), numbers(leader.get("gvsp.multipartdatatype")), "JPEG 2000");
        }
        for (Map<String, String> leader : packets(Captured.PARTS_SOURCES, LEADER)) {
            assertEquals(List.of(0L, 1L, 1L, 2L), numbers(leader.get("gvsp.sourceid")), "sources");
            assertEquals(List.of(0L, 0L, 3L, 0L), numbers(leader.get("gvsp.regionid")), "regions");
        }
    }

    @Test
    void blocksHaveAsManyComponentsAsAreThere() {
        for (Map<String, String> leader : packets(Captured.PARTS_VARIABLE_COMPONENTS, LEADER)) {
            // Block n lacks n modulo 3 of three.
            assertEquals(3 - number(leader.get("gvsp.blockid64")) % 3, number(leader.get("gvsp.numparts")));
        }
        Map<Long, List<Integer>> componentsByBlock = new TreeMap<>();
        for (Map<String, String> descriptor : descriptors(Captured.VARIABLE_COMPONENTS)) {
            componentsByBlock
                    .computeIfAbsent(number(descriptor.get("gvsp.blockid64")), block -> new ArrayList<>())
                    .add(numbers(descriptor.get("gvsp.gendc.component.header.typeid"))
                            .size());
        }
        // In odd blocks a preliminary descriptor with all of them goes before.
        assertEquals(Map.of(1L, List.of(3, 2), 2L, List.of(1), 3L, List.of(3, 3), 4L, List.of(2)), componentsByBlock);
    }

    @Test
    void aDescriptorCanShareItsPacketWithData() {
        for (Map<String, String> packet : descriptors(Captured.DESCRIPTOR_WITH_DATA)) {
            assertEquals(0xB0, number(packet.get("gvsp.gendc.payload.dataflags")), "final, data, start, end");
        }
    }

    @Test
    void theTrailerTellsTheHeightThatWasSent() {
        // Block n is 5 n lines short.
        Set<Long> heights = packets(Captured.IMAGE_VARIABLE_HEIGHT, TRAILER).stream()
                .map(trailer -> number(trailer.get("gvsp.sizey")))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(List.of(91L, 86L, 81L, 76L)), heights);
        for (Map<String, String> trailer : packets(Captured.PARTS_VARIABLE_HEIGHT, TRAILER)) {
            List<Long> lines = numbers(trailer.get("gvsp.sizey"));
            assertEquals(96 - 5 * number(trailer.get("gvsp.blockid64")), lines.get(0));
            assertEquals(
                    List.of(160 * lines.get(0), 320 * lines.get(0), 160 * lines.get(0)),
                    numbers(trailer.get("gvsp.partlength")));
        }
    }

    @Test
    void trailersTellHowMuchChunkDataThereIs() {
        // Four chunks of 8 bytes and five of 4, each with 8 bytes of id and length; the image is a chunk too.
        int chunkBytes = 4 * 16 + 5 * 12;
        for (Map<String, String> trailer : packets(Captured.IMAGE_WITH_CHUNKS, TRAILER)) {
            assertEquals(IMAGE_BYTES + 8 + chunkBytes, number(trailer.get("gvsp.chunkdatapayloadlengthhex")));
            assertEquals(0x3FF, number(trailer.get("gvsp.chunklayoutidhex")));
        }
        for (Map<String, String> trailer : packets(Captured.CHUNK, TRAILER)) {
            assertEquals(IMAGE_BYTES + 8 + chunkBytes, number(trailer.get("gvsp.payloadlength")));
        }
        for (Map<String, String> trailer : packets(Captured.EXTENDED_CHUNK, TRAILER)) {
            assertEquals(IMAGE_BYTES + 8 + chunkBytes, number(trailer.get("gvsp.payloadlength")));
            assertEquals(96, number(trailer.get("gvsp.sizey")));
            assertEquals(0x3FF, number(trailer.get("gvsp.chunklayoutidhex")));
        }
    }

    @Test
    void zonesFillTheImage() {
        for (Map<String, String> leader : packets(Captured.MULTI_ZONE, LEADER)) {
            assertEquals(3, number(leader.get("gvsp.addzones")));
        }
        Map<String, Map<Long, Long>> blocks = new TreeMap<>();
        Set<Long> zones = new TreeSet<>();
        for (Map<String, String> packet : packets(Captured.MULTI_ZONE, MULTI_ZONE)) {
            zones.add(number(packet.get("gvsp.zoneid")));
            blocks.computeIfAbsent(packet.get("gvsp.blockid64"), block -> new TreeMap<>())
                    .put(number(packet.get("gvsp.addressoffset")), dataBytes(packet));
        }
        assertEquals(new TreeSet<>(List.of(0L, 1L, 2L, 3L)), zones);
        blocks.values().forEach(pieces -> assertEquals(IMAGE_BYTES, contiguousBytes(pieces)));
    }

    @Test
    void otherLeadersTellWhatFollows() {
        assertAll(
                () -> packets(Captured.RAW, LEADER)
                        .forEach(leader -> assertEquals(IMAGE_BYTES, number(leader.get("gvsp.payloaddatasize")))),
                () -> packets(Captured.FILE, LEADER)
                        .forEach(leader -> assertEquals("block.bin", leader.get("gvsp.filename"))),
                () -> packets(Captured.H_264_ALONE, LEADER)
                        .forEach(leader -> assertEquals(
                                List.of(100L, 40L),
                                List.of(number(leader.get("gvsp.profileidc")), number(leader.get("gvsp.levelidc"))))),
                () -> packets(Captured.ALL_IN, ALL_IN).forEach(packet -> assertEquals(32 * 32, dataBytes(packet))));
    }

    @Test
    void aVariableHeightHasAPreliminaryAndAFinalDescriptor() {
        for (Map<String, String> leader : packets(Captured.VARIABLE_HEIGHT, LEADER)) {
            assertEquals(0x80, number(leader.get("gvsp.gendc.leader.flags")));
        }
        List<Map<String, String>> descriptors = descriptors(Captured.VARIABLE_HEIGHT);
        assertEquals(2 * CapturedScenariosMain.FRAMES, descriptors.size());
        for (int i = 0; i < descriptors.size(); i += 2) {
            Map<String, String> preliminary = descriptors.get(i);
            Map<String, String> last = descriptors.get(i + 1);
            assertEquals(0xF0, number(preliminary.get("gvsp.gendc.payload.dataflags")));
            assertEquals(List.of(96L, 96L, 96L), numbers(preliminary.get("gvsp.sizey")));
            assertEquals(0x70, number(last.get("gvsp.gendc.payload.dataflags")));
            long height = 96 - 5 * number(last.get("gvsp.blockid64"));
            assertEquals(List.of(height, height, height), numbers(last.get("gvsp.sizey")));
        }
    }

    /** Packets that a descriptor begins in. */
    private static List<Map<String, String>> descriptors(Captured captured) {
        return packets(captured, GENDC).stream()
                .filter(packet -> !packet.get("gvsp.gendc.header.type").isEmpty())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "REGIONS, 1 1 1, 0x4200 0x4200 0x4200",
        "PLANAR, 1, 0x4200 0x4200 0x4200",
        "PACKED, 1 1 1 1 1 1, 0x4200 0x4200 0x4200 0x4200 0x4200 0x4200",
        "POINT_CLOUD, 4, 0x4100",
        "PADDED, 1 4, 0x4200 0x4200",
        "MULTISPECTRAL, 9, 0x4200 0x4200 0x4200 0x4200",
        "DESCRIPTOR_WITH_DATA, 1, 0x4200 0x4200 0x4200",
        "JPEG, 1, 0x4201",
        "JPEG_2000, 1, 0x4202",
        "H_264, 1, 0x4203",
        "CUSTOM, 1 0xFF01 0xFF02, 0x4200 0x42F1 0x4F21",
        "METADATA, 1 4 6 0x8001, 0x4200 0x4200 0x4200 0x4000 0x4001",
        "INVALID, 1 4 6, 0x4200 0x4200 0x4200",
        "TWO_FLOWS, 1 4 6, 0x4200 0x4200 0x4200"
    })
    void descriptorsTellOfComponentsAndParts(Captured captured, String components, String parts) {
        List<Map<String, String>> descriptors = descriptors(captured);
        assertEquals(CapturedScenariosMain.FRAMES, descriptors.size());
        for (Map<String, String> descriptor : descriptors) {
            assertEquals(spaced(components), numbers(descriptor.get("gvsp.gendc.component.header.typeid")));
            assertEquals(
                    spaced(parts),
                    numbers(descriptor.get("gvsp.gendc.header.type")).stream()
                            .filter(type -> type >= 0x4000)
                            .toList());
        }
    }

    private static List<Long> spaced(String text) {
        return Arrays.stream(text.split(" ", -1)).map(Long::decode).toList();
    }

    @Test
    void twoFlowsAreNumberedAndRegionsNamed() {
        assertEquals(
                Set.of(0L, 1L),
                packets(Captured.TWO_FLOWS, GENDC).stream()
                        .map(packet ->
                                number(packet.get("gvsp.gendc.payload.flowid").split(",", 2)[0]))
                        .collect(Collectors.toSet()));
        for (Map<String, String> descriptor : descriptors(Captured.REGIONS)) {
            assertEquals(List.of(0L, 1L, 2L), numbers(descriptor.get("gvsp.gendc.component.header.regionid")));
        }
    }

    private static long contiguousBytes(Map<Long, Long> pieces) {
        long end = 0;
        for (Map.Entry<Long, Long> piece : pieces.entrySet()) {
            assertEquals(end, piece.getKey(), pieces::toString);
            end += piece.getValue();
        }
        return end;
    }

    private static long dataBytes(Map<String, String> packet) {
        return packet.get("gvsp.payloaddata").replace(":", "").length() / 2;
    }

    private static boolean isSet(String flag) {
        return flag.equals("1") || flag.equals("True");
    }

    private static long number(String text) {
        return Long.decode(text);
    }

    private static List<Long> numbers(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(ScenarioCaptureTest::number)
                .toList();
    }
}
