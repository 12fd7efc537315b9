package io.peregrine.device;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Shares one link among several cameras: how much each needs, and with which packet delay none of them crowds the
 * others out. Without a delay a camera sends each frame as fast as its own port allows, so that two frames at the same
 * time overflow the switch, however low the rates are on average.
 *
 * <p>Methods may be called from any thread; nothing is sent.
 */
public final class Bandwidth {
    /** What Ethernet adds to an IP packet: preamble 8, header 14, check sequence 4, gap 12. */
    private static final int ETHERNET_BYTES = 38;

    private static final int IP_UDP_BYTES = 28;
    private static final int GVSP_BYTES = 8;
    private static final int EXTENDED_GVSP_BYTES = 20;
    /** Leader or trailer with its headers: at most this much for images. */
    private static final int LEADER_OR_TRAILER_BYTES = 64;
    /** Of the link: the rest is for resends, control and what is not known here. */
    private static final double USABLE = 0.95;

    private Bandwidth() {}

    /**
     * One stream of a camera.
     *
     * @param name what the plan calls it
     * @param payloadBytes bytes of a frame
     * @param framesPerSecond frame rate
     * @param packetSizeBytes packet size with IP, UDP and GVSP headers
     * @param extendedIds whether it uses 64-bit block ids, whose header is longer
     * @param tickFrequencyHz ticks a second of the camera's clock, in which packet delays are given
     */
    public record Stream(
            String name,
            long payloadBytes,
            double framesPerSecond,
            int packetSizeBytes,
            boolean extendedIds,
            long tickFrequencyHz) {

        /** Checks that the numbers are possible. */
        public Stream {
            int headers = headers(extendedIds);
            if (payloadBytes < 1 || payloadBytes > 1L << 40) {
                throw new DeviceException(name + " has frames of " + payloadBytes + " bytes: give 1 to 1 TiB");
            }
            if (!(framesPerSecond > 0 && framesPerSecond <= 1e6)) {
                throw new DeviceException(
                        name + " has a rate of " + framesPerSecond + ": give more than 0 up to 1000000");
            }
            if (packetSizeBytes <= headers || packetSizeBytes > 65535) {
                throw new DeviceException(
                        name + " has packets of " + packetSizeBytes + " bytes: give " + (headers + 1) + " to 65535");
            }
            if (tickFrequencyHz < 1) {
                throw new DeviceException(
                        name + " has a clock of " + tickFrequencyHz + " Hz, so that no packet delay can" + " be given");
            }
        }

        private static int headers(boolean extendedIds) {
            return IP_UDP_BYTES + (extendedIds ? EXTENDED_GVSP_BYTES : GVSP_BYTES);
        }

        /** Packets of a frame, leader and trailer included. */
        public long packetsPerFrame() {
            int data = packetSizeBytes - headers(extendedIds);
            return (payloadBytes + data - 1) / data + 2;
        }

        /** Bytes that a second of this stream takes on the link, with all that Ethernet adds. */
        public double linkBytesPerSecond() {
            long dataPackets = packetsPerFrame() - 2;
            double frame = payloadBytes
                    + (double) dataPackets * (headers(extendedIds) + ETHERNET_BYTES)
                    + 2.0 * (LEADER_OR_TRAILER_BYTES + headers(extendedIds) + ETHERNET_BYTES);
            return frame * framesPerSecond;
        }
    }

    /**
     * What one stream should do.
     *
     * @param stream which one
     * @param packetDelayTicks what to write into GevSCPD, in ticks of the camera's clock
     * @param linkBytesPerSecond what it takes of the link
     */
    public record Share(Stream stream, long packetDelayTicks, double linkBytesPerSecond) {}

    /**
     * A plan for a link.
     *
     * @param shares one for each stream, in the order given
     * @param load part of the link that all streams together take; above 1 more than there is
     * @param warnings what does not go well, and what to do about it; empty when all is well
     */
    public record Plan(List<Share> shares, double load, List<String> warnings) {
        /** Copies the lists. */
        public Plan {
            shares = List.copyOf(shares);
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * Makes a plan for the streams that share a link. A stream that has the link for itself needs no delay. Of several,
     * each spreads its frames over its frame time as far as the load of the link allows.
     *
     * @param linkBitsPerSecond speed of the link that they share, for example 1e9
     * @param streams the streams
     * @return delays and warnings
     */
    public static Plan plan(double linkBitsPerSecond, List<Stream> streams) {
        if (!(linkBitsPerSecond >= 1e6 && linkBitsPerSecond <= 1e13)) {
            throw new DeviceException(
                    "A link of " + linkBitsPerSecond + " bit/s is not possible: give 1e6 to 1e13, for example 1e9");
        }
        double linkBytes = linkBitsPerSecond / 8;
        double needed = 0;
        for (Stream stream : streams) {
            needed += stream.linkBytesPerSecond();
        }
        double load = needed / linkBytes;
        List<Share> shares = new ArrayList<>();
        for (Stream stream : streams) {
            long delay = streams.size() == 1 ? 0 : delayTicks(stream, linkBytes, load);
            shares.add(new Share(stream, delay, stream.linkBytesPerSecond()));
        }
        return new Plan(shares, load, warnings(linkBytes, streams, load));
    }

    /**
     * So long that the whole frame, sent with it, takes the usable part of the frame time, and never more than that.
     */
    private static long delayTicks(Stream stream, double linkBytes, double load) {
        double part = Math.min(1, Math.max(USABLE, load));
        double packetSeconds = part / (stream.framesPerSecond() * stream.packetsPerFrame());
        double onTheWire = (stream.packetSizeBytes() + ETHERNET_BYTES) / linkBytes;
        return Math.max(0, (long) Math.floor((packetSeconds - onTheWire) * stream.tickFrequencyHz()));
    }

    private static List<String> warnings(double linkBytes, List<Stream> streams, double load) {
        List<String> warnings = new ArrayList<>();
        for (Stream stream : streams) {
            double alone = stream.linkBytesPerSecond() / linkBytes;
            if (alone > 1) {
                warnings.add(text(
                        "%s alone needs %.0f %% of the link: lower its frame rate below %.1f, its size or its pixel"
                                + " format",
                        stream.name(), 100 * alone, stream.framesPerSecond() / alone * USABLE));
            }
        }
        if (load > 1) {
            warnings.add(text(
                    "The link is oversubscribed: %d streams need %.1f MB/s of %.1f MB/s. Lower all frame rates to"
                            + " %.0f %%, or spread the cameras over more links",
                    streams.size(), load * linkBytes / 1e6, linkBytes / 1e6, Math.floor(100 * USABLE / load)));
        } else if (load > USABLE) {
            warnings.add(text(
                    "The link is %.1f %% full, which leaves little for resends: lower the frame rates a little",
                    100 * load));
        }
        return warnings;
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
