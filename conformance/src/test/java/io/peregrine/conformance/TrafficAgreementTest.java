package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.peregrine.testing.Capture;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import io.peregrine.testing.TestData;
import io.peregrine.traffic.TrafficRecorder;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code gvrsp-record} writes beside what the dissectors of Wireshark understand: live, and of captures. */
@EnabledIfPeers("tshark")
@Timeout(90)
class TrafficAgreementTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String READ_MEMORY = "READMEM_CMD";
    private static final String READ_MEMORY_ACK = "READMEM_ACK";
    /** By the codes that Wireshark gives as numbers. */
    private static final Map<String, String> CONTROL = Map.of(
            "0x0002", "DISCOVERY_CMD",
            "0x0003", "DISCOVERY_ACK",
            "0x0080", "READREG_CMD",
            "0x0081", "READREG_ACK",
            "0x0082", "WRITEREG_CMD",
            "0x0083", "WRITEREG_ACK",
            "0x0084", READ_MEMORY,
            "0x0085", READ_MEMORY_ACK,
            "0x0086", "WRITEMEM_CMD",
            "0x0087", "WRITEMEM_ACK");

    private static final Map<String, String> MANAGEMENT = Map.of(
            "0x0010", "REQ", "0x0011", "MRA", "0x0012", "REJ", "0x0013", "REP", "0x0014", "RTU", "0x0015", "DREQ",
            "0x0016", "DREP");

    /** Fields of a request and of a reply, by our names, and what Wireshark calls them. */
    private static final Map<String, String> REQUEST = Map.ofEntries(
            Map.entry("localCommId", "infiniband.cm.req"),
            Map.entry("queuePair", "infiniband.cm.req.localqpn"),
            Map.entry("startingPsn", "infiniband.cm.req.startpsn"),
            Map.entry("responderResources", "infiniband.cm.req.responderres"),
            Map.entry("initiatorDepth", "infiniband.cm.req.initdepth"),
            Map.entry("remoteResponseTimeout", "infiniband.cm.req.remoteresptout"),
            Map.entry("localResponseTimeout", "infiniband.cm.req.localresptout"),
            Map.entry("transportType", "infiniband.cm.req.transpsvctype"),
            Map.entry("flowControl", "infiniband.cm.req.e2eflowctrl"),
            Map.entry("retryCount", "infiniband.cm.req.retrcount"),
            Map.entry("rnrRetryCount", "infiniband.cm.req.rnrretrcount"),
            Map.entry("maxCmRetries", "infiniband.cm.req.maxcmretr"),
            Map.entry("sharedReceiveQueue", "infiniband.cm.req.srq"),
            Map.entry("partitionKey", "infiniband.cm.req.pkey"),
            Map.entry("trafficClass", "infiniband.cm.req.prim_tfcclass"),
            Map.entry("hopLimit", "infiniband.cm.req.prim_hoplim"),
            Map.entry("ackTimeout", "infiniband.cm.req.prim_localacktout"),
            Map.entry("sourcePort", "infiniband.cm.req.ip_cm.sport"));

    private static final Map<String, String> REPLY = Map.ofEntries(
            Map.entry("localCommId", "infiniband.cm.rep"),
            Map.entry("remoteCommId", "infiniband.cm.rep.remotecommid"),
            Map.entry("queuePair", "infiniband.cm.rep.localqpn"),
            Map.entry("startingPsn", "infiniband.cm.rep.startpsn"),
            Map.entry("responderResources", "infiniband.cm.rep.respres"),
            Map.entry("initiatorDepth", "infiniband.cm.rep.initdepth"),
            Map.entry("ackDelay", "infiniband.cm.rep.tgtackdelay"),
            Map.entry("failover", "infiniband.cm.rep.failoveracc"),
            Map.entry("flowControl", "infiniband.cm.rep.e2eflowctrl"),
            Map.entry("rnrRetryCount", "infiniband.cm.rep.rnrretrcount"),
            Map.entry("sharedReceiveQueue", "infiniband.cm.rep.srq"));

    private static final Map<String, String> REJECTION = Map.of(
            "localCommId", "infiniband.cm.rej.localcommid",
            "remoteCommId", "infiniband.cm.rej.remotecommid",
            "about", "infiniband.cm.rej.msgrej",
            "informationBytes", "infiniband.cm.rej.rejinfolen",
            "reason", "infiniband.cm.rej.reason");

    @TempDir
    private static Path directory;

    private static NetworkNamespace namespace;
    private static Path captured;
    private static Path live;

    @BeforeAll
    static void recordASession() {
        namespace = NetworkNamespace.withLoopback();
        // Otherwise runs of packets are seen that the kernel has not cut yet.
        namespace.run(LIMIT, "ip", "link", "set", "dev", "lo", "gso_max_segs", "1");
        captured = directory.resolve("session.pcapng");
        live = directory.resolve("live.jsonl");
        String wanted = "udp port 3956 or udp port 4791 or udp port " + Capture.END_PORT;
        try (ChildProcess recorder =
                        namespace.start(CameraProcess.command("gvrsp-record", live.toString(), "--interface", "lo"));
                Capture capture = Capture.start(namespace, "lo", captured, "-f", wanted)) {
            recorder.awaitLine("start of the recorder", LIMIT, line -> line.contains("recording at lo"));
            namespace.run(
                    LIMIT,
                    ChildProcess.java(
                            List.of("-Dperegrine.discovery.interfaces=lo"),
                            CapturedSessionMain.class.getName(),
                            List.of()));
            namespace.runJava(LIMIT, RoceSessionMain.class);
            capture.end("127.0.0.1");
            recorder.terminate();
            recorder.awaitEnd(LIMIT);
        }
    }

    @AfterAll
    static void removeNamespace() {
        namespace.close();
    }

    // ---- Helpers

    private static List<JsonNode> lines(String text, String property) {
        return text.lines()
                .map(line -> {
                    try {
                        return MAPPER.readTree(line);
                    } catch (JsonProcessingException e) {
                        throw new AssertionError(line, e);
                    }
                })
                .filter(line -> line.has(property))
                .toList();
    }

    private static String recorded(Path capture) throws IOException {
        TrafficRecorder recorder = new TrafficRecorder();
        recorder.read(capture);
        StringWriter text = new StringWriter();
        recorder.write("test", 0, text);
        return text.toString();
    }

    /** Fields of the packets that pass a filter, in the order of the fields. */
    private static List<String[]> tshark(Path capture, String filter, String... fields) {
        List<String> command = new ArrayList<>(List.of("tshark", "-r", capture.toString(), "-Y", filter));
        command.addAll(List.of("-T", "fields", "-E", "separator=|", "-e", "frame.number"));
        Stream.of(fields).forEach(field -> command.addAll(List.of("-e", field)));
        return ChildProcess.runToEnd(LIMIT, command)
                .lines()
                .filter(line -> line.matches("\\d+\\|.*"))
                .map(line -> line.split("\\|", -1))
                .map(values -> Arrays.copyOfRange(values, 1, values.length))
                .toList();
    }

    private static long number(String text) {
        return text.equals("True") ? 1 : text.equals("False") ? 0 : Long.decode(text);
    }

    // ---- Control

    private static List<String> control(String text) {
        return lines(text, "gvcp").stream()
                .filter(line -> !line.get("gvcp").asText().startsWith("READMEM"))
                .map(line -> line.get("gvcp").asText() + " " + line.get("id").asInt())
                .toList();
    }

    @Test
    void everyControlMessageIsTheOneThatWiresharkSees() throws IOException {
        List<String> seen = tshark(captured, "gvcp", "gvcp.cmd.command", "gvcp.ack", "gvcp.cmd.req_id").stream()
                .map(values -> CONTROL.getOrDefault(values[0] + values[1], "") + " " + number(values[2]))
                .filter(message -> !message.startsWith(" ") && !message.startsWith("READMEM"))
                .toList();

        assertTrue(seen.size() > 50, seen::toString);
        assertEquals(seen, control(recorded(captured)));
    }

    @Test
    void everyReadOfMemoryIsALineOrPartOfTheDescription() throws IOException {
        String text = recorded(captured);
        long own = lines(text, "gvcp").stream()
                .filter(line -> line.get("gvcp").asText().startsWith("READMEM"))
                .count();
        long description = lines(text, "description").get(0).get("messages").asLong();

        assertTrue(description > 10, text);
        assertEquals(
                tshark(captured, "gvcp.cmd.command == 0x84 || gvcp.ack == 0x85", "gvcp.ack")
                        .size(),
                own + description);
    }

    @Test
    void registersOfTheStandardHaveTheAddressesThatWiresharkSees() throws IOException {
        List<String> seen = tshark(
                        captured,
                        "gvcp.cmd.command == 0x80 || gvcp.cmd.command == 0x82",
                        "gvcp.cmd.readreg.bootstrapregister",
                        "gvcp.cmd.writereg.bootstrapregister")
                .stream()
                .map(values -> values[0] + values[1])
                .filter(addresses -> !addresses.isEmpty())
                .toList();
        List<String> own = new ArrayList<>();
        for (JsonNode line : lines(recorded(captured), "gvcp")) {
            if (line.get("gvcp").asText().matches("(READ|WRITE)REG_CMD")) {
                List<String> addresses = new ArrayList<>();
                for (JsonNode access : line.get("access")) {
                    if (access.has("name")) {
                        addresses.add(String.format(
                                Locale.ROOT,
                                "0x%08x",
                                Long.decode(access.get("address").asText())));
                    }
                }
                if (!addresses.isEmpty()) {
                    own.add(String.join(",", addresses));
                }
            }
        }

        assertTrue(seen.size() > 20, seen::toString);
        assertEquals(seen, own);
    }

    @Test
    void valuesAreThoseThatWiresharkSees() throws IOException {
        List<Long> seen = tshark(captured, "gvcp.cmd.command == 0x82", "gvcp.bootstrap.scpsx.packetsize").stream()
                .filter(values -> !values[0].isEmpty())
                .map(values -> number(values[0]))
                .toList();
        List<Long> own = new ArrayList<>();
        for (JsonNode line : lines(recorded(captured), "gvcp")) {
            if (line.get("gvcp").asText().equals("WRITEREG_CMD")) {
                for (JsonNode access : line.get("access")) {
                    if (access.get("address").asText().equals("0x0D04")) {
                        own.add(Long.decode(access.get("value").asText()) & 0xFFFF);
                    }
                }
            }
        }

        assertTrue(!seen.isEmpty(), "packet size");
        assertEquals(seen, own);
    }

    @Test
    void featuresAreNamedByTheDescriptionThatTheApplicationRead() throws IOException {
        assertTrue(recorded(captured).contains("\"feature\":\"ExposureTime"), "the name of a written feature");
    }

    // ---- RDMA

    static Stream<Path> captures() throws IOException {
        try (Stream<Path> files =
                Files.list(TestData.file("rocev2/rdma_cm_rping.pcap").getParent())) {
            return files.filter(file -> file.toString().endsWith(".pcap")).sorted().toList().stream();
        }
    }

    private static void assertAgreement(Path capture, String kind, String filter, Map<String, String> fields)
            throws IOException {
        List<String> names = List.copyOf(fields.keySet());
        List<String[]> seen =
                tshark(capture, filter, names.stream().map(fields::get).toArray(String[]::new));
        List<JsonNode> own = lines(recorded(capture), "cm").stream()
                .filter(line -> line.get("cm").asText().equals(kind))
                .toList();
        assertEquals(seen.size(), own.size(), kind);
        for (int i = 0; i < own.size(); i++) {
            for (int field = 0; field < names.size(); field++) {
                assertEquals(
                        number(seen.get(i)[field]),
                        own.get(i).get(names.get(field)).asLong(),
                        kind + " " + i + " " + names.get(field));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("captures")
    void messagesOfTheConnectionManagerAgreeInEveryField(Path capture) throws IOException {
        assertAgreement(capture, "REQ", "infiniband.cm.req", REQUEST);
        assertAgreement(capture, "REP", "infiniband.cm.rep", REPLY);
        assertAgreement(capture, "REJ", "infiniband.cm.rej.reason", REJECTION);
    }

    @ParameterizedTest
    @MethodSource("captures")
    void messagesOfTheConnectionManagerAreInTheSameOrder(Path capture) throws IOException {
        List<String> seen = tshark(
                        capture,
                        "infiniband.mad.attributeid && infiniband.mad.mgmtclass == 7",
                        "infiniband.mad.attributeid")
                .stream()
                .map(values -> MANAGEMENT.get(values[0]))
                .toList();

        assertEquals(
                seen,
                lines(recorded(capture), "cm").stream()
                        .map(line -> line.get("cm").asText())
                        .toList());
    }

    /** Packets by queue pair, and by length of payload headers: what Wireshark counts and what we do. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rdma_cm_rping",
                "extra_cm",
                "rc_pingpong",
                "rc_send_write_mtu1024",
                "rc_send_write_mtu4096",
                "userspace_cam_to_rxe",
                "extra_client"
            })
    void everyPacketIsCountedAtItsQueuePair(String name) throws IOException {
        Path capture = TestData.file("rocev2/" + name + ".pcap");
        Map<String, Long> seen = new TreeMap<>();
        for (String[] values : tshark(capture, "infiniband", "infiniband.bth.destqp", "infiniband.bth.opcode")) {
            seen.merge(number(values[0]) + " " + operation((int) number(values[1])), 1L, Long::sum);
        }
        Map<String, Long> own = new TreeMap<>();
        for (JsonNode flow : lines(recorded(capture), "flow")) {
            for (Map.Entry<String, JsonNode> count : flow.get("packets").properties()) {
                own.merge(
                        flow.get("queuePair").asInt() + " " + count.getKey(),
                        count.getValue().asLong(),
                        Long::sum);
            }
        }

        assertEquals(seen, own);
    }

    /** Names as in the InfiniBand architecture, table of opcodes. */
    private static String operation(int opcode) {
        String[] reliable = {
            "SEND_FIRST",
            "SEND_MIDDLE",
            "SEND_LAST",
            "SEND_LAST_IMM",
            "SEND_ONLY",
            "SEND_ONLY_IMM",
            "WRITE_FIRST",
            "WRITE_MIDDLE",
            "WRITE_LAST",
            "WRITE_LAST_IMM",
            "WRITE_ONLY",
            "WRITE_ONLY_IMM",
            "READ_REQUEST",
            "READ_RESPONSE_FIRST",
            "READ_RESPONSE_MIDDLE",
            "READ_RESPONSE_LAST",
            "READ_RESPONSE_ONLY",
            "ACKNOWLEDGE"
        };
        return opcode < reliable.length
                ? reliable[opcode]
                : opcode == 100 ? "UD_SEND_ONLY" : String.format(Locale.ROOT, "0x%02X", opcode);
    }

    // ---- Live

    @Test
    void whatIsRecordedLiveIsWhatTheCaptureHas() throws IOException {
        String text = Files.readString(live);
        String fromCapture = recorded(captured);

        // A search asks from several sockets at once: two programs that capture may see these packets in another order.
        assertEquals(
                control(fromCapture).stream().sorted().toList(),
                control(text).stream().sorted().toList());
        assertEquals(
                lines(fromCapture, "cm").stream()
                        .map(line -> line.get("cm").asText())
                        .toList(),
                lines(text, "cm").stream().map(line -> line.get("cm").asText()).toList());
        assertEquals(
                lines(fromCapture, "flow").stream()
                        .map(line -> line.get("packets"))
                        .toList(),
                lines(text, "flow").stream().map(line -> line.get("packets")).toList());
        assertEquals(
                0, lines(text, "sums").get(0).get("sums").get("droppedBySystem").asInt());
    }

    @Test
    void neitherRecordingHasAnythingPersonal() throws IOException {
        for (String text : List.of(Files.readString(live), recorded(captured))) {
            String lower = text.toLowerCase(Locale.ROOT);
            for (String personal : List.of(
                    CapturedSessionMain.SERIAL.toLowerCase(Locale.ROOT),
                    "on record",
                    "127.0.0.",
                    "7f000001",
                    "7f000002",
                    "7f000003",
                    "0100007f",
                    RoceSessionMain.PRIVATE_DATA)) {
                assertFalse(lower.contains(personal), personal);
            }
            assertTrue(text.contains("<text of " + RoceSessionMain.PRIVATE_DATA.length() + " bytes>"));
        }
    }

    @Test
    void withoutTheRightToListenTheRemedyIsNamed() {
        List<String> command = new ArrayList<>(List.of("setpriv", "--bounding-set=-net_raw", "--inh-caps=-net_raw"));
        Path target = directory.resolve("none.jsonl");
        command.addAll(CameraProcess.command("gvrsp-record", target.toString(), "--interface", "lo"));
        try (ChildProcess refused = namespace.start(command)) {
            assertEquals(1, refused.awaitEnd(LIMIT), refused::output);
            assertTrue(refused.output().contains("CAP_NET_RAW"), refused::output);
            assertTrue(refused.output().contains("tcpdump -i lo"), refused::output);
        }
        assertFalse(Files.exists(target));
    }
}
