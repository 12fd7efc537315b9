package io.peregrine.device;

import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.composite.internal.AcquisitionControl;
import io.peregrine.gvsp.GvspSource;
import io.peregrine.stream.engine.HandOff;
import io.peregrine.stream.engine.StreamEngine;
import java.time.Duration;

/**
 * A stream of made-up frames through the same code as those of a device, from the packets to the items, but for the
 * socket. It gives a frame when it is asked for one. For one thread.
 */
final class MadeUpStream implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /**
     * Without losses, the first lost packet of a stream would have the JVM discard the compiled code of each packet,
     * which knows nothing of losses, and interpret packets for seconds. So would the first frame that stays incomplete.
     * No multiple of the frames at once: others are behind the frame that lacks a packet, or none.
     */
    private static final int LOSS_EVERY = 31;

    /** So that a frame that lacks a packet is not given up for lack of memory. */
    private static final int MORE_FLOW_SETS = 4;

    private final MadeUpReceiver receiver;
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
        receiver = new MadeUpReceiver(MadeUpBlock.of(payloadType), LOSS_EVERY);
        GvspSource source = receiver.source(atOnce + MORE_FLOW_SETS);
        stream = CompositeStream.create(
                CompositeStream.class, new StreamEngine(source, handOff), new AcquisitionControl.NoDevice() {});
        stream.start();
    }

    /**
     * Takes a frame, and looks at it as a program does.
     *
     * @return its payload type
     * @throws IllegalStateException if none came
     */
    int take() {
        if (waiting == 0) {
            waiting = atOnce;
            receiver.want(atOnce);
        }
        return next();
    }

    private int next() {
        waiting--;
        return MadeUpReceiver.take(stream, PATIENCE, true);
    }

    /**
     * Ends it within a frame, as streams do, and takes what there is of that one. A container without a descriptor is
     * not given.
     *
     * @throws IllegalStateException if one of the frames before it did not come
     */
    void end() {
        receiver.wantLast();
        waiting++;
        while (waiting > 0) {
            next();
        }
        stream.stop();
        if (stream.waitFor(Duration.ZERO) instanceof WaitResult.Ok ok) {
            MadeUpReceiver.look(ok.composite(), true);
        }
    }

    @Override
    public void close() {
        stream.close();
    }
}
