package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.recording.Recorder;
import io.peregrine.recording.RecorderSettings;
import io.peregrine.recording.RecorderSettings.Form;
import io.peregrine.recording.RecorderSettings.Incomplete;
import io.peregrine.recording.RecorderStatistics;
import io.peregrine.recording.RecordingException;
import io.peregrine.stream.StreamStatistics.Counter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
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
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int FLOW_SETS = 32;
    /** Flow sets that the recorder leaves to the receiver. */
    private static final int FOR_RECEIVING = 4;

    @Spec
    private CommandSpec spec;

    @Mixin
    private CameraFinder finder;

    @Mixin
    private Output output;

    @Parameters(
            index = "0",
            paramLabel = "CAMERA",
            description = "Address, serial number, user name, hardware address or token")
    private String camera;

    @Parameters(index = "1", paramLabel = "TARGET", description = "File to be made; with --directory a directory")
    private Path target;

    @Option(names = "--directory", description = "Make a directory with a .gendc file for each frame")
    private boolean directory;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "0",
            description = "How many frames to receive; until ended by default")
    private long count;

    @Option(names = "--seconds", paramLabel = "S", description = "How long to record; until ended by default")
    private Optional<Double> seconds = Optional.empty();

    @Option(names = "--incomplete", description = "Record incomplete frames, too; by default they are left out")
    private boolean incomplete;

    @Option(names = "--param", paramLabel = "NAME=VALUE", description = "Parameter for opening, as of 'stream'")
    private Map<String, String> parameters = new LinkedHashMap<>();

    @Option(names = "--set", paramLabel = "FEATURE=VALUE", description = "Feature to set before recording")
    private Map<String, String> features = new LinkedHashMap<>();

    @Option(
            names = "--frame-timeout",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description = "Longest wait for one frame; 5 s by default")
    private double frameTimeoutSeconds;

    @Override
    public Integer call() {
        if (count < 0 || !(frameTimeoutSeconds > 0) || !(seconds.orElse(1.0) > 0)) {
            throw new ParameterException(
                    spec.commandLine(), "--count, --seconds and --frame-timeout cannot be negative");
        }
        DiscoveryInformation info = finder.find(camera);
        info.setParameter("FlowSetCount", Integer.toString(FLOW_SETS));
        parameters.forEach(info::setParameter);
        features.forEach((feature, value) -> info.setGenApiFeature(Device.DEVICE, feature, value));
        try (UntilEnded untilEnded = new UntilEnded();
                Device device = finder.factory().openDevice(info)) {
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
                Optional<CliException> failure = receive(stream, recorder, untilEnded, begin);
                Map<Counter, Long> counters = stream.statistics().snapshot();
                stream.stop();
                recorder.close();
                double took = (System.nanoTime() - begin) / 1e9;
                return report(recorder, counters, took, failure);
            }
        }
    }

    /** Returns why it ended early. */
    private Optional<CliException> receive(
            CompositeStream stream, Recorder recorder, UntilEnded untilEnded, long begin) {
        long endNanos = seconds.map(value -> (long) (value * 1e9)).orElse(Long.MAX_VALUE);
        long patienceNanos = (long) (frameTimeoutSeconds * 1e9);
        long lastFrame = begin;
        long received = 0;
        while ((count == 0 || received < count) && System.nanoTime() - begin < endNanos) {
            Optional<RecordingException> disk = recorder.failure();
            if (disk.isPresent()) {
                return disk.map(cause -> new CliException(ExitCodes.FAILED, cause.getMessage(), cause));
            }
            if (untilEnded.ended()) {
                return Optional.empty();
            }
            WaitResult result = stream.waitFor(POLL);
            if (result instanceof WaitResult.Ok ok) {
                try (Composite composite = ok.composite()) {
                    recorder.record(composite);
                }
                received++;
                lastFrame = System.nanoTime();
            } else if (result instanceof WaitResult.Abort abort) {
                return Optional.of(abort.cause()
                        .map(cause ->
                                new CliException(ExitCodes.of(cause), "the stream ended: " + cause.getMessage(), cause))
                        .orElseGet(() -> new CliException(ExitCodes.FAILED, "the stream ended")));
            } else if (System.nanoTime() - lastFrame > patienceNanos) {
                return Optional.of(new CliException(
                        ExitCodes.FAILED,
                        "no frame came for " + frameTimeoutSeconds + " s: check that the camera is not waiting for a"
                                + " trigger and that a firewall lets UDP pass"));
            }
        }
        return Optional.empty();
    }

    private int report(Recorder recorder, Map<Counter, Long> counters, double took, Optional<CliException> receiving) {
        RecorderStatistics statistics = recorder.statistics();
        Optional<CliException> failure = receiving.or(
                () -> recorder.failure().map(cause -> new CliException(ExitCodes.FAILED, cause.getMessage(), cause)));
        long lost = counters.get(Counter.BLOCK_ID_GAPS)
                + counters.get(Counter.FRAMES_SHED)
                + counters.get(Counter.FRAMES_DROPPED_NO_FLOW_SET)
                + counters.get(Counter.FRAMES_DROPPED_UNUSABLE);
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
            failure.ifPresent(reason -> object.put("failure", reason.getMessage()));
            output.print(object);
        } else {
            row("frames recorded", Long.toString(statistics.framesWritten()));
            row("frames incomplete", Long.toString(incompleteFrames));
            row("frames lost", Long.toString(lost));
            row("dropped, queue full", Long.toString(statistics.framesDroppedQueueFull()));
            row("dropped after failure", Long.toString(statistics.framesDroppedAfterFailure()));
            row("most frames queued", Integer.toString(statistics.mostFramesQueued()));
            row("MB", String.format(Locale.ROOT, "%.2f", statistics.bytesWritten() / 1e6));
            row("MB/s", String.format(Locale.ROOT, "%.2f", megabytesPerSecond));
            output.out().flush();
        }
        failure.ifPresent(reason -> {
            output.err().println("peregrine: " + reason.getMessage());
            output.err().flush();
        });
        boolean good = incompleteFrames == 0 && lost == 0 && statistics.framesDropped() == 0;
        return failure.map(CliException::exitCode).orElse(good ? ExitCodes.OK : ExitCodes.FAILED);
    }

    private void row(String name, String value) {
        output.out().printf("%-28s %s%n", name, value);
    }
}
