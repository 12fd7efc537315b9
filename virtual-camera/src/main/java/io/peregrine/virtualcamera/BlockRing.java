package io.peregrine.virtualcamera;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The most recent blocks, kept for resends. Used by one thread. */
final class BlockRing {
    private static final long MAX_MEMORY_BYTES = 192L << 20;
    /** How long blocks are kept unless the scenario sets their number. */
    private static final long KEPT_NANOS = 250_000_000;

    private static final int MIN_BLOCKS = 8;

    /** A block and how it was sent. */
    static final class Kept {
        final ByteBuffer bytes;

        @Nullable
        BlockPackets packets;

        @Nullable
        InetSocketAddress destination;

        long blockId;
        int sentUpTo = -1;
        int resendAttempts;
        private long image = -1;
        private int missingLines;

        Kept(ByteBuffer bytes) {
            this.bytes = bytes;
        }

        /** Begins another block in the memory of an old one. */
        void begin(BlockPackets newPackets, InetSocketAddress newDestination, long newBlockId) {
            packets = newPackets;
            destination = newDestination;
            blockId = newBlockId;
            sentUpTo = -1;
            resendAttempts = 0;
        }

        /** Draws the block, unless images repeat and the memory holds this one already. */
        void render(BlockLayout layout, Stamp stamp, boolean damaged, boolean imagesRepeat) {
            boolean keeps = imagesRepeat && layout.imagesOnly();
            if (!keeps || image != stamp.image() || missingLines != stamp.missingLines()) {
                layout.render(stamp, damaged, bytes);
                image = keeps ? stamp.image() : -1;
                missingLines = stamp.missingLines();
            }
        }
    }

    private final int wanted;
    private Kept[] blocks = new Kept[0];
    private int next;

    /**
     * Makes a ring without memory.
     *
     * @param wanted number of blocks; 0 for those of a quarter of a second, at least 8
     */
    BlockRing(int wanted) {
        this.wanted = wanted;
    }

    /** Whether the memory that there is does for an acquisition. */
    boolean keepsMemory(int blockBytes, long framePeriodNanos) {
        return blocks.length == count(blockBytes, framePeriodNanos) && blocks[0].bytes.capacity() >= blockBytes;
    }

    /** Forgets all blocks, and makes room for those of an acquisition. */
    void prepare(int blockBytes, long framePeriodNanos) {
        int count = count(blockBytes, framePeriodNanos);
        if (!keepsMemory(blockBytes, framePeriodNanos)) {
            blocks = new Kept[0]; // Their memory may be needed for the new ones.
            Kept[] made = new Kept[count];
            for (int i = 0; i < count; i++) {
                made[i] = new Kept(allocate(blockBytes));
            }
            blocks = made;
        }
        for (Kept block : blocks) {
            block.packets = null;
            block.image = -1;
        }
        next = 0;
    }

    /** Number of blocks to keep: what is wanted, as far as the memory allows. */
    int count(int blockBytes, long framePeriodNanos) {
        long affordable = MAX_MEMORY_BYTES / Math.max(1, blockBytes);
        long lasting = KEPT_NANOS / Math.max(1, framePeriodNanos);
        long number = wanted > 0 ? wanted : Math.max(MIN_BLOCKS, Math.min(Scenario.MAX_RESEND_BLOCKS, lasting));
        return (int) Math.max(2, Math.min(number, affordable));
    }

    private static ByteBuffer allocate(int bytes) {
        try {
            return ByteBuffer.allocateDirect(bytes);
        } catch (OutOfMemoryError e) {
            throw new VirtualCameraException("No memory for blocks of " + bytes + " bytes", e);
        }
    }

    /** The memory of the oldest block. */
    Kept next() {
        Kept block = blocks[next];
        next = (next + 1) % blocks.length;
        return block;
    }

    /** A block that is kept with ids of a form; null if there is none. */
    @Nullable
    Kept find(long blockId, boolean extended) {
        Kept found = null;
        for (Kept candidate : blocks) {
            BlockPackets packets = candidate.packets;
            if (packets != null
                    && candidate.blockId == blockId
                    && packets.plan().extended() == extended) {
                found = candidate;
            }
        }
        return found;
    }
}
