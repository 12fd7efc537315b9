package io.peregrine.distribution;

import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.FragmentHandler;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Listens to announcements for as long as it is open, and forgets streams that are silent. For one thread. */
final class StreamWatch implements AutoCloseable {
    private static final int MESSAGES_A_TURN = 64;
    private static final int MAX_STREAMS = 1024;
    private static final byte[] NOTHING = new byte[0];

    private final List<Subscription> subscriptions = new ArrayList<>();
    private final Reassembly reassembly = new Reassembly();
    private final List<FragmentHandler> handlers = new ArrayList<>();
    private final Map<Integer, Heard> heard = new LinkedHashMap<>();
    private final Descriptions<byte[]> descriptions = new Descriptions<>();
    private final Predicate<String> wanted;

    /** A stream that announces itself. */
    final class Heard {
        private final Route route;
        private Announcement announcement;
        private byte[] brief = NOTHING;
        private long atNanos;

        private Heard(Route route, Announcement announcement) {
            this.route = route;
            this.announcement = announcement;
        }

        Route route() {
            return route;
        }

        Announcement announcement() {
            return announcement;
        }

        /** The announcement as it came. */
        byte[] brief() {
            return brief.clone();
        }

        /** What was announced of the camera, as it came; empty as long as it did not come. */
        byte[] description() {
            return descriptions.of(announcement.session()).map(byte[]::clone).orElse(NOTHING);
        }

        boolean described() {
            return descriptions.of(announcement.session()).isPresent();
        }
    }

    /**
     * Begins to listen.
     *
     * @param wanted names of streams that count; of others nothing is kept
     */
    StreamWatch(AeronHost host, DistributionSettings settings, Predicate<String> wanted) {
        this.wanted = wanted;
        boolean opened = false;
        try {
            for (Route route : settings.routes()) {
                subscriptions.add(host.aeron()
                        .addSubscription(route.announcements(settings, host.endpoint(route)), Announcement.STREAM_ID));
                handlers.add(reassembly.to((message, header) -> take(route, message)));
            }
            opened = true;
        } catch (AeronException e) {
            throw AeronReason.ofAnnouncements(e);
        } finally {
            if (!opened) {
                close();
            }
        }
    }

    /** Takes a message, whatever it holds. */
    void take(Route route, byte[] message) {
        Announcement.parse(ByteBuffer.wrap(message)).ifPresent(one -> {
            Heard known = heard.get(one.session());
            if (one instanceof Announcement.Brief brief) {
                if (!wanted.test(brief.announcement().name())) {
                    return;
                }
                if (known == null && heard.size() < MAX_STREAMS) {
                    known = new Heard(route, brief.announcement());
                    heard.put(one.session(), known);
                }
                if (known != null) {
                    known.announcement = brief.announcement();
                    known.brief = message;
                    known.atNanos = System.nanoTime();
                }
            } else if (known != null) {
                descriptions.put(one.session(), message, message.length);
            }
        });
    }

    /** Takes what has come; returns the number of messages. */
    int poll() {
        int messages = 0;
        for (int i = 0; i < subscriptions.size(); i++) {
            messages += subscriptions.get(i).poll(handlers.get(i), MESSAGES_A_TURN);
        }
        return messages;
    }

    /** Streams that announced themselves, oldest first. */
    List<Heard> streams() {
        return List.copyOf(heard.values());
    }

    /** Forgets a stream that has been silent for that long; returns whether it was. */
    boolean forget(Heard one, long silenceNanos) {
        int session = one.announcement.session();
        boolean forgotten = System.nanoTime() - one.atNanos > silenceNanos && heard.remove(session, one);
        if (forgotten) {
            descriptions.remove(session);
        }
        return forgotten;
    }

    /** Number of messages that were dropped because they do not end. */
    long dropped() {
        return reassembly.dropped();
    }

    @Override
    public void close() {
        subscriptions.forEach(Subscription::close);
    }
}
