package io.peregrine.rdma;

import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.RdmaMode;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.stream.engine.StreamDiagnosis;
import io.peregrine.stream.engine.StreamEngine;
import io.peregrine.stream.engine.StreamSource;
import io.peregrine.stream.engine.ThreadScheduling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A stream over RDMA: flow sets are registered once and announced to the device when they are free and it has not many
 * left; the device fills them, and a completion reports when.
 *
 * <p>A broken connection gives back everything that was announced: a block of which a part arrived is delivered as
 * incomplete, all else is free. It is made again by the {@linkplain ReconnectPolicy policy} while the stream runs; when
 * that is used up, the stream fails with the cause.
 */
public final class RdmaSource implements StreamSource {
    private static final System.Logger LOGGER = System.getLogger(RdmaSource.class.getName());

    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final String name;
    private final ThreadScheduling thread;
    private final Optional<RdmaStreamGroup> group;
    private final RdmaTransport transport;
    private final FlowSetPool pool;
    private final RdmaMode mode;
    private final long containerBytes;
    private final StreamCounters counters = new StreamCounters();

    /** Held by the thread that touches what is below: the receiver thread, the one that starts, or that of a group. */
    private final ReentrantLock state = new ReentrantLock();

    private final ControlSession control;
    private final ReconnectSchedule reconnects;
    private final AnnouncedMemory memory;
    private final RdmaBlocks blocks;
    private final DeviceConnection connection;
    private final PacketLosses packetLosses;
    private @Nullable GvrspSession session;
    /** Whether the receiver thread of this run has its scheduling. */
    private boolean scheduled;

    private volatile List<String> schedulingProblems = List.of();
    private volatile @Nullable RdmaException lastLoss;

    private RdmaSource(
            String name,
            RdmaStreamSettings settings,
            RdmaTransport transport,
            FlowSetPool pool,
            RdmaMode mode,
            GvrspMapping mapping,
            GvrspControl control,
            Optional<RdmaStreamGroup> group) {
        this.name = Objects.requireNonNull(name, "name");
        thread = settings.thread();
        this.group = group;
        this.transport = Objects.requireNonNull(transport, "transport");
        packetLosses = new PacketLosses(transport);
        this.pool = Objects.requireNonNull(pool, "pool");
        this.mode = Objects.requireNonNull(mode, "mode");
        this.control = new ControlSession(Objects.requireNonNull(control, "control"), counters);
        long[] flowSizes = pool.flowSizesBytes();
        containerBytes = Arrays.stream(flowSizes).sum();
        reconnects = new ReconnectSchedule(settings.reconnect());
        memory = new AnnouncedMemory(transport, pool, mapping.announcementBytes(mode, flowSizes.length));
        blocks = new RdmaBlocks(pool, counters, this.control::count, reconnects::reset);
        connection = new DeviceConnection(transport, settings, mode, mapping, memory, blocks, counters, state, group);
    }

    /**
     * Registers the flow sets of a pool for a stream. The connection is made by {@link #begin}.
     *
     * @param name what the receiver thread is named after, for example the device's address
     * @param settings polling, times, what to do when the connection breaks
     * @param transport open transport; stays the caller's, and open longer than the source
     * @param pool flow sets to fill
     * @param mode how bytes come
     * @param mapping the language of the device
     * @param control the part of the stream that goes by registers
     * @return the source, not begun
     * @throws RdmaException if the memory cannot be registered, or the pool is too large
     */
    public static RdmaSource open(
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
     * @return the source, not begun; it uses {@link RdmaMode#WRITE}
     * @throws RdmaException if the memory cannot be registered, or the group is full
     */
    public static RdmaSource open(
            String name,
            RdmaStreamSettings settings,
            RdmaStreamGroup group,
            FlowSetPool pool,
            GvrspMapping mapping,
            GvrspControl control) {
        return open(name, settings, group.transport(), pool, RdmaMode.WRITE, mapping, control, Optional.of(group));
    }

    private static RdmaSource open(
            String name,
            RdmaStreamSettings settings,
            RdmaTransport transport,
            FlowSetPool pool,
            RdmaMode mode,
            GvrspMapping mapping,
            GvrspControl control,
            Optional<RdmaStreamGroup> group) {
        RdmaSource source = new RdmaSource(name, settings, transport, pool, mode, mapping, control, group);
        boolean done = false;
        try {
            source.memory.register(mapping, mode);
            pool.onReturn(source.connection::returned);
            done = true;
            return source;
        } finally {
            if (!done) {
                source.close();
            }
        }
    }

    /** How bytes come. */
    public RdmaMode mode() {
        return mode;
    }

    /** Payload bytes a packet as agreed with the device; empty before the first start. */
    public OptionalInt pathMtuBytes() {
        int value = connection.pathMtuBytes();
        return value == 0 ? OptionalInt.empty() : OptionalInt.of(value);
    }

    /** Why the connection was lost the last time, also when it was made again. */
    public Optional<RdmaException> lastLoss() {
        return Optional.ofNullable(lastLoss);
    }

    /**
     * Asks the device by its registers for {@link Counter#FRAMES_DROPPED_BY_DEVICE}, which messages report late or not
     * at all. Does nothing when it was asked a moment ago, when another thread asks, or when there is no connection to
     * it. Never on the receiver thread.
     *
     * @throws RuntimeException if the device does not answer; what was counted stays
     */
    public void askForDrops() {
        control.askForDrops();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public FlowSetPool pool() {
        return pool;
    }

    @Override
    public StreamCounters counters() {
        return counters;
    }

    @Override
    public List<String> diagnosis(StreamStatistics counted) {
        List<String> found = new ArrayList<>(
                StreamDiagnosis.ofRdma(counted, pool.count(), lastLoss().map(RdmaException::getMessage)));
        packetLosses.sentence().ifPresent(found::add);
        found.addAll(group.map(RdmaStreamGroup::schedulingProblems).orElse(schedulingProblems));
        return List.copyOf(found);
    }

    /**
     * Prepares the device, connects, and announces every free flow set.
     *
     * @throws RdmaException if the device cannot be connected
     */
    @Override
    public void begin(StreamEngine engine) {
        // A run that ended by itself has not taken its registers back.
        control.close();
        state.lock();
        try {
            scheduled = false;
            blocks.begin(engine);
            reconnects.reset();
            boolean done = false;
            try {
                GvrspSession agreed = control.open(mode);
                session = agreed;
                connection.connect(agreed, containerBytes);
                connection.announceFree();
                RdmaException loss = connection.loss();
                if (loss != null) {
                    throw loss;
                }
                done = true;
            } finally {
                if (!done) {
                    connection.drop();
                    blocks.forget();
                    control.close();
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
            if (!scheduled) {
                scheduled = true;
                schedulingProblems = thread.apply();
            }
            if (!connection.open()) {
                reconnect();
                return;
            }
            connection.announceFree();
            int count = connection.poll();
            if (connection.loss() != null) {
                lost(connection.loss());
            } else if (count == 0) {
                connection.await(System.nanoTime() + TURN_NANOS);
            }
        } finally {
            state.unlock();
        }
    }

    private void lost(RdmaException cause) {
        lastLoss = cause;
        connection.drop();
        blocks.giveBack(IncompleteCause.CONNECTION_LOST);
        if (reconnects.exhausted()) {
            throw new RdmaException(
                    "The RDMA connection to " + session.endpoint() + " was lost"
                            + (reconnects.attemptsUsed() > 0
                                    ? " and could not be made again in " + reconnects.attemptsUsed() + " attempts"
                                    : "")
                            + ": " + cause.getMessage(),
                    cause);
        }
        LOGGER.log(
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
            connection.await(now + Math.min(wait, TURN_NANOS));
            return;
        }
        reconnects.attempt();
        try {
            session = renewed(session);
            connection.connect(session, containerBytes);
            counters.increment(Counter.RECONNECTS);
        } catch (RdmaException e) {
            connection.drop();
            lost(e);
        }
    }

    private GvrspSession renewed(GvrspSession before) {
        // The thread of a group must not wait for a device that does not answer.
        state.unlock();
        try {
            return control.renew(before);
        } finally {
            state.lock();
        }
    }

    @Override
    public void end() {
        state.lock();
        try {
            connection.drop();
            blocks.giveBack(IncompleteCause.STREAM_ENDED);
            blocks.forget();
        } finally {
            state.unlock();
        }
    }

    @Override
    public void release() {
        control.close();
    }

    @Override
    public void wakeUp() {
        connection.wake();
    }

    @Override
    public void close() {
        pool.onReturn(() -> {});
        state.lock();
        try {
            connection.drop();
        } finally {
            state.unlock();
        }
        try {
            connection.close();
        } finally {
            try {
                memory.close();
            } finally {
                control.close();
            }
        }
    }

    @Override
    public String toString() {
        return "RDMA " + mode + " by " + transport.provider();
    }
}
