package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A camera, a publisher and consumers on separate hosts: one takes all frames, one over a network that loses one packet
 * in a hundred, one is stopped for seconds, one is killed, and another comes late.
 */
@EnabledIfPeers({"iptables", "kill"})
@Timeout(180)
class DistributionBetweenHostsTest {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int CAMERA = 1;
    private static final int PUBLISHER = 2;
    private static final int STEADY = 3;
    private static final int LOSSY = 4;
    private static final int STOPPED = 5;
    private static final String ROUTE = "from:" + NetworkNamespace.Switch.address(PUBLISHER) + ":40456";
    private static final String FRAMES = "250";

    private static NetworkNamespace.Switch network;
    private static String published;
    private static String steady;
    private static String lossy;
    private static String stopped;
    private static String late;

    @BeforeAll
    static void distributeFrames() {
        network = NetworkNamespace.Switch.connecting(STOPPED);
        CameraProcess.virtual(
                network.host(CAMERA),
                NetworkNamespace.Switch.address(CAMERA),
                "--serial",
                "PUB-9",
                "--size",
                "320x240",
                "--rate",
                "25");
        network.lose(LOSSY, 0.01);
        ChildProcess publisher = network.host(PUBLISHER)
                .start(CameraProcess.command("publish", NetworkNamespace.Switch.address(CAMERA), "--to", ROUTE));
        publisher.awaitLine("publisher", LIMIT, line -> line.contains("publishing PUB-9"));
        ChildProcess steadily = consumer(STEADY, FRAMES);
        ChildProcess lossily = consumer(LOSSY, FRAMES);
        ChildProcess stopping = consumer(STOPPED, FRAMES);
        ChildProcess killed = consumer(STEADY, FRAMES);
        for (ChildProcess one : List.of(steadily, lossily, stopping, killed)) {
            one.awaitLine("frame", LIMIT, line -> line.startsWith("first "));
        }
        killed.kill();
        signal(stopping, "-STOP");
        ChildProcess lately = consumer(STEADY, "50");
        late = lately.succeeds(LIMIT);
        signal(stopping, "-CONT");
        steady = steadily.succeeds(LIMIT);
        lossy = lossily.succeeds(LIMIT);
        stopped = stopping.succeeds(LIMIT);
        publisher.terminate();
        publisher.awaitEnd(LIMIT);
        published = publisher.output();
    }

    private static ChildProcess consumer(int host, String frames) {
        return network.host(host)
                .start(ChildProcess.java(
                        List.of("-Ddistribution.routes=" + ROUTE, "-Ddistribution.discoveryWindow=20s"),
                        PublishedFramesMain.class.getName(),
                        List.of("PUB-9", frames)));
    }

    private static void signal(ChildProcess child, String signal) {
        ChildProcess.run(LIMIT, "kill", signal, Long.toString(child.pid()));
    }

    @AfterAll
    static void removeNamespaces() {
        network.close();
    }

    private static String result(String output) {
        return output.lines()
                .filter(line -> line.startsWith("whole "))
                .findFirst()
                .orElse(output);
    }

    private static long count(String output, String what) {
        Matcher matcher = Pattern.compile(Pattern.quote(what) + " +(\\d+)").matcher(output);
        assertTrue(matcher.find(), output);
        return Long.parseLong(matcher.group(1));
    }

    @Test
    void aConsumerHasEveryByteOfEachFrameWhateverHappensToOthers() {
        assertEquals(
                "whole " + FRAMES + ", bad bytes 0, incomplete 0, gaps 0, no flow set 0, missing 0, lost 0, joins 0,"
                        + " malformed 0",
                result(steady));
    }

    @Test
    void lostPacketsAreSentAgain() {
        assertEquals(
                "whole " + FRAMES + ", bad bytes 0, incomplete 0, gaps 0, no flow set 0, missing 0, lost 0, joins 0,"
                        + " malformed 0",
                result(lossy));
    }

    @Test
    void aLateConsumerLosesNothing() {
        assertEquals(
                "whole 50, bad bytes 0, incomplete 0, gaps 0, no flow set 0, missing 0, lost 0, joins 0, malformed 0",
                result(late));
    }

    @Test
    void whatAStoppedConsumerMissedIsCounted() {
        assertEquals(0, count(stopped, "bad bytes"), stopped);
        assertEquals(count(stopped, "lost"), count(stopped, "missing"), stopped);
    }

    @Test
    void theCameraLosesNothing() {
        assertEquals(0, count(published, "frames lost"), published);
        assertEquals(0, count(published, "frames incomplete"), published);
    }
}
