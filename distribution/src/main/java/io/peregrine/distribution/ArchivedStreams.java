package io.peregrine.distribution;

import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.peregrine.device.spi.PublishedStream;
import io.peregrine.distribution.archive.ArchiveCatalog;
import io.peregrine.distribution.archive.ArchiveCheck;
import io.peregrine.distribution.archive.ArchivedRecording;
import io.peregrine.recording.Camera;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.engine.StreamSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Streams that the archive of the settings holds: {@code NAME@archive}, with a place after a colon. */
final class ArchivedStreams {
    private static final String AT = "@archive";

    private ArchivedStreams() {}

    /** Whether a name means an archived stream. */
    static boolean means(String name) {
        return name.endsWith(AT) || name.contains(AT + ":");
    }

    /** All streams of the archive; none where the settings name no archive. */
    static List<PublishedStream> discover(DistributionSettings settings) {
        if (ArchiveSettings.of(settings).address().isEmpty()) {
            return List.of();
        }
        try (ArchiveClient client = connect(settings)) {
            Map<String, Take> newest = new LinkedHashMap<>();
            client.takes().forEach(take -> newest.put(take.name(), take));
            List<PublishedStream> found = new ArrayList<>();
            newest.forEach((name, take) -> found.add(new Archived(
                    name, ArchivedPlace.parse(""), take.route(), client.camera(take.session()), settings)));
            return found;
        }
    }

    /** The stream that a name means, if the archive has it. */
    static List<PublishedStream> find(DistributionSettings settings, String text) {
        int at = text.endsWith(AT) ? text.length() - AT.length() : text.indexOf(AT + ":");
        String name = text.substring(0, at);
        ArchivedPlace place = ArchivedPlace.parse(text.endsWith(AT) ? "" : text.substring(at + AT.length() + 1));
        try (ArchiveClient client = connect(settings)) {
            Optional<Take> newest = client.takes(name).stream().reduce((one, two) -> two);
            return newest.<List<PublishedStream>>map(take ->
                            List.of(new Archived(name, place, take.route(), client.camera(take.session()), settings)))
                    .orElse(List.of());
        }
    }

    private static ArchiveClient connect(DistributionSettings settings) {
        String address = ArchiveSettings.of(settings).address();
        if (address.isEmpty()) {
            throw new DistributionException("No archive is known: set " + ArchiveSettings.ADDRESS
                    + " in distribution.properties, for example to 10.0.0.9:8010");
        }
        return ArchiveClient.open(AeronHost.open(settings), address);
    }

    /** See {@link AeronStreams#archive}. */
    static ArchiveCatalog catalog(DistributionSettings settings) {
        return new Catalog(connect(settings));
    }

    /** A stream of the archive. */
    private record Archived(
            String name, ArchivedPlace place, String route, ArchiveClient.Camera known, DistributionSettings settings)
            implements PublishedStream {

        @Override
        public String accessToken() {
            String where = place.toString();
            return AeronStreams.SCHEME + ":" + name + AT + (where.isEmpty() ? "" : ":" + where);
        }

        @Override
        public Map<String, String> properties() {
            return known.stream()
                    .map(brief -> brief.announcement().properties())
                    .orElse(Map.of());
        }

        @Override
        public Camera camera() {
            return known.description()
                    .map(description -> description.camera(properties()))
                    .orElseGet(() -> new Camera(properties(), "", Optional.empty(), Optional.empty()));
        }

        @Override
        public StreamSource source(int flowSetCount, long memoryLimitBytes) {
            long flowBytes = known.stream()
                    .map(brief -> brief.announcement().flowBytes())
                    .orElse(0L);
            try (ArchiveClient client = connect(settings)) {
                flowBytes = Math.max(flowBytes, place.find(client, name).flowBytes());
            }
            if (flowBytes == 0) {
                throw new StreamException(
                        "The archive has no frame of '" + name + "' at that place yet: open it later");
            }
            return new ArchivedSource(
                    () -> connect(settings), name, place, flowBytes, settings, flowSetCount, memoryLimitBytes);
        }

        @Override
        public String toString() {
            return accessToken();
        }
    }

    /** Lists and reads. */
    private static final class Catalog implements ArchiveCatalog {
        private final ArchiveClient client;
        private final FrameSeeker seeker;

        Catalog(ArchiveClient client) {
            this.client = client;
            seeker = new FrameSeeker(client);
        }

        @Override
        public List<Long> ids() {
            return client.takes().stream().map(Take::id).toList();
        }

        @Override
        public List<ArchivedRecording> recordings() {
            List<ArchivedRecording> found = new ArrayList<>();
            Map<Integer, Long> last = new HashMap<>();
            for (Take take : client.takes()) {
                Optional<FrameSeeker.Mark> first = seeker.begin(take);
                FrameAudit tail = seeker.tail(take);
                long missing = first.isPresent() && last.containsKey(take.session())
                        ? Math.max(0, first.get().frameId() - last.get(take.session()) - 1)
                        : 0;
                tail.last().ifPresent(id -> last.put(take.session(), id));
                found.add(new ArchivedRecording(
                        take.id(),
                        take.name(),
                        AeronStreams.SCHEME + ":" + take.name() + AT,
                        take.route(),
                        take.active(),
                        client.end(take) - take.startPosition(),
                        first.map(FrameSeeker.Mark::frameId),
                        tail.last(),
                        first.map(mark -> ArchiveTime.instant(mark.sentNanos())),
                        tail.last().map(id -> ArchiveTime.instant(tail.lastNanos())),
                        missing));
            }
            return found;
        }

        @Override
        public ArchiveCheck check(long id) {
            Take take = client.take(id)
                    .orElseThrow(() -> new DistributionException("The archive has no recording " + id + " of frames"));
            FrameAudit audit = new FrameAudit(0);
            Optional<String> problem = Optional.empty();
            long end = client.end(take);
            try {
                long reached = client.replay(id, take.startPosition(), end, (buffer, offset, length, header) -> {
                    audit.onFragment(buffer, offset, length, header.reservedValue());
                    return Action.CONTINUE;
                });
                if (reached < end) {
                    problem = Optional.of("it ends at " + reached + " of " + end
                            + client.host()
                                    .failure()
                                    .map(cause -> ": " + cause.getMessage())
                                    .orElse(""));
                }
            } catch (DistributionException e) {
                problem = Optional.of(String.valueOf(e.getMessage()));
            }
            audit.end();
            return new ArchiveCheck(
                    id,
                    take.name(),
                    audit.complete(),
                    audit.incomplete(),
                    audit.notReceived(),
                    audit.malformed(),
                    problem);
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
