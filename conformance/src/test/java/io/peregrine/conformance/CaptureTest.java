package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Capture;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole session between virtual camera and library, as the dissectors of Wireshark understand it. */
@EnabledIfPeers("tshark")
@Timeout(60)
class CaptureTest {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final int FRAME_BYTES = CapturedSessionMain.WIDTH * CapturedSessionMain.HEIGHT;
    /** IP, UDP and GVSP header. */
    private static final int STANDARD_HEADERS_BYTES = 20 + 8 + 8;

    private static final String IMAGE_LEADER = "0x01";
    private static final String IMAGE_TRAILER = "0x02";
    private static final String IMAGE_PAYLOAD = "0x03";
    private static final String GENDC_LEADER = "0x81";
    private static final String GENDC_TRAILER = "0x82";
    private static final String GENDC_PAYLOAD = "0x88";

    @TempDir
    private static Path directory;

    private static NetworkNamespace namespace;
    private static Capture capture;
    private static final Map<String, Integer> SESSION = new HashMap<>();

    @BeforeAll
    static void recordASession() {
        namespace = NetworkNamespace.withLoopback();
        try (Capture recording = Capture.start(namespace, "lo", directory.resolve("session.pcapng"))) {
            String output = namespace.run(
                    LIMIT,
                    ChildProcess.java(
                            List.of("-Dperegrine.discovery.interfaces=lo"),
                            CapturedSessionMain.class.getName(),
                            List.of()));
            output.lines()
                    .filter(line -> line.matches("\\w+=\\d+"))
                    .map(line -> line.split("=", 2))
                    .forEach(pair -> SESSION.put(pair[0], Integer.valueOf(pair[1])));
            recording.end("127.0.0.1");
            capture = recording;
        }
        for (String port : List.of("portImage", "portGenDC")) {
            capture.readAs("gvsp", SESSION.get(port));
        }
    }

    @AfterAll
    static void removeNamespace() {
        namespace.close();
    }

    @Test
    void theSessionItselfWentWell() {
        assertAll(
                SESSION::toString,
                () -> assertEquals(CapturedSessionMain.FRAMES, SESSION.get("goodImage")),
                () -> assertEquals(CapturedSessionMain.FRAMES, SESSION.get("goodGenDC")),
                () -> assertTrue(SESSION.get("lost") > 10),
                () -> assertTrue(SESSION.get("resent") > 10));
    }

    @Test
    void everyPacketIsUnderstoodAndNoneIsMalformed() {
        String session = "udp && udp.port != " + Capture.END_PORT;
        List<Map<String, String>> packets = capture.decode(session, "_ws.col.Protocol");
        assertTrue(packets.size() > 500, () -> packets.size() + " packets");
        assertEquals(List.of(), capture.doubtful(session));
        assertEquals(
                Set.of("GVCP", "GVSP"),
                packets.stream().map(packet -> packet.get("_ws.col.Protocol")).collect(Collectors.toSet()));
    }

    @Test
    void theDiscoveryAnswerTellsWhoTheCameraIs() {
        List<Map<String, String>> answers = capture.decode(
                "gvcp.ack == 0x0003",
                "gvcp.bootstrap.manufacturername",
                "gvcp.bootstrap.modelname",
                "gvcp.bootstrap.serialnumber",
                "gvcp.bootstrap.userdefinedname",
                "gvcp.bootstrap.currentip",
                "gvcp.bootstrap.specversion",
                "gvcp.cmd.status");
        assertFalse(answers.isEmpty());
        for (Map<String, String> answer : answers) {
            assertEquals(
                    Map.of(
                            "gvcp.bootstrap.manufacturername", "Peregrine",
                            "gvcp.bootstrap.modelname", "VirtualCamera",
                            "gvcp.bootstrap.serialnumber", CapturedSessionMain.SERIAL,
                            "gvcp.bootstrap.userdefinedname", "on record",
                            "gvcp.bootstrap.currentip", "127.0.0.1",
                            "gvcp.bootstrap.specversion", "0x00020002",
                            "gvcp.cmd.status", "0x0000"),
                    answer);
        }
    }

    @Test
    void everyCommandThatWantsAnAnswerGetsOneWithoutError() {
        Map<String, Long> asked = capture
                .decode("gvcp.cmd.flag.acq_required == 1", "gvcp.cmd.req_id", "gvcp.cmd.command", "udp.srcport")
                .stream()
                .filter(command -> !command.get("gvcp.cmd.command").equals("0x0002"))
                .collect(Collectors.groupingBy(
                        command -> command.get("udp.srcport") + " " + command.get("gvcp.cmd.req_id"),
                        Collectors.counting()));
        List<Map<String, String>> answers =
                capture.decode("gvcp.ack && gvcp.ack != 0x0003", "gvcp.cmd.req_id", "gvcp.cmd.status", "udp.dstport");
        Map<String, Long> answered = answers.stream()
                .collect(Collectors.groupingBy(
                        answer -> answer.get("udp.dstport") + " " + answer.get("gvcp.cmd.req_id"),
                        Collectors.counting()));
        assertTrue(asked.size() > 100, () -> asked.size() + " commands");
        assertEquals(asked, answered);
        assertEquals(
                Set.of("0x0000"),
                answers.stream().map(answer -> answer.get("gvcp.cmd.status")).collect(Collectors.toSet()));
    }

    @Test
    void controlIsTakenBeforeAnythingIsWrittenAndGivenBackAtTheEnd() {
        Map<String, List<Map<String, String>>> ofConnection = capture
                .decode(
                        "gvcp.cmd.command == 0x0082",
                        "gvcp.cmd.writereg.bootstrapregister",
                        "gvcp.bootstrap.control.controlaccess",
                        "gvcp.bootstrap.scdax",
                        "gvcp.bootstrap.scpx.hostport",
                        "gvcp.bootstrap.scpsx.packetsize",
                        "udp.srcport")
                .stream()
                .collect(Collectors.groupingBy(write -> write.get("udp.srcport"), TreeMap::new, Collectors.toList()));
        assertEquals(2, ofConnection.size(), ofConnection::toString);
        for (List<Map<String, String>> writes : ofConnection.values()) {
            Map<String, String> first = writes.get(0);
            Map<String, String> last = writes.get(writes.size() - 1);
            assertAll(
                    writes.toString(),
                    () -> assertEquals("0x00000a00", first.get("gvcp.cmd.writereg.bootstrapregister")),
                    () -> assertTrue(isSet(first.get("gvcp.bootstrap.control.controlaccess"))),
                    () -> assertEquals("0x00000a00", last.get("gvcp.cmd.writereg.bootstrapregister")),
                    () -> assertFalse(isSet(last.get("gvcp.bootstrap.control.controlaccess"))),
                    () -> assertTrue(values(writes, "gvcp.bootstrap.scdax").contains("127.0.0.1")),
                    () -> assertTrue(
                            values(writes, "gvcp.bootstrap.scpsx.packetsize").contains("1500")),
                    () -> assertTrue(
                            values(writes, "gvcp.bootstrap.scpx.hostport").contains("0"), "stream closed"));
        }
    }

    private static List<String> values(List<Map<String, String>> packets, String field) {
        return packets.stream().map(packet -> packet.get(field)).toList();
    }

    @Test
    void imageLeadersAndTrailersSayWhatWasSet() {
        List<Map<String, String>> leaders = capture.decode(
                "gvsp.format == 1",
                "gvsp.blockid16",
                "gvsp.payloadtype",
                "gvsp.pixel",
                "gvsp.sizex",
                "gvsp.sizey",
                "gvsp.offsetx",
                "gvsp.offsety",
                "gvsp.paddingx",
                "gvsp.packetid24");
        assertTrue(leaders.size() >= CapturedSessionMain.FRAMES);
        for (Map<String, String> leader : leaders) {
            assertEquals(
                    "0x0001 0x01080001 160 96 0 0 0 0",
                    String.join(
                            " ",
                            leader.get("gvsp.payloadtype"),
                            leader.get("gvsp.pixel"),
                            leader.get("gvsp.sizex"),
                            leader.get("gvsp.sizey"),
                            leader.get("gvsp.offsetx"),
                            leader.get("gvsp.offsety"),
                            leader.get("gvsp.paddingx"),
                            leader.get("gvsp.packetid24")));
        }
        int last = packetsOfAnImage() + 1;
        for (Map<String, String> trailer :
                capture.decode("gvsp.format == 2", "gvsp.payloadtype", "gvsp.sizey", "gvsp.packetid24")) {
            assertEquals(Integer.toString(last), trailer.get("gvsp.packetid24"));
            assertEquals("0x0001", trailer.get("gvsp.payloadtype"));
            assertEquals("96", trailer.get("gvsp.sizey"));
        }
    }

    private static int packetsOfAnImage() {
        int dataBytes = CapturedSessionMain.PACKET_SIZE_BYTES - STANDARD_HEADERS_BYTES;
        return (FRAME_BYTES + dataBytes - 1) / dataBytes;
    }

    @Test
    void theFirstFortyImageBlocksAreWhole() {
        Map<Integer, Set<String>> packets = new TreeMap<>();
        for (Map<String, String> packet : capture.decode(
                "gvsp.blockid16 && gvsp.format <= 3",
                "gvsp.blockid16",
                "gvsp.packetid24",
                "gvsp.format",
                "gvsp.status")) {
            assertTrue(
                    Set.of(IMAGE_LEADER, IMAGE_PAYLOAD, IMAGE_TRAILER).contains(packet.get("gvsp.format")),
                    packet::toString);
            packets.computeIfAbsent(Integer.valueOf(packet.get("gvsp.blockid16")), id -> new HashSet<>())
                    .add(packet.get("gvsp.packetid24"));
        }
        for (int block = 1; block <= CapturedSessionMain.FRAMES; block++) {
            int id = block;
            assertEquals(packetsOfAnImage() + 2, packets.get(block).size(), () -> "packets of block " + id);
        }
    }

    @Test
    void whatWasAskedForAgainComesAgain() {
        List<Map<String, String>> requests = capture.decode(
                "gvcp.cmd.command == 0x0040",
                "frame.number",
                "gvcp.cmd.flag.64bitid",
                "gvcp.cmd.flag.acq_required",
                "gvcp.cmd.resend.streamchannelindex",
                "gvcp.cmd.resend.blockid",
                "gvcp.cmd.resend.extendedblockid",
                "gvcp.cmd.resend.firstpacketid",
                "gvcp.cmd.resend.lastpacketid");
        assertEquals(SESSION.get("resendRequests"), requests.size());
        Set<Boolean> forms = requests.stream()
                .map(request -> isSet(request.get("gvcp.cmd.flag.64bitid")))
                .collect(Collectors.toSet());
        assertEquals(Set.of(true, false), forms, "standard and extended form");
        assertTrue(requests.stream().noneMatch(request -> isSet(request.get("gvcp.cmd.flag.acq_required"))));
        assertTrue(
                requests.stream().allMatch(request -> number(request.get("gvcp.cmd.resend.streamchannelindex")) == 0));

        List<Map<String, String>> again = capture.decode(
                "gvsp.status == 0x0100 || gvsp.flag.packetresend == 1",
                "frame.number",
                "gvsp.status",
                "gvsp.blockid16",
                "gvsp.blockid64",
                "gvsp.packetid24",
                "gvsp.packetid32");
        assertEquals(SESSION.get("resent"), again.size());
        for (Map<String, String> packet : again) {
            assertTrue(requests.stream().anyMatch(request -> asksFor(request, packet)), packet::toString);
        }
    }

    private static boolean asksFor(Map<String, String> request, Map<String, String> packet) {
        boolean extended = isSet(request.get("gvcp.cmd.flag.64bitid"));
        String block = packet.get(extended ? "gvsp.blockid64" : "gvsp.blockid16");
        String number = packet.get(extended ? "gvsp.packetid32" : "gvsp.packetid24");
        if (block.isEmpty() || number(packet.get("frame.number")) < number(request.get("frame.number"))) {
            return false;
        }
        long asked = number(request.get(extended ? "gvcp.cmd.resend.extendedblockid" : "gvcp.cmd.resend.blockid"));
        return asked == number(block)
                && number(request.get("gvcp.cmd.resend.firstpacketid")) <= number(number)
                && number(request.get("gvcp.cmd.resend.lastpacketid")) >= number(number);
    }

    @Test
    void genDcLeadersAnnounceTheDescriptor() {
        List<Map<String, String>> leaders = capture.decode(
                "gvsp.format == 0x81",
                "gvsp.payloadtype",
                "gvsp.payloaddatasize",
                "gvsp.gendcdescriptorsize",
                "gvsp.packetid32",
                "gvsp.format");
        assertTrue(leaders.size() >= CapturedSessionMain.FRAMES);
        for (Map<String, String> leader : leaders) {
            assertEquals(
                    Map.of(
                            "gvsp.payloadtype", "0x000b",
                            "gvsp.payloaddatasize", Integer.toString(DESCRIPTOR_BYTES + 4 * FRAME_BYTES),
                            "gvsp.gendcdescriptorsize", "0x000001a0",
                            "gvsp.packetid32", "0",
                            "gvsp.format", GENDC_LEADER),
                    leader);
        }
        for (Map<String, String> trailer : capture.decode("gvsp.format == 0x82", "gvsp.payloadtype", "gvsp.format")) {
            assertEquals(Map.of("gvsp.payloadtype", "0x000b", "gvsp.format", GENDC_TRAILER), trailer);
        }
    }

    /** Container header 56 + 3 offsets of 8, and three times component header 48 + offset 8 + part header 56. */
    private static final int DESCRIPTOR_BYTES = 80 + 3 * 112;

    @Test
    void genDcDescriptorsDescribeThreeComponents() {
        List<Map<String, String>> descriptors = capture.decode(
                "gvsp.gendc.container.header.signature",
                "gvsp.blockid64",
                "gvsp.gendc.container.header.signature",
                "gvsp.gendc.container.header.id",
                "gvsp.gendc.container.header.datasize",
                "gvsp.gendc.container.header.descriptorsize",
                "gvsp.gendc.container.header.componentcount",
                "gvsp.gendc.component.header.typeid",
                "gvsp.gendc.header.type",
                "gvsp.gendc.payload.dataflags",
                "gvsp.gendc.payload.flowid",
                "gvsp.sizex",
                "gvsp.sizey",
                "gvsp.pixel");
        assertTrue(descriptors.size() >= CapturedSessionMain.FRAMES);
        for (Map<String, String> descriptor : descriptors) {
            assertAll(
                    descriptor::toString,
                    () -> assertEquals("GNDC", descriptor.get("gvsp.gendc.container.header.signature")),
                    () -> assertEquals(
                            number(descriptor.get("gvsp.blockid64")),
                            number(descriptor.get("gvsp.gendc.container.header.id"))),
                    () -> assertEquals(
                            4 * FRAME_BYTES, number(first(descriptor, "gvsp.gendc.container.header.datasize"))),
                    () -> assertEquals(
                            DESCRIPTOR_BYTES, number(descriptor.get("gvsp.gendc.container.header.descriptorsize"))),
                    () -> assertEquals(3, number(descriptor.get("gvsp.gendc.container.header.componentcount"))),
                    () -> assertEquals(
                            List.of(1L, 4L, 6L), numbers(descriptor.get("gvsp.gendc.component.header.typeid"))),
                    () -> assertEquals(
                            List.of(0x1000L, 0x2000L, 0x4200L, 0x2000L, 0x4200L, 0x2000L, 0x4200L),
                            numbers(descriptor.get("gvsp.gendc.header.type"))),
                    () -> assertEquals(List.of(0L, 0L, 1L, 2L), numbers(descriptor.get("gvsp.gendc.payload.flowid"))),
                    () -> assertEquals(List.of(160L, 160L, 160L), numbers(descriptor.get("gvsp.sizex"))),
                    () -> assertEquals(List.of(96L, 96L, 96L), numbers(descriptor.get("gvsp.sizey"))),
                    () -> assertEquals(
                            List.of(0x01080001L, 0x01080001L, 0x011000B8L, 0x011000B8L, 0x010800C6L, 0x010800C6L),
                            numbers(descriptor.get("gvsp.pixel"))));
        }
    }

    @Test
    void theFlowsOfTheFirstFortyContainersAreWhole() {
        Map<Long, Map<Long, Map<Long, Long>>> blocks = new TreeMap<>();
        // Without those that only report that a packet is not available yet, for a host that asked too early.
        for (Map<String, String> packet : capture.decode(
                "gvsp.format == 0x88 && gvsp.gendc.payload.datasize",
                "gvsp.format",
                "gvsp.blockid64",
                "gvsp.gendc.payload.flowid",
                "gvsp.gendc.payload.datadestinationoffset",
                "gvsp.gendc.payload.datasize")) {
            assertEquals(GENDC_PAYLOAD, packet.get("gvsp.format"));
            blocks.computeIfAbsent(number(packet.get("gvsp.blockid64")), id -> new TreeMap<>())
                    .computeIfAbsent(number(first(packet, "gvsp.gendc.payload.flowid")), id -> new TreeMap<>())
                    .put(
                            number(packet.get("gvsp.gendc.payload.datadestinationoffset")),
                            number(packet.get("gvsp.gendc.payload.datasize")));
        }
        for (long block = 1; block <= CapturedSessionMain.FRAMES; block++) {
            Map<Long, Long> sizes = new TreeMap<>();
            blocks.get(block).forEach((flow, pieces) -> sizes.put(flow, contiguousBytes(pieces)));
            assertEquals(
                    Map.of(0L, (long) DESCRIPTOR_BYTES + FRAME_BYTES, 1L, 2L * FRAME_BYTES, 2L, (long) FRAME_BYTES),
                    sizes,
                    "bytes of each flow of block " + block);
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

    private static boolean isSet(String flag) {
        return flag.equals("1") || flag.equals("True");
    }

    private static String first(Map<String, String> packet, String field) {
        return packet.get(field).split(",", 2)[0];
    }

    private static long number(String text) {
        return Long.decode(text);
    }

    private static List<Long> numbers(String text) {
        return Arrays.stream(text.split(",", -1)).map(CaptureTest::number).toList();
    }
}
