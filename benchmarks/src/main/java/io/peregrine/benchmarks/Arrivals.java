package io.peregrine.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * When frames reached the user: for each complete one four 64-bit values of the machine's byte order, the camera, the
 * block id, when its software trigger was sent or 0, and when the user had it, both nanoseconds of CLOCK_MONOTONIC.
 */
final class Arrivals {
    static final int VALUES = 4;
    private static final int MOST = 500_000;

    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(MOST * VALUES * Long.BYTES).order(ByteOrder.nativeOrder());
    private final LongBuffer values = memory.asLongBuffer();
    private final AtomicInteger count = new AtomicInteger();

    /** Notes one; any thread may. */
    void add(int camera, long block, long asked, long arrived) {
        int at = count.getAndIncrement();
        if (at < MOST) {
            values.put(at * VALUES, camera);
            values.put(at * VALUES + 1, block);
            values.put(at * VALUES + 2, asked);
            values.put(at * VALUES + 3, arrived);
        }
    }

    void write(Path file) throws IOException {
        memory.limit(Math.min(count.get(), MOST) * VALUES * Long.BYTES);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            while (memory.hasRemaining()) {
                channel.write(memory);
            }
        }
    }

    /** The values of a file that {@link #write} or the C receiver wrote. */
    static LongBuffer read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size())
                    .order(ByteOrder.nativeOrder())
                    .asLongBuffer();
        }
    }
}
