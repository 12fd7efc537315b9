package io.peregrine.distribution;

import io.aeron.AeronCounters;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.StreamDiagnosis;
import io.peregrine.stream.engine.StreamEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;

/**
 * A published stream as a stream: the same flow sets, hand-off and mapping as for a device. Only the session that was
 * announced is received. A run begins with the next frame that begins, and ends with the publisher.
 */
final class AeronSource extends LogSource {
    /** A window is several turns: the publisher hears of what was read after each. */
    private static final int FRAGMENTS_A_TURN = 16;

    /** A publisher that has forgotten this consumer hears of it only by a new subscription. */
    private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** The media driver forgets the log of a subscription that is closed; before that, a new one would get the same. */
    private static final long FORGET_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final AeronHost host;
    private final Announcement stream;
    private final Route route;
    /** Address that announcements come from. */
    private final String source;

    private final boolean mustHave;
    private final DistributionSettings settings;

    // Receiver thread, but for the start of a run.
    private @Nullable Subscription subscription;
    private @Nullable Image image;
    private LeftBehind lag = new LeftBehind(Integer.MAX_VALUE);
    /** Counter of the driver: up to where the image's log has come. */
    private int highest = CountersReader.NULL_COUNTER_ID;
    /** It was cut off, and its subscription is closed. */
    private boolean left;

    private Optional<PublisherLink> link = Optional.empty();
    private long delivered;
    private boolean noMemory;
    /** Frames that the program has given back. */
    private final AtomicLong returned = new AtomicLong();

    private boolean joinedBefore;
    private long silentSince;
    private long askedSince;

    /** Length of the publisher's term; until it is known, as long as one can be. */
    private volatile int termBytes = Integer.MAX_VALUE;
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
        super(stream.stream(), stream.flowBytes(), flowSetCount, memoryLimitBytes);
        this.host = host;
        this.route = route;
        this.source = source;
        this.stream = stream;
        this.settings = settings;
        // A frame of a shared stream comes to no one else.
        mustHave = settings.mustHave() || stream.contact().shared();
    }

    @Override
    public String name() {
        return "aeron-" + stream.name();
    }

    @Override
    public List<String> diagnosis(StreamStatistics counted) {
        List<String> found = new ArrayList<>();
        if (counted.get(Counter.BLOCK_ID_GAPS)
                        + counted.get(Counter.FRAMES_INCOMPLETE)
                        + counted.get(Counter.RECONNECTS)
                > 0) {
            term().ifPresent(found::add);
        }
        say(
                found,
                counted.get(Counter.RECONNECTS),
                " times this program was cut off and joined again, because it did"
                        + " not read for seconds, fell behind, or the network was down: frames in between are lost");
        say(
                found,
                counted.get(Counter.FRAMES_DROPPED_NO_FLOW_SET),
                " frames found all " + pool().count()
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
                " frames are larger than those announced when the device was opened: open the device again");
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

    private Optional<String> term() {
        return (mustHave ? Optional.<String>empty() : TermLength.needed(route, termBytes, stream.flowBytes()))
                .map(needed -> "Frames of " + stream.flowBytes() + " bytes are large for the publisher's "
                        + DistributionSettings.TERM + " of " + termBytes + " bytes: this program may drop frames, and"
                        + " is cut off when it is late by half of that. Set " + DistributionSettings.TERM + "="
                        + needed + " at the publisher, or " + DistributionSettings.SLOW + "=wait here");
    }

    @Override
    public void begin(StreamEngine by) {
        begun(by);
        assembleAnew();
        image = null;
        joinedBefore = false;
        left = false;
        delivered = 0;
        returned.set(0);
        pool().onReturn(returned::incrementAndGet);
        silentSince = System.nanoTime();
        try {
            link = PublisherLink.open(host, route, source, stream.contact());
            subscription = stream.contact().shared() ? lane() : log();
        } catch (AeronException e) {
            throw new StreamException(
                    "The stream '" + stream.name() + "' cannot be received on " + route + ": " + AeronReason.of(e), e);
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
        assembleAnew();
        return link.orElseThrow().openLane();
    }

    @Override
    void filled(FlowSet set) {
        delivered++;
        super.filled(set);
    }

    @Override
    public void turn() {
        report(false);
        noMemory = mustHave && !holdsMemory();
        if (noMemory) {
            // What is not read holds up the publisher.
            silentSince = System.nanoTime();
            park();
            return;
        }
        Image from = joined();
        if (from == null) {
            park();
            return;
        }
        int fragments = read(from::controlledPoll, FRAGMENTS_A_TURN);
        if (frames().ended()) {
            engine().finish();
        } else if (fragments == 0 && behind(from)) {
            cutOff();
        }
        idle(fragments);
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
        StreamStatistics counted = counters().snapshot();
        Image from = image;
        to.report(new ConsumerReport(
                leaving,
                mustHave,
                noMemory,
                stream.session(),
                to.lane(),
                to.port(),
                shared ? pool().count() : 0,
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
        ContainerAssembly frames = frames();
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
            cutOff();
        }
        if (left && !joinAgain()) {
            return null;
        }
        Subscription log = subscribed();
        if (log.imageCount() > 0) {
            Image came = log.imageAtIndex(0);
            image = came;
            termBytes = came.termBufferLength();
            lag = new LeftBehind(termBytes);
            highest = host.aeron()
                    .countersReader()
                    .findByTypeIdAndRegistrationId(AeronCounters.DRIVER_RECEIVER_HWM_TYPE_ID, came.correlationId());
            if (joinedBefore) {
                counters().increment(Counter.RECONNECTS);
            }
            return came;
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

    /** Whether an image that has nothing to read lacks what it will not get. No one waits for this consumer then. */
    private boolean behind(Image present) {
        return !mustHave
                && highest != CountersReader.NULL_COUNTER_ID
                && lag.at(
                        present.position(), host.aeron().countersReader().getCounterValue(highest), System.nanoTime());
    }

    private void cutOff() {
        image = null;
        joinedBefore = true;
        silentSince = System.nanoTime();
        askedSince = silentSince;
        frames().cutOff(IncompleteCause.CONNECTION_LOST);
        subscribed().close();
        if (stream.contact().shared()) {
            subscription = lane();
        } else {
            left = true;
        }
    }

    /** Whether there is a new subscription. */
    private boolean joinAgain() {
        if (host.aeron().isClosed()) {
            throw driverEnded();
        }
        if (System.nanoTime() - askedSince > FORGET_NANOS) {
            left = false;
            subscription = log();
        }
        return !left;
    }

    /** The subscription, which ends with the media driver. */
    private Subscription subscribed() {
        Subscription open = current(subscription);
        if (open.isClosed()) {
            throw driverEnded();
        }
        return open;
    }

    private StreamException driverEnded() {
        return lost("the media driver of this host has ended", host.failure());
    }

    private StreamException lost(String reason, Optional<Throwable> cause) {
        return new StreamException(
                "The stream '" + stream.name() + "' on " + route + " is lost: " + reason
                        + ". Check that it runs, and open the device again: a publisher that was started again has"
                        + " another session",
                cause.orElse(null));
    }

    @Override
    public void end() {
        try {
            frames().cutOff(IncompleteCause.STREAM_ENDED);
        } finally {
            report(true);
            link.ifPresent(PublisherLink::close);
            link = Optional.empty();
            image = null;
            if (subscription != null) {
                subscription.close();
            }
            ended();
        }
    }

    @Override
    public void close() {
        lastOfDriver = host.receiving(stream.session());
        host.close();
    }

    @Override
    public String toString() {
        return "stream '" + stream.name() + "' on " + route;
    }
}
