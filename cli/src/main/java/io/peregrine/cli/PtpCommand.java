package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceClock;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the clock of a camera, and switches IEEE 1588. */
@Command(
        name = "ptp",
        description =
                "Shows the clock of a camera: its state by IEEE 1588, its time, and that time by the clock of this"
                        + " host. Exit code 1 when --wait was given and the clock is not synchronised.",
        mixinStandardHelpOptions = true)
final class PtpCommand implements Callable<Integer> {
    @Mixin
    private NamedCamera camera;

    @Mixin
    private Output output;

    @ArgGroup
    private Switch change = new Switch();

    /** One at most. */
    private static final class Switch {
        @Option(names = "--enable", description = "Let the clock take part in IEEE 1588")
        private boolean enable;

        @Option(names = "--disable", description = "Let the clock run on its own")
        private boolean disable;
    }

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            converter = Seconds.class,
            defaultValue = "0",
            description = "Wait so long for the clock to be synchronised")
    private Duration patience;

    @Option(
            names = "--read-only",
            description = "Do not take control, so that another application may have it; shows the state only")
    private boolean readOnly;

    @Override
    public Integer call() {
        try (Device device = readOnly ? camera.openReadOnly() : camera.open()) {
            DeviceClock clock = device.clock();
            if (change.enable || change.disable) {
                clock.ptp(change.enable);
            }
            ObjectNode result = Output.object();
            boolean good;
            if (clock.ptpPossible()) {
                DeviceClock.PtpState state = clock.awaitSynchronised(patience);
                good = patience.isZero() || state.synchronised();
                result.put("enabled", state.enabled())
                        .put("port", state.port().name())
                        .put("synchronised", state.synchronised());
                state.offsetNanos().ifPresent(offset -> result.put("offsetNanos", offset));
            } else {
                good = patience.isZero();
                result.put("port", "NONE");
            }
            result.set("ticksPerSecond", Output.unsigned(clock.rate().hertz()));
            if (!readOnly) {
                clock.update();
                long ticks = clock.latch();
                DeviceClock.BoundedInstant instant = clock.toInstant(ticks);
                result.set("timestampTicks", Output.unsigned(ticks));
                result.put("hostTime", instant.instant().toString())
                        .put("hostTimeErrorMicros", (instant.error().toNanos() + 999) / 1000);
            }
            print(result);
            return good ? ExitCodes.OK : ExitCodes.FAILED;
        }
    }

    private void print(ObjectNode result) {
        if (output.json()) {
            output.print(result);
        } else {
            result.properties()
                    .forEach(field -> output.print(String.format(
                            Locale.ROOT,
                            "%-19s  %s",
                            field.getKey(),
                            field.getValue().asText())));
        }
    }
}
