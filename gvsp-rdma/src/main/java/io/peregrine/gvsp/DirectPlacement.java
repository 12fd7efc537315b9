package io.peregrine.gvsp;

import io.peregrine.stream.engine.FlowSet;
import java.nio.ByteBuffer;

/**
 * What a receiver adds that lets an adapter write payload into flow sets before it is known which packet that will be.
 * What lands in a wrong place is moved. All methods in the thread that receives.
 */
interface DirectPlacement {
    /**
     * Takes over a write into a flow set if the adapter may still write there: it is done when the adapter is finished.
     *
     * @param flow flow of the flow set
     * @param destination where the data belongs in it
     * @param packet buffer with the data
     * @param data index of its first byte
     * @param size number of bytes
     * @return whether the write was taken over
     */
    boolean defer(FlowSet set, int flow, long destination, ByteBuffer packet, int data, int size);

    /** Whether something may still be written into a flow set. */
    boolean writesInto(FlowSet set);

    /**
     * Takes back what the adapter was given to write into. Afterwards nothing is written into flow sets until new
     * packets arrive; packets that arrive meanwhile may be lost.
     *
     * @param into takes the packets that had arrived
     */
    void recall(PacketSink into);

    /** Flow sets that were reserved by {@link PacketSink#reserve} are no longer; after {@link #recall}. */
    void forget();
}
