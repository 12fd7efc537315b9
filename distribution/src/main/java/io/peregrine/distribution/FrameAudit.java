package io.peregrine.distribution;

import java.util.Optional;
import org.agrona.DirectBuffer;

/**
 * Counts the frames of a recording without keeping them: which are whole, which are cut off, which never came. A state
 * machine; fragments come in the order of the recording.
 */
final class FrameAudit {
    private final int stream;
    private long frameId;
    private boolean describing;
    private long describedTo;
    private boolean inside;
    private long expected;

    private long firstComplete;
    private long lastComplete;
    private long firstNanos;
    private long lastNanos;
    private long complete;
    private long incomplete;
    private long notReceived;
    private long malformed;
    private long containerBytes;
    private boolean ended;

    FrameAudit(int stream) {
        this.stream = stream;
    }

    /**
     * Takes a fragment, whatever it holds.
     *
     * @return whether a frame is complete with it
     */
    boolean onFragment(DirectBuffer from, int at, int bytes, long sentNanos) {
        if (!FragmentHeader.valid(from, at, bytes)) {
            malformed++;
            return false;
        }
        if (FragmentHeader.stream(from, at) != stream) {
            return false;
        }
        int flags = FragmentHeader.flags(from, at);
        if ((flags & FragmentHeader.END) != 0) {
            cutOff();
            ended = true;
            return false;
        }
        long id = FragmentHeader.frameId(from, at);
        if (id < frameId) {
            malformed++;
            return false;
        }
        long offset = FragmentHeader.offset(from, at);
        boolean description = (flags & FragmentHeader.DESCRIPTION) != 0;
        if (id > frameId) {
            cutOff();
            if (frameId > 0) {
                notReceived += id - frameId - 1;
            }
            frameId = id;
            inside = description && offset == 0;
            describing = true;
            describedTo = 0;
            expected = 0;
        }
        return inside && within(from, at, description, offset, sentNanos);
    }

    private boolean within(DirectBuffer from, int at, boolean description, long offset, long sentNanos) {
        int length = FragmentHeader.length(from, at);
        long total = FragmentHeader.total(from, at);
        if (description) {
            if (!describing || offset != describedTo) {
                cutOff();
                return false;
            }
            describedTo += length;
            describing = describedTo < total;
            return false;
        }
        if (describing || offset != expected) {
            cutOff();
            return false;
        }
        expected += length;
        if (expected < total) {
            return false;
        }
        inside = false;
        complete++;
        containerBytes += total;
        firstNanos = complete == 1 ? sentNanos : firstNanos;
        firstComplete = complete == 1 ? frameId : firstComplete;
        lastComplete = frameId;
        lastNanos = sentNanos;
        return true;
    }

    private void cutOff() {
        if (inside) {
            incomplete++;
            inside = false;
        }
    }

    /** The recording ends here. */
    void end() {
        cutOff();
    }

    /** Frames that are whole. */
    long complete() {
        return complete;
    }

    /** Frames that lack bytes at their end or in between. */
    long incomplete() {
        return incomplete;
    }

    /** Frames of which there is nothing, by the numbers of those before and after. */
    long notReceived() {
        return notReceived;
    }

    /** Fragments that contradict themselves or the order. */
    long malformed() {
        return malformed;
    }

    /** Bytes of the containers that are whole. */
    long containerBytes() {
        return containerBytes;
    }

    /** Number of the first whole frame. */
    Optional<Long> first() {
        return complete == 0 ? Optional.empty() : Optional.of(firstComplete);
    }

    /** Number of the last whole frame. */
    Optional<Long> last() {
        return complete == 0 ? Optional.empty() : Optional.of(lastComplete);
    }

    /** When the first whole frame was sent, since 1970; 0 when there is none. */
    long firstNanos() {
        return firstNanos;
    }

    /** When the last whole frame was sent, since 1970; 0 when there is none. */
    long lastNanos() {
        return lastNanos;
    }

    /** Whether its publisher said that nothing more comes. */
    boolean ended() {
        return ended;
    }
}
