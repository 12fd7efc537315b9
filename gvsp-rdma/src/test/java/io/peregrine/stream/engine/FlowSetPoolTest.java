package io.peregrine.stream.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.ChildProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A pool of 20 MiB in a program that may have 16 MiB outside the heap. */
class FlowSetPoolTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static String output;

    @BeforeAll
    static void allocate() {
        // A flow set takes exactly 1 MiB with its padding.
        output = ChildProcess.runToEnd(
                LIMIT,
                ChildProcess.java(
                        List.of("-XX:MaxDirectMemorySize=16m"),
                        LargePoolMain.class.getName(),
                        List.of(Integer.toString((1 << 20) - FlowSetPool.ALIGNMENT_BYTES), "20", "15")));
    }

    @Test
    void thatDoesNotFitNamesItsSizes() {
        assertTrue(
                output.contains(
                        "20 flow sets of 1048576 bytes, 20971520 bytes in all, do not fit into the direct memory"),
                output);
    }

    @Test
    void thatDoesNotFitNamesTheLimit() {
        assertTrue(output.contains("limit: 16777216"), output);
    }

    @Test
    void thatDoesNotFitNamesWhatToDo() {
        assertTrue(output.contains("lower FlowSetCount, or start Java with -XX:MaxDirectMemorySize=21m"), output);
    }

    @Test
    void thatDoesNotFitGivesItsMemoryBack() {
        assertTrue(output.contains("then 15"), output);
    }
}
