package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamCounters;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class PacketSourceTest {
    private static final ByteBuffer BLOCK = TestPackets.standard(100).payload(7, 1, new byte[10]);
    private static final ByteBuffer TEST_PACKET = TestPackets.standard(100).payload(0, 1, new byte[10]);

    private final StreamCounters statistics = new StreamCounters();
    private final PacketSource source = new PacketSource(statistics);
    /** Near the point where it wraps. */
    private long now = Long.MAX_VALUE - 1;

    private boolean comes(int port, ByteBuffer packet, int packets) {
        return source.isStream(true, port, packets, packet, 0, packet.limit(), now);
    }

    private boolean comes(int port) {
        return comes(port, BLOCK, 1);
    }

    @Test
    void packetsOfAnotherAddressAreCountedAndTellNoPort() {
        assertFalse(source.isStream(false, 1000, 3, BLOCK, 0, BLOCK.limit(), now));
        assertEquals(3, statistics.get(Counter.PACKETS_FOREIGN_SOURCE));
        assertTrue(comes(2000));
    }

    @Test
    void eachPacketOfARunFromAnotherPortIsCounted() {
        assertTrue(comes(1000));
        assertFalse(comes(2000, BLOCK, 44));
        assertEquals(44, statistics.get(Counter.PACKETS_FOREIGN_PORT));
    }

    @Test
    void testPacketsAndWhatIsNoneOfTheProtocolTellNoPort() {
        assertTrue(comes(1000, TEST_PACKET, 1));
        assertTrue(comes(1001, ByteBuffer.allocate(3), 1));
        assertTrue(comes(2000));
        assertFalse(comes(1000));
    }

    @Test
    void portThatWasLearnedGivesWayAfterALongSilence() {
        assertTrue(comes(1000));
        now += PacketSource.KEPT_NANOS - 1;
        assertFalse(comes(2000));
        now++;
        assertTrue(comes(2000));
        assertFalse(comes(1000));
    }

    @Test
    void everyPacketKeepsAPortThatWasLearned() {
        assertTrue(comes(1000));
        now += PacketSource.KEPT_NANOS - 1;
        assertTrue(comes(1000));
        now += PacketSource.KEPT_NANOS - 1;
        assertFalse(comes(2000));
    }

    @Test
    void portThatTheDeviceTellsGivesNeverWay() {
        source.expect(1000);
        now += 10 * PacketSource.KEPT_NANOS;
        assertFalse(comes(2000));
        assertTrue(comes(1000));
    }

    @Test
    void afterANewStartTheNextPacketTellsThePort() {
        assertTrue(comes(1000));
        source.expect(0);
        assertTrue(comes(2000));
        assertFalse(comes(1000));
    }

    @Test
    void senderWithoutAPortIsOneLikeAnother() {
        assertTrue(comes(0));
        assertFalse(comes(1000));
    }
}
