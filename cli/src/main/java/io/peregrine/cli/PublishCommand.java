package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.composite.CompositeStream;
import io.peregrine.device.Device;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.distribution.DistributionException;
import io.peregrine.distribution.DistributionSettings;
import io.peregrine.distribution.FramePublisher;
import io.peregrine.distribution.PublisherSettings;
import io.peregrine.stream.FlowInfo;
import io.peregrine.stream.StreamStatistics;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Publishes the frames of a camera to other programs and hosts. */
@Command(
        name = "publish",
        description = "Publishes the frames of a camera to other programs and hosts, which open them as a device. Exit"
                + " code 1 when a frame of the camera is lost, or publishing fails; consumers do not count.",
        mixinStandardHelpOptions = true)
final class PublishCommand implements Callable<Integer> {
    private static final int FLOW_SETS = 16;
    /** The publisher leaves one flow set in four to the receiver. */
    private static final int RECEIVING_PART = 4;

    @Mixin
    private Relay relay;

    @Option(
            names = "--to",
            paramLabel = "ROUTE",
            required = true,
            description = "ipc for programs of this host, a multicast group such as 239.192.7.1:40456, the address and"
                    + " port of one consumer, or from: and the address and port of this host, where any number of"
                    + " consumers register (from:10.0.0.5:40456)")
    private String route;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the stream; the camera's user-defined name, serial number or model by default")
    private Optional<String> name = Optional.empty();

    @Option(
            names = "--mtu",
            paramLabel = "BYTES",
            description =
                    "Largest packet, a multiple of 32; 1408 by default, 8928 where the network carries 9000, 1376 in a"
                            + " tunnel of WireGuard")
    private Optional<String> mtu = Optional.empty();

    @Option(
            names = "--share",
            description = "Let consumers share the work: each frame goes to only one of them, the one that holds the"
                    + " fewest")
    private boolean share;

    @Option(
            names = "--features-key",
            paramLabel = "FILE",
            description = "Let consumers that have the key in this file (FeaturesKeyFile) read and set the camera's"
                    + " features; 32 characters or more, for example by openssl rand -hex 32, which other users cannot"
                    + " read")
    private Optional<Path> featuresKey = Optional.empty();

    @Override
    public Integer call() {
        DiscoveryInformation info =
                relay.find(found -> found.setParameter("FlowSetCount", Integer.toString(FLOW_SETS)));
        try (UntilEnded untilEnded = new UntilEnded();
                Device device = relay.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            int flowSets = Integer.parseInt(info.parameters().get("FlowSetCount"));
            FramePublisher publisher = start(device, stream, Math.max(1, flowSets - flowSets / RECEIVING_PART));
            try (publisher) {
                stream.start();
                relay.output().say("publishing " + publisher.name() + " on " + route);
                Optional<CliException> early = relay.receive(
                        device,
                        stream,
                        () -> publisher.failure().isPresent() || untilEnded.ended(),
                        composite -> reported(() -> publisher.publish(composite)));
                StreamStatistics counters = stream.statistics();
                reported(publisher::close);
                // Before the camera is closed, which may take long when it does not answer.
                return relay.report(counters, early, new Published(publisher));
            }
        }
    }

    /** Does something with the publisher, whose failure ends the loop. */
    private static void reported(Runnable step) {
        try {
            step.run();
        } catch (DistributionException e) {
            // The report has it.
        }
    }

    private FramePublisher start(Device device, CompositeStream stream, int queueFrames) {
        FramePublisher publisher = publisher(device, stream, queueFrames);
        boolean started = false;
        try {
            featuresKey.ifPresent(file -> publisher.forwardFeatures(device.nodes(), file));
            started = true;
            return publisher;
        } catch (DistributionException e) {
            throw new CliException(ExitCodes.FAILED, e.getMessage(), e);
        } finally {
            if (!started) {
                publisher.close();
            }
        }
    }

    private FramePublisher publisher(Device device, CompositeStream stream, int queueFrames) {
        // Consumers can come before the first frame: a camera that is triggered may wait for one of them.
        long frameBytes =
                stream.flowSetInfo().stream().mapToLong(FlowInfo::sizeBytes).sum();
        try {
            DistributionSettings settings = DistributionSettings.load();
            if (mtu.isPresent()) {
                settings = settings.with(DistributionSettings.MTU, mtu.get());
            }
            return FramePublisher.start(PublisherSettings.of(name.orElseGet(() -> name(device.info())), route)
                    .withDistribution(settings)
                    .withQueueFrames(queueFrames)
                    .withFrameBytes(frameBytes)
                    .withShared(share)
                    .withCamera(device.snapshot()));
        } catch (DistributionException e) {
            throw new CliException(ExitCodes.FAILED, e.getMessage(), e);
        }
    }

    private static String name(DiscoveryInformation info) {
        return List.of(info.userName(), info.serialNumber(), info.model(), "camera").stream()
                .filter(text -> !text.isBlank())
                .findFirst()
                .orElseThrow();
    }

    /** What the publisher did. */
    private final class Published implements Relay.Done {
        private final FramePublisher publisher;
        private final FramePublisher.Statistics statistics;

        Published(FramePublisher publisher) {
            this.publisher = publisher;
            statistics = publisher.statistics();
        }

        @Override
        public void put(ObjectNode object) {
            object.put("stream", publisher.name());
            object.put("route", route);
            object.put("framesPublished", statistics.framesPublished());
            object.put("bytesPublished", statistics.bytesPublished());
            object.put("framesDroppedNoSubscriber", statistics.framesDroppedNoSubscriber());
            object.put("framesDroppedBackPressure", statistics.framesDroppedBackPressure());
            object.put("framesDroppedUnusable", statistics.framesDroppedUnusable());
            object.put("framesDroppedAfterFailure", statistics.framesDroppedAfterFailure());
            object.put("framesAbandoned", statistics.framesAbandoned());
            object.put("framesLostWithConsumers", statistics.framesLostWithConsumers());
            object.put("featureRequests", statistics.featureRequests());
            object.put("featureRequestsForged", statistics.featureRequestsForged());
            object.put("featureRequestsReplayed", statistics.featureRequestsReplayed());
            object.put("featureRequestsTooMany", statistics.featureRequestsTooMany());
            object.put("featureRequestsMalformed", statistics.featureRequestsMalformed());
            ArrayNode consumers = object.putArray("consumers");
            publisher.consumers().forEach(one -> putConsumer(consumers.addObject(), one));
        }

        @Override
        public void print() {
            Output output = relay.output();
            output.row("frames published", Long.toString(statistics.framesPublished()));
            output.row("dropped, no consumer", Long.toString(statistics.framesDroppedNoSubscriber()));
            output.row("dropped, consumers slow", Long.toString(statistics.framesDroppedBackPressure()));
            output.row("dropped, unusable", Long.toString(statistics.framesDroppedUnusable()));
            output.row("dropped after failure", Long.toString(statistics.framesDroppedAfterFailure()));
            output.row("cut off", Long.toString(statistics.framesAbandoned()));
            output.row("lost with consumers", Long.toString(statistics.framesLostWithConsumers()));
            if (featuresKey.isPresent()) {
                output.row("feature requests", features(statistics));
            }
            publisher.consumers().forEach(one -> output.row("consumer", text(one)));
        }

        @Override
        public List<String> diagnosis() {
            return publisher.diagnosis();
        }

        @Override
        public Optional<DistributionException> failure() {
            return publisher.failure();
        }
    }

    private static String features(FramePublisher.Statistics statistics) {
        return statistics.featureRequests() + ", refused: forged " + statistics.featureRequestsForged() + ", replayed "
                + statistics.featureRequestsReplayed() + ", too many " + statistics.featureRequestsTooMany()
                + ", malformed " + statistics.featureRequestsMalformed();
    }

    private static void putConsumer(ObjectNode object, FramePublisher.Consumer consumer) {
        object.put("name", consumer.name());
        object.put("connected", consumer.connected());
        object.put("framesReceived", consumer.framesReceived());
        object.put("framesHeld", consumer.framesHeld());
        object.put("framesHeldUp", consumer.framesHeldUp());
        object.put("framesDroppedNoFlowSet", consumer.framesDroppedNoFlowSet());
        object.put("framesMissed", consumer.framesMissed());
        object.put("framesIncomplete", consumer.framesIncomplete());
        object.put("framesLost", consumer.framesLost());
        object.put("joins", consumer.joins());
    }

    private static String text(FramePublisher.Consumer consumer) {
        return consumer.name() + (consumer.connected() ? "" : ", left") + ": received " + consumer.framesReceived()
                + ", held " + consumer.framesHeld() + ", dropped for all because of it " + consumer.framesHeldUp()
                + ", dropped there " + consumer.framesDroppedNoFlowSet() + ", missed " + consumer.framesMissed()
                + ", incomplete " + consumer.framesIncomplete() + ", lost when it left " + consumer.framesLost()
                + ", joins " + consumer.joins();
    }
}
