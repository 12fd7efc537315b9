package io.peregrine.distribution;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.peregrine.device.DeviceAccessDeniedException;
import io.peregrine.device.DeviceException;
import io.peregrine.device.DeviceLostException;
import io.peregrine.device.DeviceTimeoutException;
import io.peregrine.device.spi.CameraLink;
import io.peregrine.genapi.Port;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A consumer's way to the registers of the camera. One request at a time; after one that was not answered, the next
 * begins a session again. Thread-safe.
 */
final class FeatureClient implements CameraLink {
    private static final int MAX_PLACES = 64;
    private static final int PLACE_BYTES = 10;
    private static final int MESSAGES_A_TURN = 8;
    /** For a publisher that has another key, which does not answer. */
    private static final Duration HELLO_PATIENCE = Duration.ofSeconds(5);

    private final AeronHost host;
    private final Announcement stream;
    private final byte[] announced;
    private final FeatureKey shared;
    private final Duration patience;
    private final ExclusivePublication publication;
    private final Subscription subscription;
    private final int lane = ThreadLocalRandom.current().nextInt();
    private final int port;
    private final FragmentHandler handler = this::onMessage;
    private final IdleStrategy idle = new BackoffIdleStrategy(100, 100, 1_000, 200_000);
    private volatile boolean closed;

    // Guarded by this.
    private @Nullable FeatureKey session;
    private long counter;
    private long changes = -1;
    private long foreignChanges;
    private final List<FeatureMessage> received = new ArrayList<>();

    private FeatureClient(
            AeronHost host,
            Route route,
            String source,
            Announcement stream,
            Contact.Features contact,
            FeatureKey shared,
            Duration patience) {
        this.host = host;
        this.stream = stream;
        this.shared = shared;
        this.patience = patience;
        announced = contact.nonce();
        publication = host.aeron()
                .addExclusivePublication(route.toFeatures(source, contact.port()), FeatureMessage.REQUESTS_STREAM_ID);
        subscription = host.aeron().addSubscription(route.lane(source, lane), FeatureMessage.ANSWERS_STREAM_ID);
        port = route.kind() == Route.Kind.SHARED_MEMORY
                ? 0
                : LocalEndpoint.await(subscription).getPort();
    }

    /**
     * Opens a way, and a session with the publisher.
     *
     * @param source address that announcements come from
     * @throws DeviceException if the publisher does not accept it
     */
    static FeatureClient open(
            DistributionSettings settings,
            Route route,
            String source,
            Announcement stream,
            Contact.Features contact,
            FeatureKey shared) {
        AeronHost host = AeronHost.open(settings);
        FeatureClient client = null;
        boolean opened = false;
        try {
            client = new FeatureClient(host, route, source, stream, contact, shared, settings.lostAfter());
            client.state();
            opened = true;
            return client;
        } catch (AeronException | IllegalArgumentException e) {
            throw new DistributionException(
                    "The publisher on " + route + " cannot be asked for features: " + reason(e), e);
        } finally {
            if (!opened && client != null) {
                client.close();
            } else if (!opened) {
                host.close();
            }
        }
    }

    private static String reason(RuntimeException e) {
        return e instanceof AeronException own ? AeronReason.of(own) : String.valueOf(e.getMessage());
    }

    @Override
    public void read(List<Port.Request> requests) {
        List<ByteBuffer> places = new ArrayList<>();
        List<Long> addresses = new ArrayList<>();
        int bytes = 0;
        for (Port.Request request : requests) {
            ByteBuffer destination = request.destination();
            int length = destination.remaining();
            for (int done = 0; done < length; done += FeatureAnswer.MAX_DATA_BYTES) {
                int piece = Math.min(FeatureAnswer.MAX_DATA_BYTES, length - done);
                if (places.size() == MAX_PLACES || bytes + piece > FeatureAnswer.MAX_DATA_BYTES) {
                    read(addresses, places, bytes);
                    addresses.clear();
                    places.clear();
                    bytes = 0;
                }
                places.add(destination.slice(destination.position() + done, piece));
                addresses.add(request.address() + done);
                bytes += piece;
            }
        }
        if (!places.isEmpty()) {
            read(addresses, places, bytes);
        }
        requests.forEach(one -> one.destination().position(one.destination().limit()));
    }

    private void read(List<Long> addresses, List<ByteBuffer> places, int bytes) {
        ByteBuffer body = ByteBuffer.allocate(places.size() * PLACE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < places.size(); i++) {
            body.putLong(addresses.get(i)).putShort((short) places.get(i).remaining());
        }
        ByteBuffer data =
                ByteBuffer.wrap(ask(FeatureMessage.Type.READ, body.array()).data());
        if (data.remaining() != bytes) {
            throw new DistributionException("The publisher of '" + stream.name() + "' answers with " + data.remaining()
                    + " bytes instead of " + bytes + ": it has another version");
        }
        for (ByteBuffer place : places) {
            place.put(data.slice(data.position(), place.remaining()));
            data.position(data.position() + place.position());
        }
    }

    @Override
    public void write(long address, ByteBuffer source) {
        for (long at = address; source.hasRemaining(); ) {
            int length = Math.min(FeatureAnswer.MAX_DATA_BYTES, source.remaining());
            byte[] body = new byte[Long.BYTES + length];
            ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN).putLong(at);
            source.get(body, Long.BYTES, length);
            ask(FeatureMessage.Type.WRITE, body);
            at += length;
        }
    }

    @Override
    public synchronized State state() {
        FeatureAnswer answer = ask(FeatureMessage.Type.STATE, new byte[0]);
        return new State(answer.locked(), foreignChanges);
    }

    private synchronized FeatureAnswer ask(FeatureMessage.Type type, byte[] body) {
        FeatureKey key = session == null ? hello() : session;
        long number = ++counter;
        byte[] message =
                FeatureMessage.of(type, stream.session(), lane, number, body).asPart(key);
        Optional<FeatureMessage> answered = exchange(
                message,
                patience,
                one -> one.type() == FeatureMessage.Type.ANSWER && one.counter() == number && one.isPart(key));
        Optional<FeatureAnswer> answer = answered.flatMap(one -> FeatureAnswer.parse(one.body()));
        if (answer.isEmpty()) {
            session = null;
            throw silent("did not answer within " + patience.toMillis() + " ms: check that it runs. "
                    + (type == FeatureMessage.Type.WRITE
                            ? "Whether the camera took what was written is not known"
                            : "Nothing was changed"));
        }
        FeatureAnswer known = answer.get();
        if (changes >= 0 && changes != known.before()) {
            foreignChanges++;
        }
        changes = known.after();
        return done(known);
    }

    private static FeatureAnswer done(FeatureAnswer answer) {
        String reason = answer.reason();
        Throwable cause = new DistributionException("The publisher reports: " + reason);
        switch (answer.status()) {
            case DONE -> {
                return answer;
            }
            case DENIED -> throw new DeviceAccessDeniedException(reason, cause);
            case TIMEOUT -> throw new DeviceTimeoutException(reason, cause);
            case LOST -> throw new DeviceLostException(reason, cause);
            case REFUSED -> throw new DeviceException(reason, cause);
        }
        throw new IllegalStateException(answer.status().toString());
    }

    /** Begins a session. */
    private FeatureKey hello() {
        byte[] nonce = new byte[FeatureMessage.NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        byte[] body = ByteBuffer.allocate(nonce.length + Short.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(nonce)
                .putShort((short) port)
                .array();
        byte[] hello = FeatureMessage.of(FeatureMessage.Type.HELLO, stream.session(), lane, 0, body)
                .asHello(shared, announced);
        Duration limit = patience.compareTo(HELLO_PATIENCE) < 0 ? patience : HELLO_PATIENCE;
        FeatureMessage welcome = exchange(hello, limit, one -> one.isWelcome(shared, announced, nonce))
                .filter(one -> one.body().remaining() == FeatureMessage.NONCE_BYTES)
                .orElseThrow(() -> silent("did not accept this program within " + limit.toMillis()
                        + " ms: check that it runs, that FeaturesKeyFile has the key of its --features-key, and that a"
                        + " firewall lets UDP pass"));
        byte[] publisher = new byte[FeatureMessage.NONCE_BYTES];
        welcome.body().get(publisher);
        FeatureKey key = FeatureMessage.session(shared, announced, nonce, publisher);
        session = key;
        counter = 0;
        return key;
    }

    private DeviceTimeoutException silent(String what) {
        String message = "The publisher of '" + stream.name() + "' " + what;
        return new DeviceTimeoutException(message, new DistributionException(message));
    }

    /** A question to a message. */
    private interface Wanted {
        boolean test(FeatureMessage message);
    }

    private Optional<FeatureMessage> exchange(byte[] message, Duration limit, Wanted wanted) {
        UnsafeBuffer buffer = new UnsafeBuffer(message);
        long begin = System.nanoTime();
        boolean sent = false;
        idle.reset();
        while (System.nanoTime() - begin < limit.toNanos()) {
            if (closed || publication.isClosed()) {
                throw new DeviceException("The stream '" + stream.name() + "' is closed");
            }
            sent = sent || publication.offer(buffer) > 0;
            received.clear();
            int messages = subscription.poll(handler, MESSAGES_A_TURN);
            for (FeatureMessage one : received) {
                if (one.session() == stream.session() && one.lane() == lane && wanted.test(one)) {
                    return Optional.of(one);
                }
            }
            idle.idle(messages);
        }
        return Optional.empty();
    }

    private void onMessage(DirectBuffer buffer, int offset, int length, Header header) {
        FeatureMessage.parse(buffer, offset, length).ifPresent(received::add);
    }

    @Override
    public void close() {
        closed = true;
        synchronized (this) {
            if (!subscription.isClosed()) {
                subscription.close();
                publication.close();
                host.close();
            }
        }
    }
}
