package io.peregrine.benchmarks;

import io.peregrine.virtualcamera.TestPattern;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The images that the cameras of the GVSP benchmark repeat: 2048 x 2048 Mono8, and the file to compare frames with. */
final class GvspPictures {
    static final int WIDTH = 2048;
    static final int HEIGHT = 2048;
    static final int BYTES = WIDTH * HEIGHT;
    static final int COUNT = 8;
    static final int PORT = 3956;

    private static final long INTENSITY = 1;
    private static final int MONO8 = 0x01080001;

    private GvspPictures() {}

    /** Address of a camera. */
    static String camera(int index) {
        return "10.77.0." + (index + 1);
    }

    /** Writes one image after the other. */
    static void write(Path file) throws IOException {
        ByteBuffer picture = ByteBuffer.allocateDirect(BYTES);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            for (int i = 1; i <= COUNT; i++) {
                picture.clear();
                TestPattern.fill(INTENSITY, MONO8, i, WIDTH, HEIGHT, picture);
                picture.flip();
                while (picture.hasRemaining()) {
                    channel.write(picture);
                }
            }
        }
    }
}
