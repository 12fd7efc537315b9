package io.peregrine.distribution;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A consumer's way to the publisher of its stream: it reports there what it receives, and asks there for its part of a
 * shared stream. Never waits. For one thread.
 */
final class PublisherLink implements AutoCloseable {
    /** Between reports that say nothing urgent. */
    private static final long REPORT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final AeronHost host;
    private final Route route;
    private final String source;
    private final ExclusivePublication publication;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[ConsumerReport.SIZE_BYTES]);

    private int lane;
    private int port;
    private @Nullable ConsumerReport last;
    private long lastNanos;

    /**
     * Opens a way to a publisher.
     *
     * @param source address that its announcements come from
     */
    private PublisherLink(AeronHost host, Route route, String source, Contact contact) {
        this.host = host;
        this.route = route;
        this.source = source;
        publication =
                host.aeron().addExclusivePublication(route.toDesk(source, contact.port()), ConsumerReport.STREAM_ID);
        lastNanos = System.nanoTime() - REPORT_NANOS;
    }

    /** Empty when the publisher cannot be spoken to; frames of a stream that is not shared come without it. */
    static Optional<PublisherLink> open(AeronHost host, Route route, String source, Contact contact) {
        if (!contact.reachable()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new PublisherLink(host, route, source, contact));
        } catch (AeronException | IllegalArgumentException e) {
            if (contact.shared()) {
                throw new DistributionException(
                        "The publisher on " + route + " cannot be spoken to: " + e.getMessage(), e);
            }
            return Optional.empty();
        }
    }

    /** A new way for frames of a shared stream to here; the publisher hears of it by the next report. */
    Subscription openLane() {
        lane = ThreadLocalRandom.current().nextInt();
        Subscription frames = host.aeron().addSubscription(route.lane(source, lane), Announcement.FRAMES_STREAM_ID);
        port = route.kind() == Route.Kind.SHARED_MEMORY
                ? 0
                : LocalEndpoint.await(frames).getPort();
        lastNanos = System.nanoTime() - REPORT_NANOS;
        return frames;
    }

    /** Session under which frames of a shared stream come. */
    int lane() {
        return lane;
    }

    /** UDP port where they come. */
    int port() {
        return port;
    }

    /** Whether a report is due, if there is nothing urgent. */
    boolean due() {
        return System.nanoTime() - lastNanos >= REPORT_NANOS;
    }

    /** Reports, if it is possible now. */
    void report(ConsumerReport report) {
        report.put(message);
        if (publication.offer(message) > 0) {
            last = report;
        }
        lastNanos = System.nanoTime();
    }

    /** Whether the publisher knows that many frames to be done. */
    boolean reported(long done) {
        ConsumerReport known = last;
        return known != null && known.done() == done;
    }

    @Override
    public void close() {
        publication.close();
    }
}
