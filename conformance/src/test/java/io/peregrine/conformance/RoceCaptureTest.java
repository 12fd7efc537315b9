package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Capture;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A session of RoCEv2 in software, as Wireshark's dissectors understand it, with every checksum computed anew. */
@EnabledIfPeers("tshark")
@Timeout(60)
class RoceCaptureTest {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final String CONNECTION_MANAGER = "100";

    @TempDir
    private static Path directory;

    private static NetworkNamespace namespace;
    private static Path file;
    private static Capture capture;
    private static final Map<String, Integer> SESSION = new HashMap<>();

    @BeforeAll
    static void recordASession() {
        namespace = NetworkNamespace.withLoopback();
        // Otherwise the capture shows runs of packets that the kernel has not cut yet.
        namespace.run(LIMIT, "ip", "link", "set", "dev", "lo", "gso_max_segs", "1");
        file = directory.resolve("session.pcap");
        try (Capture recording = Capture.start(namespace, "lo", file, "-F", "pcap")) {
            namespace
                    .runJava(LIMIT, RoceSessionMain.class)
                    .lines()
                    // Beside it stand warnings of the machine, which hold a sign of equality too.
                    .filter(line -> line.matches("\\w+=\\d+"))
                    .map(line -> line.split("=", 2))
                    .forEach(pair -> SESSION.put(pair[0], Integer.valueOf(pair[1])));
            recording.end("127.0.0.1");
            capture = recording;
        }
    }

    @AfterAll
    static void removeNamespace() {
        namespace.close();
    }

    @Test
    void theSessionItselfWentWell() {
        int messages = RoceSessionMain.SENDS.length + 1;

        assertAll(
                SESSION::toString,
                () -> assertEquals(messages, SESSION.get("received")),
                () -> assertEquals(messages, SESSION.get("sent")),
                () -> assertEquals(8, SESSION.get("refused")));
    }

    @Test
    void everyPacketIsUnderstoodAndNoneIsMalformed() {
        assertTrue(capture.decode("infiniband").size() >= 38);
        assertEquals(List.of(), capture.decode("udp.port == 4791 && !infiniband", "frame.number"));
        assertEquals(List.of(), capture.doubtful("udp.port == 4791"));
    }

    @Test
    void theConnectionManagerSaysWhatItShould() {
        List<String> attributes = new ArrayList<>();
        for (Map<String, String> message :
                capture.decode("infiniband.bth.opcode == " + CONNECTION_MANAGER, "infiniband.mad.attributeid")) {
            attributes.add(message.get("infiniband.mad.attributeid"));
        }

        // Refused by REJ; then REQ, REP, RTU; DREQ and DREP at the end.
        assertEquals(
                List.of("0x0010", "0x0012", "0x0010", "0x0013", "0x0014", "0x0015", "0x0016"),
                attributes.subList(0, Math.min(7, attributes.size())),
                attributes::toString);
    }

    @Test
    void messagesAreCutAsTheStandardSays() {
        Map<Integer, Integer> count = new HashMap<>();
        for (Map<String, String> packet : capture.decode("infiniband.bth.opcode < 17", "infiniband.bth.opcode")) {
            count.merge(Integer.valueOf(packet.get("infiniband.bth.opcode")), 1, Integer::sum);
        }

        // Sends of 101, 1024 and 4096 bytes alone, of 10,000 in three; a write of 100,001 in 25 with immediate.
        assertEquals(Map.of(0, 1, 1, 1, 2, 1, 4, 3, 6, 1, 7, 23, 9, 1), count);
    }

    @Test
    void everyChecksumIsRight() {
        List<String> wrong = new ArrayList<>();
        int checked = 0;
        ByteBuffer recorded = read(file);
        int at = 24;
        while (at < recorded.limit()) {
            int length = recorded.getInt(at + 8);
            ByteBuffer ip = recorded.slice(at + 16 + 14, length - 14).order(ByteOrder.BIG_ENDIAN);
            at += 16 + length;
            if (length > 60 && ip.get(9) == 17 && ip.getShort(22) == 4791) {
                checked++;
                int end = Short.toUnsignedInt(ip.getShort(2));
                int carried = Integer.reverseBytes(ip.getInt(end - 4));
                if (carried != invariantChecksum(ip, end)) {
                    wrong.add("packet " + checked + " with identification " + ip.getShort(4));
                }
            }
        }

        assertEquals(List.of(), wrong);
        assertTrue(checked >= 38);
    }

    /** The rule of the InfiniBand architecture, annex A17, written down here a second time on purpose. */
    private static int invariantChecksum(ByteBuffer ip, int end) {
        byte[] masked = new byte[8 + end - 4];
        Arrays.fill(masked, 0, 8, (byte) 0xFF);
        ip.get(0, masked, 8, end - 4);
        for (int variable : new int[] {1, 8, 10, 11, 26, 27, 32}) {
            masked[8 + variable] = (byte) 0xFF;
        }
        CRC32 crc = new CRC32();
        crc.update(masked);
        return (int) crc.getValue();
    }

    private static ByteBuffer read(Path file) {
        try {
            return ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
