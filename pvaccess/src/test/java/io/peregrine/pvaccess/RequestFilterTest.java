package io.peregrine.pvaccess;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Await;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestFilterTest {
    /** An echo of three bytes in both byte orders, and a control message whose size field is data. */
    private static final String REQUESTS =
            "ca02000203000000" + "010203" + "ca02800200000003" + "ca0203" + "ca020100ffffffff" + "ca02000200000000";

    private final Queue<Integer> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    private RequestFilter filter(String hex) {
        AtomicReference<Optional<Queue<?>>> answers = new AtomicReference<>(Optional.of(waiting));
        return new RequestFilter(new ByteArrayInputStream(HexFormat.of().parseHex(hex)), answers, closed::get);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 9, 11, 100})
    void requestsPassInPiecesOfAnyLength(int length) throws IOException {
        RequestFilter filter = filter(REQUESTS);
        byte[] passed = new byte[REQUESTS.length() / 2];
        int at = 0;
        for (int read = 0; read >= 0 && at < passed.length; at += read) {
            read = filter.read(passed, at, Math.min(length, passed.length - at));
        }

        assertArrayEquals(HexFormat.of().parseHex(REQUESTS), passed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cb02000200000000", // another magic
                "ca02000201000100", // 64 KiB and one
                "ca02800200010001",
                "ca020002ffffffff", // negative
                "ca02100200000000", // segments
                "ca02200200000000",
                "ca02300200000000"
            })
    void otherMessagesEndTheConnection(String request) {
        assertThrows(IOException.class, () -> filter(REQUESTS + request).readAllBytes());
    }

    @Test
    void noMoreIsReadWhileManyAnswersWait() throws Exception {
        IntStream.range(0, 65).forEach(waiting::add);
        AtomicReference<Integer> read = new AtomicReference<>();
        RequestFilter filter = filter(REQUESTS);
        Thread reader = new Thread(() -> {
            try {
                read.set(filter.read());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        reader.start();
        Await.until("waiting reader", PvaRig.PATIENCE, () -> reader.getState() == Thread.State.TIMED_WAITING);
        assertEquals(null, read.get());

        waiting.remove();

        reader.join();
        assertEquals(0xCA, read.get());
    }

    @Test
    void theEndOfTheConnectionEndsTheWait() {
        IntStream.range(0, 65).forEach(waiting::add);
        closed.set(true);

        assertTrue(assertThrows(IOException.class, () -> filter(REQUESTS).read())
                .getMessage()
                .contains("does not read"));
    }
}
