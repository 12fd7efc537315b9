package io.peregrine.pvaccess;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import org.epics.pva.data.PVAData;
import org.epics.pva.data.PVAStructure;

/**
 * A process variable's value, encoded once for all clients. A copy, which the server makes for each subscription,
 * shares the bytes; an update gives it those of the newest frame, and says that all of it has changed.
 *
 * <p>The structure of the library would copy and compare the pixels for each client, not send a frame that equals the
 * one before, and forget fields that changed in a frame that a slow client skipped.
 */
final class NdArray extends PVAStructure {
    private final SendCounters counters;
    private volatile byte[] encoded;

    // By the lock of the server on this value.
    private boolean sentBefore;
    private boolean sent;

    NdArray(List<PVAData> type, byte[] encoded, SendCounters counters) {
        super("", NdArrayType.NAME, type);
        this.encoded = encoded;
        this.counters = counters;
    }

    @Override
    public NdArray cloneData() {
        NdArray copy = new NdArray(get(), encoded, counters);
        copy.setTypeID(getTypeID());
        return copy;
    }

    @Override
    public BitSet update(PVAStructure newer) throws Exception {
        encoded = ((NdArray) newer).encoded;
        if (sentBefore && !sent) {
            counters.skipped();
        }
        sent = false;
        BitSet all = new BitSet();
        all.set(0);
        return all;
    }

    @Override
    public void encode(ByteBuffer buffer) throws Exception {
        buffer.put(encoded);
        sentBefore = true;
        sent = true;
        counters.sent(encoded.length);
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
