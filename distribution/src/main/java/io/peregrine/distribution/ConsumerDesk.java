package io.peregrine.distribution;

import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;

/**
 * Where consumers of a stream report to its publisher. What strangers send takes no more memory than a fixed number of
 * consumers, and is counted. For the publisher's thread, but where it says otherwise.
 */
final class ConsumerDesk implements AutoCloseable {
    private static final int REPORTS_A_TURN = 64;
    private static final int MAX_CONSUMERS = 256;
    private static final int MAX_REMEMBERED = 64;

    private final Subscription subscription;
    private final int session;
    private final int port;
    private final FragmentHandler handler = this::onMessage;
    /** By the session under which each reports. */
    private final Map<Integer, Subscriber> present = new ConcurrentHashMap<>();

    private final ConcurrentLinkedDeque<Subscriber> past = new ConcurrentLinkedDeque<>();
    private final LongAdder refused = new LongAdder();

    /**
     * Opens it.
     *
     * @param session of the stream: what is about another is not for this publisher
     */
    ConsumerDesk(Aeron aeron, Route route, DistributionSettings settings, int session) {
        this.session = session;
        subscription = aeron.addSubscription(route.desk(settings), ConsumerReport.STREAM_ID);
        port = route.kind() == Route.Kind.SHARED_MEMORY
                ? 0
                : LocalEndpoint.await(subscription).getPort();
    }

    /** What announcements say of it. */
    Contact contact(boolean shared) {
        return new Contact(true, shared, port);
    }

    /** Takes what has come. */
    void turn() {
        subscription.poll(handler, REPORTS_A_TURN);
        if (present.isEmpty()) {
            return;
        }
        for (Map.Entry<Integer, Subscriber> one : present.entrySet()) {
            if (subscription.imageBySessionId(one.getKey()) == null) {
                leave(one.getKey());
            }
        }
    }

    private void onMessage(DirectBuffer buffer, int offset, int length, Header header) {
        hear(header.sessionId(), buffer, offset, length);
    }

    /**
     * Takes a message, whatever it holds.
     *
     * @param from session under which it came
     */
    void hear(int from, DirectBuffer buffer, int offset, int length) {
        Optional<ConsumerReport> read = ConsumerReport.parse(buffer, offset, length);
        if (read.isEmpty()) {
            refused.increment();
            return;
        }
        ConsumerReport report = read.get();
        if (report.session() != session) {
            // On shared memory, all publishers of the host hear all consumers.
            return;
        }
        Subscriber known = present.get(from);
        if (report.leaving()) {
            if (known != null) {
                known.last(report);
                leave(from);
            }
        } else if (known != null) {
            known.last(report);
        } else if (present.size() < MAX_CONSUMERS) {
            Image image = subscription.imageBySessionId(from);
            String source = image == null ? "" : image.sourceIdentity();
            present.put(from, new Subscriber(LocalEndpoint.addressOf(source), report));
        } else {
            refused.increment();
        }
    }

    private void leave(int from) {
        Subscriber gone = present.remove(from);
        if (gone != null) {
            gone.gone();
            past.add(gone);
            if (past.size() > MAX_REMEMBERED) {
                past.poll();
            }
        }
    }

    /** Whether one is there. For any thread. */
    boolean anyone() {
        return !present.isEmpty();
    }

    /** Those who are there. For any thread. */
    Iterable<Subscriber> present() {
        return present.values();
    }

    /**
     * Notes that a frame was dropped for all: because of the one that must have each frame and is furthest behind. For
     * any thread.
     *
     * @param position how far the publisher is
     */
    void heldUp(long position) {
        Subscriber slowest = null;
        for (Subscriber one : present.values()) {
            ConsumerReport report = one.last();
            if (report.mustHave() && (slowest == null || behind(one, slowest))) {
                slowest = one;
            }
        }
        if (slowest != null && (slowest.last().noMemory() || slowest.last().position() < position)) {
            slowest.heldUp.increment();
        }
    }

    private static boolean behind(Subscriber one, Subscriber other) {
        return one.last().position() < other.last().position();
    }

    /** Whether one reports that may drop frames. For any thread. */
    boolean oneMayDrop() {
        return present.values().stream().anyMatch(one -> !one.last().mustHave());
    }

    /** Whether there were consumers that report, and none of them must have each frame. For any thread. */
    boolean allMayDrop() {
        return all().findAny().isPresent() && all().noneMatch(one -> one.last().mustHave());
    }

    /** All that is known of consumers, those that left first. For any thread. */
    List<FramePublisher.Consumer> view() {
        return all().map(Subscriber::view).toList();
    }

    /**
     * Those that must have each frame, have not said that they leave, and have not been heard for a time. For any
     * thread.
     */
    List<Subscriber> silent(long nanos) {
        return all().filter(one -> one.last().mustHave() && !one.last().leaving() && one.silentNanos() > nanos)
                .toList();
    }

    private Stream<Subscriber> all() {
        return Stream.concat(past.stream(), present.values().stream());
    }

    /** Messages that were malformed, or of more consumers than are possible. For any thread. */
    long refused() {
        return refused.sum();
    }

    @Override
    public void close() {
        subscription.close();
    }
}
