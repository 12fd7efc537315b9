package io.peregrine.virtualcamera;

import io.peregrine.rdma.Completion;
import io.peregrine.rdma.CompletionHandler;
import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.ConnectionRequest;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RdmaTransport;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;

/**
 * One connection with a host: takes its announcements, posts blocks. Made and accepted by the thread that listens; from
 * then on one thread uses it, apart from {@link #wakeUp} and {@link #requestEnd}.
 */
final class RdmaLink implements AutoCloseable {
    /** Most flow sets that a host may say it has. */
    static final int MAX_DEPTH = 8192;
    /** Blocks on their way at a time. */
    static final int SLOTS = 4;

    private static final int SPARE_RECEIVES = 4;
    private static final int HEADER_BYTES = 8;
    private static final int FLOW_BYTES = 24;
    private static final long RECEIVE = 1L << 62;

    /** The outcome of a block. */
    interface Outcome {
        void ended(boolean whole);
    }

    private final int mode;
    private final List<GenDcLayout.FlowRange> flows;
    private final int messageBytes;
    private final CompletionQueue completions;
    private final MemoryRegion announcementMemory;
    private final ByteBuffer announcementBytes;
    private final RdmaConnection connection;
    private final Outcome outcome;
    private final CompletionHandler handler = this::onCompletion;
    private RdmaSlot[] slots = new RdmaSlot[0];

    private final int capacity;
    private final int[] setIds;
    private final long[] addresses;
    private final long[] lengths;
    private final int[] keys;
    private int first;
    private int announced;

    private int violation;
    private boolean lost;
    private volatile boolean established;
    private volatile boolean endRequested;
    private boolean closed;

    RdmaLink(
            RdmaTransport transport,
            ConnectionRequest request,
            RdmaGreeting greeting,
            List<GenDcLayout.FlowRange> flows,
            Outcome outcome) {
        this.mode = greeting.mode();
        this.flows = flows;
        this.outcome = outcome;
        int announcedFlows = mode == RdmaGreeting.MODE_WRITE ? flows.size() : 0;
        messageBytes = HEADER_BYTES + FLOW_BYTES * announcedFlows;
        capacity = Math.toIntExact(greeting.receiveDepth()) + SPARE_RECEIVES;
        setIds = new int[capacity];
        addresses = new long[capacity * announcedFlows];
        lengths = new long[addresses.length];
        keys = new int[addresses.length];
        announcementBytes = ByteBuffer.allocateDirect(capacity * messageBytes).order(ByteOrder.LITTLE_ENDIAN);
        int sends = SLOTS * (flows.size() + 1);
        announcementMemory = transport.register(RdmaMemory.of(announcementBytes));
        CompletionQueue queue = null;
        RdmaConnection made = null;
        try {
            queue = transport.completionQueue(CompletionQueueSettings.of(sends + capacity));
            made = request.prepare(ConnectionSettings.of(queue, sends, capacity));
            for (int i = 0; i < capacity; i++) {
                made.postReceive(RECEIVE | i, announcementMemory, (long) i * messageBytes, messageBytes);
            }
        } catch (RdmaException e) {
            if (made != null) {
                made.close();
            }
            if (queue != null) {
                queue.close();
            }
            announcementMemory.close();
            throw e;
        }
        completions = queue;
        connection = made;
    }

    void accept(byte[] privateData, Duration timeout) {
        connection.accept(privateData, timeout);
        established = true;
    }

    boolean established() {
        return established;
    }

    /** Asks the thread that uses the link to end it. Any thread. */
    void requestEnd() {
        endRequested = true;
    }

    /** Whether the link is of no use any more, for whatever reason. Any thread. */
    boolean over() {
        return endRequested || (established && connection.state() != RdmaConnection.State.CONNECTED);
    }

    /** The GEV status for what the host did wrong; 0 for nothing. */
    int violation() {
        return violation;
    }

    void violate(int status) {
        violation = status;
        lost = true;
    }

    boolean lost() {
        return lost || over();
    }

    int announced() {
        return announced;
    }

    boolean carries(GenDcLayout layout) {
        return flows.equals(layout.flowRanges());
    }

    void use(RdmaSlot[] newSlots) {
        slots = newSlots;
    }

    /** Makes a waiting {@link #await} return. Any thread, at any time. */
    synchronized void wakeUp() {
        if (!closed) {
            completions.wakeUp();
        }
    }

    void await(long deadlineNanos) {
        completions.await(deadlineNanos);
    }

    /** Takes what has completed: announcements of the host and work of ours. */
    void poll() {
        int taken = 1;
        while (!lost && taken > 0) {
            taken = completions.poll(handler);
        }
    }

    private void onCompletion(Completion completion) {
        long id = completion.workId();
        boolean success = completion.status() == Completion.Status.SUCCESS;
        if ((id & RECEIVE) == 0) {
            complete(slots[(int) id], success);
        } else if (!success) {
            lost = true;
        } else if (!lost) {
            int index = (int) (id & ~RECEIVE);
            if (completion.operation() != Completion.Operation.RECEIVE
                    || !announce(index * messageBytes, completion.lengthBytes())) {
                violate(Gvcp.INVALID_PARAMETER);
                return;
            }
            try {
                connection.postReceive(id, announcementMemory, (long) index * messageBytes, messageBytes);
            } catch (RdmaException e) {
                lost = true;
            }
        }
    }

    private void complete(RdmaSlot slot, boolean success) {
        if (!success) {
            slot.broken = true;
            lost = true;
        }
        slot.pending--;
        if (slot.pending == 0) {
            outcome.ended(!slot.broken);
        }
    }

    /** Queues the flow set that a message announces; false if the host must not announce it. */
    private boolean announce(int at, long lengthBytes) {
        int announcedFlows = mode == RdmaGreeting.MODE_WRITE ? flows.size() : 0;
        if (lengthBytes != messageBytes
                || announced == capacity
                || Short.toUnsignedInt(announcementBytes.getShort(at + 4)) != announcedFlows) {
            return false;
        }
        int setId = announcementBytes.getInt(at);
        for (int i = 0; i < announced; i++) {
            if (setIds[(first + i) % capacity] == setId) {
                return false;
            }
        }
        int entry = (first + announced) % capacity;
        for (int flow = 0; flow < announcedFlows; flow++) {
            int from = at + HEADER_BYTES + flow * FLOW_BYTES;
            long address = announcementBytes.getLong(from);
            long length = announcementBytes.getLong(from + 16);
            // Addresses are unsigned; a flow must not run over the end of them.
            if (length < flows.get(flow).bytes() || Long.compareUnsigned(address + length - 1, address) < 0) {
                return false;
            }
            int place = entry * announcedFlows + flow;
            addresses[place] = address;
            keys[place] = announcementBytes.getInt(from + 8);
            lengths[place] = length;
        }
        setIds[entry] = setId;
        announced++;
        return true;
    }

    /**
     * Posts the block in a slot into the flow set announced first, which is used up by that.
     *
     * @param index index of the slot
     * @param blockId block id
     * @param dropped blocks dropped so far
     * @param faults what to do wrong
     */
    void post(int index, long blockId, long dropped, FaultPlan.Rdma faults) {
        RdmaSlot slot = slots[index];
        int entry = first;
        first = (first + 1) % capacity;
        announced--;
        slot.broken = false;
        slot.pending = 1; // Ours until all is posted, so that the block cannot end before.
        try {
            if (mode == RdmaGreeting.MODE_WRITE) {
                postWrites(index, slot, entry, blockId, dropped, faults);
            } else {
                int count = faults.vanishes(blockId) ? flows.size() / 2 : flows.size();
                for (int flow = 0; flow < count; flow++) {
                    GenDcLayout.FlowRange range = flows.get(flow);
                    connection.postSend(index, slot.region, range.blockOffset(), range.bytes());
                    slot.pending++;
                }
            }
        } catch (RdmaException e) {
            lost = true;
            slot.broken = true;
        }
        slot.broken |= faults.vanishes(blockId);
        complete(slot, true);
    }

    private void postWrites(int index, RdmaSlot slot, int entry, long blockId, long dropped, FaultPlan.Rdma faults) {
        boolean vanishes = faults.vanishes(blockId);
        boolean error = faults.reportsError(blockId);
        slot.done.clear().position(32);
        long sum = 0;
        for (int flow = 0; flow < flows.size(); flow++) {
            GenDcLayout.FlowRange range = flows.get(flow);
            boolean last = flow == flows.size() - 1;
            int bytes = last && (error || vanishes) ? range.bytes() / 2 : range.bytes();
            int place = entry * flows.size() + flow;
            connection.postWrite(index, slot.region, range.blockOffset(), bytes, addresses[place], keys[place]);
            slot.pending++;
            long reported = faults.reportsWrongLength(blockId) ? lengths[place] + 1 : bytes;
            slot.done.putLong(reported);
            sum += reported;
        }
        if (vanishes) {
            return;
        }
        slot.done
                .putInt(0, faults.namesWrongSet(blockId) ? setIds[entry] ^ 0x4000_0000 : setIds[entry])
                .putShort(4, (short) (error ? Gvcp.ERROR : Gvcp.SUCCESS))
                .putShort(6, (short) flows.size())
                .putLong(8, blockId)
                .putLong(16, sum)
                .putLong(24, dropped);
        connection.postSend(index, slot.region, slot.doneOffset, slot.done.position());
        slot.pending++;
    }

    /** Ends the connection; every block on its way has ended afterwards. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        lost = true;
        connection.disconnect();
        int taken = 1;
        while (taken > 0) {
            taken = completions.poll(handler);
        }
        connection.close();
        for (RdmaSlot slot : slots) {
            if (slot.pending > 0) {
                slot.pending = 0;
                outcome.ended(false);
            }
        }
        completions.close();
        announcementMemory.close();
    }
}
