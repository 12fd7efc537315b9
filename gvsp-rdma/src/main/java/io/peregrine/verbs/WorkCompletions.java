package io.peregrine.verbs;

import io.peregrine.nativeio.NativeMemory;
import io.peregrine.rdma.Completion;
import io.peregrine.rdma.RdmaConnection;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A batch of {@code ibv_wc}, seen one after the other. */
final class WorkCompletions implements Completion {
    private static final Status[] STATUSES = {
        Status.SUCCESS, // IBV_WC_SUCCESS
        Status.LOCAL_ERROR, // LOC_LEN_ERR
        Status.LOCAL_ERROR, // LOC_QP_OP_ERR
        Status.LOCAL_ERROR, // LOC_EEC_OP_ERR
        Status.LOCAL_ERROR, // LOC_PROT_ERR
        Status.FLUSHED, // WR_FLUSH_ERR
        Status.OTHER_ERROR, // MW_BIND_ERR
        Status.OTHER_ERROR, // BAD_RESP_ERR
        Status.LOCAL_ERROR, // LOC_ACCESS_ERR
        Status.REMOTE_INVALID_REQUEST, // REM_INV_REQ_ERR
        Status.REMOTE_ACCESS_ERROR, // REM_ACCESS_ERR
        Status.REMOTE_OPERATION_ERROR, // REM_OP_ERR
        Status.RETRIES_EXCEEDED, // RETRY_EXC_ERR
        Status.RECEIVER_NOT_READY, // RNR_RETRY_EXC_ERR
    };

    private final ByteBuffer memory;
    private final long address;
    private int base;
    private long workId;
    private Optional<? extends RdmaConnection> connection = Optional.empty();

    WorkCompletions(int entries) {
        memory = NativeMemory.allocate(entries * VerbsLayout.WC_BYTES);
        address = NativeMemory.address(memory);
    }

    long address() {
        return address;
    }

    ByteBuffer memory() {
        return memory;
    }

    /** Looks at one of the batch. */
    void select(int index) {
        base = index * VerbsLayout.WC_BYTES;
    }

    /** The number that the work was posted with. */
    long number() {
        return memory.getLong(base + VerbsLayout.WC_WR_ID);
    }

    int queuePairNumber() {
        return memory.getInt(base + VerbsLayout.WC_QP_NUM);
    }

    int rawStatus() {
        return memory.getInt(base + VerbsLayout.WC_STATUS);
    }

    int vendorError() {
        return memory.getInt(base + VerbsLayout.WC_VENDOR_ERR);
    }

    void resolve(Optional<? extends RdmaConnection> owner, long id) {
        connection = owner;
        workId = id;
    }

    @Override
    public long workId() {
        return workId;
    }

    @Override
    public Status status() {
        int status = rawStatus();
        return status >= 0 && status < STATUSES.length ? STATUSES[status] : Status.OTHER_ERROR;
    }

    @Override
    public Operation operation() {
        int operation = WorkSlots.operation(number());
        if (operation == WorkSlots.SEND) {
            return Operation.SEND;
        }
        if (operation == WorkSlots.WRITE) {
            return Operation.WRITE;
        }
        if (operation == WorkSlots.READ) {
            return Operation.READ;
        }
        boolean written =
                rawStatus() == 0 && memory.getInt(base + VerbsLayout.WC_OPCODE) == VerbsLayout.WC_RECV_RDMA_WITH_IMM;
        return written ? Operation.RECEIVE_WRITE : Operation.RECEIVE;
    }

    @Override
    public RdmaConnection connection() {
        return connection.orElseThrow();
    }

    @Override
    public long lengthBytes() {
        boolean received = WorkSlots.operation(number()) == WorkSlots.RECEIVE && rawStatus() == 0;
        return received ? Integer.toUnsignedLong(memory.getInt(base + VerbsLayout.WC_BYTE_LEN)) : 0;
    }

    @Override
    public boolean hasImmediate() {
        return WorkSlots.operation(number()) == WorkSlots.RECEIVE
                && rawStatus() == 0
                && (memory.getInt(base + VerbsLayout.WC_FLAGS) & VerbsLayout.WC_WITH_IMM) != 0;
    }

    @Override
    public int immediate() {
        return VerbsLayout.networkOrder(memory.getInt(base + VerbsLayout.WC_IMM_DATA));
    }
}
