package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.composite.CompositeStream;
import io.peregrine.device.Device;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.pvaccess.PvaException;
import io.peregrine.pvaccess.PvaPublisher;
import io.peregrine.pvaccess.PvaSettings;
import io.peregrine.stream.StreamStatistics;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Offers the frames of a camera to EPICS clients. */
@Command(
        name = "pvaccess",
        description = "Offers the frames of a camera to EPICS clients as NTNDArray, through pvAccess:"
                + " NAME:Pva1:Image, and each component by its name. Clients get the newest frame. Exit code 1 when a"
                + " frame of the camera is lost, or offering fails; clients do not count.",
        mixinStandardHelpOptions = true)
final class PvaccessCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Relay relay;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            required = true,
            description = "What the names of the process variables begin with, for example CAM for CAM:Pva1:Image")
    private String name;

    @Option(
            names = "--component",
            paramLabel = "COMPONENT",
            description = "Component to offer, for example Intensity or Range; may be repeated. All by default")
    private List<String> components = new ArrayList<>();

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            description = "Address of this host that others reach. pvAccess neither encrypts nor authenticates: only"
                    + " this host by default")
    private Optional<InetAddress> listen = Optional.empty();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "" + PvaSettings.DEFAULT_PORT,
            description = "TCP port; 5075 by default, 0 for any free one")
    private int port;

    @Option(
            names = "--search-port",
            paramLabel = "PORT",
            defaultValue = "" + PvaSettings.DEFAULT_SEARCH_PORT,
            description = "UDP port of searches by name; 5076 by default, 0 for any free one")
    private int searchPort;

    @Override
    public Integer call() {
        PvaSettings settings = settings();
        DiscoveryInformation info = relay.find(found -> {});
        try (UntilEnded untilEnded = new UntilEnded();
                Device device = relay.open(info);
                PvaPublisher publisher = start(settings);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            relay.output()
                    .say("offering " + name + ":Pva1:Image at "
                            + publisher.address().getAddress().getHostAddress() + ", TCP port "
                            + publisher.address().getPort() + ", searches at UDP port "
                            + publisher.searchAddress().getPort());
            Optional<CliException> early = relay.receive(
                    device,
                    stream,
                    () -> publisher.failure().isPresent() || untilEnded.ended(),
                    composite -> reported(() -> publisher.publish(composite, ChunkAttributes.of(device, composite))));
            StreamStatistics counters = stream.statistics();
            reported(publisher::close);
            return relay.report(counters, early, new Offered(publisher));
        }
    }

    /** Does something with the publisher, whose failure ends the loop. */
    private static void reported(Runnable step) {
        try {
            step.run();
        } catch (PvaException e) {
            // The report has it.
        }
    }

    private PvaSettings settings() {
        try {
            PvaSettings settings =
                    PvaSettings.of(name).withPorts(port, searchPort).withComponents(components);
            return listen.map(settings::withAddress).orElse(settings);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static PvaPublisher start(PvaSettings settings) {
        try {
            return PvaPublisher.start(settings);
        } catch (PvaException e) {
            throw new CliException(ExitCodes.FAILED, e.getMessage(), e);
        }
    }

    /** What the publisher did. */
    private final class Offered implements Relay.Done {
        private final PvaPublisher publisher;
        private final PvaPublisher.Statistics statistics;

        Offered(PvaPublisher publisher) {
            this.publisher = publisher;
            statistics = publisher.statistics();
        }

        @Override
        public void put(ObjectNode object) {
            publisher.names().forEach(object.putArray("variables")::add);
            object.put("framesOffered", statistics.framesOffered());
            object.put("framesReplaced", statistics.framesReplaced());
            object.put("framesUnusable", statistics.framesUnusable());
            object.put("framesWithoutClient", statistics.framesWithoutClient());
            object.put("valuesSent", statistics.framesSent());
            object.put("bytesSent", statistics.bytesSent());
            object.put("valuesSkipped", statistics.framesSkipped());
            object.put("clientsRefused", statistics.clientsRefused());
        }

        @Override
        public void print() {
            Output output = relay.output();
            output.row("variables", String.join(", ", publisher.names()));
            output.row("frames offered", Long.toString(statistics.framesOffered()));
            output.row("replaced by newer", Long.toString(statistics.framesReplaced()));
            output.row("unusable", Long.toString(statistics.framesUnusable()));
            output.row("without a client", Long.toString(statistics.framesWithoutClient()));
            output.row("values sent", Long.toString(statistics.framesSent()));
            output.row("skipped by clients", Long.toString(statistics.framesSkipped()));
            output.row("clients refused", Long.toString(statistics.clientsRefused()));
        }

        @Override
        public List<String> diagnosis() {
            return publisher.diagnosis();
        }

        @Override
        public Optional<PvaException> failure() {
            return publisher.failure();
        }
    }
}
