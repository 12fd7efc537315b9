package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class DescriptionsTest {
    private static final int LARGE = 16 << 20;

    private final Descriptions<String> descriptions = new Descriptions<>();

    private void flood(int first, int count) {
        for (int session = first; session < first + count; session++) {
            descriptions.put(session, "invented", LARGE);
        }
    }

    @Test
    void manyLargeOnesTakeNoMoreThanTheLimit() {
        flood(1, 1000);
        assertTrue(descriptions.bytes() <= Descriptions.MAX_BYTES);
    }

    @Test
    void aSmallOneHasRoomBehindAFlood() {
        flood(1, 100);
        descriptions.put(500, "camera", 1000);
        assertEquals(Optional.of("camera"), descriptions.of(500));
    }

    @Test
    void aFloodDisplacesNoSmallOne() {
        descriptions.put(500, "camera", 1000);
        flood(1, 100);
        assertEquals(Optional.of("camera"), descriptions.of(500));
    }

    @Test
    void oneThatComesAgainIsCountedOnce() {
        flood(1, 1);
        flood(1, 1);
        assertEquals(LARGE, descriptions.bytes());
    }
}
