package io.peregrine.nativeio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Needs;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LibcTest {
    @BeforeEach
    void callable() {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
    }

    @Test
    void aFailedCallTellsWhy() {
        int result = Libc.close(-1);
        int errno = Libc.errno();

        assertEquals(-1, result);
        assertTrue(Libc.text(errno).contains("Bad file descriptor"), () -> Libc.text(errno));
    }

    @Test
    void anEventThatWasSetCanBeReadOnce() {
        int event = Libc.newEvent();
        try {
            ByteBuffer number = NativeMemory.allocate(8).putLong(0, 1);
            long address = NativeMemory.address(number);

            assertEquals(8, Libc.write(event, address, 8));
            assertEquals(8, Libc.read(event, address, 8));
            assertEquals(-1, Libc.read(event, address, 8));
        } finally {
            Libc.close(event);
        }
    }

    @Test
    void memoryAtAnAddressIsTheSameMemory() {
        ByteBuffer memory = NativeMemory.allocate(16);

        NativeMemory.buffer(NativeMemory.address(memory) + 8, 8).put(3, (byte) 7);

        assertEquals(7, memory.get(11));
    }

    @Test
    void lockableMemoryIsNeverNegative() {
        assertTrue(Libc.lockableBytes() >= 0);
    }
}
