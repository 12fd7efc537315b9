package io.peregrine.device;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.gvsp.GvspSettings;
import io.peregrine.gvsp.GvspSource;
import io.peregrine.gvsp.GvspStatus;
import io.peregrine.gvsp.PacketReceiver;
import io.peregrine.gvsp.PacketSink;
import io.peregrine.stream.engine.FlowSetPool;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Gives the packets of a block each time one is wanted. */
final class MadeUpReceiver implements PacketReceiver {
    private static final int MAX_BLOCK_ID = 65535;
    /** As short as can be, since frames wait for what was lost. */
    private static final Duration REORDERING = Duration.ofNanos(50_000);

    private static final Duration ANSWER = Duration.ofMillis(1);
    /** Longer than a busy host keeps a thread waiting. */
    private static final Duration RETENTION = Duration.ofSeconds(1);
    /** The lost packet of the data: others of its length are before and after it. */
    private static final int LOST_PACKET_ID = 2;
    /** How packets are lost, in turn: until they are asked for, because they are late, and for good. */
    private static final int WAYS_TO_LOSE = 3;

    private static final int TRAILER_LATE = 1;
    private static final int FOR_GOOD = 2;

    private final MadeUpBlock block;
    private final Semaphore wanted = new Semaphore(0);
    private final Semaphore awake = new Semaphore(0);
    private final int lossEvery;
    /** Whether a block that does not end follows those that are wanted. */
    private volatile boolean cutOff;

    private int blockId;
    /** The block of which a packet was lost, and the first packet of it that waits until that one was asked for. */
    private int lossy;

    private int way;
    private int heldFrom;
    /** What was asked for of it. */
    private int askedFrom;

    private int askedEnd;
    private boolean askedNow;

    /** Makes one that loses nothing. */
    MadeUpReceiver(MadeUpBlock block) {
        this(block, Integer.MAX_VALUE);
    }

    /**
     * Makes one that loses a packet now and then: one of the data, with which the rest of the block is late and which
     * comes when it is asked for, then the trailer, then one of the data that the device does not have any more.
     *
     * @param lossEvery a packet of one in that many blocks
     */
    MadeUpReceiver(MadeUpBlock block, int lossEvery) {
        this.block = block;
        this.lossEvery = lossEvery;
    }

    /** A source of such frames, which puts them into a number of flow sets. */
    GvspSource source(int flowSets) {
        InetAddress nowhere = InetAddress.getLoopbackAddress();
        FlowSetPool pool = FlowSetPool.allocate(flowSets, new long[] {block.flowBytes()}, Integer.MAX_VALUE);
        return GvspSource.open(
                GvspSettings.defaults(nowhere, nowhere)
                        .withTimeouts(REORDERING, ANSWER)
                        .withFrameRetention(RETENTION),
                pool,
                this::ask,
                counters -> this);
    }

    /** That many frames more come. */
    void want(int frames) {
        wanted.release(frames);
        wakeUp();
    }

    /** One frame more comes, and the beginning of another one. */
    void wantLast() {
        cutOff = true;
        want(1);
    }

    /**
     * Takes a made-up frame from a stream, and looks at it as a program does.
     *
     * @return its payload type
     * @throws IllegalStateException if none came in time, or it is not complete
     */
    static int take(CompositeStream stream, Duration timeout) {
        return take(stream, timeout, false);
    }

    /**
     * Takes a made-up frame from a stream, and looks at it as a program does.
     *
     * @param mayLack whether packets of it may have been lost for good
     * @return its payload type
     * @throws IllegalStateException if none came in time, or it lacks what it may not lack
     */
    static int take(CompositeStream stream, Duration timeout, boolean mayLack) {
        WaitResult result = stream.waitFor(timeout);
        if (!(result instanceof WaitResult.Ok ok)) {
            throw new IllegalStateException("No made-up frame: " + result);
        }
        return look(ok.composite(), mayLack);
    }

    /** Looks at a frame as {@link #take} does, and closes it. */
    static int look(Composite frame, boolean mayLack) {
        try (frame) {
            boolean image = frame.image().map(Item::data).isPresent();
            if (!mayLack && !(image && frame.complete())) {
                throw new IllegalStateException("Not as it was made up: " + frame);
            }
            return frame.payloadType();
        }
    }

    @Override
    public int receive(PacketSink into, long deadlineNanos) {
        if (askedNow) {
            // The answer takes a moment, in which the receiver looks again.
            askedNow = false;
            return 0;
        }
        if (askedEnd > askedFrom) {
            answer(into);
            return 1;
        }
        try {
            if (!awake.tryAcquire(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                return 0;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        int count = 0;
        while (wanted.tryAcquire()) {
            blockId = blockId % MAX_BLOCK_ID + 1;
            if (blockId % lossEvery == 0) {
                lose(into);
            } else if (blockId % 2 == 0) {
                block.sendAsRunTo(into, blockId);
            } else {
                block.sendTo(into, blockId, 0, block.packetCount());
            }
            count++;
        }
        if (cutOff) {
            block.sendTo(into, blockId % MAX_BLOCK_ID + 1, 0, LOST_PACKET_ID);
        }
        return count;
    }

    private void lose(PacketSink into) {
        lossy = blockId;
        way = blockId / lossEvery % WAYS_TO_LOSE;
        int lost = way == TRAILER_LATE ? block.packetCount() - 1 : LOST_PACKET_ID;
        heldFrom = Math.min(lost + 2, block.packetCount());
        block.sendTo(into, blockId, 0, lost);
        block.sendTo(into, blockId, lost + 1, heldFrom);
    }

    /** The data is sent again, or not to be had; a trailer was late rather than lost. */
    private void answer(PacketSink into) {
        int next = Math.max(heldFrom, askedEnd);
        if (way == FOR_GOOD) {
            block.answerTo(into, lossy, LOST_PACKET_ID, LOST_PACKET_ID + 1, GvspStatus.PACKET_UNAVAILABLE);
            next = heldFrom;
        } else if (askedFrom == block.packetCount() - 1) {
            block.sendTo(into, lossy, askedFrom, askedEnd);
        } else {
            block.answerTo(into, lossy, askedFrom, askedEnd, GvspStatus.PACKET_RESEND);
        }
        block.sendTo(into, lossy, next, block.packetCount());
        heldFrom = block.packetCount();
        askedEnd = askedFrom;
    }

    /** Called by the thread that receives. */
    private void ask(long ofBlock, long firstPacketId, long lastPacketId, boolean extendedIds) {
        if (ofBlock == lossy) {
            boolean first = askedEnd <= askedFrom;
            int end = (int) Math.min(lastPacketId + 1, block.packetCount());
            askedFrom = first ? (int) firstPacketId : Math.min(askedFrom, (int) firstPacketId);
            askedEnd = first ? end : Math.max(askedEnd, end);
            askedNow = true;
        }
    }

    @Override
    public void wakeUp() {
        awake.release();
    }

    @Override
    public int localPort() {
        return 0;
    }

    @Override
    public int receiveBufferBytes() {
        return 0;
    }

    @Override
    public void close() {
        wakeUp();
    }
}
