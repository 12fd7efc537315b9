package io.peregrine.verbs;

import io.peregrine.nativeio.NativeMemory;
import java.nio.ByteBuffer;

/** One {@code ibv_recv_wr} with its {@code ibv_sge}, laid out once and filled for each receive. */
final class ReceiveWork {
    private static final int SGE = VerbsLayout.RECV_WR_BYTES;
    private static final int BAD = SGE + VerbsLayout.SGE_BYTES;

    private final ByteBuffer memory = NativeMemory.allocate(BAD + 8);
    private final long address = NativeMemory.address(memory);

    ReceiveWork() {
        memory.putLong(VerbsLayout.RECV_WR_SG_LIST, address + SGE);
    }

    long address() {
        return address;
    }

    /** Where the driver leaves the address of a request that it did not take. */
    long badAddress() {
        return address + BAD;
    }

    /** Fills in where to receive; a receive of no bytes names no memory. */
    void fill(long number, long localAddress, int lengthBytes, int localKey) {
        memory.putLong(VerbsLayout.RECV_WR_ID, number);
        memory.putInt(VerbsLayout.RECV_WR_NUM_SGE, lengthBytes == 0 ? 0 : 1);
        memory.putLong(SGE + VerbsLayout.SGE_ADDR, localAddress);
        memory.putInt(SGE + VerbsLayout.SGE_LENGTH, lengthBytes);
        memory.putInt(SGE + VerbsLayout.SGE_LKEY, localKey);
    }

    ByteBuffer memory() {
        return memory;
    }
}
