package io.peregrine.gvcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TransactionTest {
    private static final int ID = 0x1234;
    private static final int READREG_ACK = 0x81;
    private static final int PENDING_ACK = 0x89;
    private static final long START = Long.MAX_VALUE - 5; // The clock may wrap.
    private static final GvcpSettings SETTINGS = GvcpSettings.defaults()
            .withTimeout(Duration.ofMillis(100))
            .withAttempts(3)
            .withPendingLimit(Duration.ofMillis(5000));

    private final ControlCounters counters = new ControlCounters();
    private final AtomicInteger answers = new AtomicInteger();
    private Transaction<Integer> transaction = limited(Optional.empty());

    private Transaction<Integer> limited(Optional<TimeLimit> limit) {
        return new Transaction<>(
                ID,
                Gvcp.READ_REGISTER,
                0x0938,
                "camera:3956",
                answer -> answer.getInt(8),
                Patience.of(SETTINGS, limit),
                counters,
                START);
    }

    private static Optional<TimeLimit> limit(long millis) {
        return Optional.of(
                new TimeLimit(Thread.currentThread(), "OpenTimeout", Duration.ofMillis(millis), () -> START));
    }

    private static long after(long millis) {
        return START + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private Optional<Integer> take(byte[] datagram, long millis) {
        return transaction.onDatagram(ByteBuffer.wrap(datagram), after(millis), answers::incrementAndGet);
    }

    private long remainingMillis(long millis) {
        return TimeUnit.NANOSECONDS.toMillis(transaction.remainingNanos(after(millis)));
    }

    @Test
    void sendsAsOftenAsAllowed() {
        assertTrue(transaction.nextAttempt(START));
        assertTrue(transaction.nextAttempt(after(100)));
        assertTrue(transaction.nextAttempt(after(200)));
        assertFalse(transaction.nextAttempt(after(300)));
        assertEquals(1, counters.statistics().commands());
        assertEquals(2, counters.statistics().repetitions());
    }

    @Test
    void eachAttemptWaitsItsTimeout() {
        transaction.nextAttempt(START);
        assertEquals(70, remainingMillis(30));
        assertEquals(0, remainingMillis(100));
        transaction.nextAttempt(after(100));
        assertEquals(100, remainingMillis(100));
    }

    @Test
    void decodesTheAnswer() {
        transaction.nextAttempt(START);
        assertEquals(Optional.of(7), take(FakeDevice.ack(0, READREG_ACK, ID, "00000007"), 1));
        assertEquals(1, answers.get());
    }

    @Test
    void anAnswerToAnotherRequestIsStale() {
        transaction.nextAttempt(START);
        assertEquals(Optional.empty(), take(FakeDevice.ack(0, READREG_ACK, ID + 1, "00000007"), 1));
        assertEquals(Optional.empty(), take(FakeDevice.ack(0, 0x83, ID, "00000007"), 1));
        assertEquals(2, counters.statistics().staleAnswers());
        assertEquals(0, answers.get());
    }

    @Test
    void aFailureNamesCommandRegisterAndDevice() {
        transaction.nextAttempt(START);
        GvcpStatusException e =
                assertThrows(GvcpStatusException.class, () -> take(FakeDevice.ack(0x8003, READREG_ACK, ID, ""), 1));
        assertTrue(
                e.getMessage().startsWith("READREG_CMD of Heartbeat Timeout (0x0938) on camera:3956"), e::getMessage);
        assertEquals(1, counters.statistics().failures());
        assertEquals(1, answers.get());
    }

    @Test
    void aPendingAcknowledgeExtendsTheAttempt() {
        transaction.nextAttempt(START);
        assertEquals(Optional.empty(), take(FakeDevice.ack(0, PENDING_ACK, ID, "000003e8"), 50));
        assertEquals(1000 + 100, remainingMillis(50));
    }

    @Test
    void aPendingAcknowledgeNeverShortensTheAttempt() {
        transaction.nextAttempt(START);
        take(FakeDevice.ack(0, PENDING_ACK, ID, "000003e8"), 0);
        take(FakeDevice.ack(0, PENDING_ACK, ID, "00000000"), 0);
        assertEquals(1100, remainingMillis(0));
    }

    @Test
    void pendingAcknowledgesHaveALimitAllTogether() {
        transaction.nextAttempt(START);
        take(FakeDevice.ack(0, PENDING_ACK, ID, "00000fa0"), 0);
        take(FakeDevice.ack(0, PENDING_ACK, ID, "00000fa0"), 4000);
        assertEquals(1000, remainingMillis(4000));
        String message = transaction.timeout().getMessage();
        assertTrue(message.endsWith("the device kept asking for more time, longer than 5000 ms"), message);
    }

    @Test
    void anAttemptEndsWithTheTimeLimit() {
        transaction = limited(limit(130));
        transaction.nextAttempt(START);
        transaction.nextAttempt(after(100));
        assertEquals(30, remainingMillis(100));
    }

    @Test
    void noAttemptBeginsAfterTheTimeLimit() {
        transaction = limited(limit(130));
        transaction.nextAttempt(START);
        assertFalse(transaction.nextAttempt(after(130)));
        assertEquals(
                "OpenTimeout of 130 ms is over: READREG_CMD of Heartbeat Timeout (0x0938) on camera:3956 is not"
                        + " answered yet",
                transaction.timeout().getMessage());
    }

    @Test
    void aPendingAcknowledgeDoesNotExtendTheTimeLimit() {
        transaction = limited(limit(2000));
        transaction.nextAttempt(START);
        take(FakeDevice.ack(0, PENDING_ACK, ID, "0000fde8"), 0);
        assertEquals(2000, remainingMillis(0));
    }

    @Test
    void aTimeLimitTellsThatTheDeviceKeptAskingForTime() {
        transaction = limited(limit(2000));
        transaction.nextAttempt(START);
        take(FakeDevice.ack(0, PENDING_ACK, ID, "0000fde8"), 0);
        assertFalse(transaction.nextAttempt(after(2000)));
        String message = transaction.timeout().getMessage();
        assertTrue(message.endsWith("is not answered yet; the device kept asking for more time"), message);
    }

    @Test
    void aClosingConnectionCutsWhatPendingAcknowledgesWereGranted() {
        transaction.nextAttempt(START);
        take(FakeDevice.ack(0, PENDING_ACK, ID, "00000fa0"), 0);
        transaction.hurry(Duration.ofSeconds(2), after(50));
        transaction.hurry(Duration.ofSeconds(2), after(1050));
        assertEquals(1000, remainingMillis(1050));
        String message = transaction.timeout().getMessage();
        assertTrue(message.endsWith("the device kept asking for more time while its connection was closed"), message);
    }

    @Test
    void aClosingConnectionGrantsPendingAcknowledgesAShortTimeAllTogether() {
        transaction.nextAttempt(START);
        transaction.hurry(Duration.ofSeconds(2), START);
        take(FakeDevice.ack(0, PENDING_ACK, ID, "000003e8"), 0);
        take(FakeDevice.ack(0, PENDING_ACK, ID, "00000fa0"), 1000);
        assertEquals(1000, remainingMillis(1000));
    }

    @Test
    void aClosingConnectionLeavesAnAttemptItsTimeout() {
        transaction.nextAttempt(START);
        transaction.hurry(Duration.ofSeconds(2), START);
        assertEquals(100, remainingMillis(0));
    }

    @Test
    void aMalformedAnswerIsCountedAndNamed() {
        transaction.nextAttempt(START);
        assertEquals(Optional.empty(), take(new byte[] {0, 0}, 1));
        assertEquals(1, counters.statistics().malformedAnswers());
        String message = transaction.timeout().getMessage();
        assertTrue(message.contains("8 bytes, but 2 arrived"), message);
    }

    @Test
    void silenceIsATimeout() {
        String message = transaction.timeout().getMessage();
        assertEquals(
                "READREG_CMD of Heartbeat Timeout (0x0938) on camera:3956: no answer to 3 attempts of 100 ms;"
                        + " some devices stay silent when they refuse a command",
                message);
        assertEquals(1, counters.statistics().timeouts());
    }
}
