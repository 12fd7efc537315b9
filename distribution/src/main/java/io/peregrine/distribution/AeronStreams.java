package io.peregrine.distribution;

import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.FragmentHandler;
import io.peregrine.device.spi.CameraLink;
import io.peregrine.device.spi.PublishedStream;
import io.peregrine.device.spi.StreamProvider;
import io.peregrine.distribution.Announcement.Brief;
import io.peregrine.distribution.Announcement.Description;
import io.peregrine.distribution.Announcement.Message;
import io.peregrine.distribution.archive.ArchiveCatalog;
import io.peregrine.distribution.archive.ArchiveRecorder;
import io.peregrine.recording.Camera;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.engine.StreamSource;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Finds streams that are published on the routes of the settings, for {@link io.peregrine.device.DeviceFactory}:
 * programs do not need it. Looks nowhere, and starts no media driver, as long as the settings name no route.
 */
@SuppressWarnings("exports") // What it gives is for the module that asks.
public final class AeronStreams implements StreamProvider {
    static final String SCHEME = "aeron";

    private static final System.Logger LOGGER = System.getLogger(AeronStreams.class.getName());
    private static final long PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Others of the same name announce themselves within that time. */
    private static final long OTHERS_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int MESSAGES_A_TURN = 64;
    /** A flood of announcements takes no more memory than these. */
    private static final int MAX_STREAMS = 1024;

    private final Supplier<DistributionSettings> settings;

    /** With the settings of the environment, read at each search. */
    public AeronStreams() {
        this(DistributionSettings::load);
    }

    AeronStreams(Supplier<DistributionSettings> settings) {
        this.settings = settings;
    }

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public List<PublishedStream> discover() {
        DistributionSettings now = settings.get();
        List<PublishedStream> found = new ArrayList<>(search(now, one -> true, false));
        found.addAll(ArchivedStreams.discover(now));
        return found;
    }

    @Override
    public List<PublishedStream> find(String name) {
        DistributionSettings now = settings.get();
        if (ArchivedStreams.means(name)) {
            return ArchivedStreams.find(now, name);
        }
        if (now.routes().isEmpty()) {
            throw new DistributionException("No routes are known on which to look: set " + DistributionSettings.ROUTES
                    + " in distribution.properties, for example to 239.192.7.1:40456");
        }
        return search(now, one -> one.isNamed(name), true).stream()
                .map(one -> ((Found) one).asked(name))
                .<PublishedStream>map(one -> one)
                .toList();
    }

    /**
     * Records what is published on the routes of the settings, until it is closed.
     *
     * @param names streams to record; all when empty
     * @throws DistributionException if the archive cannot be started or reached
     */
    public static ArchiveRecorder record(DistributionSettings settings, List<String> names) {
        return RecordingService.start(settings, names);
    }

    /**
     * What an archive holds.
     *
     * @throws DistributionException if the archive does not answer
     */
    public static ArchiveCatalog archive(DistributionSettings settings) {
        return ArchivedStreams.catalog(settings);
    }

    /** Looks for the whole window, or until one is found with all that is needed to open it. */
    private static List<PublishedStream> search(
            DistributionSettings settings, Predicate<Found> wanted, boolean oneIsEnough) {
        if (settings.routes().isEmpty()) {
            return List.of();
        }
        try (AeronHost host = AeronHost.open(settings);
                Search search = new Search(host, settings)) {
            long[] since = {0};
            search.until(() -> {
                List<Found> found = search.found().stream().filter(wanted).toList();
                if (!oneIsEnough || found.isEmpty() || !found.stream().allMatch(Found::canBeOpened)) {
                    return false;
                }
                since[0] = since[0] == 0 ? System.nanoTime() : since[0];
                return System.nanoTime() - since[0] >= OTHERS_NANOS;
            });
            List<Found> found = search.found().stream().filter(wanted).toList();
            Map<String, Long> names = found.stream().collect(Collectors.groupingBy(Found::name, Collectors.counting()));
            return found.stream()
                    .<PublishedStream>map(one -> names.get(one.name()) > 1 ? one.oneOfSeveral() : one)
                    .toList();
        }
    }

    /** Collects announcements on all routes; one thread. */
    private static final class Search implements AutoCloseable {
        private final DistributionSettings settings;
        private final List<Subscription> subscriptions = new ArrayList<>();
        private final Reassembly reassembly = new Reassembly();
        private final List<FragmentHandler> handlers = new ArrayList<>();
        private final Map<Integer, Found> found = new LinkedHashMap<>();
        private final Descriptions<Description> descriptions = new Descriptions<>();

        Search(AeronHost host, DistributionSettings settings) {
            this.settings = settings;
            boolean opened = false;
            try {
                for (Route route : settings.routes()) {
                    listen(host, route);
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

        private void listen(AeronHost host, Route route) {
            Subscription from = host.aeron()
                    .addSubscription(route.announcements(settings, host.endpoint(route)), Announcement.STREAM_ID);
            subscriptions.add(from);
            handlers.add(reassembly.to((message, header) -> {
                Image image = from.imageBySessionId(header.sessionId());
                String source = image == null ? "" : LocalEndpoint.addressOf(image.sourceIdentity());
                Announcement.parse(ByteBuffer.wrap(message)).ifPresent(one -> take(route, source, one));
            }));
        }

        private void take(Route route, String source, Message message) {
            if (message instanceof Brief brief
                    && (found.size() < MAX_STREAMS || found.containsKey(message.session()))) {
                found.put(
                        message.session(),
                        new Found(route, source, brief.announcement(), Optional.empty(), settings, false));
            } else if (message instanceof Description description && found.containsKey(message.session())) {
                descriptions.put(message.session(), description, description.bytes());
            }
        }

        List<Found> found() {
            return found.values().stream()
                    .map(one -> one.described(descriptions.of(one.stream().session())))
                    .toList();
        }

        /** Listens until it is enough, at most for the window of the settings. */
        void until(BooleanSupplier enough) {
            long begin = System.nanoTime();
            while (!enough.getAsBoolean()
                    && System.nanoTime() - begin < settings.discoveryWindow().toNanos()
                    && !Thread.currentThread().isInterrupted()) {
                int messages = 0;
                for (int i = 0; i < subscriptions.size(); i++) {
                    messages += subscriptions.get(i).poll(handlers.get(i), MESSAGES_A_TURN);
                }
                if (messages == 0) {
                    LockSupport.parkNanos(PARK_NANOS);
                }
            }
        }

        @Override
        public void close() {
            if (reassembly.dropped() > 0) {
                LOGGER.log(
                        System.Logger.Level.DEBUG,
                        "{0} announcements that do not end were dropped",
                        reassembly.dropped());
            }
            subscriptions.forEach(Subscription::close);
        }
    }

    /** A stream that was announced. */
    private record Found(
            Route way,
            String source,
            Announcement stream,
            Optional<Description> description,
            DistributionSettings settings,
            boolean severalOfThisName)
            implements PublishedStream {
        Found described(Optional<Description> known) {
            return new Found(way, source, stream, known, settings, severalOfThisName);
        }

        Found oneOfSeveral() {
            return new Found(way, source, stream, description, settings, true);
        }

        /** The access token stays the one that was asked for. */
        Found asked(String name) {
            return name.equals(withSession()) ? oneOfSeveral() : this;
        }

        boolean canBeOpened() {
            return stream.flowBytes() > 0 && description.isPresent();
        }

        boolean isNamed(String name) {
            return name.equals(stream.name()) || name.equals(withSession());
        }

        private String withSession() {
            return stream.name() + "#" + Integer.toHexString(stream.session());
        }

        @Override
        public String accessToken() {
            return SCHEME + ":" + (severalOfThisName ? withSession() : stream.name());
        }

        @Override
        public String name() {
            return stream.name();
        }

        @Override
        public String route() {
            return way.toString();
        }

        @Override
        public Map<String, String> properties() {
            return stream.properties();
        }

        @Override
        public Camera camera() {
            return description
                    .or(this::awaitDescription)
                    .map(found -> found.camera(stream.properties()))
                    .orElseGet(() -> new Camera(stream.properties(), "", Optional.empty(), Optional.empty()));
        }

        private Optional<Description> awaitDescription() {
            DistributionSettings here = settings.with(DistributionSettings.ROUTES, way.toString());
            try (AeronHost host = AeronHost.open(here);
                    Search search = new Search(host, here)) {
                search.until(() -> search.descriptions.of(stream.session()).isPresent());
                return search.descriptions.of(stream.session());
            }
        }

        @Override
        public Optional<CameraLink> link(Path keyFile) {
            return stream.contact()
                    .features()
                    .map(desk -> FeatureClient.open(settings, way, source, stream, desk, FeatureKey.read(keyFile)));
        }

        @Override
        public StreamSource source(int flowSetCount, long memoryLimitBytes) {
            if (stream.flowBytes() == 0) {
                throw new StreamException("The stream '" + stream.name()
                        + "' has not sent a frame yet, so that the size of its frames is unknown: open the device"
                        + " again later");
            }
            AeronHost host = AeronHost.open(settings);
            boolean made = false;
            try {
                AeronSource frames =
                        new AeronSource(host, way, source, stream, settings, flowSetCount, memoryLimitBytes);
                made = true;
                return frames;
            } finally {
                if (!made) {
                    host.close();
                }
            }
        }

        @Override
        public String toString() {
            return accessToken();
        }
    }
}
