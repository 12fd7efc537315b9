package io.peregrine.stream.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.nativeio.GuardedMemory;
import io.peregrine.stream.StreamException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A flow of 3 GiB and a little, in a file of which only what is written takes space. */
class FlowSegmentTest {
    private static final long GIBIBYTE = 1L << 30;
    private static final long LENGTH = 3 * GIBIBYTE + 100;
    private static final int COUNT = 3 << 20;

    private GuardedMemory memory;
    private FlowSegment segment;

    @BeforeEach
    void map(@TempDir Path folder) throws Exception {
        memory = GuardedMemory.inSparseFile(folder.resolve("flow"), LENGTH);
        segment = FlowSegment.of(memory.flow(), LENGTH);
    }

    @AfterEach
    void unmap() {
        memory.assertNothingBeyond();
        memory.close();
    }

    private static byte[] pattern() {
        byte[] bytes = new byte[COUNT];
        new java.util.Random(7).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(longs = {0, GIBIBYTE - 5, 2 * GIBIBYTE - (1 << 20) - 3, 3 * GIBIBYTE - COUNT + 99, LENGTH - COUNT})
    void whatIsPutIsThereAndCanBeRead(long offset) {
        byte[] bytes = pattern();
        segment.put(offset, ByteBuffer.wrap(bytes), 0, COUNT);

        assertArrayEquals(bytes, memory.bytes(offset, COUNT));
        byte[] back = new byte[COUNT];
        segment.get(offset, ByteBuffer.wrap(back), 0, COUNT);
        assertArrayEquals(bytes, back);
        segment.view(offset, COUNT).get(back);
        assertArrayEquals(bytes, back);
    }

    @ParameterizedTest
    @ValueSource(longs = {GIBIBYTE - 1, 2 * GIBIBYTE - 1, 3 * GIBIBYTE - 101})
    void aPacketLiesInOneWindow(long offset) {
        ByteBuffer window = segment.window(offset);
        int at = (int) (offset - segment.windowOffset(offset));
        window.put(at, pattern(), 0, 200);

        assertArrayEquals(java.util.Arrays.copyOf(pattern(), 200), memory.bytes(offset, 200));
    }

    @Test
    void nothingIsWrittenAfterTheEnd() {
        ByteBuffer two = ByteBuffer.allocate(2);

        assertThrows(IndexOutOfBoundsException.class, () -> segment.put(LENGTH - 1, two, 0, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> segment.view(LENGTH - 1, 2));
    }

    @Test
    void gapsAreFilledOverTheBoundsOfWindows() {
        byte[] value = {9};
        segment.fill(2 * GIBIBYTE - 2, 2 * GIBIBYTE + 2, value);

        assertArrayEquals(new byte[] {0, 9, 9, 9, 9, 0}, memory.bytes(2 * GIBIBYTE - 3, 6));
    }

    @Test
    void itIsNotOneBuffer() {
        assertEquals(
                "A flow of " + LENGTH + " bytes does not fit a buffer",
                assertThrows(StreamException.class, segment::whole).getMessage());
    }
}
