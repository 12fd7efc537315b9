package io.peregrine.device;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.gvsp.GvspSettings;
import io.peregrine.gvsp.GvspSource;
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

    private final MadeUpBlock block;
    private final Semaphore wanted = new Semaphore(0);
    private final Semaphore awake = new Semaphore(0);
    private final int lossEvery;
    private int blockId;
    /** The block of which a packet is to be sent again; 0 for none. */
    private int lostOf;

    /** Makes one that loses nothing. */
    MadeUpReceiver(MadeUpBlock block) {
        this(block, Integer.MAX_VALUE);
    }

    /**
     * Makes one that loses a packet now and then, and gives it when it is asked the next time.
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
                GvspSettings.defaults(nowhere, nowhere),
                pool,
                (blockId, first, last, extended) -> {},
                counters -> this);
    }

    /** That many frames more come. */
    void want(int frames) {
        wanted.release(frames);
        wakeUp();
    }

    /**
     * Takes a made-up frame from a stream, and looks at it as a program does.
     *
     * @return its payload type
     * @throws IllegalStateException if none came in time, or it is not complete
     */
    static int take(CompositeStream stream, Duration timeout) {
        WaitResult result = stream.waitFor(timeout);
        if (!(result instanceof WaitResult.Ok ok)) {
            throw new IllegalStateException("No made-up frame: " + result);
        }
        try (Composite composite = ok.composite()) {
            if (!composite.complete() || composite.image().map(Item::data).isEmpty()) {
                throw new IllegalStateException("Not as it was made up: " + composite);
            }
            return composite.payloadType();
        }
    }

    @Override
    public int receive(PacketSink into, long deadlineNanos) {
        if (lostOf > 0) {
            block.sendAgainTo(into, lostOf);
            lostOf = 0;
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
            if (blockId % lossEvery == 0 && lostOf == 0) {
                block.sendWithALossTo(into, blockId);
                lostOf = blockId;
            } else {
                block.sendTo(into, blockId, blockId % 2 == 0);
            }
            count++;
        }
        return count;
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
