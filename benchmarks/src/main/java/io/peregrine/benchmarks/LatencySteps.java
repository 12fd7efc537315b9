package io.peregrine.benchmarks;

import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.HdrHistogram.Histogram;

/**
 * The way of frames from the camera to the user, step by step: what the cameras and the user noted, and between them
 * the event {@code io.peregrine.FrameTimes} of Flight Recorder.
 */
final class LatencySteps {
    private static final String EVENT = "io.peregrine.FrameTimes";

    /** The parts of a frame's latency, in their order. */
    enum Step {
        TO_KERNEL("last packets go to the kernel until it has the last one for the receiver"),
        TO_RECEIVER(".. until the receiver looks"),
        /** Both, where the receiver does not know when the kernel had the packet. */
        TO_RECEIVER_AT_ALL("last packets go to the kernel until the receiver has them"),
        ASSEMBLY(".. until the frame is in the queue"),
        QUEUE(".. until the waiting thread has it"),
        MAPPING(".. until the composite is made"),
        /** What Flight Recorder takes for its event is in it. */
        TO_USER(".. until its times are recorded and the user has it"),
        ALL("all");

        final String text;

        Step(String text) {
            this.text = text;
        }
    }

    private final Map<Long, RecordedEvent> frames = new HashMap<>();
    private final Map<Step, Histogram> steps = new EnumMap<>(Step.class);

    private LatencySteps() {}

    /** The options of a receiver's JVM that has them recorded. */
    static List<String> javaOptions(Path recording) {
        return List.of(
                "-XX:StartFlightRecording:settings=none,+" + EVENT + "#enabled=true,filename=" + recording,
                "-Xlog:jfr*=off");
    }

    /** Reads what a receiver recorded; nothing if it did not. */
    static LatencySteps read(Path recording) throws IOException {
        LatencySteps read = new LatencySteps();
        if (Files.exists(recording)) {
            for (RecordedEvent event : RecordingFile.readAllEvents(recording)) {
                if (event.getEventType().getName().equals(EVENT)) {
                    String stream = event.getString("stream");
                    String host = stream.substring(stream.lastIndexOf('.') + 1, stream.lastIndexOf('-'));
                    read.frames.put(key(Integer.parseInt(host) - 1, event.getLong("blockId")), event);
                }
            }
            Files.delete(recording);
        }
        return read;
    }

    private static long key(int camera, long block) {
        return (long) camera << 32 | block;
    }

    /**
     * Adds a frame that the user had.
     *
     * @param sent the camera's stamps
     * @param stamp where that of just before the frame's last packets is
     */
    void add(int camera, int block, LongBuffer sent, int stamp, long arrived) {
        // What a camera numbered twice has its last event only.
        RecordedEvent event = frames.remove(key(camera, block));
        if (event == null || event.getLong("assembly") == Long.MIN_VALUE) {
            return;
        }
        long ready = event.getLong("readyAt");
        long received = ready - event.getLong("assembly");
        long inKernel = event.getLong("receiverDelay");
        long taken = ready + event.getLong("queue");
        long mapped = taken + event.getLong("mapping");
        if (inKernel == Long.MIN_VALUE) {
            record(Step.TO_RECEIVER_AT_ALL, received - sent.get(stamp));
        } else {
            record(Step.TO_KERNEL, received - inKernel - sent.get(stamp));
            record(Step.TO_RECEIVER, inKernel);
        }
        record(Step.ASSEMBLY, ready - received);
        record(Step.QUEUE, taken - ready);
        record(Step.MAPPING, mapped - taken);
        record(Step.TO_USER, arrived - mapped);
        record(Step.ALL, arrived - sent.get(stamp));
    }

    private void record(Step step, long nanos) {
        steps.computeIfAbsent(step, key -> LatencyRun.histogram()).recordValue(Math.max(0, nanos));
    }

    /** Nanoseconds of each step that was seen. */
    Map<Step, Histogram> histograms() {
        return steps;
    }
}
