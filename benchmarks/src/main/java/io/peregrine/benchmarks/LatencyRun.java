package io.peregrine.benchmarks;

import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** What one run of a receiver gave: latencies in nanoseconds, and its figures. */
final class LatencyRun {
    static final int FIRST = 10;

    private static final int BLOCKS = 65536;
    private static final long MOST_NANOS = 60_000_000_000L;

    /** From just before the last packets of a frame went to the kernel until the user had it. */
    final Histogram lastPacket = histogram();
    /** From just before until just after. */
    final Histogram sending = histogram();
    /** From the user's software trigger until it had the frame. */
    final Histogram trigger = histogram();
    /** From the software trigger until the camera had read it. */
    final Histogram asking = histogram();
    /** Of the first frames of the first camera; negative for one that never came whole. */
    final long[] first = new long[FIRST];

    final LatencySteps steps;
    final Map<String, Double> figures;

    private LatencyRun(LatencySteps steps, Map<String, Double> figures) {
        this.steps = steps;
        this.figures = figures;
        Arrays.fill(first, -1);
    }

    static Histogram histogram() {
        return new Histogram(MOST_NANOS, 3);
    }

    /**
     * Reads what both ends wrote.
     *
     * @param arrivals the receiver's file
     * @param stamps the cameras' file
     * @param recording of Flight Recorder; need not be there
     */
    static LatencyRun of(Path arrivals, Path stamps, Path recording, Map<String, Double> figures) throws IOException {
        LatencyRun run = new LatencyRun(LatencySteps.read(recording), figures);
        LongBuffer arrived = Arrivals.read(arrivals);
        LongBuffer sent = Arrivals.read(stamps);
        for (int at = 0; at < arrived.limit(); at += Arrivals.VALUES) {
            int camera = (int) arrived.get(at);
            int block = (int) arrived.get(at + 1);
            long asked = arrived.get(at + 2);
            long time = arrived.get(at + 3);
            int stamp = (camera * BLOCKS + block) * Arrivals.VALUES;
            long latency = time - sent.get(stamp);
            if (latency < 0 || latency > MOST_NANOS) {
                throw new IllegalStateException("Block " + block + " of camera " + camera + " arrived " + latency
                        + " ns after its last packets were sent");
            }
            run.lastPacket.recordValue(latency);
            run.steps.add(camera, block, sent, stamp, time);
            if (sent.get(stamp + 1) > sent.get(stamp)) {
                run.sending.recordValue(sent.get(stamp + 1) - sent.get(stamp));
            }
            if (asked > 0) {
                run.trigger.recordValue(time - asked);
                run.asking.recordValue(sent.get(stamp + 2) - asked);
            }
            if (camera == 0 && block <= FIRST) {
                run.first[block - 1] = latency;
            }
        }
        return run;
    }
}
