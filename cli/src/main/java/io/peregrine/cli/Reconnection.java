package io.peregrine.cli;

import io.peregrine.device.Connection;
import io.peregrine.device.Device;
import io.peregrine.device.DiscoveryInformation;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that have a lost camera looked for. Losses and returns are reported on the error output. */
final class Reconnection {
    @Option(
            names = "--reconnect",
            description =
                    "Look for a camera that is lost, set it up as it was, and continue; reports losses and returns")
    private boolean wanted;

    @Option(
            names = "--reconnect-timeout",
            paramLabel = "TIME",
            converter = Converters.Time.class,
            description = "The same, but give up after this time, for example 30s or 10min")
    private Optional<String> limit = Optional.empty();

    void prepare(DiscoveryInformation info) {
        if (wanted || limit.isPresent()) {
            info.setParameter("Reconnect", "1");
            limit.ifPresent(time -> info.setParameter("ReconnectTimeout", time));
        }
    }

    /** Reports on a device until it is closed. */
    void watch(Device device, Output output) {
        if (wanted || limit.isPresent()) {
            Teller teller = new Teller(device, output);
            device.connection().onState(teller::tell);
        }
    }

    /** Called by one thread only, that of the device's listeners. */
    private static final class Teller {
        private final Device device;
        private final Output output;
        private long lostNanos;
        private String reason = "";

        private Teller(Device device, Output output) {
            this.device = device;
            this.output = output;
        }

        private void tell(Connection.Event event) {
            String cause = event.cause().map(Messages::of).orElse("");
            switch (event.state()) {
                case LOST -> {
                    lostNanos = System.nanoTime();
                    say("the camera is lost: " + cause);
                }
                case RECONNECTING -> {
                    if (!cause.equals(reason)) {
                        say("it is not back yet: " + cause);
                    }
                }
                case CONNECTED -> {
                    Duration away = Duration.ofNanos(System.nanoTime() - lostNanos);
                    say("the camera is back at " + device.info().address().getHostAddress() + " after "
                            + Seconds.text(away));
                    event.problems().forEach(problem -> say("it is not as it was: " + problem));
                }
                case CLOSED -> {
                    // The one who closed it knows.
                }
            }
            reason = cause;
        }

        private void say(String text) {
            output.say(LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + " " + text);
        }
    }
}
