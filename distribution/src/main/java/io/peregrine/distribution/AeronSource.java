package io.peregrine.distribution;

import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.aeron.logbuffer.Header;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.ExternalMemory;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.stream.engine.StreamDiagnosis;
import io.peregrine.stream.engine.StreamEngine;
import io.peregrine.stream.engine.StreamSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * A published stream as a stream: the same flow sets, hand-off and mapping as for a device. Only the session that was
 * announced is received. A run begins with the next frame that begins, and ends with the publisher.
 */
final class AeronSource implements StreamSource {
    /** A window is several turns: the publisher hears of what was read after each. */
    private static final int FRAGMENTS_A_TURN = 16;

    private static final long PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    /** A publisher that has forgotten this consumer hears of it only by a new subscription. */
    private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final AeronHost host;
    private final Announcement stream;
    private final Route route;
    /** Address that announcements come from. */
    private final String source;

    private final boolean mustHave;
    private final DistributionSettings settings;
    private final long memoryLimitBytes;
    private final StreamCounters counters = new StreamCounters();
    private final IdleStrategy idle = new BackoffIdleStrategy(20, 20, 1_000, 200_000);
    private final ControlledFragmentHandler handler = this::onFragment;
    private FlowSetPool pool;

    // Receiver thread, but for the start of a run.
    private @Nullable StreamEngine engine;
    private @Nullable Subscription subscription;
    private @Nullable Image image;
    private @Nullable ContainerAssembly assembly;
    private @Nullable RuntimeException problem;
    private Optional<FlowSet> next = Optional.empty();
    private Optional<PublisherLink> link = Optional.empty();
    private long delivered;
    private boolean deliveredNow;
    private boolean noMemory;
    /** Frames that the program has given back. */
    private final AtomicLong returned = new AtomicLong();

    private boolean joinedBefore;
    private long silentSince;
    private long askedSince;

    /** What the driver reported when this was closed. */
    private volatile List<String> lastOfDriver = List.of();

    /**
     * Makes a source.
     *
     * @param host taken over
     * @param source address that announcements come from
     */
    AeronSource(
            AeronHost host,
            Route route,
            String source,
            Announcement stream,
            DistributionSettings settings,
            int flowSetCount,
            long memoryLimitBytes) {
        this.host = host;
        this.route = route;
        this.source = source;
        this.stream = stream;
        this.settings = settings;
        // A frame of a shared stream comes to no one else.
        mustHave = settings.mustHave() || stream.contact().shared();
        this.memoryLimitBytes = memoryLimitBytes;
        pool = allocate(flowSetCount);
    }

    private FlowSetPool allocate(int count) {
        return FlowSetPool.allocate(count, new long[] {Math.max(1, stream.flowBytes())}, memoryLimitBytes);
    }

    @Override
    public String name() {
        return "aeron-" + stream.name();
    }

    @Override
    public FlowSetPool pool() {
        return pool;
    }

    @Override
    public void resizePool(int count) {
        if (count < 1) {
            throw new StreamException("A pool of " + count + " flow sets is not possible");
        }
        pool = allocate(count);
    }

    @Override
    public void usePool(ExternalMemory memory) {
        FlowSetPool external = memory.pool(new long[] {Math.max(1, stream.flowBytes())});
        if (!external.hostAccess()) {
            throw new StreamException("A published stream cannot be received into memory of a device");
        }
        pool = external;
    }

    @Override
    public StreamCounters counters() {
        return counters;
    }

    @Override
    public List<String> diagnosis(StreamStatistics counted) {
        List<String> found = new ArrayList<>();
        say(
                found,
                counted.get(Counter.RECONNECTS),
                " times this program was cut off and joined again, because it did"
                        + " not read for seconds or the network was down: the frames in between are lost");
        say(
                found,
                counted.get(Counter.FRAMES_DROPPED_NO_FLOW_SET),
                " frames found all " + pool.count()
                        + " flow sets in use: close composites earlier, or raise FlowSetCount");
        say(
                found,
                counted.get(Counter.BLOCK_ID_GAPS),
                " frames were not sent or did not arrive: the publisher drops"
                        + " frames when it, the network or a consumer that it waits for is too slow (its"
                        + " output counts them)");
        say(
                found,
                counted.get(IncompleteCause.PACKETS_MISSING),
                " frames lack bytes that were lost in the network and"
                        + " not sent again: check for a bad cable or a switch that is full");
        say(found, counted.get(IncompleteCause.CONNECTION_LOST), " frames were cut off when the connection was lost");
        say(
                found,
                counted.get(IncompleteCause.DATA_LARGER_THAN_FLOW_SET),
                " frames are larger than those announced" + " when the stream was opened: open it again");
        say(
                found,
                counted.get(Counter.FRAMES_DROPPED_UNUSABLE),
                " frames could not be used, because the description of" + " their content is missing or malformed");
        say(
                found,
                counted.get(Counter.PACKETS_MALFORMED),
                " fragments were malformed: somebody else sends under this"
                        + " publisher's address and session, or it has another version");
        StreamDiagnosis.skipped(counted).ifPresent(found::add);
        found.addAll(lastOfDriver.isEmpty() ? host.receiving(stream.session()) : lastOfDriver);
        return List.copyOf(found);
    }

    private static void say(List<String> found, long count, String sentence) {
        if (count > 0) {
            found.add(count + sentence);
        }
    }

    @Override
    public void begin(StreamEngine by) {
        engine = by;
        assembly = new ContainerAssembly(stream.stream(), counters, this::memory, this::filled);
        problem = null;
        next = Optional.empty();
        image = null;
        joinedBefore = false;
        delivered = 0;
        returned.set(0);
        pool.onReturn(returned::incrementAndGet);
        silentSince = System.nanoTime();
        try {
            link = PublisherLink.open(host, route, source, stream.contact());
            subscription = stream.contact().shared() ? lane() : log();
        } catch (AeronException e) {
            throw new StreamException(
                    "The stream '" + stream.name() + "' cannot be received on " + route + ": " + e.getMessage(), e);
        }
    }

    private Subscription log() {
        String channel = route.frames(settings, host.endpoint(route), stream.session());
        return host.aeron().addSubscription(channel, Announcement.FRAMES_STREAM_ID);
    }

    /** The way of a part of the frames to here. Its frames count from 1. */
    private Subscription lane() {
        delivered = 0;
        returned.set(0);
        assembly = new ContainerAssembly(stream.stream(), counters, this::memory, this::filled);
        return link.orElseThrow().openLane();
    }

    private Optional<FlowSet> memory() {
        Optional<FlowSet> taken = next.isPresent() ? next : pool.take();
        next = Optional.empty();
        return taken;
    }

    private void filled(FlowSet set) {
        delivered++;
        deliveredNow = true;
        current(engine).deliver(set);
    }

    @Override
    public void turn() {
        report(false);
        ContainerAssembly frames = current(assembly);
        noMemory = false;
        if (mustHave && !frames.holdsMemory()) {
            next = next.or(pool::take);
            if (next.isEmpty()) {
                // What is not read holds up the publisher.
                noMemory = true;
                silentSince = System.nanoTime();
                LockSupport.parkNanos(PARK_NANOS);
                return;
            }
        }
        Image from = joined();
        if (from == null) {
            LockSupport.parkNanos(PARK_NANOS);
            return;
        }
        deliveredNow = false;
        int fragments = from.controlledPoll(handler, FRAGMENTS_A_TURN);
        if (problem != null) {
            throw problem;
        }
        if (frames.ended()) {
            current(engine).finish();
        }
        idle.idle(fragments);
    }

    /** Reports to the publisher what came, now and then, and at once what a worker has done. */
    private void report(boolean leaving) {
        if (link.isEmpty()) {
            return;
        }
        PublisherLink to = link.get();
        boolean shared = stream.contact().shared();
        long done = shared ? done() : 0;
        if (!leaving && !to.due() && (!shared || to.reported(done))) {
            return;
        }
        StreamStatistics counted = counters.snapshot();
        Image from = image;
        to.report(new ConsumerReport(
                leaving,
                mustHave,
                noMemory,
                stream.session(),
                to.lane(),
                to.port(),
                shared ? pool.count() : 0,
                (int) ProcessHandle.current().pid(),
                done,
                from == null ? 0 : from.position(),
                counted.get(Counter.FRAMES_COMPLETE),
                counted.get(Counter.FRAMES_INCOMPLETE),
                counted.get(Counter.FRAMES_DROPPED_NO_FLOW_SET),
                counted.get(Counter.BLOCK_ID_GAPS) + counted.get(Counter.FRAMES_DROPPED_UNUSABLE),
                counted.get(Counter.RECONNECTS)));
    }

    /** Frames of the lane that the program has used; those that wait when the publisher ends are still taken. */
    private long done() {
        ContainerAssembly frames = current(assembly);
        long waiting = frames.ended() ? 0 : delivered - returned.get();
        return Math.max(0, frames.lastEnded() - waiting);
    }

    /** The image of the publisher's log; null while there is none. */
    private @Nullable Image joined() {
        Image present = image;
        if (present != null && !present.isClosed()) {
            return present;
        }
        if (present != null) {
            image = null;
            joinedBefore = true;
            silentSince = System.nanoTime();
            askedSince = silentSince;
            current(assembly).cutOff(IncompleteCause.CONNECTION_LOST);
            if (stream.contact().shared()) {
                current(subscription).close();
                subscription = lane();
            }
        }
        Subscription log = current(subscription);
        if (log.isClosed()) {
            throw lost("the media driver of this host has ended", host.failure());
        }
        if (log.imageCount() > 0) {
            image = log.imageAtIndex(0);
            if (joinedBefore) {
                counters.increment(Counter.RECONNECTS);
            }
            return image;
        }
        if (System.nanoTime() - silentSince > settings.lostAfter().toNanos()) {
            throw lost("its publisher is silent since " + settings.lostAfter().toMillis() + " ms", Optional.empty());
        }
        if (joinedBefore && !stream.contact().shared() && System.nanoTime() - askedSince > ASK_AGAIN_NANOS) {
            askedSince = System.nanoTime();
            current(subscription).close();
            subscription = log();
        }
        return null;
    }

    private StreamException lost(String reason, Optional<Throwable> cause) {
        return new StreamException(
                "The stream '" + stream.name() + "' on " + route + " is lost: " + reason
                        + ". Check that it runs, and open the stream again",
                cause.orElse(null));
    }

    private Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        try {
            current(assembly).onFragment(buffer, offset, length);
        } catch (RuntimeException e) {
            problem = e;
            return Action.BREAK;
        }
        // One frame a turn: there is memory for one where none may be dropped.
        return deliveredNow ? Action.BREAK : Action.CONTINUE;
    }

    @Override
    public void end() {
        try {
            current(assembly).cutOff(IncompleteCause.STREAM_ENDED);
        } finally {
            next = Optional.empty();
            report(true);
            link.ifPresent(PublisherLink::close);
            link = Optional.empty();
            image = null;
            if (subscription != null) {
                subscription.close();
            }
        }
    }

    @Override
    public void wakeUp() {
        // A turn waits for less than a millisecond.
    }

    @Override
    public void close() {
        lastOfDriver = host.receiving(stream.session());
        host.close();
    }

    private static <T> T current(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("The stream was not begun");
        }
        return value;
    }

    @Override
    public String toString() {
        return "stream '" + stream.name() + "' on " + route;
    }
}
