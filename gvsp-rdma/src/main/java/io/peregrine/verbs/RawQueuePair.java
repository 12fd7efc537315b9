package io.peregrine.verbs;

import io.peregrine.nativeio.LibIbverbs;
import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.NativeUnavailableException;
import java.nio.ByteBuffer;

/** A queue pair for raw packets ({@code IBV_QPT_RAW_PACKET}), and its states. */
final class RawQueuePair {
    private static final int EPERM = 1;
    private static final int EINVAL = 22;

    private final RawDevice device;
    private final long address;
    private final ByteBuffer attributes = NativeMemory.allocate(VerbsLayout.QP_ATTR_BYTES);

    /**
     * What a queue pair has room for.
     *
     * @param sends sends that are posted at a time
     * @param sendPieces pieces of memory of one send
     * @param receives receives that are posted at a time
     * @param receivePieces pieces of memory of one receive
     */
    record Room(int sends, int sendPieces, int receives, int receivePieces) {}

    /**
     * Creates a queue pair, in its first state.
     *
     * @param completions takes the completions of sends and receives
     * @param cleanup destroys it
     */
    RawQueuePair(RawDevice device, RawCompletions completions, Room room, Cleanup cleanup) {
        this.device = device;
        ByteBuffer wanted = NativeMemory.allocate(VerbsLayout.QP_INIT_BYTES);
        wanted.putLong(VerbsLayout.QP_INIT_SEND_CQ, completions.address());
        wanted.putLong(VerbsLayout.QP_INIT_RECV_CQ, completions.address());
        wanted.putInt(VerbsLayout.QP_INIT_MAX_SEND_WR, room.sends());
        wanted.putInt(VerbsLayout.QP_INIT_MAX_SEND_SGE, room.sendPieces());
        wanted.putInt(VerbsLayout.QP_INIT_MAX_RECV_WR, room.receives());
        wanted.putInt(VerbsLayout.QP_INIT_MAX_RECV_SGE, room.receivePieces());
        wanted.putInt(VerbsLayout.QP_INIT_QP_TYPE, VerbsLayout.QPT_RAW_PACKET);
        address = cleanup.add(
                LibIbverbs.ibv_create_qp(device.domain(), NativeMemory.address(wanted)), LibIbverbs::ibv_destroy_qp);
        if (address == 0) {
            throw refused("no queue pair for raw packets of " + device.name(), Libc.errno());
        }
        ByteBuffer fields = NativeMemory.buffer(address, VerbsLayout.QP_BYTES_READ);
        if (fields.getLong(VerbsLayout.QP_CONTEXT) != device.context()
                || fields.getLong(VerbsLayout.QP_PD) != device.domain()) {
            throw RawDevice.unknownLayout("ibv_qp");
        }
    }

    /** The {@code ibv_qp}. */
    long address() {
        return address;
    }

    /** What a system says that refuses raw packets, with what to do. */
    static NativeUnavailableException refused(String what, int error) {
        String why = switch (error) {
            case EPERM, Libc.EACCES ->
                ". The right CAP_NET_RAW is missing: run as root, or give it to java" + " (setcap cap_net_raw+ep)";
            case EINVAL -> ". The adapter cannot do this, or the right CAP_NET_RAW is missing";
            default -> "";
        };
        return new NativeUnavailableException(what + ": " + Libc.text(error) + why, null);
    }

    /** Goes from the first state to that in which receives can be posted. */
    void initialize() {
        attributes.putInt(VerbsLayout.QP_ATTR_STATE, VerbsLayout.QPS_INIT);
        attributes.put(VerbsLayout.QP_ATTR_PORT_NUM, (byte) device.portNumber());
        int error = LibIbverbs.ibv_modify_qp(
                address, NativeMemory.address(attributes), VerbsLayout.QP_STATE_MASK | VerbsLayout.QP_PORT_MASK);
        if (error != 0) {
            throw refused("the queue pair for raw packets of " + device.name() + " cannot be prepared", error);
        }
    }

    /** Goes to another state. */
    void state(int state) {
        attributes.putInt(VerbsLayout.QP_ATTR_STATE, state);
        int error = LibIbverbs.ibv_modify_qp(address, NativeMemory.address(attributes), VerbsLayout.QP_STATE_MASK);
        if (error != 0) {
            throw Errors.failed(
                    "Moving the queue pair for raw packets of " + device.name() + " to state " + state, error);
        }
    }
}
