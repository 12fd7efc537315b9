package io.peregrine.distribution;

import io.peregrine.recording.FrameContainer.Placement;
import io.peregrine.recording.RecordingException;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.StreamCounters;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Fragments of one publisher in, filled flow sets out. A state machine without threads and clock: each byte is written
 * once, to its place in the flow set. Aeron keeps the order of fragments, so that a jump forward is a loss, and one
 * backward a lie.
 */
final class ContainerAssembly {
    /** Most that the description of a frame may have: a frame has one part for a hundred bytes of it. */
    static final int MAX_DESCRIPTION_BYTES = 1 << 20;

    private final int stream;
    private final StreamCounters counters;
    private final Supplier<Optional<FlowSet>> memory;
    private final Consumer<FlowSet> filled;

    /** Grows up to {@link #MAX_DESCRIPTION_BYTES}. */
    private ByteBuffer description = ByteBuffer.allocate(1024);

    private State state = State.OUTSIDE;
    /** Frame that the last fragment belonged to; 0 before the first. */
    private long frameId;

    private @Nullable Placement placement;
    private @Nullable FlowSet flowSet;
    /** Memory of a frame that was given up. */
    private @Nullable FlowSet spare;
    /** Bytes of the container up to which fragments were seen. */
    private long expected;

    private long missingBytes;
    private int segment;
    private int largestFragment;
    private boolean ended;

    private enum State {
        /** Between frames, or in one of which the rest does not matter. */
        OUTSIDE,
        /** The description comes. */
        DESCRIBED,
        /** The container comes. */
        PLACED
    }

    /**
     * Starts between frames.
     *
     * @param stream stream channel of the publisher that is received
     * @param counters what happens is counted there
     * @param memory gives a flow set with one flow, if one is free
     * @param filled takes each frame
     */
    ContainerAssembly(
            int stream, StreamCounters counters, Supplier<Optional<FlowSet>> memory, Consumer<FlowSet> filled) {
        this.stream = stream;
        this.counters = counters;
        this.memory = memory;
        this.filled = filled;
    }

    /** Whether the publisher said that nothing more comes. */
    boolean ended() {
        return ended;
    }

    /** Number of the last frame of which nothing more comes. */
    long lastEnded() {
        return state == State.OUTSIDE ? frameId : Math.max(0, frameId - 1);
    }

    /** Whether the next frame has memory, or the present one. */
    boolean holdsMemory() {
        return flowSet != null || spare != null;
    }

    /** Memory of a frame that was given up, for another assembly. */
    Optional<FlowSet> takeSpare() {
        Optional<FlowSet> taken = Optional.ofNullable(spare);
        spare = null;
        return taken;
    }

    /**
     * Takes a fragment, whatever it holds.
     *
     * @param from where it is
     * @param at its first byte
     * @param bytes its length
     */
    void onFragment(DirectBuffer from, int at, int bytes) {
        counters.increment(Counter.PACKETS_RECEIVED);
        if (!FragmentHeader.valid(from, at, bytes)) {
            counters.increment(Counter.PACKETS_MALFORMED);
            return;
        }
        if (FragmentHeader.stream(from, at) != stream) {
            return;
        }
        int flags = FragmentHeader.flags(from, at);
        if ((flags & FragmentHeader.END) != 0) {
            cutOff(IncompleteCause.DATA_MISSING);
            ended = true;
            return;
        }
        long id = FragmentHeader.frameId(from, at);
        if (id != frameId && !begins(id, from, at)) {
            return;
        }
        if ((flags & FragmentHeader.DESCRIPTION) != 0) {
            onDescription(from, at);
        } else {
            onContainer(from, at);
        }
    }

    /** A fragment of another frame than the last one; false if it is to be ignored. */
    private boolean begins(long id, DirectBuffer from, int at) {
        if (id < frameId) {
            counters.increment(Counter.PACKETS_MALFORMED);
            return false;
        }
        cutOff(IncompleteCause.PACKETS_MISSING);
        boolean first = frameId == 0;
        if (!first && id - frameId > 1) {
            counters.add(Counter.BLOCK_ID_GAPS, id - frameId - 1);
        }
        frameId = id;
        if ((FragmentHeader.flags(from, at) & FragmentHeader.DESCRIPTION) == 0 || FragmentHeader.offset(from, at) > 0) {
            // It began before this receiver joined, or its description is lost, without which nothing has a place.
            if (!first) {
                counters.increment(Counter.FRAMES_DROPPED_UNUSABLE);
            }
            return false;
        }
        long total = FragmentHeader.total(from, at);
        if (total > MAX_DESCRIPTION_BYTES) {
            counters.increment(Counter.FRAMES_DROPPED_UNUSABLE);
            return false;
        }
        state = State.DESCRIBED;
        if (description.capacity() < total) {
            description = ByteBuffer.allocate((int) total);
        }
        description.clear().limit((int) total);
        return true;
    }

    private void onDescription(DirectBuffer from, int at) {
        if (state != State.DESCRIBED) {
            if (state == State.PLACED) {
                contradiction();
            }
            return;
        }
        if (FragmentHeader.total(from, at) != description.limit()
                || FragmentHeader.offset(from, at) != description.position()) {
            unusable();
            return;
        }
        int length = FragmentHeader.length(from, at);
        from.getBytes(at + FragmentHeader.SIZE_BYTES, description, length);
        if (!description.hasRemaining()) {
            described();
        }
    }

    private void described() {
        Placement read;
        try {
            read = Placement.parse(description.flip());
        } catch (RecordingException e) {
            unusable();
            return;
        }
        Optional<FlowSet> free = takeSpare().or(memory);
        if (free.isEmpty()) {
            counters.increment(Counter.FRAMES_DROPPED_NO_FLOW_SET);
            state = State.OUTSIDE;
            return;
        }
        FlowSet set = free.get();
        set.beginFilling();
        flowSet = set;
        placement = read;
        expected = 0;
        missingBytes = 0;
        segment = 0;
        state = State.PLACED;
        if (read.flowBytes() > set.flowSizeBytes(0)) {
            deliver(IncompleteCause.DATA_LARGER_THAN_FLOW_SET);
        } else if (read.containerBytes() == 0) {
            complete();
        }
    }

    private void onContainer(DirectBuffer from, int at) {
        if (state != State.PLACED) {
            if (state == State.DESCRIBED) {
                // The rest of the description is lost.
                unusable();
            }
            return;
        }
        Placement place = current(placement);
        long offset = FragmentHeader.offset(from, at);
        int length = FragmentHeader.length(from, at);
        if (FragmentHeader.total(from, at) != place.containerBytes() || offset < expected) {
            contradiction();
            return;
        }
        largestFragment = Math.max(largestFragment, length);
        missingBytes += offset - expected;
        expected = offset + length;
        write(place, current(flowSet), from, at + FragmentHeader.SIZE_BYTES, offset, length);
        counters.add(Counter.BYTES_RECEIVED, length);
        if (expected == place.containerBytes()) {
            complete();
        }
    }

    /** Copies what segments want; bytes between segments are padding. */
    private void write(Placement place, FlowSet set, DirectBuffer from, int at, long offset, int length) {
        ByteBuffer flow = set.flow(0);
        long end = offset + length;
        while (segment < place.segments()) {
            long begin = place.containerOffset(segment);
            long segmentEnd = begin + place.lengthBytes(segment);
            long first = Math.max(begin, offset);
            long last = Math.min(segmentEnd, end);
            if (first < last) {
                // Inside the flow: the segment is, as the placement has checked, and the flow is at least as large.
                int to = (int) (place.flowOffset(segment) + (first - begin));
                int count = (int) (last - first);
                from.getBytes(at + (int) (first - offset), flow, to, count);
                if (place.received(segment)) {
                    set.markReceived(0, to, count);
                }
            }
            if (segmentEnd > end) {
                return;
            }
            segment++;
        }
    }

    private void complete() {
        if (missingBytes > 0) {
            deliver(IncompleteCause.PACKETS_MISSING);
            return;
        }
        FlowSet set = current(flowSet);
        BlockInfo block = current(placement).block();
        forget();
        set.finishFilling(block);
        if (block.complete()) {
            counters.increment(Counter.FRAMES_COMPLETE);
        } else {
            counters.incomplete(block.incomplete().orElseThrow());
        }
        filled.accept(set);
    }

    /**
     * Ends the frame that is coming in, if there is one.
     *
     * @param cause why the rest of it does not come
     */
    void cutOff(IncompleteCause cause) {
        if (state == State.PLACED) {
            deliver(cause);
        } else if (state == State.DESCRIBED) {
            unusable();
        }
    }

    private void deliver(IncompleteCause cause) {
        FlowSet set = current(flowSet);
        Placement place = current(placement);
        long missing = missingBytes + place.containerBytes() - expected;
        long packets = (missing + largestFragment - 1) / Math.max(1, largestFragment);
        forget();
        set.finishFilling(incomplete(place.block(), cause, packets));
        counters.incomplete(cause);
        if (cause == IncompleteCause.PACKETS_MISSING) {
            counters.add(Counter.PACKETS_MISSING, packets);
        }
        filled.accept(set);
    }

    private static BlockInfo incomplete(BlockInfo block, IncompleteCause cause, long missingPackets) {
        return new BlockInfo(
                block.blockId(),
                block.payloadType(),
                block.timestampTicks(),
                block.payloadBytes(),
                block.image(),
                block.descriptorBytes(),
                Optional.of(cause),
                block.missingPackets() + missingPackets,
                block.parts(),
                block.chunk(),
                block.compression(),
                block.fileName());
    }

    /** Two fragments contradict each other: nothing of the frame can be believed. */
    private void contradiction() {
        counters.increment(Counter.PACKETS_MALFORMED);
        FlowSet set = current(flowSet);
        set.abandonFilling();
        spare = set;
        unusable();
    }

    private void unusable() {
        counters.increment(Counter.FRAMES_DROPPED_UNUSABLE);
        forget();
    }

    private void forget() {
        state = State.OUTSIDE;
        flowSet = null;
        placement = null;
    }

    private static <T> T current(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("There is no frame");
        }
        return value;
    }
}
