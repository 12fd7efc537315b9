package io.peregrine.distribution;

import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.logbuffer.BufferClaim;
import io.peregrine.recording.FrameContainer;
import java.nio.ByteBuffer;
import java.util.List;
import org.agrona.MutableDirectBuffer;

/**
 * Writes frames as fragments into the log of a publication, as far as there is room. Where the media driver sends
 * several datagrams at once, all fragments are as long as a datagram but the last, and padding ends a run after that.
 * For one thread.
 */
final class FrameWriter {
    private static final int STREAM_CHANNEL = 0;
    /** The least at which Aeron sends nothing behind it in the same datagram. */
    private static final int RUN_END_BYTES = 32;

    private final ExclusivePublication log;
    private final BufferClaim claim = new BufferClaim();
    /** Most bytes that a fragment carries. */
    private final int most;

    private final boolean sentInRuns;

    private byte[] description = new byte[0];
    private List<ByteBuffer> pieces = List.of();
    private int flags;
    private long frameId;
    private long sentNanos;
    private long total;
    private long offset;
    private int piece;
    private long containerBytes;
    private List<ByteBuffer> container = List.of();
    private boolean endsRun;

    /** The outcome of an attempt to write. */
    enum Outcome {
        /** All of it is in the log. */
        WRITTEN,
        /** There is no room at present. */
        FULL,
        /** No consumer is connected. */
        NO_CONSUMER
    }

    /**
     * Begins between frames.
     *
     * @param datagramBytes most bytes of a datagram
     */
    FrameWriter(ExclusivePublication log, int datagramBytes) {
        this.log = log;
        int fragment = Math.min(log.maxPayloadLength(), datagramBytes - HEADER_LENGTH);
        most = fragment - FragmentHeader.SIZE_BYTES;
        sentInRuns = log.maxPayloadLength() > fragment;
    }

    /**
     * Begins a frame.
     *
     * @param frame to be written before its composite is closed
     * @param id number of the frame, larger than that of the one before
     */
    void begin(FrameContainer frame, long id) {
        frameId = id;
        sentNanos = ArchiveTime.now();
        description = frame.description();
        container = frame.pieces();
        containerBytes = frame.sizeBytes();
        next(FragmentHeader.DESCRIPTION, List.of(ByteBuffer.wrap(description)), description.length);
    }

    private void next(int kind, List<ByteBuffer> bytes, long length) {
        flags = kind;
        pieces = bytes;
        total = length;
        offset = 0;
        piece = 0;
    }

    /**
     * Writes the rest of the frame, or as much as there is room for.
     *
     * @throws DistributionException if the media driver has closed the publication
     */
    Outcome write() {
        Outcome outcome = writePieces();
        if (outcome == Outcome.WRITTEN && flags == FragmentHeader.DESCRIPTION) {
            next(0, container, containerBytes);
            outcome = writePieces();
        }
        return outcome;
    }

    private Outcome writePieces() {
        while (offset < total) {
            int length = (int) Math.min(most, total - offset);
            Outcome outcome = claim(FragmentHeader.SIZE_BYTES + length);
            if (outcome != Outcome.WRITTEN) {
                return outcome;
            }
            MutableDirectBuffer to = claim.buffer();
            int at = claim.offset();
            FragmentHeader.put(to, at, flags, STREAM_CHANNEL, length, frameId, total, offset);
            claim.reservedValue(sentNanos);
            at += FragmentHeader.SIZE_BYTES;
            int left = length;
            while (left > 0) {
                ByteBuffer from = pieces.get(piece);
                int count = Math.min(left, from.remaining());
                to.putBytes(at, from, from.position(), count);
                from.position(from.position() + count);
                at += count;
                left -= count;
                if (!from.hasRemaining()) {
                    piece++;
                }
            }
            claim.commit();
            offset += length;
            endsRun = sentInRuns && length < most;
        }
        return Outcome.WRITTEN;
    }

    /** After a short fragment, so that the next begins a datagram. */
    private Outcome endRun() {
        long result = log.appendPadding(RUN_END_BYTES);
        // If it did not fit, the rest of the term is padding.
        Outcome outcome = result == Publication.ADMIN_ACTION ? Outcome.WRITTEN : outcome(result);
        endsRun = outcome != Outcome.WRITTEN;
        return outcome;
    }

    /** Says that nothing more comes. */
    Outcome writeEnd() {
        Outcome outcome = claim(FragmentHeader.SIZE_BYTES);
        if (outcome == Outcome.WRITTEN) {
            FragmentHeader.put(
                    claim.buffer(), claim.offset(), FragmentHeader.END, STREAM_CHANNEL, 0, Math.max(1, frameId), 0, 0);
            claim.commit();
        }
        return outcome;
    }

    private Outcome claim(int length) {
        Outcome ended = endsRun ? endRun() : Outcome.WRITTEN;
        return ended == Outcome.WRITTEN ? outcome(log.tryClaim(length, claim)) : ended;
    }

    private Outcome outcome(long result) {
        if (result > 0) {
            return Outcome.WRITTEN;
        }
        if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
            throw new DistributionException("The media driver has closed the publication on " + log.channel()
                    + ": check that it runs, and start publishing again");
        }
        return result == Publication.NOT_CONNECTED ? Outcome.NO_CONSUMER : Outcome.FULL;
    }
}
