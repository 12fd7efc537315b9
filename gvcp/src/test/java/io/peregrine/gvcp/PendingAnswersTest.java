package io.peregrine.gvcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A device that puts off what it is asked for by 65 s again and again. */
class PendingAnswersTest {
    private static final GvcpSettings SETTINGS =
            GvcpSettings.defaults().withTimeout(Duration.ofMillis(40)).withAttempts(3);
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final int READ_REGISTER = 0x80;
    private static final int USER_REGISTER = 0xA100;

    private final CountDownLatch asked = new CountDownLatch(1);
    private volatile int putOff = -1;
    private FakeDevice device;

    @BeforeEach
    void startDevice() throws Exception {
        device = FakeDevice.start("127.10.0.12");
        device.script((request, fake) -> {
            int command = FakeDevice.command(request);
            if (command != putOff) {
                return List.of(fake.regularAnswer(request));
            }
            asked.countDown();
            return List.of(FakeDevice.ack(0, 0x89, FakeDevice.id(request), "0000fde8"));
        });
    }

    @AfterEach
    void stopDevice() {
        device.close();
    }

    private GvcpChannel open() {
        return GvcpChannel.open(device.address(), SETTINGS);
    }

    /** A thread that waits for an answer which the device puts off. */
    private Thread waiting(GvcpChannel channel) throws InterruptedException {
        putOff = READ_REGISTER;
        Thread reader = new Thread(
                () -> assertThrows(GvcpException.class, () -> channel.readRegister(USER_REGISTER)), "waiting");
        reader.setDaemon(true);
        reader.start();
        assertTrue(asked.await(5, TimeUnit.SECONDS));
        return reader;
    }

    private static GvcpTimeoutException readLimited(GvcpChannel channel) {
        return assertTimeoutPreemptively(SOON, () -> {
            channel.limitTime("OpenTimeout", Duration.ofMillis(100));
            return assertThrows(GvcpTimeoutException.class, () -> channel.readRegister(USER_REGISTER));
        });
    }

    @Test
    void aTimeLimitEndsTheCommandThatIsPutOff() {
        putOff = READ_REGISTER;
        try (GvcpChannel channel = open()) {
            String message = readLimited(channel).getMessage();
            assertTrue(message.startsWith("OpenTimeout of 100 ms is over: READREG_CMD of 0xA100"), message);
            assertTrue(message.endsWith("the device kept asking for more time"), message);
        }
    }

    @Test
    void aTimeLimitEndsTheWaitForTheCommandOfAnotherThread() throws Exception {
        try (GvcpChannel channel = open()) {
            waiting(channel);
            String message = readLimited(channel).getMessage();
            assertTrue(message.startsWith("OpenTimeout of 100 ms is over: the command of another thread"), message);
        }
    }

    @Test
    void aCommandUnderWayIsNotPutOffForLongOnceTheChannelHurries() throws Exception {
        try (GvcpChannel channel = open()) {
            Thread reader = waiting(channel);
            channel.hurry();
            reader.join(SOON.toMillis());
            assertEquals(Thread.State.TERMINATED, reader.getState());
        }
    }

    @Test
    void closingEndsThoughGivingControlBackIsPutOff() {
        device.register(0x0938, 3000);
        GvcpChannel channel = open();
        channel.takePrivilege(Privilege.CONTROL);
        putOff = 0x82;
        assertTimeoutPreemptively(SOON, channel::close);
    }
}
