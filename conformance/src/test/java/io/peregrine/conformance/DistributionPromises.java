package io.peregrine.conformance;

import static io.peregrine.conformance.PublishedFramesReport.allOf;
import static io.peregrine.conformance.PublishedFramesReport.count;
import static io.peregrine.conformance.PublishedFramesReport.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What consumers of a published stream can rely on, whatever happens to others: one must have all frames, one has to
 * over a network that loses one packet in a hundred, one is stopped for ten seconds, one is killed, and another comes
 * late. {@link FrameAskerMain} asks for the frames, so that a host that is busy with other things makes them slower,
 * and loses none.
 */
abstract class DistributionPromises {
    static final String FRAMES = "1000";
    /** Those of ten seconds, in which another consumer is stopped. */
    static final String FRAMES_LATE = "600";

    static final String FRAMES_STOPPED = "600";
    static final double LOSS = 0.01;
    static final String WINDOW = "-Ddistribution.window=4m";

    /** What the publisher and the consumers have said. */
    record Outcome(String published, String steady, String lossy, String stopped, String late) {}

    abstract Outcome outcome();

    /** The command of a publisher. */
    static List<String> publish(String camera, String route, String... more) {
        return Stream.of(
                        Stream.of(
                                "publish",
                                camera,
                                "--to",
                                route,
                                "--param",
                                "UseRdma=require",
                                "--frame-timeout",
                                "120"),
                        FrameAskerMain.FEATURES.stream().flatMap(feature -> Stream.of("--set", feature)),
                        Stream.of(more))
                .flatMap(part -> part)
                .toList();
    }

    /** The options of the program of a consumer. */
    static List<String> consumerOptions(String route, String whenSlow) {
        return List.of(
                WINDOW,
                "-Ddistribution.routes=" + route,
                "-Ddistribution.discoveryWindow=60s",
                "-Ddistribution.whenSlow=" + whenSlow);
    }

    @Test
    void aConsumerHasEveryByteOfEachFrameWhateverHappensToOthers() {
        assertEquals(allOf(FRAMES), result(outcome().steady()));
    }

    @Test
    void lostPacketsAreSentAgain() {
        assertEquals(allOf(FRAMES), result(outcome().lossy()));
    }

    @Test
    void aLateConsumerLosesNothing() {
        assertEquals(allOf(FRAMES_LATE), result(outcome().late()));
    }

    @Test
    void whatAStoppedConsumerMissedIsCounted() {
        String stopped = outcome().stopped();
        assertTrue(count(stopped, "missing") > 0, stopped);
        assertEquals(0, count(stopped, "bad bytes"), stopped);
        assertEquals(count(stopped, "lost"), count(stopped, "missing"), stopped);
    }

    @Test
    void theCameraLosesNothing() {
        String published = outcome().published();
        assertEquals(0, count(published, "frames lost"), published);
        assertEquals(0, count(published, "frames incomplete"), published);
    }

    @Test
    void thePublisherDropsNoFrameBecauseOfAConsumer() {
        assertEquals(
                0,
                count(outcome().published(), "dropped, consumers slow"),
                outcome().published());
    }
}
