package io.peregrine.conformance;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import java.time.Duration;

/**
 * Frames of a virtual camera that arrived whole, and what was wrong with them.
 *
 * @param badBytes wrong bytes in the whole frames
 * @param incomplete incomplete frames after the first whole one
 */
record WholeFrames(long badBytes, long incomplete) {
    /**
     * Takes whole frames.
     *
     * @param stream a running stream
     * @param wanted how many
     * @param limit longest time for a frame; then it fails
     */
    static WholeFrames take(CompositeStream stream, int wanted, Duration limit) {
        long badBytes = 0;
        long incomplete = 0;
        for (int whole = 0; whole < wanted; ) {
            if (!(stream.waitFor(limit) instanceof WaitResult.Ok ok)) {
                throw new AssertionError("Only " + whole + " whole frames arrived: " + stream.diagnosis());
            }
            try (Composite composite = ok.composite()) {
                if (composite.complete()) {
                    whole++;
                    badBytes += PatternCheck.badBytes(composite);
                } else if (whole > 0) {
                    incomplete++;
                }
            }
        }
        return new WholeFrames(badBytes, incomplete);
    }
}
