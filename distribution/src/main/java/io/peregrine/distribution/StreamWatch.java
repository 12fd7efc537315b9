package io.peregrine.distribution;

import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Listens to announcements for as long as it is open, and forgets streams that are silent. For one thread. */
final class StreamWatch implements AutoCloseable {
    private static final int MESSAGES_A_TURN = 64;
    private static final int MAX_STREAMS = 1024;
    private static final byte[] NOTHING = new byte[0];

    private final List<Subscription> subscriptions = new ArrayList<>();
    private final List<FragmentAssembler> assemblers = new ArrayList<>();
    private final Map<Integer, Heard> heard = new LinkedHashMap<>();

    /** A stream that announces itself. */
    static final class Heard {
        private final Route route;
        private Announcement announcement;
        private byte[] brief = NOTHING;
        private byte[] description = NOTHING;
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
            return description.clone();
        }

        boolean described() {
            return description.length > 0;
        }
    }

    StreamWatch(AeronHost host, DistributionSettings settings) {
        boolean opened = false;
        try {
            for (Route route : settings.routes()) {
                subscriptions.add(host.aeron()
                        .addSubscription(route.announcements(settings, host.endpoint(route)), Announcement.STREAM_ID));
                assemblers.add(new FragmentAssembler((buffer, offset, length, header) -> {
                    byte[] message = new byte[length];
                    buffer.getBytes(offset, message);
                    take(route, message);
                }));
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

    private void take(Route route, byte[] message) {
        Announcement.parse(ByteBuffer.wrap(message)).ifPresent(one -> {
            Heard known = heard.get(one.session());
            if (one instanceof Announcement.Brief brief) {
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
                known.description = message;
            }
        });
    }

    /** Takes what has come; returns the number of messages. */
    int poll() {
        int messages = 0;
        for (int i = 0; i < subscriptions.size(); i++) {
            messages += subscriptions.get(i).poll(assemblers.get(i), MESSAGES_A_TURN);
        }
        return messages;
    }

    /** Streams that announced themselves, oldest first. */
    List<Heard> streams() {
        return List.copyOf(heard.values());
    }

    /** Forgets a stream that has been silent for that long; returns whether it was. */
    boolean forget(Heard one, long silenceNanos) {
        return System.nanoTime() - one.atNanos > silenceNanos && heard.remove(one.announcement.session(), one);
    }

    @Override
    public void close() {
        subscriptions.forEach(Subscription::close);
    }
}
