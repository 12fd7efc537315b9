package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A host on the camera's network sends what it should not to the receiver of the stream, under its own and under the
 * camera's address. One stream survives it all, in a small heap.
 */
@EnabledIfPeers({"bash", "python3"})
@Timeout(120)
class HostileNeighbourTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int CAMERA = 1;
    private static final int RECEIVER = 2;
    private static final int NEIGHBOUR = 3;

    /** What the neighbour does, and the counter that tells of it; see docs/security.md. */
    enum Attack {
        FOREIGN_ADDRESS("PACKETS_FOREIGN_SOURCE"),
        FOREIGN_PORT("PACKETS_FOREIGN_PORT"),
        FLOOD("PACKETS_FOREIGN_SOURCE"),
        FLOOD_OF_SCRAPS("PACKETS_MALFORMED"),
        SMALL_LEADERS("damaged"),
        LEADERS_OF_OTHER_TYPES("damaged"),
        TRAILERS_OF_OTHER_TYPES("damaged"),
        EARLY_TRAILERS("damaged"),
        PAYLOAD_OF_OTHER_FORMATS("PACKETS_MALFORMED"),
        BLOCK_ID_ZERO("TEST_PACKETS"),
        HUGE_PACKET_IDS("PACKETS_MALFORMED"),
        ALL_IN_THAT_CONTRADICTS_ITSELF("PACKETS_MALFORMED"),
        CONTAINERS("PACKETS_MALFORMED"),
        PARTS("damaged"),
        STATUSES("PACKETS_WITH_ERROR_STATUS"),
        EXTENDED_IDS("PACKETS_MALFORMED"),
        ANSWERS_FROM_ELSEWHERE(""),
        ANSWERS_NOBODY_ASKED_FOR(""),
        PENDING_ANSWERS_FROM_ELSEWHERE(""),
        DISCOVERY_ANSWERS(""),
        EVENTS("EVENTS_FOREIGN_PORT"),
        RDMA(""),
        IDS_FAR_AHEAD("PACKETS_RECEIVED");

        private final String counter;

        Attack(String counter) {
            this.counter = counter;
        }
    }

    /** What cannot be told from what the camera sends: only that the stream goes on is promised. */
    enum PerfectForgery {
        PAYLOAD_OF_THE_CAMERA,
        BLOCKS_OF_THE_CAMERA
    }

    private static NetworkNamespace.Switch network;
    private static ChildProcess receiver;
    private static String receiverMac;

    @BeforeAll
    static void stream() {
        network = NetworkNamespace.Switch.connecting(3);
        CameraProcess.virtual(
                network.host(CAMERA), address(CAMERA), "--serial", "GOOD1", "--size", "320x240", "--rate", "50");
        // Little more than it needs: what is kept of forged packets would show.
        receiver = network.host(RECEIVER)
                .start(ChildProcess.java(
                        List.of("-Xmx48m"), WatchedStreamMain.class.getName(), List.of(address(CAMERA))));
        receiver.awaitLine("frames", LIMIT, line -> line.startsWith("seen "));
        receiverMac = network.host(RECEIVER)
                .run(LIMIT, "cat", "/sys/class/net/net0/address")
                .strip();
    }

    @AfterAll
    static void removeNamespaces() {
        network.close();
    }

    private static String address(int host) {
        return NetworkNamespace.Switch.address(host);
    }

    private static Map<String, Long> numbers(String line) {
        return Arrays.stream(line.split(" "))
                .filter(word -> word.contains("="))
                .map(word -> word.split("="))
                .collect(Collectors.toMap(pair -> pair[0], pair -> Long.parseLong(pair[1])));
    }

    /** What the receiver says last. */
    private static Map<String, Long> now() {
        AtomicReference<String> last = new AtomicReference<>();
        receiver.output().lines().filter(line -> line.startsWith("seen ")).forEach(last::set);
        return numbers(last.get());
    }

    /** What the receiver says when it has taken all frames that are there: those of a perfect forgery, too. */
    private static Map<String, Long> taken() {
        return awaitComplete("frames that wait", now().get("FRAMES_COMPLETE"));
    }

    private static Map<String, Long> awaitComplete(String what, long wanted) {
        return numbers(receiver.awaitLine(
                what, LIMIT, line -> line.startsWith("seen ") && numbers(line).get("complete") >= wanted));
    }

    /** Attacks, and gives what the receiver says when ten more whole frames have come afterwards. */
    private static Map<String, Long> attack(String kind) throws URISyntaxException {
        Path script = Path.of(
                HostileNeighbourTest.class.getResource("/hostile-neighbour.py").toURI());
        network.host(NEIGHBOUR)
                .run(
                        LIMIT,
                        "python3",
                        script.toString(),
                        "net0",
                        address(NEIGHBOUR),
                        address(CAMERA),
                        address(RECEIVER),
                        receiverMac,
                        kind.toLowerCase(Locale.ROOT),
                        Long.toString(now().get("last") + 10));
        return awaitComplete("frames after " + kind, now().get("complete") + 10);
    }

    @ParameterizedTest
    @EnumSource
    void noWrongByteIsCalledGoodAndNoLossGoesUncounted(Attack attack) throws Exception {
        Map<String, Long> before = taken();
        Map<String, Long> after = attack(attack.name());
        long expected = after.get("last") - after.get("first") + 1;
        assertAll(
                before + " -> " + after,
                () -> assertEquals(before.get("bad"), after.get("bad"), "wrong bytes of whole frames"),
                () -> assertTrue(
                        expected <= after.get("delivered") + after.get("lost"), () -> expected + " frames were sent"),
                () -> assertTrue(
                        attack.counter.isEmpty() || after.get(attack.counter) > before.get(attack.counter),
                        attack.counter));
    }

    @ParameterizedTest
    @EnumSource
    void streamOutlivesAPerfectForgery(PerfectForgery forgery) throws Exception {
        Map<String, Long> before = now();
        Map<String, Long> after = attack(forgery.name());
        assertTrue(after.get("PACKETS_RECEIVED") > before.get("PACKETS_RECEIVED"));
    }
}
