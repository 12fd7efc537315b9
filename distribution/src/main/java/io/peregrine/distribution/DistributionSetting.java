package io.peregrine.distribution;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A key of {@code distribution.properties}, as the documents list it.
 *
 * @param key its name
 * @param defaultValue its value where none is set
 * @param meaning what it does, in Markdown
 */
record DistributionSetting(String key, String defaultValue, String meaning) {
    private static final List<DistributionSetting> ALL = List.of(
            new DistributionSetting(
                    DistributionSettings.ROUTES, "", "routes on which streams are looked for, separated by commas"),
            new DistributionSetting(
                    DistributionSettings.SLOW, "drop", "`drop` frames here, or let the publisher `wait`"),
            new DistributionSetting(
                    DistributionSettings.DRIVER,
                    "embedded",
                    "`embedded`, or `external`: a media driver that was started separately; `external-runs`: with "
                            + "`RunSenderSupplier` (below)"),
            new DistributionSetting(
                    DistributionSettings.DIRECTORY,
                    "",
                    "directory of the media driver; for `embedded` a new one in `/dev/shm`, removed at the "
                            + "end; after a program that was killed, by the next that starts"),
            new DistributionSetting(DistributionSettings.INTERFACE, "", "local IPv4 address for multicast groups"),
            new DistributionSetting(
                    DistributionSettings.MTU,
                    "1408",
                    "largest datagram, a multiple of 32; 8928 where the network carries 9000 bytes, 1376 in a tunnel "
                            + "of WireGuard"),
            new DistributionSetting(
                    DistributionSettings.TERM,
                    "16m",
                    "bytes that a publisher keeps to send again, a power of two, and four frames or more where "
                            + "consumers may drop some; three times that is mapped in `/dev/shm` on each side"),
            new DistributionSetting(
                    DistributionSettings.WINDOW, "1m", "bytes under way to a consumer; half of its term at the most"),
            new DistributionSetting(
                    DistributionSettings.DISCOVERY_WINDOW, "2s", "how long announcements are collected"),
            new DistributionSetting(DistributionSettings.LOST_AFTER, "10s", "silence after which a stream is lost"),
            new DistributionSetting(
                    DistributionSettings.GONE_AFTER,
                    "2s",
                    "how long a publisher, and all its consumers with it, wait for one that must have each frame and "
                            + "does not answer, `500ms` to `60s`; routes of several consumers by UDP"),
            new DistributionSetting(
                    ArchiveSettings.ADDRESS,
                    "",
                    "where consumers ask the archive: its address and port, or `ipc` on its media driver"),
            new DistributionSetting(
                    ArchiveSettings.DIRECTORY,
                    "",
                    "where an archive of this program keeps its files; empty for one that runs apart"),
            new DistributionSetting(
                    ArchiveSettings.SEGMENT,
                    "64m",
                    "length of a file, a power of two; at least `distribution.term` of the publishers is used"),
            new DistributionSetting(ArchiveSettings.KEEP, "", "most bytes of all recordings, for example `500g`"),
            new DistributionSetting(
                    ArchiveSettings.KEEP_FOR, "", "age after which frames are deleted, for example `12h` or `7d`"),
            new DistributionSetting(
                    ArchiveSettings.FREE,
                    "1g",
                    "room that is left on the disk; looked at once a second, and never less than one file"),
            new DistributionSetting(
                    ArchiveSettings.FULL,
                    "pause",
                    "what happens when there is less: `pause` recording, or `overwrite` the oldest"));

    /** All of them, in the order of the documents. */
    static List<DistributionSetting> all() {
        return ALL;
    }

    /** Values where none are set. */
    static Map<String, String> defaults() {
        return ALL.stream()
                .collect(Collectors.toUnmodifiableMap(DistributionSetting::key, DistributionSetting::defaultValue));
    }
}
