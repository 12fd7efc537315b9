package io.peregrine.benchmarks;

/** The frames that every way of moving them moves: 640 x 480, intensity, range and confidence. */
final class Frames {
    static final int WIDTH = 640;
    static final int HEIGHT = 480;
    /** Mono8, Coord3D_C16, Confidence8: 1, 2 and 1 bytes a pixel. */
    static final int[] COMPONENT_BYTES = {WIDTH * HEIGHT, 2 * WIDTH * HEIGHT, WIDTH * HEIGHT};

    /** SFNC component ids of intensity, range and confidence. */
    static final long[] TYPES = {1, 4, 6};
    /** Mono8, Coord3D_C16, Confidence8. */
    static final int[] FORMATS = {0x01080001, 0x011000B8, 0x010800C6};

    static final int BYTES = 4 * WIDTH * HEIGHT;
    /** First port of the cameras' control channels, and of the TCP senders. */
    static final int FIRST_PORT = 41300;

    private Frames() {}

    /** Address of a camera. */
    static String camera(int index) {
        return "127.87.0." + (index + 1);
    }

    /** Address of the receiver. */
    static String receiver() {
        return "127.87.1.1";
    }
}
