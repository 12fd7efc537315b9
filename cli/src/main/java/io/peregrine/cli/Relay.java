package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.device.Device;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of commands that hand on the frames of a camera to other programs, and what these have in common. */
final class Relay {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private NamedCamera camera;

    @Mixin
    private Reception reception;

    @Mixin
    private Output output;

    @Option(
            names = "--frames",
            paramLabel = "N",
            defaultValue = "0",
            description = "How many frames to receive; 0 (the default) until ended")
    private long frames;

    private long received;

    /** What a command did with the frames. */
    interface Done {
        /** Adds it to an object. */
        void put(ObjectNode object);

        /** Prints it as rows. */
        void print();

        /** What went wrong, and what to do about it. */
        List<String> diagnosis();

        /** Why it could not go on. */
        Optional<? extends RuntimeException> failure();
    }

    Output output() {
        return output;
    }

    /** The camera, with parameters for opening it where the user gives no others. */
    DiscoveryInformation find(Consumer<DiscoveryInformation> defaults) {
        if (frames < 0) {
            throw new ParameterException(spec.commandLine(), "--frames cannot be negative");
        }
        DiscoveryInformation info = camera.find();
        defaults.accept(info);
        reception.prepare(info);
        return info;
    }

    Device open(DiscoveryInformation info) {
        return camera.open(info);
    }

    /**
     * Takes as many frames as the user wants.
     *
     * @param ended whether to end before
     * @return why it ended early
     */
    Optional<CliException> receive(
            Device device, CompositeStream stream, BooleanSupplier ended, Consumer<Composite> taker) {
        return reception.receive(
                device,
                stream,
                () -> (frames == 0 || received < frames) && !ended.getAsBoolean(),
                output,
                composite -> {
                    taker.accept(composite);
                    received++;
                });
    }

    /**
     * Prints what was received, and done with it.
     *
     * @param counters of the stream
     * @param early why reception ended early
     * @return exit code
     */
    int report(StreamStatistics counters, Optional<CliException> early, Done done) {
        Optional<CliException> failure = early.or(
                () -> done.failure().map(cause -> new CliException(ExitCodes.FAILED, cause.getMessage(), cause)));
        long lost = counters.framesLost();
        long incomplete = counters.get(Counter.FRAMES_INCOMPLETE);
        if (output.json()) {
            ObjectNode object = Output.object();
            object.put("framesReceived", received);
            object.put("framesIncomplete", incomplete);
            object.put("framesLost", lost);
            done.put(object);
            done.diagnosis().forEach(object.putArray("diagnosis")::add);
            failure.ifPresent(reason -> object.put("error", reason.getMessage()));
            output.print(object);
        } else {
            output.row("frames received", Long.toString(received));
            output.row("frames incomplete", Long.toString(incomplete));
            output.row("frames lost", Long.toString(lost));
            done.print();
            done.diagnosis().forEach(sentence -> output.row("diagnosis", sentence));
        }
        failure.ifPresent(reason -> output.say(reason.getMessage()));
        boolean good = incomplete == 0 && lost == 0;
        return failure.map(CliException::exitCode).orElse(good ? ExitCodes.OK : ExitCodes.FAILED);
    }
}
