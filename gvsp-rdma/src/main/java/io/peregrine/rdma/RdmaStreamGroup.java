package io.peregrine.rdma;

import io.peregrine.stream.RdmaMode;
import io.peregrine.stream.engine.ThreadScheduling;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One completion queue, one shared receive queue and one completion thread for the streams of many devices on one
 * interface. Only for {@link RdmaMode#WRITE}: there a receive is for whichever device reports next.
 *
 * <p>Blocks are delivered by the group's thread. Each stream keeps a thread that sleeps but for announcing and
 * connecting.
 */
public final class RdmaStreamGroup implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(RdmaStreamGroup.class.getName());
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long JOIN_MILLIS = 5000;
    private static final long MESSAGE = 1L << 63;
    private static final int SPARE_MESSAGES = 4;

    private final RdmaTransport transport;
    private final CompletionQueue completions;
    private final SharedReceiveQueue receives;
    private final MessageSlots slots;
    private final Thread thread;
    private final ThreadScheduling scheduling;
    private final int capacity;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition passed = lock.newCondition();
    private final AtomicLong passes = new AtomicLong();
    private volatile Member[] members = {};
    private volatile List<String> schedulingProblems = List.of();
    private volatile boolean closing;
    private int used;

    private RdmaStreamGroup(
            String name, RdmaTransport transport, RdmaStreamSettings settings, int flowSets, int messageBytes) {
        this.transport = transport;
        scheduling = settings.thread();
        capacity = flowSets;
        int messages = flowSets + SPARE_MESSAGES;
        completions = transport.completionQueue(new CompletionQueueSettings(
                messages + 4 * flowSets, settings.completionVector(), settings.maxPoll(), true));
        receives = transport.sharedReceiveQueue(messages);
        slots = new MessageSlots(transport, messages, messageBytes);
        for (int i = 0; i < messages; i++) {
            post(i);
        }
        thread = new Thread(this::run, "peregrine-rdma-group-" + name);
        thread.setDaemon(true);
    }

    /**
     * Makes a group and starts its thread.
     *
     * @param name what the thread is named after
     * @param transport open transport; stays the caller's, and open longer than the group
     * @param settings polling, and how the thread is scheduled
     * @param flowSets most flow sets of all streams together, at least 2
     * @param mapping the language of the devices
     * @param flowCount most flows of a flow set
     */
    public static RdmaStreamGroup open(
            String name,
            RdmaTransport transport,
            RdmaStreamSettings settings,
            int flowSets,
            GvrspMapping mapping,
            int flowCount) {
        if (flowSets < 2 || flowSets > 8192) {
            throw new RdmaException("A group for " + flowSets + " flow sets is not possible: give 2 to 8192");
        }
        RdmaStreamGroup group = new RdmaStreamGroup(
                name, transport, settings, flowSets, mapping.messageBytes(RdmaMode.WRITE, flowCount));
        group.thread.start();
        return group;
    }

    /** Whether a stream of that many flow sets of that many flows can become a member now. */
    public boolean hasRoomFor(int flowSets, GvrspMapping mapping, int flowCount) {
        lock.lock();
        try {
            return !closing
                    && used + flowSets <= capacity
                    && mapping.messageBytes(RdmaMode.WRITE, flowCount) <= slots.slotBytes();
        } finally {
            lock.unlock();
        }
    }

    /** What the system did not allow of the scheduling of the group's thread, each with its reason. */
    List<String> schedulingProblems() {
        return schedulingProblems;
    }

    RdmaTransport transport() {
        return transport;
    }

    /**
     * Makes a stream a member.
     *
     * @param state held while work of the member is handed over
     * @param flowSets flow sets of the stream
     * @param messageBytes bytes of its largest message
     */
    CompletionPort join(CompletionPort.Handler handler, ReentrantLock state, int flowSets, int messageBytes) {
        lock.lock();
        try {
            if (closing) {
                throw new RdmaException("The group is closed");
            }
            if (messageBytes > slots.slotBytes()) {
                throw new RdmaException("The group was made for flow sets of fewer flows: a message of " + messageBytes
                        + " bytes is more than " + slots.slotBytes());
            }
            if (used + flowSets > capacity) {
                throw new RdmaException("The group was made for " + capacity + " flow sets: " + used
                        + " are in use, and " + flowSets + " more do not fit");
            }
            used += flowSets;
            Member member = new Member(handler, state, flowSets);
            members = Arrays.copyOf(members, members.length + 1);
            members[members.length - 1] = member;
            return member;
        } finally {
            lock.unlock();
        }
    }

    private void leave(Member member) {
        lock.lock();
        try {
            Member[] left =
                    Arrays.stream(members).filter(other -> other != member).toArray(Member[]::new);
            if (left.length < members.length) {
                used -= member.flowSets;
                members = left;
            }
        } finally {
            lock.unlock();
        }
    }

    private void post(int slot) {
        receives.postReceive(MESSAGE | slot, slots.region(), slots.offsetBytes(slot), slots.slotBytes());
    }

    // ---- thread

    private void run() {
        CompletionHandler handler = this::onCompletion;
        try {
            schedulingProblems = scheduling.apply();
            while (!closing) {
                if (completions.poll(handler) == 0) {
                    pass();
                    for (Member member : members) {
                        RdmaConnection connection = member.connection;
                        if (connection != null && ended(connection)) {
                            member.wake();
                        }
                    }
                    completions.await(System.nanoTime() + TURN_NANOS);
                }
            }
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.ERROR, "The completion thread of a group ended", e);
            for (Member member : members) {
                member.fail(e);
            }
        } finally {
            closing = true;
            pass();
        }
    }

    private static boolean ended(RdmaConnection connection) {
        RdmaConnection.State now = connection.state();
        return now == RdmaConnection.State.DISCONNECTED || now == RdmaConnection.State.FAILED;
    }

    private void pass() {
        lock.lock();
        try {
            passes.incrementAndGet();
            passed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void onCompletion(Completion completion) {
        RdmaConnection connection = completion.connection();
        for (Member member : members) {
            if (member.connection == connection) {
                member.onCompletion(completion);
                break;
            }
        }
        // Whoever it was for, also one that is gone: the receive is used up.
        if (completion.workId() < 0) {
            post((int) completion.workId());
        }
    }

    /** Ends the thread. After the streams of the group were closed. Idempotent. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (members.length > 0) {
                throw new RdmaException("The group still has " + members.length + " streams: close them first");
            }
            if (used < 0) {
                return;
            }
            used = -1;
        } finally {
            lock.unlock();
        }
        closing = true;
        completions.wakeUp();
        boolean interrupted = false;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(JOIN_MILLIS);
        while (thread.isAlive() && System.nanoTime() - end < 0) {
            try {
                thread.join(JOIN_MILLIS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new RdmaException("The thread " + thread.getName() + " did not end; its memory stays registered");
        }
        completions.close();
        receives.close();
        slots.close();
    }

    /** One stream of the group. */
    private final class Member implements CompletionPort {
        private final Handler handler;
        private final ReentrantLock state;
        private final Condition changed;
        private final int flowSets;
        private volatile RdmaConnection connection;
        private boolean woken;
        private Throwable broken;

        Member(Handler handler, ReentrantLock state, int flowSets) {
            this.handler = handler;
            this.state = state;
            this.flowSets = flowSets;
            changed = state.newCondition();
        }

        /** On the group's thread. */
        void onCompletion(Completion completion) {
            state.lock();
            try {
                // It may have been detached while this thread waited.
                if (completion.connection() != connection) {
                    return;
                }
                if (completion.workId() < 0) {
                    handler.onMessage(completion, slots.view((int) completion.workId()));
                } else {
                    handler.onCompletion(completion);
                }
                if (completion.status() != Completion.Status.SUCCESS || ended(connection) || handler.mustAct()) {
                    signal();
                }
            } catch (RuntimeException | Error e) {
                fail(e);
            } finally {
                state.unlock();
            }
        }

        void fail(Throwable cause) {
            state.lock();
            try {
                broken = cause;
                signal();
            } finally {
                state.unlock();
            }
        }

        private void signal() {
            woken = true;
            changed.signalAll();
        }

        @Override
        public ConnectionSettings settings(int sendDepth, int flowReceives) {
            return ConnectionSettings.of(completions, sendDepth, Math.max(1, flowReceives))
                    .withSharedReceives(receives);
        }

        @Override
        public void attach(RdmaConnection made) {
            connection = made;
        }

        @Override
        public void detach() {
            connection = null;
        }

        @Override
        public int postedReceives() {
            return 0;
        }

        @Override
        public int poll() {
            if (broken != null) {
                throw new RdmaException("The completion thread of the group failed: " + broken.getMessage(), broken);
            }
            return 0;
        }

        @Override
        public void await(long deadlineNanos) {
            boolean interrupted = false;
            long left = deadlineNanos - System.nanoTime();
            while (!woken && left > 0) {
                try {
                    left = changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                    left = 0;
                }
            }
            woken = false;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void settle(long deadlineNanos) {
            // Two passes: the first may have begun before the call.
            long until = passes.get() + 2;
            int holds = state.getHoldCount();
            for (int i = 0; i < holds; i++) {
                state.unlock();
            }
            try {
                awaitPasses(until, deadlineNanos);
            } finally {
                for (int i = 0; i < holds; i++) {
                    state.lock();
                }
            }
        }

        private void awaitPasses(long until, long deadlineNanos) {
            lock.lock();
            try {
                long left = deadlineNanos - System.nanoTime();
                while (passes.get() < until && !closing && left > 0) {
                    completions.wakeUp();
                    left = passed.awaitNanos(left);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void wake() {
            state.lock();
            try {
                signal();
            } finally {
                state.unlock();
            }
        }

        @Override
        public void close() {
            leave(this);
        }
    }
}
