package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceLostException;
import io.peregrine.testing.Await;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One side dies without a word; the other notices. */
@ExpectedWarning("Connection to .*: LOST")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SuddenEndTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration FRAME_LIMIT = Duration.ofSeconds(5);

    @Test
    void aCameraWhoseClientWasKilledEndsTheStreamWithinTheHeartbeatTimeout() {
        Duration heartbeat = Duration.ofSeconds(2);
        Scenario scenario = Scenario.builder()
                .bindAddress("127.82.0.1")
                .port(0)
                .size(64, 64)
                .frameRate(100)
                .build();
        try (VirtualCamera camera = VirtualCamera.start(scenario)) {
            try (ChildProcess client = ApplicationMain.start(camera, heartbeat)) {
                client.awaitLine("sign of streaming", LIMIT, "streaming"::equals);
                client.kill();
                long killed = System.nanoTime();
                Await.until(
                        "end of the control",
                        LIMIT,
                        () -> camera.statistics().heartbeatTimeouts() == 1,
                        () -> camera.statistics().toString());
                long after = System.nanoTime() - killed;
                long slack = Duration.ofSeconds(1).toNanos();
                assertTrue(after <= heartbeat.toNanos() + slack, () -> "ended after " + after / 1_000_000 + " ms");
            }
            long sent = camera.statistics().packetsSent();
            try (Device next = Loopback.open(camera)) {
                assertEquals(0, next.nodes().integer("TLParamsLocked").value());
                assertFalse(streaming(camera, sent), "no packet is sent any more");
            }
        }
    }

    /** Watches for the time of ten frames. */
    private static boolean streaming(VirtualCamera camera, long sent) {
        long deadline = System.nanoTime() + Duration.ofMillis(100).toNanos();
        while (System.nanoTime() - deadline < 0) {
            if (camera.statistics().packetsSent() != sent) {
                return true;
            }
            LockSupport.parkNanos(5_000_000);
        }
        return false;
    }

    @Test
    void aClientWhoseCameraWasKilledIsToldAndKeepsNoThread() {
        Set<Thread> before = libraryThreads();
        String address = "127.82.0.2";
        try (ChildProcess camera = ChildProcess.start(
                CameraProcess.virtualCommand(address, "--port", "0", "--rate", "100", "--size", "64x64"))) {
            String line = camera.awaitLine("address of the camera", LIMIT, text -> text.contains(address + ":"));
            Matcher name = Pattern.compile("at (\\S+:\\d+)").matcher(line);
            assertTrue(name.find(), line);
            AtomicReference<Throwable> told = new AtomicReference<>();
            try (Device device = Loopback.open(name.group(1));
                    CompositeStream stream = device.stream(CompositeStream.class, 0)) {
                device.connection().onLost(told::set);
                stream.start();
                for (int frame = 0; frame < 20; frame++) {
                    try (Composite composite = assertInstanceOf(WaitResult.Ok.class, stream.waitFor(FRAME_LIMIT))
                            .composite()) {
                        assertTrue(composite.complete());
                    }
                }
                camera.kill();
                WaitResult last = stream.waitFor(LIMIT);
                while (last instanceof WaitResult.Ok ok) {
                    ok.composite().close();
                    last = stream.waitFor(LIMIT);
                }
                WaitResult.Abort abort = assertInstanceOf(WaitResult.Abort.class, last);
                assertInstanceOf(DeviceLostException.class, abort.cause().orElseThrow());
                assertTrue(stream.failure().isPresent());
                assertFalse(device.connection().connected());
                Await.until("call of the listener", LIMIT, () -> told.get() != null);
                assertInstanceOf(DeviceLostException.class, told.get());
            }
        }
        Await.until(
                "end of the library's threads",
                LIMIT,
                () -> before.containsAll(libraryThreads()),
                () -> libraryThreads().toString());
    }

    private static Set<Thread> libraryThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("(peregrine|gvcp|gvsp).*"))
                .collect(Collectors.toSet());
    }
}
