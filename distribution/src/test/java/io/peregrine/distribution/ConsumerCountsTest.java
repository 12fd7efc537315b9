package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.ExclusivePublication;
import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.distribution.FramePublisher.Consumer;
import io.peregrine.testing.Await;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a publisher knows of each consumer, and what strangers can make it believe. */
@Timeout(60)
class ConsumerCountsTest {
    private DistributionRig rig;

    @BeforeEach
    void setUp() {
        rig = new DistributionRig();
    }

    @AfterEach
    void tearDown() throws Exception {
        rig.close();
    }

    private static void await(FramePublisher publisher, int consumers) {
        Await.until(
                "reports of " + consumers + " consumers",
                DistributionRig.PATIENCE,
                () -> publisher.connected() && publisher.consumers().size() == consumers);
    }

    @Test
    void framesThatAConsumerDropsAreCountedForItAtThePublisher() {
        FramePublisher publisher = rig.publisher(PublisherSettings.of("dropping", rig.route("ipc")));
        CompositeStream idle = rig.consumer("dropping");
        await(publisher, 1);
        for (long id = 1; id <= 12; id++) {
            DistributionRig.send(publisher, id);
        }
        Await.until(
                "report",
                DistributionRig.PATIENCE,
                () -> publisher.consumers().get(0).framesDroppedNoFlowSet() == 2);
        assertEquals(10, publisher.consumers().get(0).framesReceived(), idle.toString());
    }

    @Test
    void framesThatAreDroppedForAllAreCountedForTheOneThatIsWaitedFor() {
        String route = rig.route("ipc");
        FramePublisher publisher = rig.publisher(PublisherSettings.of("waiting", route)
                .withDistribution(DistributionSettings.load().with(DistributionSettings.TERM, "64k")));
        CompositeStream dropping = rig.consumer("waiting");
        await(publisher, 1);
        rig.set(DistributionSettings.SLOW, "wait");
        CompositeStream waiting = rig.consumer("waiting");
        await(publisher, 2);
        Await.until("frames held up", DistributionRig.PATIENCE, () -> {
            try (Composite frame = Containers.frame(1, 200, 150)) {
                publisher.publish(frame);
            }
            return publisher.consumers().stream()
                            .mapToLong(Consumer::framesHeldUp)
                            .sum()
                    >= 5;
        });
        List<Long> heldUp = publisher.consumers().stream()
                .map(Consumer::framesHeldUp)
                .sorted()
                .toList();
        assertEquals(0, heldUp.get(0), () -> dropping + " " + waiting + publisher.consumers());
        assertTrue(
                publisher.diagnosis().stream().anyMatch(text -> text.contains("because of")),
                publisher.diagnosis().toString());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFrameThatCountsAsSentTakesNoPlaceInTheQueue(boolean shared) {
        FramePublisher publisher = rig.publisher(PublisherSettings.of("queue of one", rig.route("ipc"))
                .withShared(shared)
                .withQueueFrames(1));
        CompositeStream stream = rig.consumer("queue of one");
        DistributionRig.awaitConsumers(publisher);
        for (long id = 1; id <= 3000; id++) {
            try (Composite frame = Containers.frame(id, 16, 16)) {
                assertTrue(publisher.publish(frame), () -> "after " + publisher.statistics());
            }
            if (id > 1) {
                DistributionRig.next(stream).close();
            }
            while (publisher.statistics().framesPublished() < id) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void aConsumerThatLeftIsRemembered() {
        FramePublisher publisher = rig.publisher(PublisherSettings.of("left", rig.route("ipc")));
        CompositeStream stream = rig.consumer("left");
        await(publisher, 1);
        DistributionRig.send(publisher, 1);
        DistributionRig.next(stream).close();
        stream.close();
        Await.until(
                "end",
                DistributionRig.PATIENCE,
                () -> !publisher.consumers().get(0).connected());
        assertEquals(1, publisher.consumers().get(0).framesReceived());
    }

    /** What a stranger says, on the way that consumers have. */
    private ExclusivePublication stranger() {
        AeronHost host = rig.keep(AeronHost.open(DistributionSettings.load()));
        return rig.keep(host.aeron().addExclusivePublication("aeron:ipc", ConsumerReport.STREAM_ID));
    }

    private static void say(ExclusivePublication to, byte[] bytes) {
        Await.until("room", DistributionRig.PATIENCE, () -> to.offer(new UnsafeBuffer(bytes)) > 0);
    }

    private int session(AeronHost host) {
        StreamWatch watch = rig.keep(new StreamWatch(host, DistributionSettings.load(), name -> true));
        Await.until("announcement", DistributionRig.PATIENCE, () -> {
            watch.poll();
            return !watch.streams().isEmpty();
        });
        return watch.streams().get(0).announcement().session();
    }

    private static byte[] bytes(ConsumerReport report) {
        UnsafeBuffer to = new UnsafeBuffer(new byte[ConsumerReport.SIZE_BYTES]);
        report.put(to);
        return to.byteArray();
    }

    @Test
    void whatIsNoReportIsCountedAndIgnored() {
        FramePublisher publisher = rig.publisher(PublisherSettings.of("noise", rig.route("ipc")));
        ExclusivePublication stranger = stranger();
        say(stranger, new byte[ConsumerReport.SIZE_BYTES]);
        say(stranger, new byte[3]);
        Await.until(
                "count",
                DistributionRig.PATIENCE,
                () -> publisher.diagnosis().stream().anyMatch(text -> text.startsWith("2 reports")));
        assertEquals(List.of(), publisher.consumers());
    }

    @Test
    void aWorkerThatClaimsMoreThanItGotIsNotBelieved() {
        FramePublisher publisher =
                rig.publisher(PublisherSettings.of("claims", rig.route("ipc")).withShared(true));
        ExclusivePublication stranger = stranger();
        AeronHost host = rig.keep(AeronHost.open(DistributionSettings.load()));
        int session = session(host);
        rig.keep(host.aeron().addSubscription("aeron:ipc?session-id=77", Announcement.FRAMES_STREAM_ID));
        say(
                stranger,
                bytes(new ConsumerReport(false, true, false, session, 77, 0, 2, 1, Long.MAX_VALUE, 0, 0, 0, 0, 0, 0)));
        Await.until("worker", DistributionRig.PATIENCE, publisher::connected);
        for (int i = 0; i < 2; i++) {
            DistributionRig.send(publisher, i + 1);
        }
        assertEquals(2, publisher.consumers().get(0).framesHeld());
        // It has no memory for a third one.
        try (Composite frame = Containers.frame(3, 200, 150)) {
            publisher.publish(frame);
        }
        assertEquals(2, publisher.statistics().framesPublished());
    }
}
