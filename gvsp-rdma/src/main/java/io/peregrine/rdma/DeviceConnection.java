package io.peregrine.rdma;

import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import io.peregrine.stream.RdmaMode;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.StreamCounters;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connection to a device, made and lost any number of times: announces flow sets, and hands what completes to
 * {@link RdmaBlocks}. Guarded by the lock of its source.
 */
final class DeviceConnection implements CompletionPort.Handler, AutoCloseable {
    private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int MAX_POSTED = 32768;
    /** Messages that may be on their way beyond one for each flow set. */
    private static final int SPARE_MESSAGES = 4;

    /** Of work ids; the topmost bit is the {@link CompletionPort}'s. */
    private static final long KIND_SEND = 1L << 62;

    private static final int SET_SHIFT = 32;

    private final RdmaTransport transport;
    private final RdmaStreamSettings settings;
    private final RdmaMode mode;
    private final GvrspMapping mapping;
    private final AnnouncedMemory memory;
    private final RdmaBlocks blocks;
    private final StreamCounters counters;
    private final ReentrantLock state;
    private final int flowCount;
    private final int flowReceives;
    private final int sendDepth;
    private final CompletionPort port;

    private @Nullable RdmaConnection connection;
    private int postedReceives;
    private int postedSends;
    private @Nullable RdmaException loss;
    private volatile int pathMtuBytes;

    DeviceConnection(
            RdmaTransport transport,
            RdmaStreamSettings settings,
            RdmaMode mode,
            GvrspMapping mapping,
            AnnouncedMemory memory,
            RdmaBlocks blocks,
            StreamCounters counters,
            ReentrantLock state,
            Optional<RdmaStreamGroup> group) {
        this.transport = transport;
        this.settings = settings;
        this.mode = mode;
        this.mapping = mapping;
        this.memory = memory;
        this.blocks = blocks;
        this.counters = counters;
        this.state = state;
        flowCount = memory.flowCount();
        int sets = memory.setCount();
        int messageBytes = mapping.messageBytes(mode, flowCount);
        long receives = messageBytes == 0 ? (long) sets * flowCount : 0;
        if (receives > MAX_POSTED) {
            throw new RdmaException(sets + " flow sets of " + flowCount + " flows need " + receives
                    + " receives, more than " + MAX_POSTED + ": use fewer flow sets");
        }
        flowReceives = (int) receives;
        sendDepth = Math.min(MAX_POSTED, 2 * sets + SPARE_MESSAGES);
        port = group.isPresent()
                ? group.get().join(this, state, sets, messageBytes)
                : new DedicatedCompletionPort(
                        transport,
                        settings,
                        this,
                        flowReceives + sendDepth,
                        messageBytes == 0 ? 0 : sets + SPARE_MESSAGES,
                        messageBytes);
    }

    /** Payload bytes a packet, as agreed last; 0 before the first connection. Any thread. */
    int pathMtuBytes() {
        return pathMtuBytes;
    }

    /** Whether there is a connection, working or not. */
    boolean open() {
        return connection != null;
    }

    /** Why the connection is lost; null while it works. */
    @Nullable
    RdmaException loss() {
        return loss;
    }

    /**
     * Connects. The lock is free meanwhile, as the thread of a group must not wait for a device that does not answer.
     *
     * @param containerBytes bytes that all flows of a flow set hold
     */
    void connect(GvrspSession session, long containerBytes) {
        loss = null;
        blocks.connected();
        RdmaConnection made = transport.prepare(
                session.endpoint(),
                port.settings(sendDepth, flowReceives).withRetries(settings.ackTimeoutExponent(), 7, 7));
        connection = made;
        port.attach(made);
        byte[] request = mapping.requestPrivateData(session, flowCount, memory.setCount());
        byte[] reply;
        state.unlock();
        try {
            reply = made.connect(request, settings.connectTimeout());
        } catch (ConnectionRejectedException e) {
            throw mapping.explain(e);
        } finally {
            state.lock();
        }
        long offered = mapping.parseReply(reply);
        if (offered != containerBytes) {
            throw new RdmaException("The device sends containers of " + offered + " bytes, but the flow sets hold "
                    + containerBytes + ": its format changed, start again");
        }
        pathMtuBytes = made.pathMtuBytes();
    }

    /** Ends the connection; what completed before its end is still handled. */
    void drop() {
        if (connection == null) {
            return;
        }
        boolean connected = connection.state() != RdmaConnection.State.PREPARED;
        connection.disconnect();
        long deadline = System.nanoTime() + FLUSH_NANOS;
        while (connected
                && port.postedReceives() + postedReceives + postedSends > 0
                && System.nanoTime() - deadline < 0) {
            if (port.poll() == 0) {
                port.await(deadline);
            }
        }
        if (connected) {
            port.settle(deadline);
        }
        connection.close();
        connection = null;
        port.detach();
        postedReceives = 0;
        postedSends = 0;
    }

    /** The connection is of no use any more; the first reason counts. */
    void lose(RdmaException cause) {
        if (loss == null) {
            loss = cause;
            port.wake();
        }
    }

    private RdmaException reasonOfEnd() {
        return connection.failure().orElseGet(() -> new RdmaException("The device ended the RDMA connection"));
    }

    // ---- announcing

    /** Announces every flow set that is free, as far as messages may be posted, if that is due. */
    void announceFree() {
        if (blocks.announcementDue()) {
            announceAll();
        }
    }

    private void announceAll() {
        blocks.announcingBegins();
        FlowSet set = nextToAnnounce();
        while (set != null) {
            announce(set);
            set = nextToAnnounce();
        }
        blocks.announcingEnds();
    }

    private @Nullable FlowSet nextToAnnounce() {
        return loss == null && postedSends < sendDepth ? blocks.nextFree() : null;
    }

    private void announce(FlowSet set) {
        int id = set.index();
        // Before posting: a flow set that is posted in part comes back with the connection's end.
        blocks.announced(set);
        try {
            if (mode == RdmaMode.SEND) {
                for (int flow = 0; flow < flowCount; flow++) {
                    memory.postReceive(connection, ((long) id << SET_SHIFT) | flow, id, flow);
                    postedReceives++;
                }
            }
            memory.postAnnouncement(connection, KIND_SEND | id, id);
            postedSends++;
        } catch (RdmaException e) {
            lose(connection.state() == RdmaConnection.State.CONNECTED ? e : reasonOfEnd());
        }
    }

    // ---- completions

    /** Handles what has completed, and finds out whether the connection has ended. */
    int poll() {
        int count = port.poll();
        if (loss == null && connection.state() != RdmaConnection.State.CONNECTED) {
            // The state may be known before the completions that came with it.
            port.settle(System.nanoTime() + FLUSH_NANOS);
            lose(reasonOfEnd());
        }
        return count;
    }

    /** Waits until there may be something to do. */
    void await(long deadlineNanos) {
        port.await(deadlineNanos);
    }

    /** A flow set is free again. Any thread. */
    void returned() {
        if (blocks.returned()) {
            wake();
        }
    }

    @Override
    public boolean mustAct() {
        return blocks.announcementDue();
    }

    /** Makes a waiting {@link #await} return. Any thread. */
    void wake() {
        port.wake();
    }

    @Override
    public void onCompletion(Completion completion) {
        long workId = completion.workId();
        boolean send = (workId & KIND_SEND) != 0;
        if (send) {
            postedSends--;
        } else {
            postedReceives--;
        }
        if (completion.status() != Status.SUCCESS) {
            onError(completion.status(), send);
        } else if (!send && received(completion)) {
            mapping.onFlow((int) (workId >>> SET_SHIFT), (int) workId, flowCount, completion.lengthBytes(), blocks);
            checkBreach();
        }
    }

    @Override
    public void onMessage(Completion completion, ByteBuffer message) {
        if (completion.status() != Status.SUCCESS) {
            onError(completion.status(), false);
        } else if (received(completion)) {
            mapping.onMessage(message, (int) Math.min(completion.lengthBytes(), Integer.MAX_VALUE), flowCount, blocks);
            checkBreach();
        }
    }

    /** Whether what was received is a message that can be believed. */
    private boolean received(Completion completion) {
        if (blocks.breach() != null) {
            return false;
        }
        counters.increment(Counter.MESSAGES_RECEIVED);
        if (completion.operation() != Operation.RECEIVE) {
            blocks.broken("it used up a receive with a write");
            checkBreach();
            return false;
        }
        return true;
    }

    private void checkBreach() {
        if (blocks.breach() != null) {
            lose(new RdmaException("The device broke the protocol: " + blocks.breach()));
        }
    }

    private void onError(Status ended, boolean send) {
        if (ended == Status.FLUSHED) {
            return;
        }
        counters.increment(Counter.COMPLETION_ERRORS);
        lose(new RdmaException((send ? "Announcing a flow set" : "Receiving") + " ended with " + ended
                + (ended == Status.LOCAL_ERROR && !send
                        ? ": the device sent more than a flow holds, or more than was announced"
                        : connection.failure().map(e -> ": " + e.getMessage()).orElse(""))));
    }

    @Override
    public void close() {
        port.close();
    }
}
