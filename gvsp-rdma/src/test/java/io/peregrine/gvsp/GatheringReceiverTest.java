package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class GatheringReceiverTest {
    private static final ByteBuffer PACKET = ByteBuffer.allocate(1000);
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final List<String> calls = new ArrayList<>();
    /** How often the sink was told that a block ends later. */
    private int far;

    /** Has a packet at some looks, and notes how it waits. */
    private final class Scripted extends GatheringReceiver {
        private int looksWithoutPacket;
        private Runnable atLook = () -> {};
        private BooleanSupplier nothing = () -> false;
        private boolean more;

        @Override
        int drain(PacketSink into) {
            calls.add("drain");
            emptied(!more);
            if (looksWithoutPacket-- > 0) {
                return 0;
            }
            took(PACKET.capacity(), 1);
            into.onPacket(PACKET, 0, PACKET.capacity(), System.nanoTime());
            return 1;
        }

        @Override
        boolean mayHavePackets() {
            atLook.run();
            return !nothing.getAsBoolean();
        }

        @Override
        void await(long nanos) {
            calls.add("await");
        }

        @Override
        void pause(long nanos) {
            calls.add("pause");
        }

        @Override
        void wake() {}

        @Override
        void closeSource() {
            calls.add("close");
        }

        @Override
        public int localPort() {
            return 0;
        }

        @Override
        public int receiveBufferBytes() {
            return 1 << 20;
        }
    }

    private final Scripted receiver = new Scripted();

    /** A block is under way, or none is. */
    private PacketSink sink(long nanosToEnd) {
        return new PacketSink() {
            @Override
            public void onPacket(ByteBuffer packet, int offset, int lengthBytes, long nowNanos) {}

            @Override
            public long nanosToEnd(long nowNanos) {
                return nanosToEnd;
            }

            @Override
            public void beforeEnd(long nowNanos) {
                calls.add("beforeEnd");
            }

            @Override
            public void farFromEnd(long nowNanos) {
                far++;
            }
        };
    }

    /** Not just when it was handed over. */
    private boolean toldBeforeThePacket() {
        return calls.contains("beforeEnd") && calls.indexOf("beforeEnd") < calls.lastIndexOf("drain");
    }

    private int receive(PacketSink into) {
        calls.clear();
        return receiver.receive(into, System.nanoTime() + LONG_NANOS);
    }

    @Test
    void packetsGatherWhileABlockIsUnderWay() {
        receiver.waitAs(ReceiverWaiting.DEFAULT);
        receive(sink(LONG_NANOS));
        assertEquals(1, receive(sink(LONG_NANOS)));
        assertEquals(List.of("pause", "drain"), calls);
    }

    @Test
    void whileABlockIsKnownToGoOnPausesFollowOneAnother() {
        receiver.waitAs(ReceiverWaiting.DEFAULT);
        receive(sink(LONG_NANOS));
        receiver.looksWithoutPacket = 1;
        assertEquals(0, receive(sink(LONG_NANOS)));
        assertEquals(1, receive(sink(LONG_NANOS)));
        assertEquals(List.of("pause", "drain"), calls);
    }

    @Test
    void afterAPauseWithoutPacketsTheNextIsWaitedForIfTheEndIsUnknown() {
        receiver.waitAs(ReceiverWaiting.DEFAULT);
        receive(sink(PacketSink.END_UNKNOWN));
        receiver.looksWithoutPacket = 1;
        assertEquals(1, receive(sink(PacketSink.END_UNKNOWN)));
        assertEquals(List.of("pause", "drain", "await", "drain"), calls);
    }

    @Test
    void nearTheEndOfABlockItSleepsAndLooks() {
        receiver.waitAs(ReceiverWaiting.DEFAULT);
        receive(sink(50_000));
        receiver.looksWithoutPacket = 1;
        assertEquals(0, receive(sink(50_000)));
        assertEquals(List.of("pause", "drain"), calls);
    }

    @ParameterizedTest
    @ValueSource(longs = {100_000, 300_000})
    void theSinkIsToldThatABlockEndsSoonWhenAllIsHandedOver(long nanosToEnd) {
        receiver.waitAs(ReceiverWaiting.DEFAULT);
        receive(sink(nanosToEnd));
        assertEquals(List.of("drain", "beforeEnd"), calls);
    }

    @ParameterizedTest
    @ValueSource(longs = {99_999, 300_001, PacketSink.END_UNKNOWN, PacketSink.NO_BLOCK})
    void theSinkIsNotHeldUpAtTheEndOfABlockNorFarFromIt(long nanosToEnd) {
        receiver.waitAs(ReceiverWaiting.DEFAULT);
        receive(sink(nanosToEnd));
        assertFalse(calls.contains("beforeEnd"), calls::toString);
    }

    @ParameterizedTest
    @ValueSource(longs = {6_000_000, 60_000_000_000L})
    void theSinkIsToldThatABlockEndsLaterWhenAllIsHandedOver(long nanosToEnd) {
        receiver.waitAs(ReceiverWaiting.DEFAULT);
        receive(sink(nanosToEnd));
        assertEquals(1, far);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 5_999_999, PacketSink.END_UNKNOWN, PacketSink.NO_BLOCK})
    void theSinkIsNotHeldUpWhereABlockMayEndBefore(long nanosToEnd) {
        receiver.waitAs(ReceiverWaiting.DEFAULT);
        receive(sink(nanosToEnd));
        assertEquals(0, far);
    }

    @Test
    void aSpinningReceiverTellsTheSinkOfBlocksThatEndLater() {
        receiver.waitAs(ReceiverWaiting.LOW_LATENCY);
        int[] looks = new int[1];
        receiver.nothing = () -> looks[0]++ < 1000;
        receiver.looksWithoutPacket = 1;
        receive(sink(LONG_NANOS));
        assertTrue(far > 1, "more often than when the packet was handed over");
    }

    @Test
    void theSinkIsNotToldWhileMorePacketsAreThere() {
        receiver.waitAs(ReceiverWaiting.DEFAULT);
        receiver.more = true;
        receive(sink(200_000));
        assertFalse(calls.contains("beforeEnd"), calls::toString);
    }

    @Test
    void aSpinningReceiverTellsTheSinkToo() {
        receiver.waitAs(ReceiverWaiting.LOW_LATENCY);
        int[] looks = new int[1];
        receiver.nothing = () -> looks[0]++ < 1000;
        receiver.looksWithoutPacket = 1;
        receive(sink(200_000));
        assertTrue(toldBeforeThePacket(), calls::toString);
    }

    @Test
    void aReceiverThatSpinsByCallsOfTheSystemTellsTheSinkToo() {
        receiver.waitAs(ReceiverWaiting.LOW_LATENCY);
        receiver.looksWithoutPacket = 1000;
        receive(sink(200_000));
        assertTrue(toldBeforeThePacket());
    }

    @Test
    void packetsOfABlockThatIsLateAreWaitedFor() {
        receiver.waitAs(ReceiverWaiting.DEFAULT);
        for (int look = 0; look < 50; look++) {
            receive(sink(0));
        }
        assertEquals(1, receive(sink(0)));
        assertEquals(List.of("await", "drain"), calls);
    }

    @Test
    void spinningReceiverLooksAgainUntilAPacketComes() {
        receiver.waitAs(ReceiverWaiting.LOW_LATENCY);
        receiver.looksWithoutPacket = 3;
        assertEquals(1, receive(sink(0)));
        assertEquals(List.of("drain", "drain", "drain", "drain"), calls);
    }

    @Test
    void spinningReceiverSleepsBetweenBlocks() {
        receiver.waitAs(ReceiverWaiting.LOW_LATENCY);
        receiver.looksWithoutPacket = 1;
        assertEquals(1, receive(sink(PacketSink.NO_BLOCK)));
        assertEquals(List.of("drain", "await", "drain"), calls);
    }

    @Test
    void spinningEndsWhenTheReceiverIsWoken() {
        receiver.waitAs(ReceiverWaiting.LOW_LATENCY);
        receiver.looksWithoutPacket = Integer.MAX_VALUE;
        receiver.atLook = receiver::wakeUp;
        assertEquals(0, receive(sink(0)));
    }

    @Test
    void spinningEndsAtTheDeadline() {
        receiver.waitAs(ReceiverWaiting.LOW_LATENCY);
        receiver.looksWithoutPacket = Integer.MAX_VALUE;
        long begin = System.nanoTime();
        assertEquals(0, receiver.receive(sink(0), begin + 1_000_000));
        assertTrue(System.nanoTime() - begin >= 1_000_000);
    }

    @Test
    void spinningEndsWhenItIsClosed() throws InterruptedException {
        receiver.waitAs(ReceiverWaiting.LOW_LATENCY.withBusyPoll(Duration.ZERO));
        receiver.looksWithoutPacket = Integer.MAX_VALUE;
        Thread closing = new Thread(receiver::close, "closing");
        receiver.atLook = () -> {
            receiver.atLook = () -> {};
            closing.start();
        };
        assertEquals(0, receive(sink(0)));
        closing.join();
        assertEquals("close", calls.get(calls.size() - 1));
        assertEquals(0, receive(sink(0)), "a closed receiver has nothing");
    }
}
