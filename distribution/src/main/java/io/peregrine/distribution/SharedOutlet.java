package io.peregrine.distribution;

import io.aeron.Aeron;
import io.aeron.exceptions.AeronException;
import io.peregrine.recording.FrameContainer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Each frame to one consumer: the one that holds the fewest. Each has a separate log, so that one that is slow or
 * stopped holds up no other; it gets no more frames than it has memory for.
 */
final class SharedOutlet implements FrameOutlet {
    private static final int MAX_WORKERS = 64;
    /** Strangers that ask again and again take no more of the publisher's time than one in that time. */
    private static final long HIRE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long PARK_NANOS = 20_000;

    private final Aeron aeron;
    private final Route route;
    private final DistributionSettings settings;
    private final ConsumerDesk desk;
    private final int session;
    private final PublisherCounters counters;
    private final BooleanSupplier givenUp;
    private final Map<Subscriber, WorkerLane> lanes = new ConcurrentHashMap<>();
    /** Those that asked for what is not possible. */
    private final Set<Subscriber> refused = new HashSet<>();

    private long taken;
    private long hiredNanos = System.nanoTime() - HIRE_NANOS;

    private volatile boolean connected;

    /**
     * Makes an outlet.
     *
     * @param desk where workers report
     * @param session identifies the stream
     * @param givenUp whether to stop waiting for workers
     */
    SharedOutlet(
            Aeron aeron,
            PublisherSettings settings,
            ConsumerDesk desk,
            int session,
            PublisherCounters counters,
            BooleanSupplier givenUp) {
        this.aeron = aeron;
        this.settings = settings.distribution();
        this.desk = desk;
        this.session = session;
        this.counters = counters;
        this.givenUp = givenUp;
        route = Route.parse(settings.route());
    }

    @Override
    public int session() {
        return session;
    }

    @Override
    public boolean connected() {
        return connected;
    }

    @Override
    public boolean ready() {
        // Without a worker, what waits has to be counted.
        return !connected || next() != null;
    }

    /** The one that holds the fewest frames, and of several the one that waits for the longest time. */
    private @Nullable WorkerLane next() {
        WorkerLane best = null;
        for (WorkerLane lane : lanes.values()) {
            if (lane.ready() && (best == null || lane.before(best))) {
                best = lane;
            }
        }
        return best;
    }

    @Override
    public void take(WaitingFrame frame) {
        WorkerLane lane = next();
        if (lane == null) {
            frame.close();
            counters.ended(counters.droppedNoSubscriber);
            return;
        }
        Optional<FrameContainer> container = frame.container();
        if (container.isEmpty()) {
            frame.close();
            counters.ended(counters.droppedUnusable);
            return;
        }
        counters.noteSize(container.get().flowBytes());
        lane.take(frame, container.get(), ++taken);
        lane.turn();
    }

    @Override
    public boolean turn() {
        hire();
        boolean waiting = false;
        boolean anyone = false;
        lanes.entrySet().removeIf(one -> gone(one.getKey(), one.getValue()));
        for (WorkerLane lane : lanes.values()) {
            waiting |= lane.turn();
            anyone |= lane.connected();
        }
        connected = anyone;
        return waiting;
    }

    /** Whether a worker is gone, or expects its frames elsewhere since; if so, what it held is lost. */
    private static boolean gone(Subscriber worker, WorkerLane lane) {
        lane.update();
        boolean gone = !worker.connected() || worker.last().lane() != lane.session();
        if (gone) {
            lane.lose();
        }
        return gone;
    }

    private void hire() {
        refused.removeIf(one -> !one.connected());
        if (lanes.size() >= MAX_WORKERS || System.nanoTime() - hiredNanos < HIRE_NANOS) {
            return;
        }
        for (Subscriber one : desk.present()) {
            if (!lanes.containsKey(one) && !refused.contains(one)) {
                hire(one);
                hiredNanos = System.nanoTime();
                return;
            }
        }
    }

    private void hire(Subscriber one) {
        ConsumerReport report = one.last();
        try {
            WorkerLane lane = new WorkerLane(
                    aeron.addExclusivePublication(
                            route.toLane(settings, one.address(), report.port(), report.lane()),
                            Announcement.FRAMES_STREAM_ID),
                    settings.mtuBytes(),
                    one,
                    report.lane(),
                    counters);
            lanes.put(one, lane);
        } catch (AeronException | IllegalArgumentException e) {
            // Its port or session is not possible, or taken.
            refused.add(one);
        }
    }

    @Override
    public void heldUp() {
        // All workers are busy: none of them is the cause.
    }

    @Override
    public void end() {
        List<WorkerLane> left = new ArrayList<>(lanes.values());
        while (!left.isEmpty() && !givenUp.getAsBoolean()) {
            rest();
            left.removeIf(lane -> !lanes.containsValue(lane) || (!lane.busy() && lane.writeEnd()));
        }
        Farewell farewell = new Farewell(System.nanoTime());
        while (!farewell.over(System.nanoTime(), !lanes.isEmpty(), givenUp.getAsBoolean())) {
            rest();
        }
    }

    private void rest() {
        desk.turn();
        turn();
        LockSupport.parkNanos(PARK_NANOS);
    }

    @Override
    public List<Long> registrationIds() {
        return lanes.values().stream().map(WorkerLane::registrationId).toList();
    }

    @Override
    public void close() {
        connected = false;
        lanes.values().forEach(WorkerLane::close);
        lanes.clear();
    }
}
