package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.AeronCounters;
import java.nio.ByteBuffer;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;

/** What a media driver counts, as sentences. */
class DriverStatusTest {
    private static final int COUNTERS = 8;
    private static final long PUBLICATION = 7;

    private final CountersManager counters = new CountersManager(
            new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersReader.METADATA_LENGTH)),
            new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersReader.COUNTER_LENGTH)));

    private List<String> sendingAfterRequests(long asked) {
        int naks = counters.allocate("requests", AeronCounters.DRIVER_SENDER_NAKS_RECEIVED_TYPE_ID);
        counters.setCounterRegistrationId(naks, PUBLICATION);
        counters.setCounterValue(naks, asked);
        return new DriverStatus(counters, "").sending(List.of(PUBLICATION));
    }

    @Test
    void aPublisherThatWasAskedForNothingIsWell() {
        assertEquals(List.of(), sendingAfterRequests(0));
    }

    @Test
    void packetsThatWereAskedForAgainHaveTwoPossibleCauses() {
        String sentence = String.join("\n", sendingAfterRequests(3));
        assertTrue(
                sentence.startsWith("Consumers asked 3 times ")
                        && sentence.contains("lost in the network")
                        && sentence.contains("lags behind"),
                sentence);
    }
}
