package io.peregrine.distribution;

import io.aeron.archive.client.AeronArchive;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Decides what an archive deletes: whole files, oldest first, and never the file that is being written. */
final class Retention {
    private final ArchiveSettings settings;
    /** By the numbers of recordings that have ended: to find it out, the archive replays their last megabytes. */
    private final Map<Long, OptionalLong> lastSent = new HashMap<>();

    Retention(ArchiveSettings settings) {
        this.settings = settings;
    }

    /**
     * A recording and where it ends now.
     *
     * @param take the recording
     * @param end byte after its last
     */
    record Held(Take take, long end) {
        long bytes() {
            return end - take.startPosition();
        }
    }

    /**
     * What to delete of a recording.
     *
     * @param take the recording
     * @param start first byte that stays; empty to delete all of it
     * @param segments files that are deleted
     */
    record Deletion(Take take, OptionalLong start, int segments) {}

    /** Finds out when frames were sent. */
    interface Times {
        /**
         * When the first frame after a position was sent.
         *
         * @return nanoseconds since 1970; empty when there is none
         */
        OptionalLong sentAt(Take take, long position);

        /** When the last frame of a recording was sent. */
        OptionalLong lastSent(Take take);
    }

    /**
     * Deletes what has to go now; where that is refused, what comes next goes instead.
     *
     * @param held all recordings, oldest first
     * @param lackingBytes room that is missing on the disk, which deletion has to give
     * @param nowNanos now, since 1970
     * @param delete deletes; false where the archive refuses it for now
     */
    void apply(List<Held> held, long lackingBytes, long nowNanos, Times times, Predicate<Deletion> delete) {
        lastSent.keySet().retainAll(held.stream().map(one -> one.take().id()).toList());
        long total = 0;
        for (Held one : held) {
            total += one.bytes();
        }
        long excess = Math.max(lackingBytes, total - settings.keepBytes().orElse(Long.MAX_VALUE));
        for (Held one : held) {
            Deletion deletion = deletion(one, excess, nowNanos, times);
            if (deletion.segments() > 0 && delete.test(deletion)) {
                excess -= deletion.start().orElse(one.end()) - one.take().startPosition();
            }
        }
    }

    private Deletion deletion(Held one, long excess, long nowNanos, Times times) {
        Take take = one.take();
        long start = take.startPosition();
        int segments = 0;
        long next = nextSegment(take, start);
        while (next < one.end() && mayGo(take, start, next, excess, nowNanos, times)) {
            start = next;
            segments++;
            next = nextSegment(take, start);
        }
        boolean lastOne = next >= one.end() && !take.active();
        if (lastOne && (start - take.startPosition() < excess || aged(() -> lastSent(take, times), nowNanos))) {
            return new Deletion(take, OptionalLong.empty(), segments + 1);
        }
        return new Deletion(take, OptionalLong.of(start), segments);
    }

    private OptionalLong lastSent(Take ended, Times times) {
        return lastSent.computeIfAbsent(ended.id(), id -> times.lastSent(ended));
    }

    private boolean mayGo(Take take, long start, long next, long excess, long nowNanos, Times times) {
        return start - take.startPosition() < excess || aged(() -> times.sentAt(take, next), nowNanos);
    }

    private static long nextSegment(Take take, long position) {
        return AeronArchive.segmentFileBasePosition(
                        take.startPosition(), position, take.termBytes(), take.segmentBytes())
                + take.segmentBytes();
    }

    /** Asks for the time only where age matters: the answer takes a look into the archive. */
    private boolean aged(Supplier<OptionalLong> time, long nowNanos) {
        if (settings.keepFor().isEmpty()) {
            return false;
        }
        OptionalLong sentNanos = time.get();
        return sentNanos.isPresent()
                && sentNanos.getAsLong() < nowNanos - settings.keepFor().get().toNanos();
    }
}
