package io.peregrine.distribution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Room on the disk of an archive, and how much of it is not recorded into. */
final class ArchiveRoom {
    private static final System.Logger LOGGER = System.getLogger(ArchiveRoom.class.getName());
    /** An archive that has refused to record for lack of room is not asked again for that time. */
    private static final long REFUSAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final long reserveBytes;
    private final long segmentBytes;
    private final LongSupplier usable;
    private long refusedSince = System.nanoTime() - REFUSAL_NANOS;

    /**
     * Makes it.
     *
     * @param usable measure of the disk
     */
    ArchiveRoom(ArchiveSettings settings, LongSupplier usable) {
        this.usable = usable;
        segmentBytes = settings.segmentBytes();
        // A file is begun as a whole, so that less than one is never enough.
        reserveBytes = Math.max(settings.freeBytes(), segmentBytes);
    }

    /** The same with the room that the system reports; without limit for an archive that runs apart. */
    static ArchiveRoom onDisk(ArchiveSettings settings) {
        return new ArchiveRoom(
                settings, () -> settings.directory().map(ArchiveRoom::usable).orElse(Long.MAX_VALUE));
    }

    private static long usable(Path directory) {
        try {
            return Files.getFileStore(directory).getUsableSpace();
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "The room of the archive is unknown", e);
            return Long.MAX_VALUE;
        }
    }

    long reserveBytes() {
        return reserveBytes;
    }

    /** How much is missing to the reserve; 0 when nothing is. */
    long lackingBytes() {
        return Math.max(0, reserveBytes - usable.getAsLong());
    }

    /** Notes that the archive itself finds no room. */
    void refused() {
        refusedSince = System.nanoTime();
    }

    /** Whether a pause may end: with a file's room above the reserve, so that the next one does not begin at once. */
    boolean enough() {
        return System.nanoTime() - refusedSince > REFUSAL_NANOS && usable.getAsLong() - segmentBytes >= reserveBytes;
    }

    @Override
    public String toString() {
        return "ArchiveRoom[reserve " + reserveBytes + " bytes]";
    }
}
