package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.ScenarioBuilder;
import io.peregrine.virtualcamera.VirtualCamera;
import io.peregrine.virtualcamera.VirtualCameraException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a virtual camera. */
@Command(
        name = "camera",
        description =
                "Runs a virtual camera until the process is asked to terminate. Prints 'ready ADDRESS:PORT' as soon as"
                        + " it answers.",
        mixinStandardHelpOptions = true)
final class CameraCommand implements Runnable {
    private static final Set<String> PROVIDERS = Set.of("auto", "verbs", "software");
    private static final Set<String> WAYS = Set.of("socket", "verbs");

    @Spec
    private CommandSpec spec;

    @Mixin
    private Output output;

    @Option(names = "--scenario", paramLabel = "FILE", description = "Scenario of the camera in JSON")
    private Optional<Path> scenarioFile = Optional.empty();

    @Option(names = "--bind", paramLabel = "IP", description = "Address of this host; 127.0.0.1 by default")
    private Optional<String> bind = Optional.empty();

    @Option(names = "--port", paramLabel = "PORT", description = "Control port; 3956 by default, 0 for any free one")
    private Optional<Integer> port = Optional.empty();

    @Option(names = "--serial", paramLabel = "SERIAL", description = "Serial number")
    private Optional<String> serial = Optional.empty();

    @Option(names = "--frame-rate", paramLabel = "HZ", description = "Frames per second")
    private Optional<Double> frameRate = Optional.empty();

    @Option(
            names = "--rdma",
            paramLabel = "PROVIDER",
            arity = "0..1",
            fallbackValue = "auto",
            description = "Streams by RDMA too: auto, verbs or software")
    private Optional<String> rdma = Optional.empty();

    @Option(
            names = "--send",
            paramLabel = "WAY",
            description = "Sends stream packets by a socket (default), or by the verbs of an adapter, past the kernel:"
                    + " socket or verbs")
    private Optional<String> send = Optional.empty();

    @Override
    public void run() {
        if (rdma.isPresent() && !PROVIDERS.contains(rdma.get().toLowerCase(Locale.ROOT))) {
            throw new ParameterException(
                    spec.commandLine(), "--rdma is '" + rdma.get() + "': give auto, verbs or software");
        }
        if (send.isPresent() && !WAYS.contains(send.get().toLowerCase(Locale.ROOT))) {
            throw new ParameterException(spec.commandLine(), "--send is '" + send.get() + "': give socket or verbs");
        }
        ScenarioBuilder builder =
                scenarioFile.map(file -> Scenario.read(file).toBuilder()).orElseGet(Scenario::builder);
        try (UntilEnded untilEnded = new UntilEnded();
                VirtualCamera camera = start(scenario(builder))) {
            InetSocketAddress address = camera.address();
            String ready = address.getAddress().getHostAddress() + ":" + address.getPort();
            if (output.json()) {
                ObjectNode object = Output.object();
                object.put("ready", ready)
                        .put("serial", camera.scenario().serial())
                        .put("rdma", camera.rdmaState())
                        .put("send", camera.sendState());
                output.printLine(object);
            } else {
                if (rdma.isPresent()) {
                    output.print("RDMA " + camera.rdmaState());
                }
                if (camera.scenario().sending().way() == Scenario.Sending.Way.VERBS) {
                    output.print("stream packets " + camera.sendState());
                }
                output.print("ready " + ready);
            }
            untilEnded.await();
        }
    }

    private Scenario scenario(ScenarioBuilder builder) {
        try {
            bind.ifPresent(builder::bindAddress);
            port.ifPresent(builder::port);
            serial.ifPresent(builder::serial);
            frameRate.ifPresent(builder::frameRate);
            rdma.ifPresent(builder::rdmaProvider);
            send.map(way -> Scenario.Sending.Way.valueOf(way.toUpperCase(Locale.ROOT)))
                    .ifPresent(builder::sendBy);
            return builder.build();
        } catch (VirtualCameraException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static VirtualCamera start(Scenario scenario) {
        try {
            return VirtualCamera.start(scenario);
        } catch (VirtualCameraException e) {
            if (!(e.getCause() instanceof BindException)) {
                throw e;
            }
            throw new CliException(
                    ExitCodes.FAILED,
                    e.getMessage() + ": choose an address of this host by --bind, such as 127.0.0.2, or --port 0",
                    e);
        }
    }
}
