package io.peregrine.distribution;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of an archive, checked.
 *
 * @param address where consumers ask the archive: address and port, {@code ipc}, or empty for none
 * @param directory where the archive of this program keeps its files; empty for one that was started separately
 * @param segmentBytes length of its files, which are deleted as a whole
 * @param keepBytes most bytes of all recordings; empty for no limit
 * @param keepFor age after which frames are deleted; empty for no limit
 * @param freeBytes room that is left on the disk
 * @param overwrite whether the oldest frames are deleted where there is no more room; otherwise recording pauses
 */
record ArchiveSettings(
        String address,
        Optional<Path> directory,
        int segmentBytes,
        Optional<Long> keepBytes,
        Optional<Duration> keepFor,
        long freeBytes,
        boolean overwrite) {
    static final String ADDRESS = "distribution.archive";
    static final String DIRECTORY = "distribution.archive.directory";
    static final String SEGMENT = "distribution.archive.segment";
    static final String KEEP = "distribution.archive.keep";
    static final String KEEP_FOR = "distribution.archive.keepFor";
    static final String FREE = "distribution.archive.free";
    static final String FULL = "distribution.archive.whenFull";

    static final String IPC = "ipc";

    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([kmgt]?)");
    private static final Pattern AGE = Pattern.compile("(\\d{1,9})(s|m|h|d)");
    private static final int MIN_SEGMENT = 64 << 10;
    private static final int MAX_SEGMENT = 1 << 30;

    /**
     * Reads them.
     *
     * @throws DistributionException if a value is not possible
     */
    static ArchiveSettings of(DistributionSettings settings) {
        String address = settings.get(ADDRESS);
        if (!address.isEmpty() && !address.equals(IPC)) {
            route(address);
        }
        long segment = size(settings, SEGMENT).orElse(0L);
        if (segment < MIN_SEGMENT || segment > MAX_SEGMENT || Long.bitCount(segment) != 1) {
            throw new DistributionException(
                    SEGMENT + " is '" + settings.get(SEGMENT) + "': give a power of two from 64k to 1g, such as 64m");
        }
        String full = settings.get(FULL);
        if (!full.equals("pause") && !full.equals("overwrite")) {
            throw new DistributionException(FULL + " is '" + full + "': give pause or overwrite");
        }
        return new ArchiveSettings(
                address,
                Optional.of(settings.get(DIRECTORY))
                        .filter(text -> !text.isEmpty())
                        .map(Path::of),
                (int) segment,
                size(settings, KEEP),
                age(settings),
                size(settings, FREE).orElse(0L),
                full.equals("overwrite"));
    }

    private static Optional<Long> size(DistributionSettings settings, String key) {
        String text = settings.get(key);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            throw new DistributionException(
                    key + " is '" + text + "': give a number of bytes, or one with k, m, g or t");
        }
        int power = matcher.group(2).isEmpty() ? 0 : 1 + "kmgt".indexOf(matcher.group(2));
        return Optional.of(Long.parseLong(matcher.group(1)) << (10 * power));
    }

    private static Optional<Duration> age(DistributionSettings settings) {
        String text = settings.get(KEEP_FOR);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Matcher matcher = AGE.matcher(text);
        if (!matcher.matches()) {
            throw new DistributionException(KEEP_FOR + " is '" + text + "': give a time such as 12h or 7d");
        }
        return Optional.of(ArchiveTime.duration(Long.parseLong(matcher.group(1)), matcher.group(2)));
    }

    /** The address as the end of a way to it. */
    static Route route(String address) {
        try {
            Route route = new Route(Route.Kind.PUBLISHER, address);
            InetAddress host = route.publisher().orElseThrow();
            if (!host.isMulticastAddress()) {
                return route;
            }
        } catch (DistributionException e) {
            throw new DistributionException(wrong(address), e);
        }
        throw new DistributionException(wrong(address));
    }

    private static String wrong(String address) {
        return ADDRESS + " is '" + address
                + "': give the address and port of the archive, such as 10.0.0.9:8010, or ipc";
    }
}
