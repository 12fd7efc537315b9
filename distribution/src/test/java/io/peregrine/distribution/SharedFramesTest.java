package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.OpenOptions;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.stream.End;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.Await;
import io.peregrine.testing.FreePort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Consumers that share the frames of one publisher: each frame goes to one of them. */
@Timeout(60)
class SharedFramesTest {
    private static final String IPC = "ipc";
    private static final Duration SOON = Duration.ofMillis(1);

    private final Map<String, DiscoveryInformation> found = new HashMap<>();
    private DistributionRig rig;

    @BeforeEach
    void setUp() {
        rig = new DistributionRig();
    }

    @AfterEach
    void tearDown() throws Exception {
        rig.close();
    }

    private FramePublisher publisher(String name, String kind) {
        String route = rig.route(kind.equals(IPC) ? IPC : "from:127.0.0.1:" + FreePort.next());
        return rig.publisher(PublisherSettings.of(name, route).withShared(true));
    }

    private CompositeStream worker(String name, int flowSets) {
        DiscoveryInformation info =
                found.computeIfAbsent("aeron:" + name, DeviceFactory.create(PeregrineSettings.load())::find);
        Device device =
                rig.keep(DeviceFactory.open(info, new OpenOptions(Map.of("FlowSetCount", Integer.toString(flowSets)))));
        CompositeStream stream = rig.keep(device.stream(CompositeStream.class, 0));
        stream.start();
        return stream;
    }

    private static void awaitWorkers(FramePublisher publisher, int count) {
        Await.until(
                "workers",
                DistributionRig.PATIENCE,
                () -> publisher.connected()
                        && publisher.consumers().stream()
                                        .filter(FramePublisher.Consumer::connected)
                                        .count()
                                == count);
    }

    private static void publish(FramePublisher publisher, long id) {
        publish(publisher, id, () -> {});
    }

    /** Publishes a frame as soon as there is room for it, which workers make meanwhile. */
    private static void publish(FramePublisher publisher, long id, Runnable meanwhile) {
        try (Composite frame = Containers.frame(id, 200, 150)) {
            Await.until("room for frame " + id, DistributionRig.PATIENCE, () -> {
                meanwhile.run();
                return publisher.publish(frame);
            });
        }
    }

    /** Checks each byte. */
    private static long checked(Composite received) {
        try (Composite sent = Containers.frame(received.id(), 200, 150)) {
            assertEquals(Containers.describe(sent), Containers.describe(received));
        }
        return received.id();
    }

    /** Takes what is there. */
    private static void drain(CompositeStream stream, List<Long> ids) {
        WaitResult result = stream.waitFor(SOON);
        while (result instanceof WaitResult.Ok ok) {
            try (Composite composite = ok.composite()) {
                ids.add(checked(composite));
            }
            result = stream.waitFor(SOON);
        }
    }

    private static Set<Long> upTo(long last) {
        return new TreeSet<>(LongStream.rangeClosed(1, last).boxed().toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {IPC, "udp"})
    void eachFrameGoesToExactlyOneWorker(String kind) {
        FramePublisher publisher = publisher("shared", kind);
        List<CompositeStream> workers =
                IntStream.range(0, 3).mapToObj(i -> worker("shared", 4)).toList();
        awaitWorkers(publisher, 3);
        List<List<Long>> received = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (long id = 1; id <= 60; id++) {
            publish(publisher, id, () -> IntStream.range(0, 3).forEach(i -> drain(workers.get(i), received.get(i))));
        }
        Await.until("all frames", DistributionRig.PATIENCE, () -> {
            IntStream.range(0, 3).forEach(i -> drain(workers.get(i), received.get(i)));
            return received.stream().mapToInt(List::size).sum() == 60;
        });
        Set<Long> union = new TreeSet<>();
        received.forEach(union::addAll);
        assertEquals(upTo(60), union);
        received.forEach(ids -> assertTrue(ids.size() > 1, received.toString()));
        workers.forEach(stream -> assertEquals(0, stream.statistics().framesLost()));
    }

    @Test
    void aWorkerThatUsesNothingGetsNoMoreThanItsMemoryAndHoldsUpNoOther() {
        FramePublisher publisher = publisher("slow", IPC);
        CompositeStream slow = worker("slow", 3);
        awaitWorkers(publisher, 1);
        LongStream.rangeClosed(1, 3).forEach(id -> publish(publisher, id));
        CompositeStream fast = worker("slow", 3);
        awaitWorkers(publisher, 2);
        List<Long> ofFast = new ArrayList<>();
        for (long id = 4; id <= 50; id++) {
            publish(publisher, id, () -> drain(fast, ofFast));
        }
        Await.until("the rest", DistributionRig.PATIENCE, () -> {
            drain(fast, ofFast);
            return ofFast.size() == 47;
        });
        List<Long> ofSlow = new ArrayList<>();
        drain(slow, ofSlow);
        assertEquals(List.of(1L, 2L, 3L), ofSlow);
        assertEquals(0, slow.statistics().get(Counter.FRAMES_DROPPED_NO_FLOW_SET));
    }

    @Test
    void aWorkerThatLeavesLosesWhatItHeldAndThatIsCounted() {
        FramePublisher publisher = publisher("leaving", IPC);
        CompositeStream leaving = worker("leaving", 3);
        awaitWorkers(publisher, 1);
        LongStream.rangeClosed(1, 3).forEach(id -> publish(publisher, id));
        Await.until(
                "three frames",
                DistributionRig.PATIENCE,
                () -> leaving.statistics().get(Counter.FRAMES_COMPLETE) == 3);
        DistributionRig.next(leaving).close();
        Await.until(
                "report",
                DistributionRig.PATIENCE,
                () -> publisher.consumers().get(0).framesHeld() == 2);
        leaving.close();
        Await.until(
                "count", DistributionRig.PATIENCE, () -> publisher.statistics().framesLostWithConsumers() > 0);
        assertEquals(2, publisher.statistics().framesLostWithConsumers());
        assertEquals(
                List.of(2L),
                publisher.consumers().stream()
                        .map(FramePublisher.Consumer::framesLost)
                        .toList());
        assertTrue(
                publisher.diagnosis().get(0).startsWith("2 frames were lost with consumers"),
                publisher.diagnosis().toString());
    }

    @Test
    void aLateWorkerTakesPartFromTheNextFrame() {
        FramePublisher publisher = publisher("late", IPC);
        CompositeStream first = worker("late", 3);
        awaitWorkers(publisher, 1);
        List<Long> ids = new ArrayList<>();
        for (long id = 1; id <= 3; id++) {
            publish(publisher, id);
        }
        Await.until(
                "all of its memory",
                DistributionRig.PATIENCE,
                () -> publisher.consumers().get(0).framesReceived() == 3);
        CompositeStream late = worker("late", 3);
        awaitWorkers(publisher, 2);
        publish(publisher, 4);
        try (Composite composite = DistributionRig.next(late)) {
            assertEquals(4, checked(composite));
        }
        drain(first, ids);
        assertEquals(List.of(1L, 2L, 3L), ids);
    }

    @Test
    void framesForWhichNoWorkerHasRoomAreDroppedAndCounted() {
        FramePublisher publisher = publisher("busy", IPC);
        CompositeStream worker = worker("busy", 2);
        awaitWorkers(publisher, 1);
        long id = 0;
        while (publisher.statistics().framesDroppedBackPressure() < 10) {
            try (Composite frame = Containers.frame(++id, 200, 150)) {
                publisher.publish(frame);
            }
        }
        List<Long> received = new ArrayList<>();
        long sent = id - publisher.statistics().framesDropped();
        Await.until("what was not dropped", DistributionRig.PATIENCE, () -> {
            drain(worker, received);
            return received.size() == sent;
        });
        assertEquals(sent, publisher.statistics().framesPublished());
    }

    @Test
    void aPublisherThatIsClosedEndsTheStreamsInOrder() {
        FramePublisher publisher = publisher("ending", IPC);
        CompositeStream worker = worker("ending", 3);
        awaitWorkers(publisher, 1);
        publish(publisher, 1);
        publisher.close();
        int frames = 0;
        for (Composite composite : worker) {
            composite.close();
            frames++;
        }
        assertEquals(1, frames);
        assertInstanceOf(End.Finished.class, worker.end().orElseThrow());
    }

    @Test
    void withoutAWorkerFramesAreDropped() {
        FramePublisher publisher = publisher("nobody", IPC);
        try (Composite frame = Containers.frame(1, 20, 10)) {
            assertFalse(publisher.publish(frame));
        }
        assertEquals(1, publisher.statistics().framesDroppedNoSubscriber());
    }
}
