package io.peregrine.device;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.composite.internal.AcquisitionControl;
import io.peregrine.gvsp.GvspSettings;
import io.peregrine.gvsp.GvspSource;
import io.peregrine.gvsp.PacketReceiver;
import io.peregrine.gvsp.PacketSink;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.HandOff;
import io.peregrine.stream.engine.StreamEngine;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A stream of made-up frames through the same code as those of a device, from the packets to the items, but for the
 * socket. It gives a frame when it is asked for one. For one thread.
 */
final class MadeUpStream implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int MAX_BLOCK_ID = 65535;

    private final Receiver receiver;
    private final CompositeStream stream;
    private final int atOnce;
    /** Frames that were asked for and not taken yet. */
    private int waiting;

    /**
     * Starts one.
     *
     * @param payloadType see {@link MadeUpBlock#of}
     * @param atOnce how many frames the receiver hands over when it is woken for one; 1 where only the newest is kept
     */
    MadeUpStream(int payloadType, HandOff handOff, int atOnce) {
        this.atOnce = atOnce;
        MadeUpBlock block = MadeUpBlock.of(payloadType);
        receiver = new Receiver(block);
        InetAddress nowhere = InetAddress.getLoopbackAddress();
        FlowSetPool pool = FlowSetPool.allocate(atOnce + 1, new long[] {block.flowBytes()}, Integer.MAX_VALUE);
        GvspSource source = GvspSource.open(
                GvspSettings.defaults(nowhere, nowhere),
                pool,
                (blockId, first, last, extended) -> {},
                counters -> receiver);
        stream = CompositeStream.create(
                CompositeStream.class, new StreamEngine(source, handOff), new AcquisitionControl.NoDevice() {});
        stream.start();
    }

    /**
     * Takes a frame, and looks at it as a program does.
     *
     * @return its payload type
     * @throws IllegalStateException if none came, or it is not complete
     */
    int take() {
        if (waiting == 0) {
            waiting = atOnce;
            receiver.wanted.release(atOnce);
            receiver.wakeUp();
        }
        waiting--;
        WaitResult result = stream.waitFor(PATIENCE);
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
    public void close() {
        stream.close();
    }

    /** Gives the packets of a block each time one is wanted. */
    private static final class Receiver implements PacketReceiver {
        private final MadeUpBlock block;
        private final Semaphore wanted = new Semaphore(0);
        private final Semaphore awake = new Semaphore(0);
        private int blockId;

        Receiver(MadeUpBlock block) {
            this.block = block;
        }

        @Override
        public int receive(PacketSink into, long deadlineNanos) {
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
                block.sendTo(into, blockId, blockId % 2 == 0);
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
}
