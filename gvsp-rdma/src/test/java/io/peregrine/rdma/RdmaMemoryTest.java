package io.peregrine.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.testing.Needs;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RdmaMemoryTest {
    private static final long GIBIBYTE = 1L << 30;
    private static final int PROT_READ_WRITE = 3;
    /** Private, anonymous, and no pages are set aside for what is never touched. */
    private static final int MAP_FLAGS = 0x2 | 0x20 | 0x4000;

    private static ByteBuffer counting(int count) {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        for (int i = 0; i < count; i++) {
            bytes.put(i, (byte) (i + 1));
        }
        return bytes;
    }

    @Test
    void whatIsPutCanBeGot() {
        RdmaMemory memory = RdmaMemory.of(ByteBuffer.allocateDirect(100));
        memory.put(40, counting(20));
        ByteBuffer back = ByteBuffer.allocate(20);
        memory.get(40, back, 20);

        assertEquals(counting(20), back.flip());
    }

    @ParameterizedTest
    @ValueSource(longs = {GIBIBYTE - 7, 2 * GIBIBYTE - 1, 4 * GIBIBYTE - 10, 5 * GIBIBYTE - 20})
    void memoryOfTheUserMayBeLargerThanTwoGibibytes(long offset) {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        long length = 5 * GIBIBYTE;
        long address = Libc.mmap(0, length, PROT_READ_WRITE, MAP_FLAGS, -1, 0);
        Needs.that(address != -1, () -> "address space: " + Libc.text(Libc.errno()));
        try {
            RdmaMemory memory = RdmaMemory.at(address, length, this);
            memory.put(offset, counting(20));

            assertEquals(counting(20), NativeMemory.buffer(address + offset, 20));
        } finally {
            Libc.munmap(address, length);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 91, 100, Long.MAX_VALUE, Long.MIN_VALUE})
    void aRangeThatIsNotInsideIsRefused(long offset) {
        RdmaMemory memory = RdmaMemory.of(ByteBuffer.allocateDirect(100));

        assertThrows(IndexOutOfBoundsException.class, () -> memory.put(offset, counting(10)));
    }

    @Test
    void nothingIsWrittenOfWhatDoesNotFit() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(100);
        assertThrows(
                IndexOutOfBoundsException.class, () -> RdmaMemory.of(buffer).put(95, counting(10)));

        assertEquals(ByteBuffer.allocate(100), buffer);
    }

    @Test
    void memoryOnTheHeapIsRefused() {
        assertThrows(RdmaException.class, () -> RdmaMemory.of(ByteBuffer.allocate(10)));
    }

    @Test
    void anAddressOfNothingIsRefused() {
        assertThrows(RdmaException.class, () -> RdmaMemory.at(0, 10, this));
    }

    @Test
    void aRangeThatLeavesTheAddressSpaceIsRefused() {
        assertThrows(RdmaException.class, () -> RdmaMemory.at(-100, 200, this));
    }

    @Test
    void thePositionOfTheBufferDoesNotMatter() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(100).position(30).limit(40);

        assertEquals(100, RdmaMemory.of(buffer).lengthBytes());
    }
}
