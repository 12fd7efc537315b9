package io.peregrine.conformance;

import static io.peregrine.conformance.PublishedFramesReport.allOf;
import static io.peregrine.conformance.PublishedFramesReport.count;
import static io.peregrine.conformance.PublishedFramesReport.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A camera is published to a multicast group. A packet is lost on its way to a consumer that may drop frames, and what
 * the consumer asks for again does not reach the publisher. A recorder keeps the publisher going: the consumer is left
 * behind.
 */
@EnabledIfPeers("iptables")
@Timeout(120)
class LostForGoodTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int CAMERA = 1;
    private static final int PUBLISHER = 2;
    private static final int CONSUMER = 3;
    private static final int RECORDER = 4;
    /** To it, Aeron's consumers send what they ask for. */
    private static final String CONTROL_GROUP = "239.192.78.2";

    /** Messages of Aeron by their type, after the headers of IP and UDP: NAK. */
    private static final String ASKS_AGAIN = "0>>22&0x3C@12&0xFFFF=0x0200";

    /** Stream 20552, which has the frames, as it is in the header of a message. */
    private static final String FRAME_DATA = "0>>22&0x3C@24=0x48500000";

    /** Those of 8 s. */
    private static final String FRAMES = "240";

    /** It took 23. Until Aeron gives the log up, 2 s after the last packet that it takes, it is 125 and more. */
    private static final long MOST_MISSING = 75;

    private static NetworkNamespace.Switch network;
    private static String recorded;
    private static String received;

    @BeforeAll
    static void loseAPacket() {
        network = NetworkNamespace.Switch.connecting(RECORDER);
        MulticastFrames frames = new MulticastFrames(network, "LOST-1");
        ChildProcess publisher = frames.publish(CAMERA, PUBLISHER);
        ChildProcess recorder = frames.consumer(RECORDER, FRAMES, "wait");
        ChildProcess consumer = frames.consumer(CONSUMER, FRAMES, "drop");
        recorder.awaitLine("frame", LIMIT, line -> line.startsWith("first "));
        consumer.awaitLine("frame", LIMIT, line -> line.startsWith("first "));
        drop(PUBLISHER, CONTROL_GROUP, "-m", "u32", "--u32", ASKS_AGAIN);
        // The first one of so many, and none of those without data.
        drop(
                CONSUMER,
                MulticastFrames.GROUP,
                "-m",
                "u32",
                "--u32",
                FRAME_DATA,
                "-m",
                "length",
                "--length",
                "4000:65535",
                "-m",
                "statistic",
                "--mode",
                "nth",
                "--every",
                "1000000",
                "--packet",
                "0");
        received = consumer.succeeds(LIMIT);
        recorded = recorder.succeeds(LIMIT);
        publisher.terminate();
        publisher.awaitEnd(LIMIT);
    }

    private static void drop(int host, String group, String... which) {
        network.host(host)
                .run(
                        LIMIT,
                        Stream.of(
                                        Stream.of("iptables", "-A", "INPUT", "-p", "udp", "-d", group),
                                        Stream.of(which),
                                        Stream.of("-j", "DROP"))
                                .flatMap(part -> part)
                                .toList());
    }

    @AfterAll
    static void removeNamespaces() {
        network.close();
    }

    @Test
    void theConsumerJoinsAgain() {
        assertEquals(1, count(result(received), "joins"), received);
    }

    @Test
    void itDoesNotWaitUntilAeronGivesTheLogUp() {
        long missing = count(result(received), "missing");
        assertTrue(missing > 0 && missing < MOST_MISSING, received);
    }

    @Test
    void theRecorderDoesNotNotice() {
        assertEquals(allOf(FRAMES), result(recorded), recorded);
    }

    @Test
    void noByteOfTheOthersIsWrong() {
        assertEquals(0, count(result(received), "bad bytes"), received);
    }
}
