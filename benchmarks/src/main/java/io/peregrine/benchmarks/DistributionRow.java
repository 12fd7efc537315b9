package io.peregrine.benchmarks;

import java.util.List;

/**
 * One way for frames.
 *
 * @param way what carries them
 * @param mtu of the network between the hosts; 0 on one host
 * @param rate frames a second; 0 is as fast as possible
 * @param loss whether the first consumer loses one packet in a hundred
 * @param viewer beside the first consumer, which must have each frame, and others, which may drop some, is one that is
 *     stopped: before, while it is, or after it; empty without one
 */
record DistributionRow(String way, int mtu, int consumers, int bytes, double rate, boolean loss, String viewer) {
    static final int JUMBO = 9000;
    static final String TCP = "tcp";
    /** Each packet goes through switch and stack by itself, as those of UDP do. */
    static final String TCP_SINGLE = "tcp-no-offload";

    static final String TCP_LOOPBACK = "tcp-loopback";
    static final String PVACCESS = "pvaccess";
    static final String GROUP = "group";
    /** All consumers are programs of one host and use its media driver. */
    static final String GROUP_ONE_HOST = "group-one-host";
    /**
     * By plain UDP, to several by multicast; a system call for each packet, for 16, or for a run that the system cuts.
     */
    static final String PLAIN = "plain-udp";

    static final String PLAIN_BATCH = "plain-udp-16";
    static final String PLAIN_RUNS = "plain-udp-runs";
    /** From a camera to a multicast group, without a publisher. */
    static final String GVSP = "gvsp";

    /** After the name of a way of Aeron: the first consumer gets each packet by itself, as without offload. */
    private static final String CUT = "-cut";

    static final String BEFORE = "before";
    static final String STOPPED = "stopped";
    static final String AFTER = "after";

    static DistributionRow of(String way, int mtu, int consumers, int bytes) {
        return new DistributionRow(way, mtu, consumers, bytes, 0, false, "");
    }

    DistributionRow cut() {
        return new DistributionRow(way + CUT, mtu, consumers, bytes, rate, loss, viewer);
    }

    DistributionRow lossy() {
        return new DistributionRow(way, mtu, consumers, bytes, rate, true, viewer);
    }

    DistributionRow at(double framesPerSecond) {
        return new DistributionRow(way, mtu, consumers, bytes, framesPerSecond, loss, viewer);
    }

    DistributionRow viewer(String phase) {
        return new DistributionRow(way, mtu, consumers, bytes, rate, loss, phase);
    }

    String name() {
        return way + (mtu > 0 ? "/" + mtu : "") + "/" + consumers + "/" + bytes / 1e6
                + (rate > 0 ? "/" + Math.round(rate) + " a second" : "") + (loss ? "/loss" : "")
                + (viewer.isEmpty() ? "" : "/viewer " + viewer);
    }

    /** What it is compared with, where that is in the same run. */
    List<DistributionRow> bases() {
        if (!viewer.isEmpty()) {
            return List.of(viewer(BEFORE));
        }
        if (loss) {
            return List.of(new DistributionRow(way, mtu, consumers, bytes, rate, false, viewer));
        }
        return mtu > 0
                ? List.of(of(TCP, mtu, consumers, bytes), of(TCP_SINGLE, mtu, consumers, bytes))
                : List.of(of(TCP_LOOPBACK, mtu, consumers, bytes));
    }

    boolean tcp() {
        return way.startsWith(TCP);
    }

    boolean aeron() {
        return !tcp() && !plain() && !way.equals(PVACCESS) && !way.equals(GVSP);
    }

    boolean isCut() {
        return way.endsWith(CUT);
    }

    /** The way however packets arrive. */
    String route() {
        return isCut() ? way.substring(0, way.length() - CUT.length()) : way;
    }

    boolean oneHost() {
        return way.equals(GROUP_ONE_HOST);
    }

    boolean plain() {
        return way.startsWith(PLAIN);
    }

    /** Packets for one system call of plain UDP; 0 for as many as the system cuts. */
    int batch() {
        return switch (way) {
            case PLAIN -> 1;
            case PLAIN_RUNS -> 0;
            default -> 16;
        };
    }

    boolean multicast() {
        return way.startsWith(GROUP);
    }
}
