package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.stream.StreamException;
import io.peregrine.stream.engine.FlowSetPool;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamPoolTest {
    private static final long[] PAGE = {4096};

    @Test
    void poolIsKeptWhereItsShapeAndCountFit() {
        StreamPool pool = new StreamPool(3, 1 << 20, () -> false);
        FlowSetPool first = pool.of(PAGE, 5);
        assertEquals(8, first.count());
        assertSame(first, pool.of(PAGE, 5));
        assertEquals(3, pool.of(PAGE).count());
    }

    @Test
    void flowSetsOfTheReceiverStayWithinTheLimitOfMemory() {
        // A page for alignment, and a page.
        StreamPool pool = new StreamPool(3, 5 * 8192, () -> false);
        assertEquals(5, pool.of(PAGE, 100).count());
        StreamPool tight = new StreamPool(3, 2 * 8192, () -> false);
        assertThrows(StreamException.class, () -> tight.of(PAGE, 100));
    }

    /** 16 MiB hold 1815 packets of 9200 bytes and headers; frames of 307,200 bytes have 33 of them, leader, trailer. */
    @ParameterizedTest
    @CsvSource({"verbs,307200,51", "verbs,1,907", "verbs,16777216,0", "mmsg,307200,0", "auto,307200,0"})
    void receiverByVerbsHasFlowSetsForAllItsReceives(String receiver, long bytes, int expected) {
        VerbsReception reception = OpenParameters.of(
                        PeregrineSettings.load(Map.of(), Map.of(), Path.of("no such directory")),
                        Map.of("PacketReceiver", receiver))
                .reception();
        assertEquals(expected, reception.flowSets(new long[] {bytes}));
    }
}
