package io.peregrine.virtualcamera;

import io.peregrine.rdma.PacketFaults;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaTransport;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Streams by RDMA: an {@link RdmaAcceptor} takes connections, the thread of this class sends blocks and attends to the
 * connection. It serves stream channel 0, which has one connection at a time.
 */
final class RdmaSender implements AutoCloseable, RdmaAcceptor.Listener {
    /** What one acquisition sends, and how. */
    record Job(GenDcLayout layout, long firstBlockId, long frameLimit, StreamSession session) {}

    private static final System.Logger LOGGER = System.getLogger(RdmaSender.class.getName());
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MAX_ENDING_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** Announcements travel on another path than the command that starts the acquisition. */
    private static final long FIRST_ANNOUNCEMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final RdmaTransport transport;
    private final RdmaAcceptor acceptor;
    private final RdmaSlots slots;
    private final Counters counters;
    private final Faults faults;
    private final LongSupplier clock;
    private final EventSender events;
    private final Runnable whenIdle;
    private final long linkBytesPerSecond;
    private final BlockingQueue<Job> jobs = new ArrayBlockingQueue<>(16);
    private final Thread sending;
    private PacketFaults injected = PacketFaults.NONE; // Guarded by the faults' monitor.
    private long nextBlockNanos;
    private volatile int lastStatus;
    private volatile boolean closed;
    private volatile long sentBefore;
    private volatile long droppedBefore;

    RdmaSender(
            RdmaEndpoint.Open endpoint,
            Scenario scenario,
            Counters counters,
            Faults faults,
            LongSupplier clock,
            EventSender events,
            RdmaAcceptor.Gate gate,
            Runnable whenIdle) {
        this.transport = endpoint.transport();
        this.counters = counters;
        this.faults = faults;
        this.clock = clock;
        this.events = events;
        this.whenIdle = whenIdle;
        this.linkBytesPerSecond = scenario.linkSpeedMegabits() * 125_000L;
        String address = scenario.bindAddress().getHostAddress();
        slots = new RdmaSlots(transport);
        acceptor = new RdmaAcceptor(endpoint, address, gate, this, counters);
        sending = new Thread(this::send, "peregrine-camera-rdma-" + address);
        sending.setDaemon(true);
    }

    void start() {
        faults.observe(this::injectFaults);
        acceptor.start();
        sending.start();
    }

    /** The port where connections are taken; 0 when none are. */
    int port() {
        return acceptor.port();
    }

    int lastStatus() {
        return lastStatus;
    }

    /** Blocks sent whole since the last {@link #restartCounters}. */
    long blocksSent() {
        return counters.rdmaBlocksSent.sum() - sentBefore;
    }

    /** Blocks dropped since the last {@link #restartCounters}. */
    long blocksDropped() {
        return counters.rdmaBlocksDropped.sum() - droppedBefore;
    }

    void restartCounters() {
        sentBefore = counters.rdmaBlocksSent.sum();
        droppedBefore = counters.rdmaBlocksDropped.sum();
        lastStatus = Gvcp.SUCCESS;
    }

    void submit(Job job) {
        if (!jobs.offer(job)) {
            job.session.finished = true;
            LOGGER.log(System.Logger.Level.WARNING, "Acquisition not started: too many are waiting");
        }
        wake();
    }

    void wake() {
        RdmaLink current = acceptor.link();
        if (current != null) {
            current.wakeUp();
        }
        LockSupport.unpark(sending);
    }

    /** Ends the connection, soon. Does not wait. */
    void dismiss() {
        acceptor.dismiss();
        wake();
    }

    private void injectFaults(FaultPlan plan) {
        PacketFaults wanted = plan.rdma().packets(plan.seed());
        if (wanted.equals(injected) || (!wanted.any() && !injected.any())) {
            return;
        }
        try {
            transport.injectFaults(wanted);
            injected = wanted;
        } catch (RdmaException e) {
            throw new VirtualCameraException("The RDMA faults of packets are not possible: " + e.getMessage(), e);
        }
    }

    // ---- for the acceptor --------------------------------------------------------------------------------------

    @Override
    public void changed() {
        wake();
    }

    @Override
    public void connected() {
        lastStatus = Gvcp.SUCCESS;
    }

    @Override
    public void blockEnded(boolean whole) {
        if (whole) {
            counters.rdmaBlocksSent.increment();
            counters.blocksSent.increment();
        } else {
            counters.rdmaBlocksBrokenOff.increment();
        }
    }

    // ---- the thread that sends ---------------------------------------------------------------------------------

    private void send() {
        while (!closed) {
            try {
                attend();
                Job job = jobs.poll();
                if (job != null) {
                    send(job);
                } else if (!closed) {
                    pause(System.nanoTime() + IDLE_NANOS);
                }
            } catch (RuntimeException e) {
                lastStatus = Gvcp.ERROR;
                LOGGER.log(System.Logger.Level.ERROR, "The RDMA stream of the virtual camera failed", e);
                endLink();
            }
        }
        endLink();
    }

    /** Takes what the host sent and what has completed, and gives up a connection that is lost. */
    private void attend() {
        RdmaLink current = acceptor.link();
        if (current == null || !current.established()) {
            return;
        }
        current.use(slots.all());
        current.poll();
        if (current.lost()) {
            if (current.violation() != Gvcp.SUCCESS) {
                lastStatus = current.violation();
            }
            endLink();
        }
    }

    private void endLink() {
        RdmaLink current = acceptor.link();
        if (current != null && current.established()) {
            current.close();
            acceptor.forget();
        }
    }

    /** Waits for the connection, for {@link #wake}, or until a time. */
    private void pause(long deadlineNanos) {
        RdmaLink current = acceptor.link();
        if (current != null && current.established()) {
            current.await(deadlineNanos);
        } else {
            LockSupport.parkNanos(this, deadlineNanos - System.nanoTime());
        }
    }

    private void send(Job job) {
        try {
            awaitAnnouncement(job.session);
            prepareSlots(job.layout);
            nextBlockNanos = System.nanoTime();
            sendBlocks(job);
            while (slots.inFlight() && !job.session.aborted && !closed) {
                pause(System.nanoTime() + IDLE_NANOS);
                attend();
            }
        } finally {
            job.session.finished = true;
            whenIdle.run();
        }
    }

    private void awaitAnnouncement(StreamSession session) {
        long deadline = System.nanoTime() + FIRST_ANNOUNCEMENT_NANOS;
        while (session.active() && !closed && deadline - System.nanoTime() > 0) {
            attend();
            RdmaLink current = acceptor.link();
            if (current == null || (current.established() && current.announced() > 0)) {
                return;
            }
            pause(deadline);
        }
    }

    private void prepareSlots(GenDcLayout layout) {
        RdmaLink current = acceptor.link();
        if (current != null && current.established() && !current.carries(layout)) {
            current.violate(Gvcp.INVALID_PARAMETER);
            attend();
        }
        if (acceptor.open()) {
            slots.prepare(layout);
        }
    }

    private void sendBlocks(Job job) {
        StreamSession session = job.session;
        long blockId = job.firstBlockId;
        long due = System.nanoTime();
        for (long frame = 0; frame < job.frameLimit && session.active() && !closed; frame++) {
            if (!awaitStart(due, session)) {
                return;
            }
            due = session.dueAfter(due, System.nanoTime());
            sendBlock(job, blockId++);
        }
    }

    private boolean awaitStart(long dueNanos, StreamSession session) {
        while (true) {
            attend();
            if (!session.active() || closed) {
                return false;
            }
            long now = System.nanoTime();
            if (session.startsAt(now, dueNanos)) {
                return true;
            }
            pause(session.nextLookNanos(now, dueNanos));
        }
    }

    private void sendBlock(Job job, long blockId) {
        StreamSession session = job.session;
        int index = -1;
        while (index < 0) {
            attend();
            if (!session.active() || closed) {
                return; // Not begun yet.
            }
            RdmaLink current = acceptor.link();
            if (current == null || !current.established() || current.announced() == 0) {
                counters.rdmaBlocksDropped.increment();
                return;
            }
            if (!current.carries(job.layout)) {
                current.violate(Gvcp.INVALID_PARAMETER);
                continue;
            }
            index = nextBlockNanos - System.nanoTime() > 0 ? -1 : slots.free();
            if (index < 0) {
                long due = nextBlockNanos - System.nanoTime() > 0 ? nextBlockNanos : System.nanoTime() + IDLE_NANOS;
                pause(due);
            }
        }
        post(acceptor.link(), index, job.layout, blockId);
    }

    private void post(RdmaLink current, int index, GenDcLayout layout, long blockId) {
        FaultPlan plan = faults.plan();
        long timestamp = clock.getAsLong();
        Stamp stamp = layout.stamp(blockId, timestamp);
        events.post(EventKind.FRAME_START, blockId, timestamp);
        layout.render(stamp, plan.damagesDescriptor(blockId), slots.get(index).block);
        events.post(EventKind.EXPOSURE_END, blockId, clock.getAsLong());
        current.post(index, blockId, blocksDropped(), plan.rdma());
        events.post(EventKind.FRAME_END, blockId, clock.getAsLong());
        if (linkBytesPerSecond > 0) {
            nextBlockNanos = System.nanoTime() + layout.blockBytes() * 1_000_000_000L / linkBytesPerSecond;
        }
        if (plan.rdma().vanishes(blockId)) {
            vanish(index, plan.rdma().vanishesForGood(blockId));
        }
    }

    /** Breaks the connection off once the host has got what was posted. */
    private void vanish(int index, boolean forGood) {
        long deadline = System.nanoTime() + MAX_ENDING_NANOS;
        while (slots.get(index).pending > 0 && acceptor.link() != null && deadline - System.nanoTime() > 0 && !closed) {
            pause(deadline);
            attend();
        }
        endLink();
        if (forGood) {
            acceptor.close();
            slots.release();
            transport.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        acceptor.close();
        wake();
        boolean interrupted = join(acceptor.thread());
        interrupted = join(sending) || interrupted;
        endLink(); // One that was accepted while the threads ended.
        slots.release();
        transport.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the end of a thread; true if it was interrupted in that. */
    private static boolean join(Thread thread) {
        try {
            thread.join(MAX_ENDING_NANOS / 1_000_000 + 1000);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }
}
