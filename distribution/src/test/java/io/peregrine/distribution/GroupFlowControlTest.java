package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.driver.FlowControl;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.SetupFlyweight;
import io.aeron.protocol.StatusMessageFlyweight;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whom a publisher to a group waits for; time is that of the test. */
class GroupFlowControlTest {
    private static final String CHANNEL = "aeron:udp?endpoint=239.192.7.1:40456|interface=127.0.0.1|fc=";
    private static final InetSocketAddress FROM = new InetSocketAddress(InetAddress.getLoopbackAddress(), 5000);
    private static final int TERM_BITS = 24;
    private static final int WINDOW = 1000;
    private static final int PACKET = 1408;
    private static final int MUCH = 1 << 19;
    private static final int RUN = 7 * PACKET;
    private static final long FIRST = 1;
    private static final long SECOND = 2;
    private static final long THIRD = 3;

    private FlowControl control;
    private long limit;
    private long nowNanos = TimeUnit.SECONDS.toNanos(100);

    @BeforeEach
    void setUp() {
        control = new GroupFlowControl(UdpChannel.parse(CHANNEL + "tagged,g:1,t:2s|datagram=" + PACKET), nowNanos);
        control.initialize(
                new MediaDriver.Context().tempBuffer(new UnsafeBuffer(new byte[1024])),
                new CountersManager(
                        new UnsafeBuffer(ByteBuffer.allocateDirect(64 * CountersReader.METADATA_LENGTH)),
                        new UnsafeBuffer(ByteBuffer.allocateDirect(64 * CountersReader.COUNTER_LENGTH))),
                UdpChannel.parse(CHANNEL + "tagged,g:1,t:2s"),
                1,
                2,
                3,
                0,
                1 << TERM_BITS);
    }

    private static FlowControl supplied(String flowControl) {
        return GroupFlowControl.supplier().newInstance(UdpChannel.parse(CHANNEL + flowControl), 1, 3);
    }

    private static StatusMessageFlyweight message(long receiver, int position, int flags) {
        StatusMessageFlyweight message = new StatusMessageFlyweight(ByteBuffer.allocate(64));
        message.consumptionTermId(0)
                .consumptionTermOffset(position)
                .receiverWindowLength(WINDOW)
                .receiverId(receiver)
                .groupTag(1L);
        message.flags((short) flags);
        return message;
    }

    private void receives(long receiver, int position) {
        limit = control.onStatusMessage(message(receiver, position, 0), FROM, limit, 0, TERM_BITS, nowNanos);
    }

    private void leaves(long receiver, int position) {
        limit = control.onStatusMessage(
                message(receiver, position, StatusMessageFlyweight.END_OF_STREAM_FLAG),
                FROM,
                limit,
                0,
                TERM_BITS,
                nowNanos);
        idle();
    }

    private void asksToJoin(long receiver) {
        control.onTriggerSendSetup(message(receiver, 0, StatusMessageFlyweight.SEND_SETUP_FLAG), FROM, nowNanos);
    }

    private void setupIsSent() {
        limit = control.onSetup(new SetupFlyweight(), limit, limit - WINDOW, TERM_BITS, nowNanos);
    }

    private void idle() {
        limit = control.onIdle(nowNanos, limit, limit - WINDOW, false);
    }

    @Test
    void oneThatJoinsIsWaitedFor() {
        receives(FIRST, 0);
        asksToJoin(SECOND);
        setupIsSent();
        receives(FIRST, 500);
        assertEquals(WINDOW, limit);
        receives(SECOND, 0);
        receives(SECOND, 500);
        assertEquals(500 + WINDOW, limit);
    }

    @Test
    void oneWhoseRequestComesWhileItJoinsByTheSetupOfAnotherIsNotWaitedForAgain() {
        receives(FIRST, 0);
        asksToJoin(SECOND);
        setupIsSent();
        asksToJoin(THIRD);
        receives(SECOND, 0);
        receives(THIRD, 0);
        setupIsSent();
        receives(FIRST, 500);
        receives(SECOND, 500);
        receives(THIRD, 500);
        assertEquals(500 + WINDOW, limit);
    }

    @Test
    void oneThatLeftAndJoinsAgainIsWaitedFor() {
        receives(FIRST, 0);
        receives(SECOND, 0);
        leaves(SECOND, 0);
        asksToJoin(SECOND);
        setupIsSent();
        receives(FIRST, 500);
        assertEquals(WINDOW, limit);
    }

    @Test
    void oneThatIsSilentIsWaitedForUntilTheTimeout() {
        receives(FIRST, 0);
        receives(SECOND, 0);
        nowNanos += TimeUnit.MILLISECONDS.toNanos(1999);
        receives(FIRST, 500);
        idle();
        assertEquals(WINDOW, limit);
        nowNanos += TimeUnit.MILLISECONDS.toNanos(2);
        idle();
        assertEquals(500 + WINDOW, limit);
    }

    @Test
    void anyNumberOfStrangersLeavesThoseThatAreThereKnown() {
        receives(FIRST, 0);
        for (long stranger = 1000; stranger < 3000; stranger++) {
            receives(stranger, 0);
            asksToJoin(stranger);
        }
        setupIsSent();
        nowNanos += TimeUnit.SECONDS.toNanos(3);
        receives(FIRST, 500);
        idle();
        receives(SECOND, 500);
        asksToJoin(SECOND);
        setupIsSent();
        receives(FIRST, 700);
        receives(SECOND, 700);
        assertEquals(700 + WINDOW, limit);
    }

    private int sentAgain(int asked) {
        return control.maxRetransmissionLength(0, asked, 1 << TERM_BITS, RUN);
    }

    @Test
    void oneThatAsksForMuchAgainAndAgainGetsAPacketAtATimeUntilTimePasses() {
        receives(FIRST, 0);
        int once = sentAgain(MUCH);
        int others = (int) ResendBudget.MOST_BYTES / once;
        for (int i = 0; i < others; i++) {
            sentAgain(MUCH);
        }
        assertEquals(PACKET, sentAgain(MUCH));
        nowNanos += TimeUnit.SECONDS.toNanos(1);
        receives(FIRST, 500);
        assertEquals(once, sentAgain(MUCH));
    }

    @Test
    void otherFlowControlIsThatOfAeron() {
        assertInstanceOf(GroupFlowControl.class, supplied("tagged,g:1,t:2s"));
        assertTrue(supplied("max").getClass().getName().startsWith("io.aeron"));
    }
}
