package io.peregrine.verbs;

import io.peregrine.nativeio.LibIbverbs;
import io.peregrine.nativeio.LibRdmaCm;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.PreparedCall;
import io.peregrine.nativeio.VerbsOps;
import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.SharedReceiveQueue;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The queue pair of a connection: its making, its states and the work that is posted to it. It is led through its
 * states here and not by the library, because only so the time that a peer waits when there is no receive can be set
 * before the first message. Under the lock of its connection, except for {@link #workEnded}.
 */
final class VerbsQueuePair {
    /** 0.64 ms (InfiniBand, table "RNR NAK timer field"); the kernel's default of 0 means 655 ms. */
    private static final byte MIN_RNR_TIMER = 12;

    private final VerbsTransport transport;
    private final long id;
    private final ConnectionSettings settings;
    private final VerbsCompletionQueue completions;
    private final Optional<VerbsSharedReceiveQueue> sharedReceives;
    private final WorkSlots sends;
    private final WorkSlots receives;
    private final SendWork sendWork = new SendWork();
    private final ReceiveWork receiveWork = new ReceiveWork();
    private long queuePair;
    private int number;
    private Optional<PreparedCall> sendCall = Optional.empty();
    private Optional<PreparedCall> receiveCall = Optional.empty();
    private int pathMtuBytes;
    /** Reads at a time, at most those of the settings and the device, and once connected those of the peer. */
    private int readsServed;

    private int readsAsked;

    /**
     * Prepares one, which is made later.
     *
     * @param id identifier of the connection, of the connection manager
     * @throws RdmaException if the settings name queues of another transport, or too long ones
     */
    VerbsQueuePair(VerbsTransport transport, long id, ConnectionSettings settings) {
        this.transport = transport;
        this.id = id;
        this.settings = settings;
        this.completions = own(settings.completions(), transport);
        this.sharedReceives = settings.sharedReceives().map(queue -> own(queue, transport));
        this.pathMtuBytes = transport.activeMtuBytes();
        this.readsServed = Math.min(settings.maxReads(), transport.maxReadsServed());
        this.readsAsked = Math.min(settings.maxReads(), transport.maxReadsAsked());
        this.sends = new WorkSlots(settings.sendDepth());
        this.receives = new WorkSlots(sharedReceives.isPresent() ? 0 : settings.receiveDepth());
        if (Math.max(settings.sendDepth(), settings.receiveDepth()) > transport.maxWork()) {
            throw new RdmaException(
                    "Queues on " + transport.deviceName() + " hold at most " + transport.maxWork() + " requests");
        }
    }

    private static VerbsCompletionQueue own(CompletionQueue queue, VerbsTransport transport) {
        if (queue instanceof VerbsCompletionQueue own && own.transport() == transport) {
            return own;
        }
        throw new RdmaException("The completion queue is of another transport");
    }

    private static VerbsSharedReceiveQueue own(SharedReceiveQueue queue, VerbsTransport transport) {
        if (queue instanceof VerbsSharedReceiveQueue own && own.transport() == transport) {
            return own;
        }
        throw new RdmaException("The shared receive queue is of another transport");
    }

    /** Makes it, ready for receives. */
    void make() {
        ByteBuffer attributes = NativeMemory.allocate(VerbsLayout.QP_INIT_BYTES)
                .putLong(VerbsLayout.QP_INIT_SEND_CQ, completions.queue())
                .putLong(VerbsLayout.QP_INIT_RECV_CQ, completions.queue())
                .putInt(VerbsLayout.QP_INIT_MAX_SEND_WR, settings.sendDepth())
                .putInt(VerbsLayout.QP_INIT_MAX_SEND_SGE, 1)
                .putInt(VerbsLayout.QP_INIT_QP_TYPE, VerbsLayout.QPT_RC)
                .putInt(VerbsLayout.QP_INIT_SQ_SIG_ALL, 1);
        if (sharedReceives.isPresent()) {
            attributes.putLong(VerbsLayout.QP_INIT_SRQ, sharedReceives.get().queue());
        } else {
            attributes.putInt(VerbsLayout.QP_INIT_MAX_RECV_WR, settings.receiveDepth());
            attributes.putInt(VerbsLayout.QP_INIT_MAX_RECV_SGE, 1);
        }
        queuePair = Errors.checkPointer(
                LibIbverbs.ibv_create_qp(transport.domain(), NativeMemory.address(attributes)),
                "Making a queue pair for " + settings.sendDepth() + " sends and " + settings.receiveDepth()
                        + " receives");
        ByteBuffer fields = NativeMemory.buffer(queuePair, VerbsLayout.QP_BYTES_READ);
        long context = transport.context();
        if (fields.getLong(VerbsLayout.QP_CONTEXT) != context
                || fields.getLong(VerbsLayout.QP_PD) != transport.domain()) {
            throw VerbsTransport.unknownLayout("ibv_qp");
        }
        number = fields.getInt(VerbsLayout.QP_NUM);
        sendCall = Optional.of(VerbsOps.postSend(context, queuePair, sendWork.address(), sendWork.badAddress()));
        receiveCall =
                Optional.of(VerbsOps.postReceive(context, queuePair, receiveWork.address(), receiveWork.badAddress()));
        modify(VerbsLayout.QPS_INIT);
    }

    /** Whether it is made, and not destroyed. */
    boolean exists() {
        return queuePair != 0;
    }

    /** Its address; 0 unless it {@link #exists}. */
    long address() {
        return queuePair;
    }

    int number() {
        return number;
    }

    int pathMtuBytes() {
        return pathMtuBytes;
    }

    int readsServed() {
        return readsServed;
    }

    int readsAsked() {
        return readsAsked;
    }

    boolean sharesReceives() {
        return sharedReceives.isPresent();
    }

    VerbsCompletionQueue completions() {
        return completions;
    }

    /** Takes it to the states in which it receives and sends, by what was agreed with the peer. */
    void becomeReady() {
        // Once more: the access rights are known only now.
        modify(VerbsLayout.QPS_INIT);
        modify(VerbsLayout.QPS_RTR);
        modify(VerbsLayout.QPS_RTS);
    }

    /** Work that is posted is flushed. */
    void flush() {
        modify(VerbsLayout.QPS_ERR);
    }

    /** Takes the queue pair to a state, with the connection manager's attributes where it has none. */
    private void modify(int target) {
        ByteBuffer attributes = NativeMemory.allocate(VerbsLayout.QP_ATTR_BYTES + 8);
        long address = NativeMemory.address(attributes);
        int mask = VerbsLayout.QP_STATE_MASK;
        attributes.putInt(VerbsLayout.QP_ATTR_STATE, target);
        if (target != VerbsLayout.QPS_ERR) {
            Errors.check(
                    LibRdmaCm.rdma_init_qp_attr(id, address, address + VerbsLayout.QP_ATTR_BYTES),
                    "Reading the queue pair's attributes");
            mask = attributes.getInt(VerbsLayout.QP_ATTR_BYTES);
        }
        if (target == VerbsLayout.QPS_RTR) {
            pathMtuBytes = VerbsLayout.mtuBytes(attributes.getInt(VerbsLayout.QP_ATTR_PATH_MTU));
            readsServed = limit(attributes, VerbsLayout.QP_ATTR_MAX_DEST_RD_ATOMIC, readsServed);
            attributes.put(VerbsLayout.QP_ATTR_MIN_RNR_TIMER, MIN_RNR_TIMER);
            mask |= VerbsLayout.QP_MIN_RNR_TIMER_MASK;
        } else if (target == VerbsLayout.QPS_RTS) {
            readsAsked = limit(attributes, VerbsLayout.QP_ATTR_MAX_RD_ATOMIC, readsAsked);
            attributes.put(VerbsLayout.QP_ATTR_TIMEOUT, (byte) settings.ackTimeoutExponent());
            attributes.put(VerbsLayout.QP_ATTR_RETRY_CNT, (byte) settings.retryCount());
            attributes.put(VerbsLayout.QP_ATTR_RNR_RETRY, (byte) settings.rnrRetryCount());
            mask |= VerbsLayout.QP_TIMEOUT_MASK | VerbsLayout.QP_RETRY_CNT_MASK | VerbsLayout.QP_RNR_RETRY_MASK;
        }
        Errors.checkNumber(LibIbverbs.ibv_modify_qp(queuePair, address, mask), "Changing the state of the queue pair");
    }

    /** Lowers an attribute, which comes from the peer, to what is possible here. */
    private static int limit(ByteBuffer attributes, int offset, int most) {
        int value = Math.min(Byte.toUnsignedInt(attributes.get(offset)), most);
        attributes.put(offset, (byte) value);
        return value;
    }

    void destroy() {
        LibIbverbs.ibv_destroy_qp(queuePair);
        queuePair = 0;
    }

    // ---- Work

    /**
     * Posts a receive.
     *
     * @throws RdmaException if receives are shared, or the queue is full
     */
    void postReceive(long workId, MemoryRegion region, long offsetBytes, int lengthBytes) {
        VerbsMemoryRegion own = VerbsMemoryRegion.of(region, transport, offsetBytes, lengthBytes);
        if (sharedReceives.isPresent()) {
            throw new RdmaException("The connection takes its receives from a shared queue: post there");
        }
        long slot = receives.take(workId, WorkSlots.RECEIVE);
        if (slot < 0) {
            throw new RdmaException("The receive queue is full");
        }
        receiveWork.fill(slot, own.address() + offsetBytes, lengthBytes, own.localKey());
        int error = receiveCall.orElseThrow().invoke();
        if (error != 0) {
            receives.release(slot);
            throw Errors.failed("Posting a receive", Math.abs(error));
        }
    }

    /**
     * Posts a send, write or read.
     *
     * @param opcode of the work request
     * @param operation of {@link WorkSlots}
     * @throws RdmaException if the queue is full
     */
    void post(
            int opcode,
            int operation,
            long workId,
            MemoryRegion region,
            long offsetBytes,
            int lengthBytes,
            long remoteAddress,
            int remoteKey,
            int immediate) {
        VerbsMemoryRegion own = VerbsMemoryRegion.of(region, transport, offsetBytes, lengthBytes);
        long slot = sends.take(workId, operation);
        if (slot < 0) {
            throw new RdmaException("The send queue is full");
        }
        sendWork.fill(slot, opcode, own.address() + offsetBytes, lengthBytes, own.localKey());
        sendWork.immediate(immediate);
        sendWork.target(remoteAddress, remoteKey);
        int error = sendCall.orElseThrow().invoke();
        if (error != 0) {
            sends.release(slot);
            throw Errors.failed("Posting a send", Math.abs(error));
        }
    }

    /**
     * Gives back the slot of work that ended, on the polling thread.
     *
     * @param slot the number that the work had on its way
     * @return the id that the work was posted with
     */
    long workEnded(long slot) {
        if (WorkSlots.operation(slot) != WorkSlots.RECEIVE) {
            return sends.release(slot);
        }
        return sharedReceives.isPresent() ? sharedReceives.get().workEnded(slot) : receives.release(slot);
    }
}
