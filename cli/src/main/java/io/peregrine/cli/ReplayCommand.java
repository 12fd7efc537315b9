package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceException;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.Devices;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.device.OpenParameter;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.recording.Recording;
import io.peregrine.stream.StreamStatistics.Counter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replays a recording. */
@Command(
        name = "replay",
        description = "Replays a recording through a stream, and counts its frames. Exit code 1 when a frame is damaged"
                + " or the recording was cut off.",
        mixinStandardHelpOptions = true)
final class ReplayCommand implements Callable<Integer> {
    private static final Duration POLL = Duration.ofMillis(100);

    @Spec
    private CommandSpec spec;

    @Mixin
    private Output output;

    @Parameters(paramLabel = "RECORDING", description = "Recording file, directory of .gendc files, or one .gendc file")
    private Path path;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            defaultValue = "original",
            description = "original (the default), max, or frames a second")
    private String rate;

    @Option(names = "--loop", description = "Begin again at the end, until ended or --frames")
    private boolean loop;

    @Option(
            names = "--frames",
            paramLabel = "N",
            defaultValue = "0",
            description = "How many frames to replay; 0 (the default) replays all")
    private long frames;

    @Option(names = "--list", description = "Print a line for each frame")
    private boolean list;

    private long complete;
    private long incomplete;
    private long payloadBytes;

    /** What opening found. */
    private record Found(int frames, Optional<Recording.TornTail> tornTail, List<String> problems) {}

    @Override
    public Integer call() {
        if (frames < 0) {
            throw new ParameterException(spec.commandLine(), "--frames cannot be negative");
        }
        OpenParameter known = OpenParameter.named("ReplayRate");
        try {
            known.check(rate);
        } catch (DeviceException e) {
            String refusal = "--rate: '" + rate + "' is no rate: give " + known.values();
            throw new ParameterException(spec.commandLine(), refusal, e);
        }
        Devices factory = DeviceFactory.create(PeregrineSettings.load());
        DiscoveryInformation info = factory.find("file:" + path)
                .setParameter("ReplayRate", rate)
                .setParameter("PlaybackMode", loop ? "Loop" : "Once");
        Found found;
        try (Recording recording = Recording.open(path)) {
            found = new Found(recording.frameCount(), recording.tornTail(), recording.problems());
        }
        try (UntilEnded untilEnded = new UntilEnded();
                Device device = factory.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            long begin = System.nanoTime();
            Optional<Throwable> failure = receive(stream, untilEnded, total(found));
            double seconds = (System.nanoTime() - begin) / 1e9;
            long damaged = stream.statistics().get(Counter.FRAMES_DROPPED_UNUSABLE);
            stream.stop();
            return report(info, found, damaged, seconds, failure);
        }
    }

    /** Returns why it ended early. */
    private Optional<Throwable> receive(CompositeStream stream, UntilEnded untilEnded, long total) {
        try (Progress progress = output.progress("replay", Progress.Unit.FRAMES, total)) {
            while ((frames == 0 || complete + incomplete < frames) && !untilEnded.ended()) {
                WaitResult result = stream.waitFor(POLL);
                if (result instanceof WaitResult.Ok ok) {
                    try (Composite composite = ok.composite()) {
                        take(composite);
                    }
                    progress.at(complete + incomplete);
                } else if (result instanceof WaitResult.Abort abort) {
                    return abort.cause();
                }
            }
            return Optional.empty();
        }
    }

    /** How many frames there will be; -1 for no end. */
    private long total(Found found) {
        if (loop) {
            return frames == 0 ? -1 : frames;
        }
        return frames == 0 ? found.frames() : Math.min(frames, found.frames());
    }

    private void take(Composite composite) {
        if (composite.complete()) {
            complete++;
        } else {
            incomplete++;
        }
        composite.items().forEach(item -> payloadBytes += item.sizeBytes());
        if (list && !output.json()) {
            output.print(composite.toString());
        }
    }

    private int report(
            DiscoveryInformation info, Found found, long damaged, double seconds, Optional<Throwable> failure) {
        double megabytesPerSecond = seconds > 0 ? payloadBytes / 1e6 / seconds : 0;
        double framesPerSecond = seconds > 0 ? (complete + incomplete) / seconds : 0;
        long cutBytes = found.tornTail().map(Recording.TornTail::lengthBytes).orElse(0L);
        if (output.json()) {
            ObjectNode object = Output.object();
            object.put("recording", path.toString());
            object.put("model", info.model());
            object.put("serialNumber", info.serialNumber());
            object.put("framesRecorded", found.frames());
            object.put("framesComplete", complete);
            object.put("framesIncomplete", incomplete);
            object.put("framesDamaged", damaged);
            object.put("bytesCutOff", cutBytes);
            object.put("payloadBytes", payloadBytes);
            object.put("seconds", seconds);
            object.put("framesPerSecond", framesPerSecond);
            object.put("megabytesPerSecond", megabytesPerSecond);
            found.problems().forEach(object.putArray("problems")::add);
            failure.ifPresent(cause -> object.put("error", "the replay ended: " + Messages.of(cause)));
            output.print(object);
        } else {
            output.row("camera", (info.vendor() + " " + info.model() + " " + info.serialNumber()).strip());
            output.row("frames recorded", Integer.toString(found.frames()));
            output.row("frames complete", Long.toString(complete));
            output.row("frames incomplete", Long.toString(incomplete));
            output.row("frames damaged", Long.toString(damaged));
            output.row("bytes cut off", Long.toString(cutBytes));
            output.row("frames/s", String.format(Locale.ROOT, "%.2f", framesPerSecond));
            output.row("MB/s", String.format(Locale.ROOT, "%.2f", megabytesPerSecond));
            found.problems().forEach(problem -> output.row("problem", problem));
        }
        failure.ifPresent(cause -> output.say("the replay ended: " + Messages.of(cause)));
        boolean good = damaged == 0 && cutBytes == 0 && found.problems().isEmpty() && failure.isEmpty();
        return good ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
