package io.peregrine.distribution;

import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.aeron.logbuffer.Header;
import io.peregrine.recording.FrameContainer.Placement;
import io.peregrine.recording.RecordingException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Finds frames in a recording, by number or time. The recording itself is the index: frames of its log begin at each
 * multiple of its term, numbers and times of frames grow, so that a few looks at such places lead to the right one.
 */
final class FrameSeeker {
    private static final int LOG_HEADER_BYTES = 32;

    private final ArchiveClient client;

    FrameSeeker(ArchiveClient client) {
        this.client = client;
    }

    /**
     * Where a frame begins.
     *
     * @param position of its first fragment in the recording
     * @param frameId number at its publisher
     * @param sentNanos when it was sent, since 1970
     * @param flowBytes memory that it needs; 0 when its description is malformed
     */
    record Mark(long position, long frameId, long sentNanos, long flowBytes) {}

    /** The first frame with at least that number. */
    Optional<Mark> frame(Take take, long frameId) {
        return first(take, Mark::frameId, frameId);
    }

    /** The first frame that was sent at that time or later. */
    Optional<Mark> time(Take take, long sentNanos) {
        return first(take, Mark::sentNanos, sentNanos);
    }

    /** The first frame that begins in the recording. */
    Optional<Mark> begin(Take take) {
        return next(take, take.startPosition(), client.end(take), Mark::frameId, Long.MIN_VALUE);
    }

    /** The first frame that begins after a boundary of the log. */
    Optional<Mark> from(Take take, long position) {
        return next(take, position, client.end(take), Mark::frameId, Long.MIN_VALUE);
    }

    private Optional<Mark> first(Take take, ToLongFunction<Mark> key, long value) {
        long end = client.end(take);
        long low = take.startPosition() / take.termBytes();
        long high = (end - 1) / take.termBytes();
        // At the begin of term low, the next frame is not past the value; or low is the first.
        while (low < high) {
            long middle = low + (high - low + 1) / 2;
            Optional<Mark> there = next(take, middle * take.termBytes(), end, key, Long.MIN_VALUE);
            if (there.isPresent() && key.applyAsLong(there.get()) <= value) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return next(take, Math.max(take.startPosition(), low * take.termBytes()), end, key, value);
    }

    /** The first frame from a boundary on of which the key is at least the value. */
    private Optional<Mark> next(Take take, long from, long end, ToLongFunction<Mark> key, long value) {
        Finder finder = new Finder(key, value);
        client.replay(take.id(), from, end, finder::onFragment);
        return Optional.ofNullable(finder.found);
    }

    /**
     * The last frames of a recording.
     *
     * @return an audit of the end of the recording, with the last whole frame if there is one
     */
    FrameAudit tail(Take take) {
        long end = client.end(take);
        long terms = 1;
        while (true) {
            long from = Math.max(take.startPosition(), (end / take.termBytes() - terms) * take.termBytes());
            FrameAudit audit = new FrameAudit(0);
            client.replay(take.id(), from, end, (buffer, offset, length, header) -> {
                audit.onFragment(buffer, offset, length, header.reservedValue());
                return Action.CONTINUE;
            });
            if (audit.last().isPresent() || from == take.startPosition()) {
                audit.end();
                return audit;
            }
            terms *= 4;
        }
    }

    /** Reads until a frame begins that is wanted. */
    private static final class Finder {
        private final ToLongFunction<Mark> key;
        private final long value;
        private Optional<Mark> begun = Optional.empty();
        private ByteBuffer description = ByteBuffer.allocate(0);
        private @Nullable Mark found;

        Finder(ToLongFunction<Mark> key, long value) {
            this.key = key;
            this.value = value;
        }

        Action onFragment(DirectBuffer from, int at, int bytes, Header header) {
            if (!FragmentHeader.valid(from, at, bytes)
                    || (FragmentHeader.flags(from, at) & FragmentHeader.DESCRIPTION) == 0) {
                return finish();
            }
            long total = FragmentHeader.total(from, at);
            if (FragmentHeader.offset(from, at) == 0) {
                Mark mark = new Mark(
                        header.position() - BitUtil.align(bytes + LOG_HEADER_BYTES, LOG_HEADER_BYTES),
                        FragmentHeader.frameId(from, at),
                        header.reservedValue(),
                        0);
                if (key.applyAsLong(mark) < value) {
                    return Action.CONTINUE;
                }
                begun = Optional.of(mark);
                description = ByteBuffer.allocate((int) Math.min(total, ContainerAssembly.MAX_DESCRIPTION_BYTES));
            }
            if (begun.isEmpty() || FragmentHeader.offset(from, at) != description.position()) {
                return finish();
            }
            from.getBytes(
                    at + FragmentHeader.SIZE_BYTES,
                    description,
                    Math.min(FragmentHeader.length(from, at), description.remaining()));
            return description.hasRemaining() ? Action.CONTINUE : finish();
        }

        /** The description has ended, or something else came. */
        private Action finish() {
            if (begun.isEmpty()) {
                return Action.CONTINUE;
            }
            Mark mark = begun.get();
            found = new Mark(mark.position(), mark.frameId(), mark.sentNanos(), flowBytes());
            return Action.BREAK;
        }

        private long flowBytes() {
            try {
                return Placement.parse(description.flip()).flowBytes();
            } catch (RecordingException e) {
                return 0;
            }
        }
    }
}
