package io.peregrine.virtualcamera;

import io.peregrine.rdma.ConnectionRequest;
import io.peregrine.rdma.PacketFaults;
import io.peregrine.rdma.RdmaListener;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.stream.RdmaException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Streams by RDMA: one thread takes connections, another sends blocks and attends to the connection. It serves stream
 * channel 0, which has one connection at a time.
 */
final class RdmaSender implements AutoCloseable {
    /** Who decides whom to let in. */
    interface Gate {
        /** The GEV status for a greeting, 0 for welcome. */
        int judge(RdmaGreeting greeting);

        /** One was let in: whoever says the same again is not. */
        void letIn();

        /** The container that would be sent now. */
        GenDcLayout container();
    }

    /** What one acquisition sends, and how. */
    record Job(GenDcLayout layout, long firstBlockId, long frameLimit, StreamSender.Session session) {}

    private static final System.Logger LOGGER = System.getLogger(RdmaSender.class.getName());
    private static final Duration ACCEPT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LEAVING_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** The announcements come by another way than the command that starts the acquisition. */
    private static final long FIRST_ANNOUNCEMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long MEMORY_FOR_BLOCKS = 192L << 20;

    private final RdmaTransport transport;
    private final RdmaListener listener;
    private final Counters counters;
    private final Faults faults;
    private final LongSupplier clock;
    private final EventSender events;
    private final Gate gate;
    private final Runnable whenIdle;
    private final long linkBytesPerSecond;
    private final BlockingQueue<Job> jobs = new ArrayBlockingQueue<>(16);
    private final Thread listening;
    private final Thread sending;
    private final Object linkChange = new Object();
    private final AtomicInteger dismissals = new AtomicInteger();
    private PacketFaults injected = PacketFaults.NONE; // Guarded by the faults' monitor.
    private RdmaSlot[] slots = new RdmaSlot[0];
    private long nextBlockNanos;
    private volatile RdmaLink link;
    private volatile int lastStatus;
    private volatile boolean open = true;
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
            Gate gate,
            Runnable whenIdle) {
        this.transport = endpoint.transport();
        this.listener = endpoint.listener();
        this.counters = counters;
        this.faults = faults;
        this.clock = clock;
        this.events = events;
        this.gate = gate;
        this.whenIdle = whenIdle;
        this.linkBytesPerSecond = scenario.linkSpeedMegabits() * 125_000L;
        String address = scenario.bindAddress().getHostAddress();
        listening = new Thread(this::listen, "peregrine-camera-rdma-listen-" + address);
        listening.setDaemon(true);
        sending = new Thread(this::send, "peregrine-camera-rdma-" + address);
        sending.setDaemon(true);
    }

    void start() {
        faults.observe(this::injectFaults);
        listening.start();
        sending.start();
    }

    /** The port where connections are taken; 0 when none are. */
    int port() {
        return open ? listener.port() : 0;
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
        RdmaLink current = link;
        if (current != null) {
            current.wakeUp();
        }
        LockSupport.unpark(sending);
    }

    /** Ends the connection, soon. Does not wait. */
    void dismiss() {
        dismissals.incrementAndGet();
        RdmaLink current = link;
        if (current != null) {
            current.requestEnd();
        }
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

    // ---- the thread that listens -------------------------------------------------------------------------------

    private void listen() {
        while (open && !closed) {
            try {
                listener.next(LOOK_AGAIN).ifPresent(this::answer);
            } catch (InterruptedException e) {
                return;
            } catch (RdmaException e) {
                if (open && !closed) {
                    LOGGER.log(System.Logger.Level.WARNING, "The camera takes no RDMA connections any more", e);
                }
                open = false;
            }
        }
    }

    private void answer(ConnectionRequest request) {
        try {
            int before = dismissals.get();
            RdmaGreeting greeting = RdmaGreeting.parse(request.privateData());
            int status = gate.judge(greeting);
            if (status == Gvcp.SUCCESS && !linkIsFree()) {
                status = Gvcp.BUSY;
            }
            if (status != Gvcp.SUCCESS) {
                counters.rdmaRefusals.increment();
                request.reject(RdmaGreeting.refusal(status));
                return;
            }
            gate.letIn();
            welcome(request, greeting, before);
        } catch (RuntimeException e) {
            // The host knows why, or it is a stranger, who may not fill the log with warnings.
            LOGGER.log(System.Logger.Level.INFO, "An RDMA connection did not come about", e);
        }
    }

    /** Whether there is no connection; waits until one that is ending has gone. */
    private boolean linkIsFree() {
        long deadline = System.nanoTime() + LEAVING_NANOS;
        synchronized (linkChange) {
            RdmaLink current = link;
            while (current != null && current.over() && !closed) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                current.wakeUp();
                try {
                    TimeUnit.NANOSECONDS.timedWait(linkChange, Math.min(left, TimeUnit.MILLISECONDS.toNanos(20)));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
                current = link;
            }
            return current == null;
        }
    }

    private void welcome(ConnectionRequest request, RdmaGreeting greeting, int dismissalsBefore) {
        GenDcLayout container = gate.container();
        RdmaLink made = new RdmaLink(transport, request, greeting, container.flowRanges(), this::ended);
        // Known before it is accepted: the host may start the acquisition as soon as it has the answer.
        link = made;
        try {
            made.accept(RdmaGreeting.welcome(container.blockBytes()), ACCEPT_TIMEOUT);
        } catch (RdmaException e) {
            made.close();
            forget();
            throw e;
        }
        counters.rdmaConnections.increment();
        lastStatus = Gvcp.SUCCESS;
        if (dismissals.get() != dismissalsBefore) {
            made.requestEnd();
        }
        wake();
    }

    private void forget() {
        synchronized (linkChange) {
            link = null;
            linkChange.notifyAll();
        }
        wake();
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
        RdmaLink current = link;
        if (current == null || !current.established()) {
            return;
        }
        current.use(slots);
        current.poll();
        if (current.lost()) {
            if (current.violation() != Gvcp.SUCCESS) {
                lastStatus = current.violation();
            }
            endLink();
        }
    }

    private void endLink() {
        RdmaLink current = link;
        if (current != null && current.established()) {
            current.close();
            forget();
        }
    }

    /** Waits for the connection, for {@link #wake}, or until a time. */
    private void pause(long deadlineNanos) {
        RdmaLink current = link;
        if (current != null && current.established()) {
            current.await(deadlineNanos);
        } else {
            LockSupport.parkNanos(this, deadlineNanos - System.nanoTime());
        }
    }

    private void ended(boolean whole) {
        if (whole) {
            counters.rdmaBlocksSent.increment();
            counters.blocksSent.increment();
        } else {
            counters.rdmaBlocksBrokenOff.increment();
        }
    }

    private void send(Job job) {
        try {
            awaitAnnouncement(job.session);
            prepareSlots(job.layout);
            nextBlockNanos = System.nanoTime();
            sendBlocks(job);
            while (inFlight() && !job.session.aborted && !closed) {
                pause(System.nanoTime() + IDLE_NANOS);
                attend();
            }
        } finally {
            job.session.finished = true;
            whenIdle.run();
        }
    }

    private void awaitAnnouncement(StreamSender.Session session) {
        long deadline = System.nanoTime() + FIRST_ANNOUNCEMENT_NANOS;
        while (session.active() && !closed && deadline - System.nanoTime() > 0) {
            attend();
            RdmaLink current = link;
            if (current == null || (current.established() && current.announced() > 0)) {
                return;
            }
            pause(deadline);
        }
    }

    private void prepareSlots(GenDcLayout layout) {
        RdmaLink current = link;
        if (current != null && current.established() && !current.carries(layout)) {
            current.violate(Gvcp.INVALID_PARAMETER);
            attend();
        }
        int bytes = RdmaSlot.bytesFor(layout.memoryBytes(), layout.flowRanges().size());
        int count = (int) Math.max(2, Math.min(RdmaLink.SLOTS, MEMORY_FOR_BLOCKS / bytes));
        if (!open
                || (slots.length == count
                        && slots[0].region.lengthBytes() == bytes
                        && slots[0].block.capacity() == layout.memoryBytes())) {
            return;
        }
        releaseSlots();
        RdmaSlot[] made = new RdmaSlot[count];
        try {
            for (int i = 0; i < count; i++) {
                ByteBuffer memory = allocate(bytes);
                made[i] = new RdmaSlot(transport.register(RdmaMemory.of(memory)), memory, layout.memoryBytes());
            }
        } catch (RdmaException e) {
            for (RdmaSlot slot : made) {
                if (slot != null) {
                    slot.region.close();
                }
            }
            throw e;
        }
        slots = made;
    }

    private static ByteBuffer allocate(int bytes) {
        try {
            return ByteBuffer.allocateDirect(bytes);
        } catch (OutOfMemoryError e) {
            throw new VirtualCameraException("No memory for blocks of " + bytes + " bytes", e);
        }
    }

    private void releaseSlots() {
        RdmaSlot[] old = slots;
        slots = new RdmaSlot[0];
        for (RdmaSlot slot : old) {
            slot.region.close();
        }
    }

    private void sendBlocks(Job job) {
        StreamSender.Session session = job.session;
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

    private boolean awaitStart(long dueNanos, StreamSender.Session session) {
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
        StreamSender.Session session = job.session;
        int index = -1;
        while (index < 0) {
            attend();
            if (!session.active() || closed) {
                return; // Not begun yet.
            }
            RdmaLink current = link;
            if (current == null || !current.established() || current.announced() == 0) {
                counters.rdmaBlocksDropped.increment();
                return;
            }
            if (!current.carries(job.layout)) {
                current.violate(Gvcp.INVALID_PARAMETER);
                continue;
            }
            index = nextBlockNanos - System.nanoTime() > 0 ? -1 : freeSlot();
            if (index < 0) {
                long due = nextBlockNanos - System.nanoTime() > 0 ? nextBlockNanos : System.nanoTime() + IDLE_NANOS;
                pause(due);
            }
        }
        post(link, index, job.layout, blockId);
    }

    private void post(RdmaLink current, int index, GenDcLayout layout, long blockId) {
        FaultPlan plan = faults.plan();
        long timestamp = clock.getAsLong();
        Stamp stamp = layout.stamp(blockId, timestamp);
        events.post(EventKind.FRAME_START, blockId, timestamp);
        layout.render(stamp, plan.damagesDescriptor(blockId), slots[index].block);
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
        long deadline = System.nanoTime() + LEAVING_NANOS;
        while (slots[index].pending > 0 && link != null && deadline - System.nanoTime() > 0 && !closed) {
            pause(deadline);
            attend();
        }
        endLink();
        if (forGood) {
            open = false;
            listener.close();
            releaseSlots();
            transport.close();
        }
    }

    private int freeSlot() {
        for (int i = 0; i < slots.length; i++) {
            if (slots[i].pending == 0) {
                return i;
            }
        }
        return -1;
    }

    private boolean inFlight() {
        for (RdmaSlot slot : slots) {
            if (slot.pending > 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        closed = true;
        open = false;
        listener.close();
        wake();
        boolean interrupted = join(listening);
        interrupted = join(sending) || interrupted;
        endLink(); // One that was accepted while the threads ended.
        releaseSlots();
        transport.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the end of a thread; true if it was interrupted in that. */
    private static boolean join(Thread thread) {
        try {
            thread.join(LEAVING_NANOS / 1_000_000 + 1000);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }
}
