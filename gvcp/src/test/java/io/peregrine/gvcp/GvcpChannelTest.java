package io.peregrine.gvcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GvcpChannelTest {
    private static final GvcpSettings PATIENT = GvcpSettings.defaults().withTimeout(Duration.ofSeconds(5));
    private static final GvcpSettings HASTY =
            GvcpSettings.defaults().withTimeout(Duration.ofMillis(40)).withAttempts(3);
    private static final GvcpSettings PERSISTENT = HASTY.withAttempts(25);
    private static final int USER_REGISTER = 0xA100;
    private static final int CCP = 0x0A00;
    private static final int HEARTBEAT = 0x0938;

    private FakeDevice device;

    @BeforeEach
    void startDevice() throws Exception {
        device = FakeDevice.start("127.10.0.1");
    }

    @AfterEach
    void stopDevice() {
        device.close();
    }

    private GvcpChannel open(GvcpSettings settings) {
        return GvcpChannel.open(device.address(), settings);
    }

    @Test
    void readsAndWritesRegisters() {
        try (GvcpChannel channel = open(PATIENT)) {
            channel.writeRegister(USER_REGISTER, 0xCAFEBABE);
            assertEquals(0xCAFEBABE, device.register(USER_REGISTER));
            device.register(USER_REGISTER, 0x01020304);
            assertEquals(0x01020304, channel.readRegister(USER_REGISTER));
            assertEquals(device.address(), channel.deviceAddress());
            assertTrue(channel.localAddress().isLoopbackAddress());
        }
    }

    @Test
    void tellsOfEachRegisterThatWasWritten() {
        List<String> told = new ArrayList<>();
        try (GvcpChannel channel = open(PATIENT)) {
            channel.writeRegister(USER_REGISTER, 1);
            channel.onWrite(written -> told.add(written.toString()));
            channel.writeRegister(USER_REGISTER, 0xCAFEBABE);
            channel.writeMemory(USER_REGISTER + 4, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        }
        assertEquals(List.of("0xA100 = 0xCAFEBABE", "0xA104 = 0x01020304", "0xA108 = 0x05060708"), told);
    }

    @Test
    void doesNotTellOfAWriteThatWasRefused() {
        List<RegisterValue> told = new ArrayList<>();
        device.script((request, fake) -> List.of(FakeDevice.nack(0x8004, request)));
        try (GvcpChannel channel = open(PATIENT)) {
            channel.onWrite(told::add);
            assertThrows(GvcpStatusException.class, () -> channel.writeRegister(USER_REGISTER, 1));
        }
        assertEquals(List.of(), told);
    }

    @Test
    void readsSeveralRegistersInOneCommandWhereTheDeviceCan() {
        device.register(0x0934, 0x1).register(0xA000, 1).register(0xA004, 2).register(0xA008, 3);
        try (GvcpChannel channel = open(PATIENT)) {
            assertArrayEquals(new int[] {3, 1, 2}, channel.readRegisters(0xA008, 0xA000, 0xA004));
        }
        assertEquals(2, device.count(0x80));
    }

    @Test
    void readsSeveralRegistersOneByOneWhereTheDeviceCannot() {
        device.register(0x0934, 0x6).register(0xA000, 1).register(0xA004, 2);
        try (GvcpChannel channel = open(PATIENT)) {
            assertArrayEquals(new int[] {2, 1}, channel.readRegisters(0xA004, 0xA000));
        }
        assertEquals(3, device.count(0x80));
        assertTrue(device.requests().stream().allMatch(r -> r.length == 12));
    }

    @Test
    void rejectsUnalignedRegisterBeforeSending() {
        try (GvcpChannel channel = open(PATIENT)) {
            assertThrows(GvcpException.class, () -> channel.readRegister(0xA002));
        }
        assertTrue(device.requests().isEmpty());
    }

    @Test
    void readsLongMemoryInAlignedPieces() {
        byte[] pattern = new byte[5000];
        for (int i = 0; i < pattern.length; i++) {
            pattern[i] = (byte) (i * 7);
        }
        device.bytes(0xA001, pattern);
        try (GvcpChannel channel = open(PATIENT)) {
            assertArrayEquals(pattern, channel.readMemory(0xA001, pattern.length));
        }
        assertEquals(10, device.count(0x84));
        for (byte[] request : device.requests()) {
            assertEquals(0, ByteBuffer.wrap(request).getInt(8) % 4);
            assertEquals(0, ByteBuffer.wrap(request).getInt(12) % 4);
            assertTrue(ByteBuffer.wrap(request).getInt(12) <= 536);
        }
    }

    @Test
    void readsAnyAlignmentOfShortMemory() {
        device.bytes(0xA000, new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
        try (GvcpChannel channel = open(PATIENT)) {
            for (int start = 0; start < 8; start++) {
                for (int length = 0; length <= 8; length++) {
                    byte[] expected = new byte[length];
                    for (int i = 0; i < length; i++) {
                        expected[i] = (byte) (start + i);
                    }
                    assertArrayEquals(expected, channel.readMemory(0xA000 + start, length));
                }
            }
        }
    }

    @Test
    void writesUnalignedMemoryWithoutHarmToNeighbours() {
        byte[] before = new byte[1200];
        Arrays.fill(before, (byte) 0x55);
        device.bytes(0xA000, before);
        byte[] data = new byte[1001];
        Arrays.fill(data, (byte) 0x11);
        try (GvcpChannel channel = open(PATIENT)) {
            channel.writeMemory(0xA003, data);
        }
        byte[] expected = before.clone();
        System.arraycopy(data, 0, expected, 3, data.length);
        assertArrayEquals(expected, device.bytes(0xA000, before.length));
        assertEquals(2, device.count(0x86));
    }

    @Test
    void refusesTransfersBeyondReason() {
        try (GvcpChannel channel = open(PATIENT)) {
            assertThrows(GvcpException.class, () -> channel.readMemory(0, (64 << 20) + 1));
            assertThrows(GvcpException.class, () -> channel.readMemory(0, -1));
            assertThrows(GvcpException.class, () -> channel.readMemory(0xFFFFFFFC, 8));
        }
    }

    @Test
    void repeatsUnderTheSameIdUntilAnswered() {
        AtomicInteger seen = new AtomicInteger();
        device.script((request, fake) -> seen.incrementAndGet() < 3 ? List.of() : List.of(fake.regularAnswer(request)));
        device.register(USER_REGISTER, 5);
        try (GvcpChannel channel = open(PERSISTENT)) {
            assertEquals(5, channel.readRegister(USER_REGISTER));
            assertTrue(channel.statistics().repetitions() >= 2);
        }
        assertEquals(
                1,
                device.requests().stream()
                        .map(FakeDevice::id)
                        .collect(Collectors.toSet())
                        .size());
    }

    @Test
    void namesTheRegisterWhenNobodyAnswers() {
        device.script((request, fake) -> List.of());
        try (GvcpChannel channel = open(HASTY)) {
            GvcpTimeoutException e =
                    assertThrows(GvcpTimeoutException.class, () -> channel.writeRegister(0x0D04, 1400));
            assertTrue(e.getMessage().contains("SCPS of stream channel 0 (0x0D04)"), e::getMessage);
            assertTrue(e.getMessage().contains("127.10.0.1"), e::getMessage);
            assertEquals(1, channel.statistics().timeouts());
        }
        assertEquals(3, device.count(0x82));
    }

    @Test
    void failsFastWhenNothingListens() {
        device.close();
        try (GvcpChannel channel = open(PATIENT)) {
            GvcpTimeoutException e = assertTimeoutPreemptively(
                    Duration.ofSeconds(4),
                    () -> assertThrows(GvcpTimeoutException.class, () -> channel.readRegister(CCP)));
            assertTrue(e.getMessage().contains("nothing listens"), e::getMessage);
        }
    }

    @Test
    void dropsAnswersToSomethingElse() {
        device.script((request, fake) -> List.of(
                FakeDevice.ack(0, 0x81, FakeDevice.id(request) + 1, "deadbeef"),
                FakeDevice.ack(0, 0x83, FakeDevice.id(request), "00000001"),
                FakeDevice.ack(0x8006, 0x83, FakeDevice.id(request), ""),
                fake.regularAnswer(request)));
        device.register(USER_REGISTER, 77);
        try (GvcpChannel channel = open(PATIENT)) {
            assertEquals(77, channel.readRegister(USER_REGISTER));
            assertEquals(3, channel.statistics().staleAnswers());
        }
    }

    @Test
    void dropsDuplicateAnswerOfTheTransactionBefore() {
        device.script((request, fake) -> List.of(fake.regularAnswer(request), fake.regularAnswer(request)));
        device.register(0xA000, 1).register(0xA004, 2);
        try (GvcpChannel channel = open(PATIENT)) {
            for (int i = 0; i < 20; i++) {
                assertEquals(1, channel.readRegister(0xA000));
                assertEquals(2, channel.readRegister(0xA004));
            }
        }
    }

    @Test
    void dropsMalformedAnswersAndSaysSo() {
        device.script((request, fake) -> List.of(
                new byte[] {0, 0, 0},
                FakeDevice.ack(0, 0x81, FakeDevice.id(request), "0102"),
                FakeDevice.ack(0, 0x81, FakeDevice.id(request), "")));
        try (GvcpChannel channel = open(HASTY)) {
            GvcpTimeoutException e =
                    assertThrows(GvcpTimeoutException.class, () -> channel.readRegister(USER_REGISTER));
            assertTrue(e.getMessage().contains("READREG_ACK"), e::getMessage);
            assertTrue(channel.statistics().malformedAnswers() >= 3);
        }
    }

    @Test
    void ignoresDatagramsOfStrangers() throws Exception {
        BlockingQueue<byte[]> asked = new LinkedBlockingQueue<>();
        device.script((request, fake) -> {
            asked.add(request);
            return List.of();
        });
        AtomicReference<Object> outcome = new AtomicReference<>();
        try (GvcpChannel channel = open(PATIENT);
                DatagramSocket stranger =
                        new DatagramSocket(new InetSocketAddress(InetAddress.getByName("127.10.0.9"), 0))) {
            Thread reader = new Thread(() -> outcome.set(channel.readRegister(USER_REGISTER)));
            reader.start();
            byte[] request = asked.poll(5, TimeUnit.SECONDS);
            SocketAddress host = channel.localSocketAddress();
            byte[] forged = FakeDevice.ack(0, 0x81, FakeDevice.id(request), "66666666");
            stranger.send(new DatagramPacket(forged, forged.length, host));
            device.send(FakeDevice.ack(0, 0x81, FakeDevice.id(request), "00000007"), host);
            reader.join(5000);
            assertEquals(7, outcome.get());
            assertEquals(0, channel.statistics().staleAnswers());
        }
    }

    @Test
    void waitsLongerWhenTheDeviceAsksForTime() throws Exception {
        BlockingQueue<byte[]> asked = new LinkedBlockingQueue<>();
        device.script((request, fake) -> {
            asked.add(request);
            return List.of(FakeDevice.ack(0, 0x89, FakeDevice.id(request), "00001388")); // 5000 ms
        });
        try (GvcpChannel channel = open(HASTY.withTimeout(Duration.ofMillis(100)))) {
            AtomicReference<Object> outcome = new AtomicReference<>();
            CountDownLatch done = new CountDownLatch(1);
            Thread reader = new Thread(() -> {
                outcome.set(channel.readRegister(USER_REGISTER));
                done.countDown();
            });
            reader.start();
            byte[] request = asked.poll(5, TimeUnit.SECONDS);
            // Longer than all attempts without the pending acknowledge: nothing may happen.
            assertFalse(done.await(500, TimeUnit.MILLISECONDS));
            device.send(FakeDevice.ack(0, 0x81, FakeDevice.id(request), "00000009"), channel.localSocketAddress());
            assertTrue(done.await(5, TimeUnit.SECONDS));
            assertEquals(9, outcome.get());
            assertTrue(channel.statistics().pendingAnswers() >= 1);
        }
    }

    @Test
    void doesNotWaitForeverWhenTheDeviceKeepsAskingForTime() {
        device.script((request, fake) -> List.of(FakeDevice.ack(0, 0x89, FakeDevice.id(request), "0000ffff")));
        GvcpSettings settings = HASTY.withPendingLimit(Duration.ofMillis(100));
        try (GvcpChannel channel = open(settings)) {
            GvcpTimeoutException e = assertTimeoutPreemptively(
                    Duration.ofSeconds(5),
                    () -> assertThrows(GvcpTimeoutException.class, () -> channel.readRegister(USER_REGISTER)));
            assertTrue(e.getMessage().contains("more time"), e::getMessage);
        }
    }

    static List<GvcpStatus> failures() {
        return GvcpStatus.standard().stream().filter(s -> !s.success()).collect(Collectors.toList());
    }

    @ParameterizedTest
    @MethodSource("failures")
    void turnsEveryFailureStatusIntoAnErrorThatNamesTheRegister(GvcpStatus status) {
        device.script((request, fake) -> List.of(FakeDevice.nack(status.code(), request)));
        try (GvcpChannel channel = open(PATIENT)) {
            GvcpStatusException e = assertThrows(GvcpStatusException.class, () -> channel.writeRegister(HEARTBEAT, 1));
            assertEquals(status, e.status());
            assertEquals("WRITEREG_CMD", e.command());
            assertEquals("Heartbeat Timeout (0x0938)", e.register());
            assertTrue(e.getMessage().contains(status.name()), e::getMessage);
            assertEquals(status.code() == 0x8006, e instanceof AccessDeniedException);
        }
    }

    @Test
    void keepsTheNumberOfAnUnknownStatus() {
        device.script((request, fake) -> List.of(FakeDevice.nack(0x8ABC, request)));
        try (GvcpChannel channel = open(PATIENT)) {
            GvcpStatusException e = assertThrows(GvcpStatusException.class, () -> channel.readMemory(0x200, 512));
            assertEquals(0x8ABC, e.status().code());
            assertEquals("First URL (0x0200)", e.register());
        }
    }

    @Test
    void neverUsesRequestIdZero() {
        // The flood may fill the device's socket buffer, hence many attempts.
        device.script((request, fake) ->
                FakeDevice.command(request) == 0x40 ? List.of() : List.of(fake.regularAnswer(request)));
        try (GvcpChannel channel = open(HASTY.withAttempts(250))) {
            for (int i = 0; i < 0x10002; i++) {
                channel.requestResend(0, 1, 0, 0, false);
            }
            channel.readRegister(USER_REGISTER);
        }
        assertTrue(device.requests().stream().noneMatch(r -> FakeDevice.id(r) == 0));
    }

    @Test
    void asksForPacketsInBothForms() throws Exception {
        BlockingQueue<byte[]> asked = new LinkedBlockingQueue<>();
        device.script((request, fake) -> {
            asked.add(request);
            return List.of();
        });
        try (GvcpChannel channel = open(PATIENT)) {
            channel.requestResend(1, 0xFFFE, 3, 0x010203, false);
            channel.requestResend(2, 0x1_0000_0001L, 4, 0x01020304, true);
            assertEquals(
                    "42000040000c00010001fffe0000000300010203",
                    HexFormat.of().formatHex(asked.poll(5, TimeUnit.SECONDS)));
            assertEquals(
                    "4210004000140002000200000000000401020304" + "0000000100000001",
                    HexFormat.of().formatHex(asked.poll(5, TimeUnit.SECONDS)));
            assertEquals(2, channel.statistics().resendRequests());
        }
    }

    @Test
    void takesControlBeatsAndGivesItBack() throws Exception {
        device.register(HEARTBEAT, 60);
        CountDownLatch beats = new CountDownLatch(5);
        device.script((request, fake) -> {
            if (FakeDevice.command(request) == 0x80 && ByteBuffer.wrap(request).getInt(8) == CCP) {
                beats.countDown();
            }
            return List.of(fake.regularAnswer(request));
        });
        try (GvcpChannel channel = open(PATIENT)) {
            channel.takePrivilege(Privilege.CONTROL);
            assertEquals(0x2, device.register(CCP));
            assertTrue(beats.await(10, TimeUnit.SECONDS));
            assertTrue(channel.alive());
            assertEquals(Privilege.CONTROL, channel.privilege().orElseThrow());
        }
        assertEquals(0, device.register(CCP));
        assertTrue(heartbeatThreads().isEmpty());
    }

    @Test
    void takesExclusiveAccess() {
        device.register(HEARTBEAT, 3000);
        try (GvcpChannel channel = open(PATIENT.withHeartbeatTimeout(Duration.ofMillis(1500)))) {
            channel.takePrivilege(Privilege.EXCLUSIVE);
            assertEquals(0x1, device.register(CCP));
            assertEquals(1500, device.register(HEARTBEAT));
            channel.releasePrivilege();
            assertEquals(0, device.register(CCP));
            assertTrue(channel.privilege().isEmpty());
        }
    }

    @Test
    void monitorWritesNothing() {
        device.register(HEARTBEAT, 3000).register(CCP, 0x2);
        try (GvcpChannel channel = open(PATIENT)) {
            channel.takePrivilege(Privilege.MONITOR);
        }
        assertEquals(0, device.count(0x82));
        assertEquals(0x2, device.register(CCP));
    }

    @Test
    void aLimitEndsWhatEveryAnswerComesInTimeFor() {
        AtomicLong nanos = new AtomicLong();
        device.script((request, fake) -> {
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
            return List.of(fake.regularAnswer(request));
        });
        try (GvcpChannel channel = open(PATIENT)) {
            channel.limitTime("the limit", Duration.ofSeconds(3), nanos::get);
            GvcpTimeoutException e =
                    assertThrows(GvcpTimeoutException.class, () -> channel.readMemory(USER_REGISTER, 10_000));
            assertTrue(e.getMessage().contains("of 10000 bytes from 0xA100"), e::getMessage);
            assertTrue(e.getMessage().contains(" 1536 were read"), e::getMessage);
            assertThrows(GvcpTimeoutException.class, () -> channel.readRegister(USER_REGISTER));
            channel.unlimitTime();
            assertEquals(0, channel.readRegister(USER_REGISTER));
        }
    }

    @Test
    void aLimitIsThatOfOneThread() throws Exception {
        try (GvcpChannel channel = open(PATIENT)) {
            channel.limitTime("the limit", Duration.ofNanos(1));
            Thread other = new Thread(() -> channel.writeRegister(USER_REGISTER, 7));
            other.start();
            other.join();
            assertEquals(7, device.register(USER_REGISTER));
        }
    }

    @Test
    void secondControllerIsDenied() {
        device.script((request, fake) -> List.of(FakeDevice.nack(0x8006, request)));
        try (GvcpChannel channel = open(PATIENT)) {
            AccessDeniedException e =
                    assertThrows(AccessDeniedException.class, () -> channel.takePrivilege(Privilege.CONTROL));
            assertEquals("Control Channel Privilege (0x0A00)", e.register());
            assertTrue(channel.alive());
        }
    }

    /** Answers to writes of the privilege come too late, but for the last ones. */
    private void answersLate(int unheard) {
        AtomicInteger writes = new AtomicInteger();
        device.script((request, fake) -> {
            byte[] answer = fake.regularAnswer(request);
            boolean late = FakeDevice.command(request) == 0x82 && writes.getAndIncrement() < unheard;
            return late ? List.of() : List.of(answer);
        });
    }

    @Test
    void controlThatWasGrantedWithALateAnswerIsKept() {
        device.register(HEARTBEAT, 3000);
        answersLate(PERSISTENT.attempts());
        try (GvcpChannel channel = open(PERSISTENT)) {
            channel.takePrivilege(Privilege.CONTROL);
            assertEquals(Privilege.CONTROL, channel.privilege().orElseThrow());
            assertEquals(0x2, device.register(CCP));
        }
        assertEquals(0, device.register(CCP));
    }

    @Test
    void controlIsGivenBackIfTheRestOfTakingItFails() {
        device.register(HEARTBEAT, 3000);
        device.script((request, fake) -> List.of(
                FakeDevice.command(request) == 0x80 ? FakeDevice.nack(0x8FFF, request) : fake.regularAnswer(request)));
        try (GvcpChannel channel = open(PATIENT)) {
            assertThrows(GvcpException.class, () -> channel.takePrivilege(Privilege.CONTROL));
            // What it is asked next comes behind what it was told.
            assertThrows(GvcpException.class, () -> channel.readRegister(CCP));
            assertEquals(0, device.register(CCP));
            assertTrue(channel.privilege().isEmpty());
        }
    }

    @Test
    void controlThatWasGrantedToWhomNeverHearsOfItIsGivenBack() {
        device.register(HEARTBEAT, 3000);
        answersLate(Integer.MAX_VALUE);
        try (GvcpChannel channel = open(PERSISTENT)) {
            assertThrows(GvcpException.class, () -> channel.takePrivilege(Privilege.CONTROL));
            assertEquals(0, channel.readRegister(CCP));
        }
    }

    @Test
    void secondControllerIsDeniedByADeviceThatRefusesSilently() {
        device.register(CCP, 0x2);
        device.script((request, fake) ->
                FakeDevice.command(request) == 0x82 ? List.of() : List.of(fake.regularAnswer(request)));
        try (GvcpChannel channel = open(PERSISTENT)) {
            assertThrows(AccessDeniedException.class, () -> channel.takePrivilege(Privilege.CONTROL));
        }
    }

    @Test
    void tellsOnceThatTheDeviceFellSilent() throws Exception {
        device.register(HEARTBEAT, 90);
        BlockingQueue<GvcpException> told = new LinkedBlockingQueue<>();
        try (GvcpChannel channel = open(PERSISTENT)) {
            channel.onLost(told::add);
            channel.takePrivilege(Privilege.CONTROL);
            device.script((request, fake) -> List.of());
            GvcpException reason = told.poll(10, TimeUnit.SECONDS);
            assertInstanceOf(ConnectionLostException.class, reason);
            assertFalse(channel.alive());
            assertThrows(ConnectionLostException.class, () -> channel.readRegister(USER_REGISTER));
            channel.onLost(told::add);
            assertEquals(1, told.size());
        }
        assertTrue(heartbeatThreads().isEmpty());
    }

    @Test
    void tellsThatControlWentToSomebodyElse() throws Exception {
        device.register(HEARTBEAT, 60);
        BlockingQueue<GvcpException> told = new LinkedBlockingQueue<>();
        try (GvcpChannel channel = open(PATIENT)) {
            channel.onLost(told::add);
            channel.takePrivilege(Privilege.CONTROL);
            device.register(CCP, 0);
            GvcpException reason = told.poll(10, TimeUnit.SECONDS);
            assertTrue(reason.getMessage().contains("control of"), reason::getMessage);
        }
        assertEquals(1, device.count(0x82));
    }

    @Test
    @SuppressWarnings("try") // closing from the callback is what is tested
    void listenerMayCloseTheChannel() throws Exception {
        device.register(HEARTBEAT, 60);
        CountDownLatch closed = new CountDownLatch(1);
        try (GvcpChannel channel = open(PATIENT)) {
            channel.onLost(reason -> {
                channel.close();
                closed.countDown();
            });
            channel.takePrivilege(Privilege.CONTROL);
            device.register(CCP, 0);
            assertTrue(closed.await(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void closeEndsACommandUnderWay() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        device.script((request, fake) -> {
            asked.countDown();
            return List.of();
        });
        AtomicReference<Throwable> outcome = new AtomicReference<>();
        GvcpChannel channel = open(GvcpSettings.defaults().withTimeout(Duration.ofMinutes(1)));
        Thread reader = new Thread(() -> channel.readRegister(USER_REGISTER));
        reader.setUncaughtExceptionHandler((thread, e) -> outcome.set(e));
        reader.start();
        assertTrue(asked.await(5, TimeUnit.SECONDS));
        channel.close();
        channel.close();
        reader.join(5000);
        assertInstanceOf(GvcpException.class, outcome.get());
        assertFalse(channel.alive());
        assertThrows(GvcpException.class, () -> channel.readRegister(USER_REGISTER));
    }

    @Test
    void interruptDoesNotBreakATransaction() {
        device.register(USER_REGISTER, 3);
        try (GvcpChannel channel = open(PATIENT)) {
            Thread.currentThread().interrupt();
            assertEquals(3, channel.readRegister(USER_REGISTER));
            assertTrue(Thread.interrupted());
            assertEquals(3, channel.readRegister(USER_REGISTER));
        }
    }

    @Test
    void usesTheLocalAddressOfTheSettings() throws Exception {
        InetAddress local = InetAddress.getByName("127.10.0.77");
        try (GvcpChannel channel = open(PATIENT.withLocalAddress(local))) {
            assertEquals(local, channel.localAddress());
            channel.writeRegister(USER_REGISTER, 1);
        }
        assertNotEquals(0, device.count(0x82));
    }

    private static List<String> heartbeatThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("gvcp-heartbeat-127.10.0.1:"))
                .collect(Collectors.toList());
    }
}
