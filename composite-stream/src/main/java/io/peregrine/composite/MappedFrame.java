package io.peregrine.composite;

import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.IncompleteCause;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The frame that is being mapped: its memory, what the transport says about it, and the table that is filled. Used for
 * frame after frame, by one thread at a time.
 */
final class MappedFrame {
    private static final BlockInfo NO_BLOCK = new BlockInfo(0, 0, 0, 0, Optional.empty(), 0, Optional.empty(), 0);

    FrameMemory memory = FrameMemory.NOTHING;
    BlockInfo block = NO_BLOCK;
    ItemTable items = memory.items();
    /** Why the block is not whole; null when it is. */
    private @Nullable Supplier<String> transport;

    /** Begins a frame, with an empty table. */
    void begin(FrameMemory frame, BlockInfo info) {
        memory = frame;
        block = info;
        items = frame.items();
        items.clear();
        items.id = info.blockId();
        transport = info.incomplete().isPresent() ? describe(info.incomplete().get(), info.missingPackets()) : null;
        items.incomplete = transport;
    }

    /** Forgets the frame. */
    void end() {
        memory = FrameMemory.NOTHING;
        block = NO_BLOCK;
        items = memory.items();
        transport = null;
    }

    private static Supplier<String> describe(IncompleteCause cause, long missingPackets) {
        return () -> {
            String text = cause.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            return missingPackets > 0 ? text + " (" + missingPackets + ")" : text;
        };
    }

    /** Says why there are no items. */
    void nothing(Supplier<String> why) {
        Supplier<String> also = items.incomplete;
        items.incomplete = also == null ? why : () -> why.get() + ", " + also.get();
    }

    /** Whether an item is the first reason that counts: the transport's, then that of the first item that has one. */
    boolean firstFlaw(ItemValues item) {
        return items.incomplete == null && item.valid && item.missing != null;
    }

    /** Why a range cannot be relied on; null when all of it arrived and the device does not take it back. */
    @Nullable
    Supplier<String> missing(int flow, long offset, long length) {
        if (memory.covered(flow, offset, length)) {
            boolean withdrawn =
                    block.incomplete().isPresent() && block.incomplete().get() == IncompleteCause.DEVICE_ERROR;
            return withdrawn ? transport : null;
        }
        return () -> "not all of its " + length + " bytes arrived";
    }

    /** Whether a flow is large enough for a range. */
    boolean inFlow(int flow, long offset, long length) {
        long size = memory.flowSizeBytes(flow);
        return flow < memory.flowCount() && offset >= 0 && length >= 0 && offset <= size && length <= size - offset;
    }
}
