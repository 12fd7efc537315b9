package io.peregrine.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * What the cameras of the latency benchmark send.
 *
 * @param rate 1e6 bytes of image data a second, of all cameras together; 0 for a trigger
 * @param side width and height of the images, of one byte a pixel
 */
record LatencyRow(String name, Kind kind, int packetSize, double rate, int side, int cameras, boolean quick) {
    /** What is measured. */
    enum Kind {
        /** Last packet to user, in a stream that is warm. */
        STREAM,
        /** Software trigger to user. */
        TRIGGER,
        /** The first frames of a stream. */
        FIRST,
        /** Frames of three components over RDMA in software, and over TCP. */
        RDMA
    }

    private static final String RDMA = "rdma";
    private static final String SCALING = "scaling";
    private static final String LATER = "later";
    private static final double LATER_SECONDS = 5;
    private static final int LARGE = 2048;
    private static final int SMALL = 256;
    private static final int MEGAPIXEL = 1024;
    private static final int SMALL_FRAMES_A_SECOND = 1000;

    /** Bytes of a frame. */
    int bytes() {
        return side * side;
    }

    /** Seconds between opening a camera and starting its stream. */
    double pauseSeconds() {
        return name.startsWith(LATER) ? LATER_SECONDS : 0;
    }

    /** Whether it is measured without being named. */
    boolean usual() {
        return kind != Kind.RDMA && !name.startsWith(SCALING);
    }

    static List<LatencyRow> all() {
        List<LatencyRow> rows = new ArrayList<>();
        for (int cameras : new int[] {1, 4}) {
            String prefix = cameras == 1 ? "" : "cameras/";
            boolean one = cameras == 1;
            rows.add(new LatencyRow(prefix + "9000/118", Kind.STREAM, 9000, 118, LARGE, cameras, one));
            rows.add(new LatencyRow(prefix + "9000/500", Kind.STREAM, 9000, 500, LARGE, cameras, one));
            rows.add(new LatencyRow(prefix + "1500/118", Kind.STREAM, 1500, 118, LARGE, cameras, one));
            rows.add(new LatencyRow(prefix + "1500/500", Kind.STREAM, 1500, 500, LARGE, cameras, false));
        }
        double small = SMALL * SMALL * SMALL_FRAMES_A_SECOND / 1e6;
        rows.add(new LatencyRow("small/9000", Kind.STREAM, 9000, small, SMALL, 1, false));
        rows.add(new LatencyRow("small/1500", Kind.STREAM, 1500, small, SMALL, 1, false));
        rows.add(new LatencyRow("trigger", Kind.TRIGGER, 9000, 0, SMALL, 1, false));
        rows.add(new LatencyRow("first/118", Kind.FIRST, 9000, 118, LARGE, 1, true));
        rows.add(new LatencyRow("first/500", Kind.FIRST, 9000, 500, LARGE, 1, false));
        rows.add(new LatencyRow(LATER + "/118", Kind.FIRST, 9000, 118, LARGE, 1, false));
        rows.add(new LatencyRow(LATER + "/500", Kind.FIRST, 9000, 500, LARGE, 1, false));
        for (int cameras : new int[] {1, 2, 4, 8, 16}) {
            double megapixels = MEGAPIXEL * MEGAPIXEL * 30e-6 * cameras;
            rows.add(new LatencyRow(SCALING + "/" + cameras, Kind.STREAM, 9000, megapixels, MEGAPIXEL, cameras, false));
        }
        rows.add(new LatencyRow(RDMA, Kind.RDMA, 0, 0, 0, 1, false));
        return rows;
    }
}
