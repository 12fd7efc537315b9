package io.peregrine.device;

import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.NodeMap;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * An acquisition that the device ends by itself: AcquisitionMode SingleFrame or MultiFrame. It is over when as many
 * frames as it has were taken or skipped, or are known to be lost. Where the last of them never came, it is over when
 * the device says so (AcquisitionStatus) and nothing has come for a second.
 */
final class FiniteAcquisition {
    private static final System.Logger LOGGER = System.getLogger(FiniteAcquisition.class.getName());
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Each counts other blocks; those that the device or the assembler drops may be gaps too and are not counted. */
    private static final List<Counter> LOST =
            List.of(Counter.FRAMES_DROPPED_NO_FLOW_SET, Counter.FRAMES_SHED, Counter.BLOCK_ID_GAPS);

    private final NodeMap nodes;
    private final long frames;
    private final long before;
    private long seen;
    private long changedAt = System.nanoTime();

    private FiniteAcquisition(NodeMap nodes, long frames, long before) {
        this.nodes = nodes;
        this.frames = frames;
        this.before = before;
    }

    /**
     * What the acquisition that is about to start comes to.
     *
     * @param before what was counted until then; frames among it that were not taken yet belong to an earlier
     *     acquisition
     * @return empty if it goes on until it is stopped, or the device does not report it
     */
    static Optional<FiniteAcquisition> of(NodeMap nodes, StreamStatistics before) {
        try {
            if (!NodeAccess.readable(nodes, "AcquisitionMode")) {
                return Optional.empty();
            }
            long frames = switch (nodes.enumeration("AcquisitionMode").value()) {
                case "SingleFrame" -> 1;
                case "MultiFrame" ->
                    NodeAccess.readable(nodes, "AcquisitionFrameCount")
                            ? nodes.integer("AcquisitionFrameCount").value()
                            : Long.MAX_VALUE;
                default -> 0;
            };
            return frames <= 0
                    ? Optional.empty()
                    : Optional.of(new FiniteAcquisition(nodes, frames, delivered(before) + lost(before)));
        } catch (GenApiException | DeviceException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "The device does not say how many frames it takes", e);
            return Optional.empty();
        }
    }

    private static long delivered(StreamStatistics counted) {
        return counted.get(Counter.FRAMES_COMPLETE) + counted.get(Counter.FRAMES_INCOMPLETE);
    }

    private static long lost(StreamStatistics counted) {
        return LOST.stream().mapToLong(counted::get).sum();
    }

    /**
     * Whether nothing more will come. Asks the device after a second without a frame, at most once a second.
     *
     * @param counted the counters of the run now
     * @param taken frames that were taken in the run
     */
    synchronized boolean over(StreamStatistics counted, long taken) {
        long blocks = taken + counted.get(Counter.FRAMES_SKIPPED) + lost(counted) - before;
        if (blocks >= frames) {
            return true;
        }
        long now = System.nanoTime();
        if (blocks != seen) {
            seen = blocks;
            changedAt = now;
            return false;
        }
        if (blocks <= 0 || now - changedAt < SILENCE_NANOS) {
            // Before the first frame, a device that waits for a trigger is not active either.
            return false;
        }
        changedAt = now;
        return !active();
    }

    private boolean active() {
        try {
            return StreamEvidence.active(nodes).orElse(true);
        } catch (GenApiException | DeviceException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "The device does not say whether it acquires", e);
            return true;
        }
    }
}
