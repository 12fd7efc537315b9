package io.peregrine.verbs;

import io.peregrine.nativeio.NativeMemory;
import java.nio.ByteBuffer;

/** One {@code ibv_send_wr} with its {@code ibv_sge}, laid out once and filled for each work request. */
final class SendWork {
    private static final int SGE = VerbsLayout.SEND_WR_BYTES;
    private static final int BAD = SGE + VerbsLayout.SGE_BYTES;

    private final ByteBuffer memory = NativeMemory.allocate(BAD + 8);
    private final long address = NativeMemory.address(memory);

    SendWork() {
        memory.putLong(VerbsLayout.SEND_WR_SG_LIST, address + SGE);
        memory.putInt(VerbsLayout.SEND_WR_FLAGS, VerbsLayout.SEND_SIGNALED);
    }

    long address() {
        return address;
    }

    /** Where the driver leaves the address of a request that it did not take. */
    long badAddress() {
        return address + BAD;
    }

    /** Fills in what to send, or where to read into; a request of no bytes names no memory. */
    void fill(long number, int opcode, long localAddress, int lengthBytes, int localKey) {
        memory.putLong(VerbsLayout.SEND_WR_ID, number);
        memory.putInt(VerbsLayout.SEND_WR_NUM_SGE, lengthBytes == 0 ? 0 : 1);
        memory.putInt(VerbsLayout.SEND_WR_OPCODE, opcode);
        memory.putLong(SGE + VerbsLayout.SGE_ADDR, localAddress);
        memory.putInt(SGE + VerbsLayout.SGE_LENGTH, lengthBytes);
        memory.putInt(SGE + VerbsLayout.SGE_LKEY, localKey);
    }

    /** Fills in the immediate data, which travels in network order. */
    void immediate(int value) {
        memory.putInt(VerbsLayout.SEND_WR_IMM_DATA, VerbsLayout.networkOrder(value));
    }

    /** Fills in where to write, or where to read from. */
    void target(long remoteAddress, int remoteKey) {
        memory.putLong(VerbsLayout.SEND_WR_REMOTE_ADDR, remoteAddress);
        memory.putInt(VerbsLayout.SEND_WR_RKEY, remoteKey);
    }

    ByteBuffer memory() {
        return memory;
    }
}
