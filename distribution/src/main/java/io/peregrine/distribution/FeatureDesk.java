package io.peregrine.distribution;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import io.peregrine.genapi.NodeMap;
import io.peregrine.stream.engine.Threads;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where consumers that have the key read and write the features of a published camera. A separate thread asks the
 * camera: frames do not wait for it.
 */
final class FeatureDesk implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(FeatureDesk.class.getName());
    private static final int STRANGERS_A_TURN = 8;
    private static final long PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    /** An answer that a consumer does not take for that long ends its session. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** For a request that is being executed. */
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AeronHost host;
    private final Route route;
    private final FeatureExecutor executor;
    private final FeatureCounters counters;
    private final FeatureGate gate;
    private final Subscription subscription;
    private final Contact.Features contact;
    private final FragmentHandler handler = this::onMessage;
    private final IdleStrategy idle = new BackoffIdleStrategy(100, 100, 1_000, PARK_NANOS);
    private final Thread thread;
    private volatile boolean closed;

    // Thread only. By the session under which each asks.
    private final Map<Integer, Replies> replies = new HashMap<>();

    private FeatureDesk(
            AeronHost host, PublisherSettings settings, int stream, NodeMap nodes, FeatureKey key, FeatureCounters by) {
        this.host = host;
        counters = by;
        route = Route.parse(settings.route());
        executor = new FeatureExecutor(nodes);
        SecureRandom random = new SecureRandom();
        subscription =
                host.aeron().addSubscription(route.desk(settings.distribution()), FeatureMessage.REQUESTS_STREAM_ID);
        int port = route.kind() == Route.Kind.SHARED_MEMORY
                ? 0
                : LocalEndpoint.await(subscription).getPort();
        contact = new Contact.Features(port, random.nextLong(), random.nextLong());
        gate = new FeatureGate(key, contact.nonce(), stream, counters, System.nanoTime());
        thread = new Thread(this::run, "peregrine-features-" + settings.name());
        thread.setDaemon(true);
    }

    /**
     * Begins to take requests.
     *
     * @param stream session of the stream
     * @throws DistributionException if the key is not good, or there is nothing to forward
     */
    static FeatureDesk open(
            PublisherSettings settings, int stream, NodeMap nodes, Path keyFile, FeatureCounters counters) {
        FeatureKey key = FeatureKey.read(keyFile);
        AeronHost host = AeronHost.open(settings.distribution());
        boolean opened = false;
        try {
            FeatureDesk desk = new FeatureDesk(host, settings, stream, nodes, key, counters);
            desk.thread.start();
            opened = true;
            return desk;
        } catch (AeronException e) {
            throw new DistributionException(
                    "Features cannot be forwarded on " + settings.route() + ": " + AeronReason.of(e), e);
        } finally {
            if (!opened) {
                host.close();
            }
        }
    }

    /** What announcements say of it. */
    Contact.Features contact() {
        return contact;
    }

    private void run() {
        try {
            while (!closed) {
                idle.idle(turn());
            }
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.WARNING, "Features are forwarded no longer: " + e, e);
        } finally {
            replies.values().forEach(Replies::close);
            subscription.close();
            host.close();
        }
    }

    private int turn() {
        int[] work = {0};
        subscription.forEachImage(image -> work[0] += serve(image, System.nanoTime()));
        Iterator<Map.Entry<Integer, Replies>> all = replies.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Integer, Replies> one = all.next();
            boolean gone = subscription.imageBySessionId(one.getKey()) == null;
            if (gone || one.getValue().tooLate(System.nanoTime())) {
                one.getValue().close();
                gate.leave(one.getKey());
                all.remove();
            }
        }
        return work[0];
    }

    /** One request a turn of each consumer, so that none keeps the others from theirs. */
    private int serve(Image image, long now) {
        Replies to = replies.get(image.sessionId());
        if (to == null) {
            return image.poll(handler, STRANGERS_A_TURN);
        }
        if (!to.flush() || !to.session.pace().ready(now)) {
            // What waits holds up this consumer alone.
            return 0;
        }
        int requests = image.poll(handler, 1);
        if (requests > 0) {
            to.session.pace().spend();
        }
        return requests;
    }

    private void onMessage(DirectBuffer buffer, int offset, int length, Header header) {
        int from = header.sessionId();
        boolean whole = (header.flags() & FrameDescriptor.UNFRAGMENTED) == FrameDescriptor.UNFRAGMENTED;
        Optional<FeatureMessage> admitted = gate.admit(from, buffer, offset, length, whole, System.nanoTime());
        if (admitted.isEmpty()) {
            return;
        }
        FeatureGate.Session session = gate.session(from).orElseThrow();
        if (admitted.get().type() == FeatureMessage.Type.HELLO) {
            welcome(from, session);
            return;
        }
        FeatureAnswer answer = executor.execute(admitted.get());
        counters.executed.increment();
        Replies to = replies.get(from);
        if (to != null) {
            to.say(gate.answer(session, admitted.get(), answer));
        }
    }

    private void welcome(int from, FeatureGate.Session session) {
        Replies before = replies.remove(from);
        if (before != null) {
            before.close();
        }
        Image image = subscription.imageBySessionId(from);
        String address = image == null ? "" : LocalEndpoint.addressOf(image.sourceIdentity());
        try {
            ExclusivePublication publication = host.aeron()
                    .addExclusivePublication(
                            route.toAsker(address, session.port(), session.lane()), FeatureMessage.ANSWERS_STREAM_ID);
            Replies to = new Replies(session, publication);
            replies.put(from, to);
            to.say(session.welcome());
        } catch (AeronException | IllegalArgumentException e) {
            counters.malformed.increment();
            gate.leave(from);
            LOGGER.log(System.Logger.Level.DEBUG, "A consumer cannot be answered", e);
        }
    }

    /** Ends it; a request that is being executed ends by itself. */
    @Override
    public void close() {
        closed = true;
        Threads.join(thread, END_NANOS);
    }

    /** The way back to a consumer. */
    private static final class Replies implements AutoCloseable {
        private final FeatureGate.Session session;
        private final ExclusivePublication publication;
        private @Nullable UnsafeBuffer waiting;
        private long waitingSince;

        Replies(FeatureGate.Session session, ExclusivePublication publication) {
            this.session = session;
            this.publication = publication;
        }

        void say(byte[] message) {
            waiting = new UnsafeBuffer(message);
            waitingSince = System.nanoTime();
            flush();
        }

        /** Whether nothing waits. */
        boolean flush() {
            UnsafeBuffer message = waiting;
            if (message != null && publication.offer(message) > 0) {
                waiting = null;
            }
            return waiting == null;
        }

        boolean tooLate(long now) {
            return waiting != null && now - waitingSince > PATIENCE_NANOS;
        }

        @Override
        public void close() {
            publication.close();
        }
    }
}
