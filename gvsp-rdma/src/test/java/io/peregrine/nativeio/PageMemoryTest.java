package io.peregrine.nativeio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Await;
import io.peregrine.testing.Needs;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PageMemoryTest {
    private static final int HUGE_PAGE_BYTES = 2 << 20;
    private static final int BYTES = HUGE_PAGE_BYTES + 5000;
    /** In whole pages. */
    private static final int TAKEN_BYTES = HUGE_PAGE_BYTES + 2 * 4096;

    private static final long LIMIT_BYTES = 16 << 20;

    private final AtomicLong left = new AtomicLong(LIMIT_BYTES);

    @BeforeEach
    void needNativeCalls() {
        Needs.that(Libc.problem().isEmpty(), "the C library of 64-bit Linux");
    }

    private ByteBuffer allocate() {
        return PageMemory.allocate(BYTES, left).orElseThrow();
    }

    @Test
    void isZero() {
        assertEquals(-1, ByteBuffer.allocate(BYTES).mismatch(allocate()));
    }

    @Test
    void canBeWrittenToItsEnd() {
        ByteBuffer memory = allocate();
        memory.put(BYTES - 1, (byte) 7);
        assertEquals(7, memory.get(BYTES - 1));
    }

    @Test
    void isInBigEndianOrderAsNewBuffersAre() {
        assertEquals(ByteOrder.BIG_ENDIAN, allocate().order());
    }

    @Test
    void beginsWithAHugePage() {
        assertEquals(0, NativeMemory.address(allocate()) % HUGE_PAGE_BYTES);
    }

    @Test
    void takesWholePagesOfItsLimit() {
        ByteBuffer memory = allocate();
        assertEquals(LIMIT_BYTES - TAKEN_BYTES, left.get());
        assertEquals(BYTES, memory.capacity());
    }

    @Test
    void lessThanAHugePageIsForDirectBuffers() {
        assertTrue(PageMemory.allocate(HUGE_PAGE_BYTES - 1, left).isEmpty());
    }

    @Test
    void moreThanIsLeftIsForDirectBuffers() {
        left.set(TAKEN_BYTES - 1);
        assertTrue(PageMemory.allocate(BYTES, left).isEmpty());
        assertEquals(TAKEN_BYTES - 1, left.get());
    }

    @Test
    void isGivenBackWhenNoPartOfItIsReachable() {
        allocate();
        Await.until("the memory is given back", Duration.ofSeconds(60), this::collectedAll);
    }

    @Test
    void staysWhileAPartOfItIsReachable() {
        ByteBuffer part = allocate().slice(4096, 4096).slice(0, 8);
        allocate();
        Await.until(
                "only the other is given back",
                Duration.ofSeconds(60),
                () -> collected() && left.get() == LIMIT_BYTES - TAKEN_BYTES);
        part.putLong(0, 42);
        assertEquals(42, part.getLong(0));
    }

    private boolean collectedAll() {
        return collected() && left.get() == LIMIT_BYTES;
    }

    private static boolean collected() {
        System.gc();
        return true;
    }
}
