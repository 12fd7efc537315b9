package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.distribution.driver.RunReceiverSupplier;
import io.peregrine.distribution.driver.RunSenderSupplier;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.testing.Await;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.testing.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What consumers, strangers and media drivers do to the frames of others, and to the publisher. */
@Timeout(120)
class DistributionPolicyTest {
    private static final String IPC = "ipc";
    /** Of a consumer, by default. */
    private static final int FLOW_SETS = 10;

    private final DistributionRig rig = new DistributionRig();

    @AfterEach
    void end() throws Exception {
        rig.close();
    }

    private static void give(FramePublisher publisher, long id) {
        try (Composite frame = Containers.frame(id, 200, 150)) {
            publisher.publish(frame);
        }
    }

    private static void sent(FramePublisher publisher, CompositeStream consumer, long id) {
        DistributionRig.send(publisher, id);
        try (Composite frame = Containers.frame(id, 200, 150);
                Composite received = DistributionRig.next(consumer)) {
            assertEquals(Containers.describe(frame), Containers.describe(received));
        }
    }

    @Test
    void closingCountsWhatAConsumerThatDoesNotReadHoldsBack() {
        rig.set(DistributionSettings.SLOW, "wait");
        FramePublisher publisher = rig.publisher(PublisherSettings.of("held back", rig.route(IPC))
                .withCloseTimeout(Duration.ofMillis(100))
                .withDistribution(DistributionSettings.load().with(DistributionSettings.TERM, "64k")));
        CompositeStream consumer = rig.consumer("held back");
        DistributionRig.awaitConsumers(publisher);
        long[] given = {0};
        Await.until("consumer without memory", DistributionRig.PATIENCE, () -> {
            give(publisher, ++given[0]);
            return consumer.statistics().get(Counter.FRAMES_COMPLETE) == FLOW_SETS;
        });
        for (int i = 0; i < 20; i++) {
            give(publisher, ++given[0]);
        }
        publisher.close();
        FramePublisher.Statistics counted = publisher.statistics();
        assertEquals(given[0], counted.framesPublished() + counted.framesDropped(), publisher::toString);
        assertTrue(counted.framesAbandoned() + counted.framesDroppedAfterFailure() > 0, publisher::toString);
        assertFalse(publisher.connected());
    }

    @Test
    void framesReachTheOneConsumerWhoseAddressIsTheRoute() {
        String route = rig.route("127.0.0.1:" + FreePort.next());
        FramePublisher publisher = rig.publisher(PublisherSettings.of("unicast", route));
        CompositeStream consumer = rig.consumer("unicast");
        DistributionRig.awaitConsumers(publisher);
        for (long id = 1; id <= 10; id++) {
            sent(publisher, consumer, id);
        }
    }

    @Test
    @ExpectedWarning("Frames of 65536 bytes are large for distribution.term=64k")
    void aConsumerThatLosesFramesAndItsPublisherSayWhichTermIsNeeded() {
        String remedy = "Set distribution.term=256k at the publisher";
        String route = rig.route("from:127.0.0.1:" + FreePort.next());
        FramePublisher publisher = rig.publisher(PublisherSettings.of("large", route)
                .withQueueFrames(1)
                .withDistribution(DistributionSettings.load().with(DistributionSettings.TERM, "64k")));
        CompositeStream consumer = rig.consumer("large");
        DistributionRig.awaitConsumers(publisher);
        long[] given = {0};
        // The publisher learns what the consumer may do some time after it has one.
        Await.until("lost frame and warning", DistributionRig.PATIENCE, () -> {
            give(publisher, ++given[0]);
            give(publisher, ++given[0]);
            return consumer.statistics().get(Counter.BLOCK_ID_GAPS) > 0
                    && publisher.diagnosis().stream().anyMatch(text -> text.contains(remedy));
        });
        String first = consumer.diagnosis().get(0);
        assertTrue(first.contains(remedy), first);
    }

    @Test
    void aStrangerUnderAKnownNameDeliversNothingToAConsumer() {
        String route = rig.route(IPC);
        FramePublisher known = rig.publisher(PublisherSettings.of("known", route));
        CompositeStream consumer = rig.consumer("known");
        DistributionRig.awaitConsumers(known);
        FramePublisher stranger = rig.publisher(PublisherSettings.of("known", route));
        for (long id = 1; id <= 10; id++) {
            try (Composite forged = Containers.frame(1000 + id, 200, 150)) {
                stranger.publish(forged);
            }
            sent(known, consumer, id);
        }
        assertEquals(10, consumer.statistics().get(Counter.FRAMES_COMPLETE));
        assertEquals(0, consumer.statistics().get(Counter.PACKETS_MALFORMED));
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs /dev/shm")
    void memoryThatAKilledProgramLeftIsRemovedByTheNext() throws Exception {
        Path left = directoryOfAnEndedProgram();
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minusSeconds(60)));
        rig.publisher(PublisherSettings.of("next", rig.route(IPC)));
        assertFalse(Files.exists(left));
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs /dev/shm")
    void memoryOfAProgramThatStartsInAnotherContainerIsLeftAlone() throws Exception {
        Path starting = directoryOfAnEndedProgram();
        rig.keep(() -> IoUtil.delete(starting.toFile(), true));
        rig.publisher(PublisherSettings.of("next", rig.route(IPC)));
        assertTrue(Files.exists(starting.resolve("cnc.dat")));
    }

    /** As that of one in another container, whose processes cannot be seen. */
    private static Path directoryOfAnEndedProgram() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        Path directory = Files.createDirectories(Path.of("/dev/shm/peregrine-aeron-" + ended.pid() + "-1"));
        Files.write(directory.resolve("cnc.dat"), new byte[64]);
        return directory;
    }

    private void externalDriver(String kind, String... options) throws IOException {
        Path directory = Files.createTempDirectory("aeron-test").resolve("driver");
        List<String> all = new ArrayList<>(List.of(
                "-Daeron.dir=" + directory,
                "-Daeron.term.buffer.sparse.file=true",
                "-Daeron.threading.mode=SHARED",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"));
        all.addAll(List.of(options));
        rig.keep(ChildProcess.start(ChildProcess.java(all, "io.aeron.driver.MediaDriver", List.of())));
        rig.set(DistributionSettings.DRIVER, kind);
        rig.set(DistributionSettings.DIRECTORY, directory.toString());
        Await.until("media driver", DistributionRig.PATIENCE, () -> Files.exists(directory.resolve("cnc.dat")));
    }

    @Test
    void anExternalMediaDriverServesPublisherAndConsumerInRuns() throws Exception {
        externalDriver(
                "external-runs",
                "-Daeron.SendChannelEndpoint.supplier=" + RunSenderSupplier.class.getName(),
                "-Daeron.ReceiveChannelEndpoint.supplier=" + RunReceiverSupplier.class.getName());
        FramePublisher publisher =
                rig.publisher(PublisherSettings.of("runs", rig.route("127.0.0.1:" + FreePort.next())));
        CompositeStream consumer = rig.consumer("runs");
        DistributionRig.awaitConsumers(publisher);
        for (long id = 1; id <= 20; id++) {
            sent(publisher, consumer, id);
        }
    }

    @Test
    void anExternalMediaDriverThatDoesNotCutRunsIsRefusedByPublishers() throws Exception {
        externalDriver("external-runs");
        PublisherSettings settings = PublisherSettings.of("runs", "127.0.0.1:" + FreePort.next());
        DistributionException refusal = assertThrows(DistributionException.class, () -> rig.publisher(settings));
        assertTrue(String.valueOf(refusal.getMessage()).contains(RunSenderSupplier.class.getName()));
    }

    @Test
    void anExternalMediaDriverServesPublisherAndConsumerAndReportsWhatWasLost() throws Exception {
        externalDriver(
                "external",
                // One packet in ten does not arrive.
                "-Daeron.ReceiveChannelEndpoint.supplier=io.aeron.driver.ext.DebugReceiveChannelEndpointSupplier",
                "-Daeron.debug.receive.data.loss.rate=0.1",
                "-Daeron.debug.receive.data.loss.seed=1");
        FramePublisher publisher =
                rig.publisher(PublisherSettings.of("external", rig.route("from:127.0.0.1:" + FreePort.next())));
        CompositeStream consumer = rig.consumer("external");
        DistributionRig.awaitConsumers(publisher);
        for (long id = 1; id <= 20; id++) {
            sent(publisher, consumer, id);
        }
        assertTrue(
                consumer.diagnosis().stream().anyMatch(text -> text.contains("lost in the network and asked for")),
                () -> consumer.diagnosis().toString());
        assertTrue(
                publisher.diagnosis().stream().anyMatch(text -> text.contains("Consumers asked")),
                () -> publisher.diagnosis().toString());
    }
}
