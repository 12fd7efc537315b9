package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.cli.PeregrineMain;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Workers on three hosts that share the frames of one camera: one is fast, one slow, one is killed, and another comes
 * late. On another host, another camera is published, and both are found by their names.
 */
@EnabledIfPeers("kill")
@Timeout(360)
class SharedWorkBetweenHostsTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int CAMERA = 1;
    private static final int PUBLISHER = 2;
    private static final int FAST = 3;
    private static final int SLOW = 4;
    private static final int KILLED = 5;
    /** A busy host may hold up the publisher for seconds. */
    private static final String FLOW_SETS = "400";

    private static final String ROUTE = "from:" + NetworkNamespace.Switch.address(PUBLISHER) + ":40456";
    private static final String OTHER_ROUTE = "from:" + NetworkNamespace.Switch.address(CAMERA) + ":40456";
    private static final Pattern FRAME = Pattern.compile("(?m)^frame (\\d+) bad (-?\\d+)$");

    private static NetworkNamespace.Switch network;
    private static String published;
    private static String fast;
    private static String slow;
    private static String killed;
    private static String late;
    private static String other;

    @BeforeAll
    static void shareFrames() {
        network = NetworkNamespace.Switch.connecting(KILLED);
        String camera = NetworkNamespace.Switch.address(CAMERA);
        CameraProcess.virtual(
                network.host(CAMERA), camera, "--serial", "SHARE-1", "--size", "320x240", "--rate", "100");
        ChildProcess publisher = publisher(PUBLISHER, camera, ROUTE, "SHARE-1", "--share");
        ChildProcess fastOne = worker(FAST, "0", "0");
        ChildProcess slowOne = worker(SLOW, "60", "0");
        ChildProcess killedOne = worker(KILLED, "0", "5");
        killedOne.awaitLine("frames that it holds", LIMIT, line -> line.startsWith("holding "));
        killedOne.kill();
        killed = killedOne.output();
        ChildProcess lateOne = worker(KILLED, "0", "0");
        for (ChildProcess one : List.of(fastOne, slowOne, lateOne)) {
            one.awaitLine("frame", LIMIT, line -> line.startsWith("frame "));
        }
        otherCamera();
        publisher.terminate();
        publisher.awaitEnd(LIMIT);
        published = publisher.output();
        fast = fastOne.succeeds(LIMIT);
        slow = slowOne.succeeds(LIMIT);
        late = lateOne.succeeds(LIMIT);
    }

    /** On the host of the first camera, which publishes nothing itself. */
    private static void otherCamera() {
        String camera = "127.66.0.1";
        CameraProcess.virtual(network.host(CAMERA), camera, "--serial", "SHARE-2", "--size", "160x120", "--rate", "50");
        ChildProcess publisher = publisher(CAMERA, camera, OTHER_ROUTE, "SHARE-2");
        other = network.host(KILLED)
                .start(ChildProcess.java(
                        List.of(
                                "-Ddistribution.routes=" + ROUTE + "," + OTHER_ROUTE,
                                "-Ddistribution.discoveryWindow=60s"),
                        PublishedFramesMain.class.getName(),
                        List.of("SHARE-2", "20")))
                .succeeds(LIMIT);
        publisher.terminate();
        publisher.awaitEnd(LIMIT);
    }

    private static ChildProcess publisher(int host, String camera, String route, String name, String... options) {
        List<String> arguments =
                new ArrayList<>(List.of("publish", camera, "--to", route, "--param", "FlowSetCount=" + FLOW_SETS));
        arguments.addAll(List.of(options));
        ChildProcess publisher =
                network.host(host).start(ChildProcess.java(List.of(), PeregrineMain.class.getName(), arguments));
        publisher.awaitLine("publisher", LIMIT, line -> line.contains("publishing " + name));
        return publisher;
    }

    private static ChildProcess worker(int host, String workMillis, String framesUntilItHolds) {
        return network.host(host)
                .start(ChildProcess.java(
                        List.of("-Ddistribution.routes=" + ROUTE, "-Ddistribution.discoveryWindow=60s"),
                        SharedFramesMain.class.getName(),
                        List.of("SHARE-1", workMillis, framesUntilItHolds)));
    }

    @AfterAll
    static void removeNamespaces() {
        network.close();
    }

    private static long[] frames(String output) {
        Matcher matcher = FRAME.matcher(output);
        LongStream.Builder ids = LongStream.builder();
        while (matcher.find()) {
            ids.add(Long.parseLong(matcher.group(1)));
        }
        return ids.build().toArray();
    }

    private static long count(String output, String what) {
        Matcher matcher = Pattern.compile(Pattern.quote(what) + " +(\\d+)").matcher(output);
        assertTrue(matcher.find(), output);
        return Long.parseLong(matcher.group(1));
    }

    @Test
    void eachPublishedFrameIsAtOneWorkerOrWasHeldByTheOneThatWasKilled() {
        Set<Long> union = new HashSet<>();
        long received = 0;
        for (String one : List.of(fast, slow, killed, late)) {
            long[] ids = frames(one);
            received += ids.length;
            LongStream.of(ids).forEach(union::add);
        }
        assertEquals(union.size(), received, "no frame twice");
        assertEquals(
                count(published, "frames published"), received + count(published, "lost with consumers"), published);
    }

    @Test
    void whatIsLostIsWhatTheKilledWorkerHeld() {
        long lost = count(published, "lost with consumers");
        // One more may have come after the worker had said how many it held.
        assertTrue(lost >= Math.max(1, count(killed, "holding")), published);
        assertTrue(lost <= SharedFramesMain.FLOW_SETS, published);
        assertTrue(published.contains("lost when it left " + lost), published);
    }

    @Test
    void everyByteIsRight() {
        for (String one : List.of(fast, slow, killed, late)) {
            Matcher matcher = FRAME.matcher(one);
            while (matcher.find()) {
                assertEquals("0", matcher.group(2), matcher.group());
            }
        }
    }

    @Test
    void aSlowWorkerGetsFewerFrames() {
        assertTrue(frames(slow).length * 2 < frames(fast).length, frames(slow).length + ", " + frames(fast).length);
    }

    @Test
    void theCameraLosesNothing() {
        assertEquals(0, count(published, "frames lost"), published);
        assertEquals(0, count(published, "frames incomplete"), published);
    }

    @Test
    void workersSeeNoGapsInTheirPart() {
        for (String one : List.of(fast, slow, late)) {
            assertTrue(one.contains(", lost 0"), one);
        }
    }

    @Test
    void aCameraThatAnotherHostPublishesIsFoundByItsName() {
        assertTrue(other.contains("whole 20, bad bytes 0, incomplete 0"), other);
    }
}
