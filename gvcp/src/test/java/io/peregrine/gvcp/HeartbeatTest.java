package io.peregrine.gvcp;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors of the JVM between a heartbeat and the loss that it has to notice. */
@Timeout(30)
class HeartbeatTest {
    private static final HeartbeatWatch WATCH = new HeartbeatWatch("test", 0, Optional.empty(), Duration.ofMillis(30));

    private final BlockingQueue<ConnectionLostException> losses = new LinkedBlockingQueue<>();
    private FakeDevice device;
    private ControlSocket socket;

    @BeforeEach
    void open() throws IOException {
        device = FakeDevice.start("127.30.1.9");
        socket = ControlSocket.open(device.address(), Optional.empty(), 0);
    }

    @AfterEach
    void close() {
        socket.close();
        device.close();
    }

    private ConnectionLostException loss(
            LongSupplier lastAnswerNanos, LongAdder beats, Consumer<ConnectionLostException> onLost)
            throws InterruptedException {
        CommandExchange exchange =
                new CommandExchange(socket, GvcpSettings.defaults(), new ControlCounters(), new ConnectionLoss());
        Heartbeat heartbeat = new Heartbeat(WATCH, new RegisterAccess(exchange), lastAnswerNanos, beats, onLost);
        heartbeat.start();
        ConnectionLostException loss = losses.poll(20, TimeUnit.SECONDS);
        heartbeat.stop();
        heartbeat.join();
        assertTrue(loss != null, "no loss was noticed");
        return loss;
    }

    private static OutOfMemoryError memoryFull() {
        return new OutOfMemoryError("Java heap space");
    }

    private static long longAgo() {
        return System.nanoTime() - TimeUnit.SECONDS.toNanos(1);
    }

    @Test
    void aLossIsNoticedAfterAnErrorWhileABeatIsJudged() throws Exception {
        device.close();
        AtomicBoolean failed = new AtomicBoolean();
        loss(
                () -> {
                    if (failed.compareAndSet(false, true)) {
                        throw memoryFull();
                    }
                    return longAgo();
                },
                new LongAdder(),
                losses::add);
    }

    @Test
    void beatsThatFailForLongByAnErrorAreALoss() throws Exception {
        OutOfMemoryError full = memoryFull();
        ConnectionLostException loss = loss(HeartbeatTest::longAgo, new FailingCounter(full), losses::add);
        assertSame(full, loss.getCause().getCause());
    }

    @Test
    void aLossIsToldAgainAfterAnErrorWhileItIsTold() throws Exception {
        device.close();
        AtomicBoolean failed = new AtomicBoolean();
        loss(HeartbeatTest::longAgo, new LongAdder(), loss -> {
            if (failed.compareAndSet(false, true)) {
                throw memoryFull();
            }
            losses.add(loss);
        });
    }

    /** Fails whenever a beat was answered. */
    private static final class FailingCounter extends LongAdder {
        private static final long serialVersionUID = 1;
        private final transient Error error;

        private FailingCounter(Error error) {
            this.error = error;
        }

        @Override
        public void increment() {
            throw error;
        }
    }
}
