package io.peregrine.rdma;

import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.End;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.RdmaException;
import io.peregrine.stream.RdmaMode;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamChannel;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.stream.engine.StreamDiagnosis;
import io.peregrine.stream.engine.StreamEngine;
import io.peregrine.stream.engine.StreamSource;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A stream that comes by RDMA: flow sets are registered once and announced to the device whenever they are free; the
 * device fills them, and a completion tells when.
 *
 * <p>A broken connection gives back everything that was announced: a block of which a part arrived is delivered as
 * incomplete, all else is free. It is made again by the {@linkplain ReconnectPolicy policy} while the stream runs; when
 * that is used up, {@link #failure()} tells the cause.
 */
public final class RdmaStreamChannel implements StreamChannel {
    private static final System.Logger LOG = System.getLogger(RdmaStreamChannel.class.getName());

    /** GenDC container, as in GVSP leaders (GigE Vision 2.2). */
    private static final int PAYLOAD_GENDC = 0x000B;

    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int MOST_POSTED = 32768;
    /** Messages that may be on their way beyond one for each flow set. */
    private static final int SPARE_MESSAGES = 4;
    /** Larger steps of the block id are a new beginning rather than blocks that were lost. */
    private static final long LARGEST_GAP = 1L << 32;

    /** Of work ids; the topmost bit is the {@link CompletionPort}'s. */
    private static final long KIND_SEND = 1L << 62;

    private static final int SET_SHIFT = 32;

    private final RdmaStreamSettings settings;
    private final RdmaTransport transport;
    private final FlowSetPool pool;
    private final RdmaMode mode;
    private final GvrspMapping mapping;
    private final GvrspControl control;
    private final StreamCounters statistics = new StreamCounters();
    private final StreamEngine engine;
    private final Source source;
    private final AtomicBoolean controlOpen = new AtomicBoolean();

    /** Held while the device is asked what it dropped, and while that is begun or ended. */
    private final ReentrantLock asking = new ReentrantLock();
    /** Guarded by {@link #asking}. */
    private boolean askable;

    private long askedAt;
    private volatile int pathMtuBytes;
    private volatile RdmaException lastLoss;

    private RdmaStreamChannel(
            String name,
            RdmaStreamSettings settings,
            RdmaTransport transport,
            FlowSetPool pool,
            RdmaMode mode,
            GvrspMapping mapping,
            GvrspControl control,
            Optional<RdmaStreamGroup> group) {
        this.settings = settings;
        this.transport = transport;
        this.pool = pool;
        this.mode = mode;
        this.mapping = mapping;
        this.control = control;
        engine = new StreamEngine(name, pool);
        source = new Source(group);
        engine.attach(source);
    }

    /**
     * Registers the flow sets of a pool for a stream. The connection is made by {@link #start()}.
     *
     * @param name what the receiver thread is named after, for example the device's address
     * @param settings polling, times, what to do when the connection breaks
     * @param transport open transport; stays the caller's, and open longer than the channel
     * @param pool flow sets to fill
     * @param mode how bytes come
     * @param mapping the language of the device
     * @param control the part of the stream that goes by registers
     * @return the channel, not running
     * @throws RdmaException if the memory cannot be registered, or the pool is too large
     */
    public static RdmaStreamChannel open(
            String name,
            RdmaStreamSettings settings,
            RdmaTransport transport,
            FlowSetPool pool,
            RdmaMode mode,
            GvrspMapping mapping,
            GvrspControl control) {
        return open(name, settings, transport, pool, mode, mapping, control, Optional.empty());
    }

    /**
     * Registers the flow sets of a pool for a stream whose work completes together with that of others.
     *
     * @param name what the receiver thread is named after, for example the device's address
     * @param settings times, what to do when the connection breaks
     * @param group what the stream becomes a member of until it is closed
     * @param pool flow sets to fill
     * @param mapping the language of the device
     * @param control the part of the stream that goes by registers
     * @return the channel, not running; it comes by {@link RdmaMode#WRITE}
     * @throws RdmaException if the memory cannot be registered, or the group is full
     */
    public static RdmaStreamChannel open(
            String name,
            RdmaStreamSettings settings,
            RdmaStreamGroup group,
            FlowSetPool pool,
            GvrspMapping mapping,
            GvrspControl control) {
        return open(name, settings, group.transport(), pool, RdmaMode.WRITE, mapping, control, Optional.of(group));
    }

    private static RdmaStreamChannel open(
            String name,
            RdmaStreamSettings settings,
            RdmaTransport transport,
            FlowSetPool pool,
            RdmaMode mode,
            GvrspMapping mapping,
            GvrspControl control,
            Optional<RdmaStreamGroup> group) {
        RdmaStreamChannel channel = new RdmaStreamChannel(
                Objects.requireNonNull(name, "name"),
                Objects.requireNonNull(settings, "settings"),
                Objects.requireNonNull(transport, "transport"),
                Objects.requireNonNull(pool, "pool"),
                Objects.requireNonNull(mode, "mode"),
                Objects.requireNonNull(mapping, "mapping"),
                Objects.requireNonNull(control, "control"),
                group);
        boolean done = false;
        try {
            channel.source.register();
            done = true;
            return channel;
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    /** How bytes come. */
    public RdmaMode mode() {
        return mode;
    }

    /** Payload bytes a packet as agreed with the device; empty before the first start. */
    public OptionalInt pathMtuBytes() {
        int value = pathMtuBytes;
        return value == 0 ? OptionalInt.empty() : OptionalInt.of(value);
    }

    /** Why the connection was lost the last time, also when it was made again. */
    public Optional<RdmaException> lastLoss() {
        return Optional.ofNullable(lastLoss);
    }

    /**
     * Prepares the device, connects, and announces every free flow set.
     *
     * @throws RdmaException if the device cannot be connected
     */
    @Override
    public void start() {
        engine.start();
    }

    @Override
    public void stop() {
        try {
            engine.stop();
        } finally {
            closeControl();
        }
    }

    @Override
    public void abort() {
        try {
            engine.abort();
        } finally {
            closeControl();
        }
    }

    /** After the receiver thread has ended. */
    private void closeControl() {
        if (!controlOpen.compareAndSet(true, false)) {
            return;
        }
        asking.lock();
        try {
            askable = false;
            source.countDropped(control.blocksDropped());
        } finally {
            asking.unlock();
            control.close();
        }
    }

    /**
     * Asks the device by its registers for {@link Counter#FRAMES_DROPPED_BY_DEVICE}, of which messages tell late or not
     * at all. Does nothing when it was asked a moment ago, when another thread asks, or when there is no connection to
     * it. Never on the receiver thread.
     *
     * @throws RuntimeException if the device does not answer; what was counted stays
     */
    public void askForDrops() {
        if (!controlOpen.get() || !asking.tryLock()) {
            return;
        }
        try {
            long now = System.nanoTime();
            if (askable && now - askedAt >= 0) {
                askedAt = now + ASK_NANOS;
                source.countDropped(control.blocksDropped());
            }
        } finally {
            asking.unlock();
        }
    }

    private void mayAsk() {
        asking.lock();
        try {
            askable = true;
            askedAt = System.nanoTime();
        } finally {
            asking.unlock();
        }
    }

    @Override
    public boolean running() {
        return engine.running();
    }

    @Override
    public Optional<End> end() {
        return engine.end();
    }

    @Override
    public Optional<FlowSet> poll(Duration timeout) throws InterruptedException {
        return engine.poll(timeout);
    }

    @Override
    public StreamStatistics statistics() {
        return statistics.snapshot();
    }

    @Override
    public List<String> diagnosis(StreamStatistics counted) {
        return StreamDiagnosis.ofRdma(counted, pool.count(), lastLoss().map(RdmaException::getMessage));
    }

    @Override
    public FlowSetPool pool() {
        return pool;
    }

    @Override
    public void endWith(End how) {
        engine.endWith(how);
    }

    @Override
    public void close() {
        try {
            engine.close();
        } finally {
            closeControl();
        }
    }

    @Override
    public String toString() {
        return "RdmaStreamChannel[" + mode + " by " + transport.provider() + ", "
                + (running() ? "running" : "not running") + "]";
    }

    /** What the engine drives. */
    private final class Source implements StreamSource, CompletionPort.Handler, GvrspEvents {
        /** Held by whoever touches what is below: the receiver thread, who starts it, or the thread of a group. */
        private final ReentrantLock state = new ReentrantLock();

        private final FlowSet[] sets = pool.flowSets().toArray(new FlowSet[0]);
        private final long[] flowSizes = pool.flowSizesBytes();
        private final int flowCount = flowSizes.length;
        private final MemoryRegion[][] regions = new MemoryRegion[sets.length][flowCount];
        /** Flow 0 of each flow set, little-endian. */
        private final ByteBuffer[] heads = new ByteBuffer[sets.length];

        private final boolean[] announced = new boolean[sets.length];
        private final ArrayDeque<FlowSet> ready = new ArrayDeque<>(sets.length);
        private final ContainerView container = new ContainerView();
        private final ReconnectSchedule reconnects = new ReconnectSchedule(settings.reconnect());
        private final List<MemoryRegion> registered = new ArrayList<>();
        private final int announcementBytes = mapping.announcementBytes(mode, flowCount);
        private final int messageBytes = mapping.messageBytes(mode, flowCount);
        private final int flowReceives;
        private final int sendDepth;
        private final CompletionPort port;

        private MemoryRegion announcements;

        private GvrspSession session;
        private RdmaConnection connection;
        private int postedReceives;
        private int postedSends;
        private RdmaException loss;
        private boolean breach;

        // The block whose end is told next.
        private boolean tooLarge;
        private boolean reported;
        private int status;
        private long reportedId;
        private long reportedBytes;

        private boolean haveLastId;
        private long lastId;
        /** Blocks since then of which the id is not known. */
        private long unusable;

        private long droppedBefore;

        Source(Optional<RdmaStreamGroup> group) {
            long receives = messageBytes == 0 ? (long) sets.length * flowCount : 0;
            if (receives > MOST_POSTED) {
                throw new RdmaException(sets.length + " flow sets of " + flowCount + " flows need " + receives
                        + " receives, more than " + MOST_POSTED + ": use fewer flow sets");
            }
            flowReceives = (int) receives;
            sendDepth = Math.min(MOST_POSTED, 2 * sets.length + SPARE_MESSAGES);
            port = group.isPresent()
                    ? group.get().join(this, state, sets.length, messageBytes)
                    : new OwnPort(
                            transport,
                            settings,
                            this,
                            flowReceives + sendDepth,
                            messageBytes == 0 ? 0 : sets.length + SPARE_MESSAGES,
                            messageBytes);
        }

        /** Registers all memory and writes all announcements, which never change. */
        void register() {
            RemoteAccess access = mode == RdmaMode.WRITE ? RemoteAccess.WRITE : RemoteAccess.NONE;
            for (int i = 0; i < sets.length; i++) {
                heads[i] = sets[i].flow(0).duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
                for (int flow = 0; flow < flowCount; flow++) {
                    regions[i][flow] = register(sets[i].flow(flow), access);
                }
            }
            ByteBuffer texts = ByteBuffer.allocateDirect(Math.multiplyExact(announcementBytes, sets.length));
            for (int i = 0; i < sets.length; i++) {
                mapping.announcement(texts.position(i * announcementBytes), mode, i, regions[i]);
            }
            announcements = register(texts.clear(), RemoteAccess.NONE);
            pool.onReturn(port::wake);
        }

        private MemoryRegion register(ByteBuffer memory, RemoteAccess access) {
            MemoryRegion region = transport.register(RdmaMemory.of(memory), access);
            registered.add(region);
            return region;
        }

        // ---- life

        @Override
        public void begin() {
            // A run that ended by itself has not taken its registers back.
            closeControl();
            state.lock();
            try {
                forget();
                haveLastId = false;
                unusable = 0;
                droppedBefore = statistics.get(Counter.FRAMES_DROPPED_BY_DEVICE);
                reconnects.reset();
                controlOpen.set(true);
                boolean done = false;
                try {
                    session = control.open(mode);
                    mayAsk();
                    connect();
                    announceFree();
                    if (loss != null) {
                        throw loss;
                    }
                    done = true;
                } finally {
                    if (!done) {
                        dropConnection();
                        forget();
                        closeControl();
                    }
                }
            } finally {
                state.unlock();
            }
        }

        @Override
        public void turn() {
            state.lock();
            try {
                if (connection == null) {
                    reconnect();
                    return;
                }
                announceFree();
                int count = port.poll();
                if (loss == null && connection.state() != RdmaConnection.State.CONNECTED) {
                    // The state may be known before the completions that came with it.
                    port.settle(System.nanoTime() + FLUSH_NANOS);
                    lose(reasonOfEnd());
                }
                if (loss != null) {
                    lost();
                } else if (count == 0) {
                    port.await(System.nanoTime() + TURN_NANOS);
                }
            } finally {
                state.unlock();
            }
        }

        @Override
        public void end() {
            state.lock();
            try {
                giveBack(IncompleteCause.STREAM_ENDED);
                forget();
            } finally {
                state.unlock();
            }
        }

        @Override
        public void wakeUp() {
            port.wake();
        }

        @Override
        public void close() {
            pool.onReturn(() -> {});
            state.lock();
            try {
                dropConnection();
            } finally {
                state.unlock();
            }
            RuntimeException problem = null;
            List<AutoCloseable> all = new ArrayList<>(registered);
            all.add(0, port);
            registered.clear();
            for (AutoCloseable one : all) {
                try {
                    one.close();
                } catch (RuntimeException e) {
                    problem = problem == null ? e : problem;
                } catch (Exception e) {
                    problem = problem == null ? new RdmaException("Closing failed", e) : problem;
                }
            }
            if (problem != null) {
                throw problem;
            }
        }

        /** The flow sets are the engine's again. */
        private void forget() {
            Arrays.fill(announced, false);
            ready.clear();
        }

        // ---- connection

        private void connect() {
            loss = null;
            breach = false;
            clearBlock();
            RdmaConnection made = transport.prepare(
                    session.endpoint(),
                    port.settings(sendDepth, flowReceives).withRetries(settings.ackTimeoutExponent(), 7, 7));
            connection = made;
            port.attach(made);
            byte[] request = mapping.requestPrivateData(session, flowCount, sets.length);
            byte[] reply;
            // The thread of a group must not wait for a device that does not answer.
            state.unlock();
            try {
                reply = made.connect(request, settings.connectTimeout());
            } catch (ConnectionRejectedException e) {
                throw mapping.explain(e);
            } finally {
                state.lock();
            }
            long containerBytes = mapping.parseReply(reply);
            long capacity = Arrays.stream(flowSizes).sum();
            if (containerBytes != capacity) {
                throw new RdmaException("The device sends containers of " + containerBytes
                        + " bytes, but the flow sets hold " + capacity + ": its format changed, start again");
            }
            pathMtuBytes = connection.pathMtuBytes();
        }

        private RdmaException reasonOfEnd() {
            return connection.failure().orElseGet(() -> new RdmaException("The device ended the RDMA connection"));
        }

        private void lose(RdmaException cause) {
            if (loss == null) {
                loss = cause;
                port.wake();
            }
        }

        private void lost() {
            RdmaException cause = loss;
            lastLoss = cause;
            giveBack(IncompleteCause.CONNECTION_LOST);
            if (reconnects.exhausted()) {
                throw new RdmaException(
                        "The RDMA connection to " + session.endpoint() + " was lost"
                                + (reconnects.attemptsUsed() > 0
                                        ? " and could not be made again in " + reconnects.attemptsUsed() + " attempts"
                                        : "")
                                + ": " + cause.getMessage(),
                        cause);
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The RDMA connection to {0} was lost and is made again: {1}",
                    session.endpoint(),
                    cause.getMessage());
            reconnects.lost(System.nanoTime());
        }

        private void reconnect() {
            long now = System.nanoTime();
            long wait = reconnects.nextNanos() - now;
            if (wait > 0) {
                port.await(now + Math.min(wait, TURN_NANOS));
                return;
            }
            reconnects.attempt();
            try {
                renew();
                connect();
                statistics.increment(Counter.RECONNECTS);
            } catch (RdmaException e) {
                dropConnection();
                loss = e;
                lost();
            }
        }

        private void renew() {
            GvrspSession before = session;
            // The thread of a group must not wait for a device that does not answer.
            state.unlock();
            try {
                before = control.renew(before);
            } catch (RdmaException e) {
                throw e;
            } catch (RuntimeException e) {
                throw new RdmaException("The device could not be told of another connection: " + e.getMessage(), e);
            } finally {
                state.lock();
            }
            session = before;
        }

        /** Ends the connection and takes every flow set back that was announced. */
        private void giveBack(IncompleteCause cause) {
            dropConnection();
            for (int i = 0; i < sets.length; i++) {
                if (!announced[i]) {
                    continue;
                }
                announced[i] = false;
                if (sets[i].state() == FlowSet.State.FILLING) {
                    finish(sets[i], Optional.of(cause));
                } else {
                    ready.add(sets[i]);
                }
            }
            clearBlock();
        }

        /** Ends the connection; what completed before its end is still handled. */
        private void dropConnection() {
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

        // ---- announcing

        private void announceFree() {
            Optional<FlowSet> free = pool.take();
            while (free.isPresent()) {
                ready.add(free.get());
                free = pool.take();
            }
            while (!ready.isEmpty() && loss == null && postedSends < sendDepth) {
                announce(ready.poll());
            }
        }

        private void announce(FlowSet set) {
            int id = set.index();
            // Before posting: a flow set that is posted in part comes back with the connection's end.
            announced[id] = true;
            try {
                if (mode == RdmaMode.SEND) {
                    for (int flow = 0; flow < flowCount; flow++) {
                        connection.postReceive(
                                ((long) id << SET_SHIFT) | flow, regions[id][flow], 0, (int) flowSizes[flow]);
                        postedReceives++;
                    }
                }
                connection.postSend(KIND_SEND | id, announcements, (long) id * announcementBytes, announcementBytes);
                postedSends++;
            } catch (RdmaException e) {
                lose(connection.state() == RdmaConnection.State.CONNECTED ? e : reasonOfEnd());
            }
        }

        // ---- completions

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
                mapping.onFlow((int) (workId >>> SET_SHIFT), (int) workId, flowCount, completion.lengthBytes(), this);
            }
        }

        @Override
        public void onMessage(Completion completion, ByteBuffer message) {
            if (completion.status() != Status.SUCCESS) {
                onError(completion.status(), false);
            } else if (received(completion)) {
                mapping.onMessage(
                        message, (int) Math.min(completion.lengthBytes(), Integer.MAX_VALUE), flowCount, this);
            }
        }

        /** Whether what was received is a message that can be believed. */
        private boolean received(Completion completion) {
            if (breach) {
                return false;
            }
            statistics.increment(Counter.MESSAGES_RECEIVED);
            if (completion.operation() != Operation.RECEIVE) {
                broken("it used up a receive with a write");
                return false;
            }
            return true;
        }

        private void onError(Status ended, boolean send) {
            if (ended == Status.FLUSHED) {
                return;
            }
            statistics.increment(Counter.COMPLETION_ERRORS);
            lose(new RdmaException((send ? "Announcing a flow set" : "Receiving") + " ended with " + ended
                    + (ended == Status.LOCAL_ERROR && !send
                            ? ": the device sent more than a flow holds, or more than was announced"
                            : connection
                                    .failure()
                                    .map(e -> ": " + e.getMessage())
                                    .orElse(""))));
        }

        @Override
        public void flowDone(long setId, int flow, long lengthBytes) {
            FlowSet set = announcedSet(setId);
            if (set == null) {
                return;
            }
            if (set.state() == FlowSet.State.QUEUED) {
                set.beginFilling();
                clearBlock();
            }
            long stored = Math.min(lengthBytes, flowSizes[flow]);
            tooLarge |= lengthBytes > stored;
            set.markReceived(flow, 0, stored);
            statistics.add(Counter.BYTES_RECEIVED, stored);
        }

        @Override
        public void blockReported(long setId, int deviceStatus, long blockId, long totalBytes, long blocksDropped) {
            reported = true;
            status = deviceStatus;
            reportedId = blockId;
            reportedBytes = totalBytes;
            countDropped(blocksDropped);
        }

        @Override
        public void blockDone(long setId) {
            FlowSet set = announcedSet(setId);
            if (set == null) {
                return;
            }
            announced[set.index()] = false;
            finish(set, Optional.empty());
            clearBlock();
        }

        @Override
        public void broken(String reason) {
            if (!breach) {
                breach = true;
                statistics.increment(Counter.MESSAGES_MALFORMED);
                lose(new RdmaException("The device broke the protocol: " + reason));
            }
        }

        /** The flow set that the device means; null, and the end of the connection, if it has no business with it. */
        private FlowSet announcedSet(long setId) {
            if (breach) {
                return null;
            }
            if (setId < 0 || setId >= sets.length || !announced[(int) setId]) {
                broken("it filled flow set " + setId + ", which was not announced");
                return null;
            }
            return sets[(int) setId];
        }

        private void clearBlock() {
            tooLarge = false;
            reported = false;
            status = 0;
            reportedId = 0;
            reportedBytes = 0;
        }

        void countDropped(long sinceStart) {
            if (sinceStart > 0) {
                statistics.raise(Counter.FRAMES_DROPPED_BY_DEVICE, droppedBefore + sinceStart);
            }
        }

        // ---- blocks

        /** Delivers a block, or drops it when nobody can know which it was. The flow set is filling. */
        private void finish(FlowSet set, Optional<IncompleteCause> end) {
            ContainerView.Finding finding = container.read(heads[set.index()], set);
            boolean readable = finding != ContainerView.Finding.UNREADABLE;
            if (!readable && !(reported && status != 0)) {
                set.abandonFilling();
                ready.add(set);
                statistics.increment(Counter.FRAMES_DROPPED_UNUSABLE);
                unusable++;
                return;
            }
            long total = 0;
            for (int flow = 0; flow < flowCount; flow++) {
                total += set.filledBytes(flow);
            }
            long blockId = readable ? container.blockId() : reportedId;
            Optional<IncompleteCause> cause = end.isPresent() ? end : cause(finding, blockId, total);
            set.finishFilling(new BlockInfo(
                    blockId,
                    PAYLOAD_GENDC,
                    container.timestampTicks(),
                    total,
                    Optional.empty(),
                    container.descriptorBytes(),
                    cause,
                    0));
            noteBlockId(blockId);
            if (cause.isEmpty()) {
                reconnects.reset();
                statistics.increment(Counter.FRAMES_COMPLETE);
            } else {
                statistics.incomplete(cause.get());
            }
            engine.deliver(set);
        }

        private Optional<IncompleteCause> cause(ContainerView.Finding finding, long blockId, long total) {
            if (status != 0) {
                return Optional.of(IncompleteCause.DEVICE_ERROR);
            }
            if (tooLarge) {
                return Optional.of(IncompleteCause.DATA_LARGER_THAN_FLOW_SET);
            }
            if (finding == ContainerView.Finding.CONTRADICTION
                    || (reported && (reportedId != blockId || reportedBytes != total))) {
                return Optional.of(IncompleteCause.CONTRADICTION);
            }
            return finding == ContainerView.Finding.DATA_MISSING
                    ? Optional.of(IncompleteCause.DATA_MISSING)
                    : Optional.empty();
        }

        private void noteBlockId(long blockId) {
            long step = blockId - lastId;
            if (haveLastId && step > 1 && step <= LARGEST_GAP) {
                // Those that came and could not be used are counted already.
                statistics.add(Counter.BLOCK_ID_GAPS, Math.max(0, step - 1 - unusable));
            }
            unusable = 0;
            haveLastId = true;
            lastId = blockId;
        }
    }
}
