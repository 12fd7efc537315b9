package io.peregrine.cli;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Connection;
import io.peregrine.device.Device;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.OpenOptions;
import io.peregrine.stream.End;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of commands that receive frames, and how they do it. */
final class Reception {
    /** Names the parameters in the help. */
    static final String PARAMETERS = "parameters";

    private static final Duration POLL = Duration.ofMillis(100);

    @Mixin
    private Reconnection reconnection;

    @Option(
            names = "--param",
            paramLabel = "NAME=VALUE",
            converter = Converters.Parameter.class,
            description = "Parameter for opening: ${bundle:" + PARAMETERS + "}; see docs/parameters.md")
    private List<OpenOptions> parameters = new ArrayList<>();

    @Option(names = "--set", paramLabel = "FEATURE=VALUE", description = "Feature to set before streaming")
    private Map<String, String> features = new LinkedHashMap<>();

    @Option(
            names = "--frame-timeout",
            paramLabel = "SECONDS",
            converter = Seconds.class,
            defaultValue = "5",
            description = "Longest wait for one frame; 5 s by default. The time without a lost camera does not count")
    private Duration frameTimeout;

    void prepare(DiscoveryInformation info) {
        parameters.forEach(info::setParameters);
        reconnection.prepare(info);
        features.forEach((feature, value) -> info.setGenApiFeature(Device.DEVICE, feature, value));
    }

    /**
     * Takes frames as long as more are wanted.
     *
     * @param more whether more are wanted
     * @param output where losses and returns of the camera are reported
     * @param taker takes each frame; it is closed afterwards
     * @return why it ended early
     */
    Optional<CliException> receive(
            Device device, CompositeStream stream, BooleanSupplier more, Output output, Consumer<Composite> taker) {
        reconnection.watch(device, output);
        long lastFrame = System.nanoTime();
        while (more.getAsBoolean()) {
            WaitResult result = stream.waitFor(POLL);
            if (result instanceof WaitResult.Ok ok) {
                try (Composite composite = ok.composite()) {
                    taker.accept(composite);
                }
                lastFrame = System.nanoTime();
            } else if (result instanceof WaitResult.Abort abort) {
                if (abort.end() instanceof End.Finished) {
                    return Optional.empty();
                }
                return Optional.of(abort.cause()
                        .map(cause ->
                                new CliException(ExitCodes.of(cause), "the stream ended: " + Messages.of(cause), cause))
                        .orElseGet(() -> new CliException(ExitCodes.FAILED, "the stream ended")));
            } else if (device.connection().state() != Connection.State.CONNECTED) {
                lastFrame = System.nanoTime();
            } else if (System.nanoTime() - lastFrame > frameTimeout.toNanos()) {
                return Optional.of(new CliException(
                        ExitCodes.FAILED,
                        "no frame came for " + Seconds.text(frameTimeout)
                                + ": check that the camera is not waiting for a"
                                + " trigger and that a firewall lets UDP pass"));
            }
        }
        return Optional.empty();
    }
}
