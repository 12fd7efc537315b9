package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.PayloadType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RehearsedFrameTest {
    /** More than block ids. */
    private static final int FRAMES = 70_000;

    @Test
    void goesOnWhenBlockIdsBeginAgain() {
        RehearsedFrame frame = new RehearsedFrame(PayloadType.IMAGE);
        for (int i = 0; i < FRAMES; i++) {
            frame.run();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {PayloadType.IMAGE, PayloadType.MULTI_PART, PayloadType.GENDC})
    void framesOfEachPayloadTypeComeOutComplete(int payloadType) {
        RehearsedFrame frame = new RehearsedFrame(payloadType);
        for (int i = 0; i < 5; i++) {
            frame.run();
        }
    }

    @Test
    void runsInTheCallingThreadAlone() {
        new RehearsedFrame(PayloadType.IMAGE).run();
        long others = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("peregrine-stream-127.0.0.1-0"))
                .count();
        assertEquals(0, others);
    }

    @Test
    void anInterruptOfTheThreadIsKept() {
        RehearsedFrame frame = new RehearsedFrame(PayloadType.IMAGE);
        Thread.currentThread().interrupt();
        assertThrows(IllegalStateException.class, frame::run);
        assertTrue(Thread.interrupted());
    }
}
