package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.composite.CompositeStream;
import io.peregrine.device.Device;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.recording.Recorder;
import io.peregrine.recording.RecorderSettings;
import io.peregrine.recording.RecorderSettings.Form;
import io.peregrine.recording.RecorderSettings.Incomplete;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Records frames of a camera. */
@Command(
        name = "record",
        description = "Records frames of a camera, with its description and settings. Exit code 1 when a frame is"
                + " incomplete, lost or dropped, or the disk fails.",
        mixinStandardHelpOptions = true)
final class RecordCommand implements Callable<Integer> {
    private static final int FLOW_SETS = 32;
    /** Flow sets that the recorder leaves to the receiver. */
    private static final int FOR_RECEIVING = 4;

    private static final long PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    @Spec
    private CommandSpec spec;

    @Mixin
    private NamedCamera camera;

    @Mixin
    private Reception reception;

    @Mixin
    private Output output;

    @Parameters(index = "1", paramLabel = "TARGET", description = "File to be made; with --directory a directory")
    private Path target;

    @Option(names = "--directory", description = "Make a directory with a .gendc file for each frame")
    private boolean directory;

    @Option(
            names = {"--frames", "--count"},
            paramLabel = "N",
            defaultValue = "0",
            description = "How many frames to receive, incomplete ones included; 0 (the default) until ended")
    private long count;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            converter = Seconds.class,
            description = "How long to record; until ended by default")
    private Optional<Duration> time = Optional.empty();

    /** For what can wait, too: an archive, or a recording. */
    @Option(
            names = "--wait-for-disk",
            description =
                    "Wait while the disk is slower than the frames instead of dropping some: for what is replayed")
    private boolean waitForDisk;

    @Option(names = "--incomplete", description = "Record incomplete frames, too; by default they are skipped")
    private boolean incomplete;

    @Override
    public Integer call() {
        if (count < 0) {
            throw new ParameterException(spec.commandLine(), "--frames cannot be negative");
        }
        DiscoveryInformation info = camera.find();
        info.setParameter("FlowSetCount", Integer.toString(FLOW_SETS));
        reception.prepare(info);
        try (UntilEnded untilEnded = new UntilEnded();
                Device device = camera.open(info)) {
            int flowSets = Integer.parseInt(info.parameters().get("FlowSetCount"));
            RecorderSettings settings = RecorderSettings.defaults()
                    .withForm(directory ? Form.DIRECTORY : Form.FILE)
                    .withIncomplete(incomplete ? Incomplete.RECORD : Incomplete.SKIP)
                    .withQueueFrames(Math.max(1, flowSets - FOR_RECEIVING))
                    .withCamera(device.snapshot())
                    .withOnFailure(failure -> {
                        // Reported when it is closed.
                    });
            Recorder recorder = Recorder.start(target, settings);
            try (recorder;
                    CompositeStream stream = device.stream(CompositeStream.class, 0)) {
                stream.start();
                long begin = System.nanoTime();
                long endNanos = time.map(Duration::toNanos).orElse(Long.MAX_VALUE);
                long[] received = {0};
                Optional<CliException> failure;
                try (Progress progress = output.progress("record", Progress.Unit.FRAMES, count == 0 ? -1 : count)) {
                    failure = reception.receive(
                            device,
                            stream,
                            () -> (count == 0 || received[0] < count)
                                    && System.nanoTime() - begin < endNanos
                                    && recorder.failure().isEmpty()
                                    && !untilEnded.ended(),
                            output,
                            composite -> {
                                if (waitForDisk) {
                                    awaitRoom(recorder, untilEnded);
                                }
                                recorder.record(composite);
                                progress.at(++received[0]);
                            });
                }
                StreamStatistics counters = stream.statistics();
                stream.stop();
                recorder.close();
                double took = (System.nanoTime() - begin) / 1e9;
                return report(recorder, counters, took, failure);
            }
        }
    }

    private static void awaitRoom(Recorder recorder, UntilEnded untilEnded) {
        while (!recorder.hasRoom() && !untilEnded.ended()) {
            LockSupport.parkNanos(PARK_NANOS);
        }
    }

    private int report(Recorder recorder, StreamStatistics counters, double took, Optional<CliException> receiving) {
        Recorder.Statistics statistics = recorder.statistics();
        Optional<CliException> failure = receiving.or(
                () -> recorder.failure().map(cause -> new CliException(ExitCodes.FAILED, cause.getMessage(), cause)));
        long lost = counters.framesLost();
        long incompleteFrames = counters.get(Counter.FRAMES_INCOMPLETE);
        double megabytesPerSecond = took > 0 ? statistics.bytesWritten() / 1e6 / took : 0;
        if (output.json()) {
            ObjectNode object = Output.object();
            object.put("target", target.toString());
            object.put("framesRecorded", statistics.framesWritten());
            object.put("framesIncomplete", incompleteFrames);
            object.put("framesLost", lost);
            object.put("framesDroppedQueueFull", statistics.framesDroppedQueueFull());
            object.put("framesDroppedAfterFailure", statistics.framesDroppedAfterFailure());
            object.put("mostFramesQueued", statistics.mostFramesQueued());
            object.put("bytesWritten", statistics.bytesWritten());
            object.put("seconds", took);
            object.put("megabytesPerSecond", megabytesPerSecond);
            failure.ifPresent(reason -> object.put("error", reason.getMessage()));
            output.print(object);
        } else {
            output.row("frames recorded", Long.toString(statistics.framesWritten()));
            output.row("frames incomplete", Long.toString(incompleteFrames));
            output.row("frames lost", Long.toString(lost));
            output.row("dropped, queue full", Long.toString(statistics.framesDroppedQueueFull()));
            output.row("dropped after failure", Long.toString(statistics.framesDroppedAfterFailure()));
            output.row("most frames queued", Integer.toString(statistics.mostFramesQueued()));
            output.row("MB", String.format(Locale.ROOT, "%.2f", statistics.bytesWritten() / 1e6));
            output.row("MB/s", String.format(Locale.ROOT, "%.2f", megabytesPerSecond));
        }
        failure.ifPresent(reason -> output.say(reason.getMessage()));
        boolean good = incompleteFrames == 0 && lost == 0 && statistics.framesDropped() == 0;
        return failure.map(CliException::exitCode).orElse(good ? ExitCodes.OK : ExitCodes.FAILED);
    }
}
