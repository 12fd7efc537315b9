package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Action commands: decides whether one is meant for this device, and asserts its action signals, at once or, on a
 * separate thread, when the clock of the camera reaches the time of the command.
 */
final class ActionSignals implements AutoCloseable {
    static final int COUNT = 2;
    static final int QUEUE_SIZE = 8;

    static final int DEVICE_KEY = 0x090C;
    static final int SCHEDULED_QUEUE_SIZE = 0x0970;
    static final int GROUP_KEY = 0x9800;
    static final int GROUP_MASK = 0x9804;
    static final int GROUP_STRIDE = 0x10;
    static final int ACTION_SELECTOR = 0xB840;
    static final int UNCONDITIONAL = 0x8;
    static final int EXTENDED_STATUS_2_0 = 0x00040000;

    private static final int COMMAND_BYTES = 12;
    private static final int SCHEDULED_BYTES = 20;
    /** The clock may be set meanwhile, so check again at times. */
    private static final long MAX_WAIT_NANOS = 10_000_000;

    private record Scheduled(long timeNanos, int signals) implements Comparable<Scheduled> {
        @Override
        public int compareTo(Scheduled other) {
            return Long.compare(timeNanos, other.timeNanos);
        }
    }

    private final RegisterSpace space;
    private final CameraClock clock;
    private final EventSender events;
    private final IntConsumer signal;
    private final PriorityQueue<Scheduled> queue = new PriorityQueue<>();
    private final Thread thread;
    private int deviceKey;
    private volatile boolean closed;

    /**
     * Maps the registers of actions.
     *
     * @param signal takes the number of an asserted signal; called on the thread of this, or of the caller
     */
    ActionSignals(String name, RegisterSpace space, CameraClock clock, EventSender events, IntConsumer signal) {
        this.space = space;
        this.clock = clock;
        this.events = events;
        this.signal = signal;
        space.constant(Reg.ACTION_SIGNAL_COUNT, COUNT);
        space.constant(SCHEDULED_QUEUE_SIZE, QUEUE_SIZE);
        // The key is a secret between device and applications: it can be written, not read.
        space.writable(DEVICE_KEY, 4, value -> {}, () -> {
            deviceKey = space.get(DEVICE_KEY);
            space.set(DEVICE_KEY, 0);
        });
        for (int i = 0; i < COUNT; i++) {
            space.writable(GROUP_KEY + i * GROUP_STRIDE, 4, value -> {}, () -> {});
            space.writable(GROUP_MASK + i * GROUP_STRIDE, 4, value -> {}, () -> {});
        }
        space.writable(
                ACTION_SELECTOR,
                4,
                value -> {
                    if (Integer.compareUnsigned(value.getInt(0), COUNT) >= 0) {
                        throw new RegisterException(Gvcp.INVALID_PARAMETER);
                    }
                },
                () -> {});
        thread = new Thread(this::run, "peregrine-camera-actions-" + name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Forgets keys, groups and what is scheduled, as a restart does. */
    void reset() {
        deviceKey = 0;
        for (int i = 0; i < COUNT; i++) {
            space.set(GROUP_KEY + i * GROUP_STRIDE, 0);
            space.set(GROUP_MASK + i * GROUP_STRIDE, 0);
        }
        synchronized (queue) {
            queue.clear();
        }
    }

    /**
     * Takes a command. Called with the registers locked.
     *
     * @param payload what follows the header
     * @param scheduled whether it has a time
     * @param controlled whether an application controls the device
     * @return the status of the answer; empty when the command is not for this device, which then keeps silent
     */
    OptionalInt receive(ByteBuffer payload, boolean scheduled, boolean controlled) {
        if (payload.remaining() != (scheduled ? SCHEDULED_BYTES : COMMAND_BYTES)) {
            return OptionalInt.of(Gvcp.INVALID_HEADER);
        }
        boolean unconditional = (space.get(Reg.GVCP_CONFIGURATION) & UNCONDITIONAL) != 0;
        int at = payload.position();
        int signals = signals(payload.getInt(at), payload.getInt(at + 4), payload.getInt(at + 8));
        if (signals == 0 || !(controlled || unconditional)) {
            return OptionalInt.empty();
        }
        if (!scheduled) {
            assertSignals(signals);
            return OptionalInt.of(Gvcp.SUCCESS);
        }
        int status = schedule(new Scheduled(payload.getLong(at + COMMAND_BYTES), signals));
        boolean told = status == Gvcp.SUCCESS || (space.get(Reg.GVCP_CONFIGURATION) & EXTENDED_STATUS_2_0) != 0;
        return OptionalInt.of(told ? status : Gvcp.ERROR);
    }

    /** A bit for each signal that the command asserts. */
    private int signals(int key, int groupKey, int groupMask) {
        int signals = 0;
        for (int i = 0; i < COUNT && key == deviceKey; i++) {
            if (groupKey == space.get(GROUP_KEY + i * GROUP_STRIDE)
                    && (groupMask & space.get(GROUP_MASK + i * GROUP_STRIDE)) != 0) {
                signals |= 1 << i;
            }
        }
        return signals;
    }

    private int schedule(Scheduled action) {
        if (!clock.synchronised()) {
            return Gvcp.NO_REF_TIME;
        }
        long now = clock.now();
        if (action.timeNanos <= now) {
            assertSignals(action.signals);
            events.post(EventKind.ACTION_LATE, 0, now);
            return Gvcp.ACTION_LATE;
        }
        synchronized (queue) {
            if (queue.size() >= QUEUE_SIZE) {
                return Gvcp.OVERFLOW;
            }
            queue.add(action);
        }
        LockSupport.unpark(thread);
        return Gvcp.SUCCESS;
    }

    private void assertSignals(int signals) {
        for (int i = 0; i < COUNT; i++) {
            if ((signals & 1 << i) != 0) {
                signal.accept(i);
            }
        }
    }

    private void run() {
        while (!closed) {
            Scheduled due = null;
            long waitNanos = Long.MAX_VALUE;
            synchronized (queue) {
                Scheduled next = queue.peek();
                if (next != null) {
                    waitNanos = next.timeNanos - clock.now();
                    due = waitNanos <= 0 ? queue.remove() : null;
                }
            }
            if (due != null) {
                // Not under the lock of the queue: the device has its own lock.
                assertSignals(due.signals);
            } else if (waitNanos == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, Math.min(waitNanos, MAX_WAIT_NANOS));
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(2000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
