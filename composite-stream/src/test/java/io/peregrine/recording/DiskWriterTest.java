package io.peregrine.recording;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DiskWriterTest {
    private static final int BLOCK = 512;

    /** A file in memory that takes whole blocks only. */
    private static class Blocks implements Output {
        private final int blockBytes;
        private final int roomBytes;
        private final byte[] content = new byte[1 << 20];
        private int size;
        private int forced;

        Blocks(int blockBytes, int roomBytes) {
            this.blockBytes = blockBytes;
            this.roomBytes = roomBytes;
        }

        @Override
        public void write(ByteBuffer[] bytes) {
            throw new AssertionError("only blocks are to be written");
        }

        @Override
        public synchronized void write(ByteBuffer bytes, long position) throws IOException {
            assertEquals(0, position % blockBytes);
            assertEquals(0, bytes.remaining() % blockBytes);
            assertEquals(0, bytes.alignmentOffset(bytes.position(), blockBytes));
            int count = Math.min(bytes.remaining(), roomBytes - (int) position);
            bytes.get(content, (int) position, count);
            size = Math.max(size, (int) position + count);
            if (bytes.hasRemaining()) {
                throw new IOException("No space left on device");
            }
        }

        @Override
        public int blockBytes() {
            return blockBytes;
        }

        @Override
        public void truncate(long sizeBytes) {
            throw new AssertionError("nothing is to be cut");
        }

        @Override
        public synchronized void force() {
            forced = size;
        }

        @Override
        public void close() {
            // Nothing is open.
        }

        synchronized byte[] content() {
            return Arrays.copyOf(content, size);
        }
    }

    private static byte[] random(int sizeBytes, Random random) {
        byte[] bytes = new byte[sizeBytes];
        random.nextBytes(bytes);
        return bytes;
    }

    private static DiskWriter writer(Blocks file, int bufferBytes) {
        DiskWriter writer = new DiskWriter(file, bufferBytes, 1 << 30, "peregrine-test-disk");
        writer.start();
        return writer;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, BLOCK})
    void theFileHasEveryByteInOrder(int blockBytes) throws IOException {
        Blocks file = new Blocks(blockBytes, 1 << 20);
        DiskWriter writer = writer(file, 4 * BLOCK);
        Random random = new Random(1);
        ByteBuffer expected = ByteBuffer.allocate(1 << 19);
        while (expected.remaining() > 3000) {
            byte[] piece = random(random.nextInt(3000), random);
            expected.put(piece);
            writer.append(ByteBuffer.wrap(piece), ByteBuffer.allocate(0));
        }
        assertEquals(Optional.empty(), writer.end());
        assertEquals(expected.position(), writer.writtenBytes());
        assertArrayEquals(
                Arrays.copyOf(expected.array(), expected.position()),
                Arrays.copyOf(file.content(), expected.position()));
    }

    /** Old bytes of the ring could be taken for a record. */
    @Test
    void theLastBlockEndsWithZeros() throws IOException {
        Blocks file = new Blocks(BLOCK, 1 << 20);
        DiskWriter writer = writer(file, 2 * BLOCK);
        byte[] ones = new byte[5 * BLOCK + 10];
        Arrays.fill(ones, (byte) 1);
        writer.append(ByteBuffer.wrap(ones));
        writer.end();
        assertArrayEquals(Arrays.copyOf(ones, 6 * BLOCK), file.content());
    }

    @Test
    void whatWasDrainedIsInTheFile() throws IOException {
        Blocks file = new Blocks(BLOCK, 1 << 20);
        DiskWriter writer = writer(file, 2 * BLOCK);
        byte[] bytes = random(3 * BLOCK + 7, new Random(2));
        try {
            writer.append(ByteBuffer.wrap(bytes, 0, BLOCK + 5));
            writer.drain();
            assertArrayEquals(Arrays.copyOf(bytes, BLOCK + 5), Arrays.copyOf(file.content(), BLOCK + 5));
            writer.append(ByteBuffer.wrap(bytes, BLOCK + 5, 2 * BLOCK + 2));
            writer.drain();
            assertArrayEquals(bytes, Arrays.copyOf(file.content(), bytes.length));
        } finally {
            writer.end();
        }
    }

    @Test
    void aFullDiskKeepsWhatItTook() throws IOException {
        Blocks file = new Blocks(BLOCK, 2 * BLOCK + 100);
        DiskWriter writer = writer(file, 8 * BLOCK);
        byte[] bytes = random(5 * BLOCK, new Random(3));
        assertThrows(IOException.class, () -> {
            writer.append(ByteBuffer.wrap(bytes));
            writer.drain();
        });
        assertEquals("No space left on device", writer.end().orElseThrow().getMessage());
        assertEquals(2 * BLOCK + 100, writer.writtenBytes());
        assertArrayEquals(Arrays.copyOf(bytes, 2 * BLOCK + 100), file.content());
    }

    @Test
    void nothingIsAppendedAfterAFailure() {
        DiskWriter writer = writer(new Blocks(BLOCK, 0), 8 * BLOCK);
        assertThrows(IOException.class, () -> {
            writer.append(ByteBuffer.wrap(new byte[] {1}));
            writer.drain();
        });
        assertThrows(IOException.class, () -> writer.append(ByteBuffer.wrap(new byte[] {1})));
        writer.end();
    }

    /** A thread that ended without a word would leave the one that appends waiting for room. */
    @Test
    void anErrorEndsWritingAsAFailureDoes() {
        Error error = new InternalError("a fault in memory of a file");
        DiskWriter writer = writer(
                new Blocks(BLOCK, 1 << 20) {
                    @Override
                    public synchronized void write(ByteBuffer bytes, long position) {
                        throw error;
                    }
                },
                2 * BLOCK);
        IOException failure =
                assertThrows(IOException.class, () -> writer.append(ByteBuffer.wrap(new byte[100 * BLOCK])));
        assertSame(error, failure.getCause());
        assertEquals(Optional.of(error), writer.end());
    }

    @Test
    void theFileIsForcedFromTimeToTime() throws IOException {
        Blocks file = new Blocks(BLOCK, 1 << 20);
        DiskWriter writer = new DiskWriter(file, 2 * BLOCK, 10 * BLOCK, "peregrine-test-disk");
        writer.start();
        writer.append(ByteBuffer.allocate(100 * BLOCK));
        writer.end();
        assertTrue(writer.forcedBytes() >= 80 * BLOCK, () -> "only " + writer.forcedBytes());
        assertEquals(file.forced, writer.forcedBytes());
    }
}
