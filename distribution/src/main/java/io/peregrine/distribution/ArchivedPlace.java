package io.peregrine.distribution;

import io.peregrine.distribution.FrameSeeker.Mark;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where replay begins and ends.
 *
 * @param from time at which it begins; empty for the first frame
 * @param frame number of the frame with which it begins, in the newest recording that has it
 * @param to time at which it ends; empty to go on with live frames
 */
record ArchivedPlace(Optional<String> from, OptionalLong frame, Optional<String> to) {
    private static final String FROM = "from=";
    private static final String FRAME = "frame=";
    private static final String TO = "to=";

    /**
     * Reads {@code from=TIME}, {@code frame=NUMBER} and {@code to=TIME}, separated by commas.
     *
     * @throws DistributionException if it is something else
     */
    static ArchivedPlace parse(String text) {
        Optional<String> from = Optional.empty();
        Optional<String> to = Optional.empty();
        OptionalLong frame = OptionalLong.empty();
        for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            if (part.startsWith(FROM)) {
                from = Optional.of(part.substring(FROM.length()));
            } else if (part.startsWith(TO)) {
                to = Optional.of(part.substring(TO.length()));
            } else if (part.matches("frame=\\d{1,18}")) {
                frame = OptionalLong.of(Long.parseLong(part.substring(FRAME.length())));
            } else {
                throw new DistributionException("'" + part + "' is no place in an archive: give from=TIME, frame=NUMBER"
                        + " or to=TIME, for example from=2026-11-24T10:15:00Z,to=now");
            }
        }
        from.ifPresent(time -> ArchiveTime.parse(time, 0));
        to.ifPresent(time -> ArchiveTime.parse(time, 0));
        return new ArchivedPlace(from, frame, to);
    }

    /** Where a run begins. */
    record Start(Take take, long position, long flowBytes) {}

    /** Whether it ends with what is recorded. */
    boolean ends() {
        return to.isPresent();
    }

    /** Time after which no frame is replayed. */
    long endNanos(long nowNanos) {
        return to.map(time -> ArchiveTime.parse(time, nowNanos)).orElse(Long.MAX_VALUE);
    }

    /**
     * Finds it.
     *
     * @throws DistributionException if the archive has no such frame
     */
    Start find(ArchiveClient client, String name) {
        List<Take> takes = client.takes(name);
        if (takes.isEmpty()) {
            throw new DistributionException("The archive has no stream '" + name + "' any longer");
        }
        FrameSeeker seeker = new FrameSeeker(client);
        if (frame.isPresent()) {
            for (int i = takes.size() - 1; i >= 0; i--) {
                Optional<Mark> mark = seeker.frame(takes.get(i), frame.getAsLong());
                if (mark.isPresent() && mark.get().frameId() == frame.getAsLong()) {
                    return start(takes.get(i), mark.get());
                }
            }
            throw new DistributionException("The archive has no frame " + frame.getAsLong() + " of '" + name
                    + "': 'peregrine archive list' shows those that it has");
        }
        long time = from.map(text -> ArchiveTime.parse(text, ArchiveTime.now())).orElse(Long.MIN_VALUE);
        for (Take take : takes) {
            Optional<Mark> mark = from.isEmpty() ? seeker.begin(take) : seeker.time(take, time);
            if (mark.isPresent()) {
                return start(take, mark.get());
            }
        }
        // Nothing yet: what comes next.
        Take last = takes.get(takes.size() - 1);
        return new Start(last, last.active() ? client.end(last) : last.stopPosition(), 0);
    }

    private static Start start(Take take, Mark mark) {
        return new Start(take, mark.position(), mark.flowBytes());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        from.ifPresent(time -> text.append(FROM).append(time));
        frame.ifPresent(number ->
                text.append(text.length() > 0 ? "," : "").append(FRAME).append(number));
        to.ifPresent(
                time -> text.append(text.length() > 0 ? "," : "").append(TO).append(time));
        return text.toString();
    }
}
