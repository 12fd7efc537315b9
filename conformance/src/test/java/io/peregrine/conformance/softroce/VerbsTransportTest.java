package io.peregrine.conformance.softroce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.conformance.softroce.RdmaPeer.Ended;
import io.peregrine.conformance.softroce.RdmaPeer.Link;
import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.ConnectionRejectedException;
import io.peregrine.rdma.ConnectionRequest;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaConnection.State;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaListener;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaUnavailableException;
import io.peregrine.rdma.RemoteAccess;
import io.peregrine.rdma.SharedReceiveQueue;
import io.peregrine.testing.Await;
import io.peregrine.testing.ChildProcess;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The verbs transport between two devices of the kernel's Soft-RoCE that are joined by a cable. */
@InsideSoftRoce
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class VerbsTransportTest {
    private static final String VERBS = "verbs";
    private static final String LEFT = "10.10.0.1";
    private static final String RIGHT = "10.20.0.1";
    private static final int MEBIBYTE = 1 << 20;

    private RdmaPeer left;
    private RdmaPeer right;

    @BeforeEach
    void open() {
        left = RdmaPeer.open(VERBS, LEFT);
        right = RdmaPeer.open(VERBS, RIGHT);
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    @Test
    void aTransportTellsWhereItIs() {
        assertEquals("rxe0", left.transport.deviceName());
        assertEquals("::ffff:10.10.0.1", left.transport.gid());
        assertEquals(4096, left.transport.activeMtuBytes());
        assertTrue(
                left.transport.counters().containsKey("sent_pkts"),
                () -> left.transport.counters().toString());
    }

    @Test
    void anAddressWithoutDeviceIsNamed() {
        RdmaUnavailableException refusal = assertThrows(
                RdmaUnavailableException.class, () -> RdmaProviders.open(VERBS, RdmaPeer.ipv4("127.0.0.1")));

        assertTrue(
                refusal.getMessage().contains("no RDMA device has the address 127.0.0.1")
                        && refusal.getMessage().contains("10.10.0.1 (rxe0)"),
                refusal.getMessage());
    }

    @Test
    void privateDataTravelsBothWays() {
        byte[] question = "may I?".getBytes(StandardCharsets.US_ASCII);
        byte[] answer = "you may".getBytes(StandardCharsets.US_ASCII);
        try (RdmaListener listener = right.transport.listen(0)) {
            RdmaConnection active = left.transport.prepare(right.at(listener), left.settings());
            CompletableFuture<byte[]> reply = RdmaPeer.inBackground(() -> active.connect(question, RdmaPeer.LIMIT));
            ConnectionRequest request = RdmaPeer.next(listener);
            byte[] asked = request.privateData();
            RdmaConnection passive = request.prepare(right.settings());
            passive.accept(answer, RdmaPeer.LIMIT);
            byte[] answered = RdmaPeer.result(reply);

            assertEquals(left.transport.localAddress(), request.remoteAddress().getAddress());
            assertArrayEquals(question, Arrays.copyOf(asked, question.length));
            assertArrayEquals(answer, Arrays.copyOf(answered, answer.length));
            assertEquals(State.CONNECTED, active.state());
            assertEquals(State.CONNECTED, passive.state());
            assertEquals(4096, active.pathMtuBytes());
            assertEquals(4096, passive.pathMtuBytes());
        }
    }

    @Test
    void aMessageOfOneMebibyteArrivesWhole() {
        Link link = left.connectTo(right);
        left.fill(0, MEBIBYTE, 7);
        link.passive().postReceive(42, right.region, 4096, MEBIBYTE);
        link.active().postSend(43, left.region, 0, MEBIBYTE);

        assertEquals(
                new Ended(link.passive(), 42, Operation.RECEIVE, Status.SUCCESS, MEBIBYTE, Optional.empty()),
                right.next());
        assertEquals(new Ended(link.active(), 43, Operation.SEND, Status.SUCCESS, 0, Optional.empty()), left.next());
        assertEquals(left.bytes(0, MEBIBYTE), right.bytes(4096, MEBIBYTE));
    }

    @Test
    void aMessageMayBeEmpty() {
        Link link = left.connectTo(right);
        link.passive().postReceive(1, right.region, 0, 16);
        link.active().postSend(2, left.region, 0, 0);

        assertEquals(0, right.next().lengthBytes());
    }

    @Test
    void immediateDataTravelsWithAMessage() {
        Link link = right.connectTo(left);
        left.fill(0, 5000, 1);
        link.active().postReceive(1, right.region, 0, 5000);
        link.passive().postSendWithImmediate(2, left.region, 0, 5000, 0xCAFE0001);

        assertEquals(
                new Ended(link.active(), 1, Operation.RECEIVE, Status.SUCCESS, 5000, Optional.of(0xCAFE0001)),
                right.next());
        assertEquals(left.bytes(0, 5000), right.bytes(0, 5000));
    }

    @Test
    void aWriteLandsUnnoticed() {
        Link link = left.connectTo(right);
        left.fill(0, MEBIBYTE, 9);
        link.active()
                .postWrite(5, left.region, 0, MEBIBYTE, right.region.remoteAddress() + 100, right.region.remoteKey());

        assertEquals(new Ended(link.active(), 5, Operation.WRITE, Status.SUCCESS, 0, Optional.empty()), left.next());
        assertEquals(left.bytes(0, MEBIBYTE), right.bytes(100, MEBIBYTE));
        assertEquals(Optional.empty(), right.next(Duration.ofMillis(50)));
    }

    @Test
    void aWriteWithImmediateUsesUpAReceive() {
        Link link = left.connectTo(right);
        left.fill(0, MEBIBYTE, 3);
        link.passive().postReceive(8, right.region, 0, 0);
        link.active()
                .postWriteWithImmediate(
                        9, left.region, 0, MEBIBYTE, right.region.remoteAddress(), right.region.remoteKey(), -2);

        Ended received = right.next();
        assertEquals(
                new Ended(link.passive(), 8, Operation.RECEIVE_WRITE, Status.SUCCESS, MEBIBYTE, Optional.of(-2)),
                received);
        assertEquals(left.bytes(0, MEBIBYTE), right.bytes(0, MEBIBYTE));
    }

    @Test
    void aRefusalCarriesPrivateData() {
        byte[] why = {1, 2, 3, 4, 5, 6};
        try (RdmaListener listener = right.transport.listen(0)) {
            RdmaConnection active = left.transport.prepare(right.at(listener), left.settings());
            CompletableFuture<byte[]> reply = RdmaPeer.inBackground(() -> active.connect(new byte[0], RdmaPeer.LIMIT));
            RdmaPeer.next(listener).reject(why);

            ConnectionRejectedException refusal =
                    assertThrows(ConnectionRejectedException.class, () -> RdmaPeer.result(reply));
            assertEquals(ConnectionRejectedException.REASON_BY_CONSUMER, refusal.reason());
            assertArrayEquals(why, Arrays.copyOf(refusal.privateData(), why.length));
            assertEquals(State.FAILED, active.state());
        }
    }

    @Test
    void aPortWithoutListenerRejects() {
        RdmaConnection active =
                left.transport.prepare(new InetSocketAddress(right.transport.localAddress(), 7999), left.settings());

        ConnectionRejectedException refusal =
                assertThrows(ConnectionRejectedException.class, () -> active.connect(new byte[0], RdmaPeer.LIMIT));
        assertTrue(
                Set.of(ConnectionRejectedException.REASON_NO_LISTENER, ConnectionRejectedException.REASON_BY_CONSUMER)
                        .contains(refusal.reason()),
                refusal.getMessage());
    }

    @Test
    void anUnansweredRequestTimesOut() {
        try (RdmaListener listener = right.transport.listen(0)) {
            RdmaConnection active = left.transport.prepare(right.at(listener), left.settings());

            RdmaException failure =
                    assertThrows(RdmaException.class, () -> active.connect(new byte[0], Duration.ofMillis(300)));
            assertTrue(failure.getMessage().contains("did not answer in time"), failure.getMessage());
            assertEquals(State.FAILED, active.state());
        }
    }

    @Test
    void aClosedListenerRefusesWhoWaits() {
        RdmaListener listener = right.transport.listen(0);
        RdmaConnection active = left.transport.prepare(right.at(listener), left.settings());
        CompletableFuture<byte[]> reply = RdmaPeer.inBackground(() -> active.connect(new byte[0], RdmaPeer.LIMIT));
        ConnectionRequest taken = RdmaPeer.next(listener);
        listener.close();
        taken.reject(new byte[0]);

        assertThrows(ConnectionRejectedException.class, () -> RdmaPeer.result(reply));
    }

    @Test
    void aPortInUseIsRefused() {
        try (RdmaListener listener = right.transport.listen(0)) {
            assertNotEquals(0, listener.port());
            RdmaException failure = assertThrows(
                    RdmaException.class,
                    () -> right.transport.listen(listener.port()).close());
            assertTrue(failure.getMessage().contains("Address already in use"), failure.getMessage());
        }
    }

    @Test
    void disconnectingFlushesBothEnds() {
        Link link = left.connectTo(right);
        link.active().postReceive(1, left.region, 0, 100);
        link.active().postReceive(2, left.region, 100, 100);
        link.passive().postReceive(3, right.region, 0, 100);

        link.active().disconnect();

        assertEquals(
                List.of(1L, 2L),
                left.next(2).stream().map(Ended::workId).sorted().toList());
        Ended flushed = right.next();
        assertEquals(3, flushed.workId());
        assertEquals(Status.FLUSHED, flushed.status());
        assertEquals(Operation.RECEIVE, flushed.operation());
        assertEquals(State.DISCONNECTED, link.active().state());
        right.awaitState(link.passive(), State.DISCONNECTED);
        assertEquals(Optional.empty(), link.passive().failure());
        assertThrows(RdmaException.class, () -> link.passive().postSend(4, right.region, 0, 1));
    }

    @Test
    void closingDisconnectsThePeer() {
        Link link = left.connectTo(right);
        link.passive().postReceive(3, right.region, 0, 100);

        link.active().close();

        assertEquals(State.CLOSED, link.active().state());
        assertEquals(Status.FLUSHED, right.next().status());
        right.awaitState(link.passive(), State.DISCONNECTED);
    }

    @Test
    void connectionsShareReceives() {
        SharedReceiveQueue shared = right.transport.sharedReceiveQueue(8);
        Link first = left.connectTo(right, left.settings(), right.settings().withSharedReceives(shared));
        Link second = left.connectTo(right, left.settings(), right.settings().withSharedReceives(shared));
        for (int i = 0; i < 4; i++) {
            shared.postReceive(i, right.region, 1000L * i, 1000);
        }
        left.fill(0, 1000, 5);

        first.active().postSend(0, left.region, 0, 10);
        Ended one = right.next();
        second.active().postSend(0, left.region, 0, 20);
        Ended two = right.next();

        assertEquals(first.passive(), one.connection());
        assertEquals(List.of(0L, 10L), List.of(one.workId(), one.lengthBytes()));
        assertEquals(second.passive(), two.connection());
        assertEquals(List.of(1L, 20L), List.of(two.workId(), two.lengthBytes()));
        assertEquals(left.bytes(0, 20), right.bytes(1000, 20));
    }

    @Test
    void aWrongKeyIsRefusedAndChangesNothing() {
        Link link = left.connectTo(right);
        ByteBuffer before = ByteBuffer.allocate(1000).put(right.bytes(0, 1000)).flip();
        left.fill(0, 1000, 77);
        link.active()
                .postWrite(
                        1, left.region, 0, 1000, right.region.remoteAddress(), right.region.remoteKey() ^ 0x00FF_FF00);

        Ended ended = left.next();
        assertEquals(Status.REMOTE_ACCESS_ERROR, ended.status());
        assertEquals(Operation.WRITE, ended.operation());
        assertEquals(State.FAILED, link.active().state());
        assertTrue(link.active().failure().orElseThrow().getMessage().contains("REMOTE_ACCESS_ERROR"));
        assertEquals(before, right.bytes(0, 1000));
    }

    @Test
    void memoryWithoutPermissionCannotBeWritten() {
        Link link = left.connectTo(right);
        MemoryRegion local = right.transport.register(RdmaMemory.of(ByteBuffer.allocateDirect(1000)));
        left.fill(0, 1000, 77);
        link.active().postWrite(1, left.region, 0, 1000, local.remoteAddress(), local.remoteKey());

        assertEquals(Status.REMOTE_ACCESS_ERROR, left.next().status());
    }

    @Test
    void aClosedRegionRefusesLateWrites() {
        Link link = left.connectTo(right);
        long address = right.region.remoteAddress();
        int key = right.region.remoteKey();
        right.region.close();
        right.region.close();
        left.fill(0, 1000, 77);
        link.active().postWrite(1, left.region, 0, 1000, address, key);

        assertEquals(Status.REMOTE_ACCESS_ERROR, left.next().status());
        assertEquals(ByteBuffer.allocate(1000), right.bytes(0, 1000));
    }

    @Test
    void aReadBringsThePeersMemory() {
        Link link = left.connectTo(right);
        right.fill(5, MEBIBYTE, 7);
        link.active().postRead(5, left.region, 3, MEBIBYTE, right.region.remoteAddress() + 5, right.region.remoteKey());

        assertEquals(new Ended(link.active(), 5, Operation.READ, Status.SUCCESS, 0, Optional.empty()), left.next());
        assertEquals(right.bytes(5, MEBIBYTE), left.bytes(3, MEBIBYTE));
    }

    @Test
    void theAskedSideReadsToo() {
        Link link = left.connectTo(right);
        left.fill(0, 5000, 7);
        link.passive().postRead(5, right.region, 0, 5000, left.region.remoteAddress(), left.region.remoteKey());

        assertEquals(Status.SUCCESS, right.next().status());
        assertEquals(left.bytes(0, 5000), right.bytes(0, 5000));
    }

    @Test
    void memoryThatMayOnlyBeWrittenIsNotRead() {
        Link link = left.connectTo(right);
        MemoryRegion written =
                right.transport.register(RdmaMemory.of(ByteBuffer.allocateDirect(1000)), RemoteAccess.WRITE);
        link.active().postRead(1, left.region, 0, 1000, written.remoteAddress(), written.remoteKey());

        Ended ended = left.next();
        assertEquals(List.of(Operation.READ, Status.REMOTE_ACCESS_ERROR), List.of(ended.operation(), ended.status()));
    }

    @Test
    void whereThePeerServesNoReadsNoneCanBePosted() {
        Link link = left.connectTo(right, left.settings(), right.settings().withMaxReads(0));
        long address = right.region.remoteAddress();
        int key = right.region.remoteKey();

        RdmaException why =
                assertThrows(RdmaException.class, () -> link.active().postRead(1, left.region, 0, 10, address, key));
        assertTrue(why.getMessage().contains("maxReads"), why::getMessage);
    }

    @Test
    void aMessageLongerThanItsReceiveBreaksTheConnection() {
        Link link = left.connectTo(right);
        link.passive().postReceive(1, right.region, 0, 100);
        link.active().postSend(2, left.region, 0, 101);

        // The specification names the first answer; Soft-RoCE gives the second.
        Status sent = left.next().status();
        assertTrue(
                Set.of(Status.REMOTE_INVALID_REQUEST, Status.REMOTE_OPERATION_ERROR)
                        .contains(sent),
                sent::toString);
        Ended received = right.next();
        assertEquals(List.of(1L, Operation.RECEIVE), List.of(received.workId(), received.operation()));
        assertNotEquals(Status.SUCCESS, received.status());
        left.awaitState(link.active(), State.FAILED);
        assertTrue(
                Set.of(State.FAILED, State.DISCONNECTED).contains(link.passive().state()));
    }

    @Test
    void aLateReceiveIsWaitedForWithShortPauses() {
        Link link = left.connectTo(right);
        long before = right.transport.counters().get("send_rnr_err");
        long start = System.nanoTime();
        link.active().postSend(1, left.region, 0, 100);
        // Each of these pauses would take 655 ms without a timer of our own.
        Await.until(
                "refusal for lack of a receive",
                RdmaPeer.LIMIT,
                () -> right.transport.counters().get("send_rnr_err") >= before + 4);
        link.passive().postReceive(2, right.region, 0, 100);

        assertEquals(Status.SUCCESS, right.next().status());
        assertEquals(Status.SUCCESS, left.next().status());
        long millis = (System.nanoTime() - start) / 1_000_000;
        assertTrue(millis < 1500, () -> "it took " + millis + " ms");
    }

    @Test
    void aReceiverThatNeverIsReadyIsGivenUp() {
        Link link = left.connectTo(
                right, left.settings().withRetries(14, 2, 2), right.settings().withRetries(14, 2, 2));
        link.active().postSend(1, left.region, 0, 100);

        assertEquals(Status.RECEIVER_NOT_READY, left.next().status());
        left.awaitState(link.active(), State.FAILED);
        right.awaitState(link.passive(), State.DISCONNECTED);
    }

    @Test
    void aFullQueueIsRefused() {
        Link link = left.connectTo(right);
        for (int i = 0; i < RdmaPeer.DEPTH; i++) {
            link.active().postReceive(i, left.region, 0, 10);
        }

        RdmaException failure =
                assertThrows(RdmaException.class, () -> link.active().postReceive(99, left.region, 0, 10));
        assertEquals("The receive queue is full", failure.getMessage());
    }

    @Test
    void aSlotIsFreeAgainWhenItsCompletionIsHandedOver() {
        Link link = left.connectTo(right);
        for (int i = 0; i < 4 * RdmaPeer.DEPTH; i++) {
            link.passive().postReceive(i, right.region, 0, 64);
            link.active().postSend(i, left.region, 0, 64);
            assertEquals(i, right.next().workId());
            assertEquals(i, left.next().workId());
        }
    }

    @Test
    void busyPollingNeedsNoEvents() {
        try (RdmaPeer busy = RdmaPeer.open(
                VERBS, LEFT, new CompletionQueueSettings(128, -1, CompletionQueueSettings.DEFAULT_MAX_POLL))) {
            Link link = busy.connectTo(right);
            link.active().postReceive(1, busy.region, 0, 100);
            link.passive().postSend(2, right.region, 0, 100);

            assertEquals(100, busy.next().lengthBytes());
        }
    }

    @Test
    void aWaitingThreadIsWoken() {
        CompletableFuture<Long> waited = RdmaPeer.inBackground(() -> {
            long start = System.nanoTime();
            long deadline = start + RdmaPeer.LIMIT.toNanos();
            left.completions.poll(completion -> {});
            left.completions.await(deadline);
            left.completions.poll(completion -> {});
            left.completions.await(deadline);
            return System.nanoTime() - start;
        });
        left.completions.wakeUp();

        assertTrue(RdmaPeer.result(waited) < RdmaPeer.LIMIT.toNanos());
    }

    @Test
    void aWaitEndsAtItsDeadline() {
        assertEquals(Optional.empty(), left.next(Duration.ofMillis(30)));
    }

    @Test
    void memoryAboveTheLockableAmountIsRefusedWithTheAmounts() {
        List<String> command = ChildProcess.java(List.of(), LockLimitMain.class.getName(), List.of(LEFT));
        // The limit holds only for those without the right to lock everything.
        command.addAll(
                0,
                List.of(
                        "prlimit",
                        "--memlock=262144:262144",
                        "setpriv",
                        "--inh-caps=-ipc_lock",
                        "--bounding-set=-ipc_lock"));
        String said = ChildProcess.runToEnd(RdmaPeer.LIMIT, command);

        assertTrue(
                said.contains("Memory of 1048576 bytes cannot be locked for RDMA: this process may lock 262144 bytes"),
                said);
    }

    @Test
    void aForbiddenConnectionManagerIsNamed() {
        assertRefusedWithout("/dev/infiniband/rdma_cm", "the RDMA connection manager cannot be opened");
    }

    @Test
    void aForbiddenDeviceIsNamed() {
        assertRefusedWithout("/dev/infiniband/uverbs0", "device rxe0 cannot be used");
    }

    private static void assertRefusedWithout(String file, String reason) {
        List<String> command = ChildProcess.java(List.of(), LockLimitMain.class.getName(), List.of(LEFT));
        // Root opens every file unless this right is gone.
        command.addAll(0, List.of("setpriv", "--inh-caps=-dac_override", "--bounding-set=-dac_override", "--"));
        ChildProcess.run(RdmaPeer.LIMIT, "chmod", "0", file);
        try {
            String said = ChildProcess.runToEnd(RdmaPeer.LIMIT, command);
            assertTrue(said.contains(reason) && said.contains(file.substring(0, file.length() - 1)), said);
        } finally {
            ChildProcess.run(RdmaPeer.LIMIT, "chmod", "600", file);
        }
    }

    @Test
    void aPortThatIsDownIsNamed() {
        ChildProcess.run(RdmaPeer.LIMIT, "ip", "link", "set", "dum0", "down");
        try {
            RdmaUnavailableException refusal = assertThrows(
                    RdmaUnavailableException.class, () -> RdmaProviders.open(VERBS, RdmaPeer.ipv4("10.30.0.1")));
            assertTrue(refusal.getMessage().contains("port 1 of rxedum is not active"), refusal.getMessage());
        } finally {
            ChildProcess.run(RdmaPeer.LIMIT, "ip", "link", "set", "dum0", "up");
        }
    }

    @Test
    void aDeviceThatIsRemovedBreaksItsConnections() {
        // The kernel waits for whoever has the device open, so that must be a process that ends.
        List<String> command = ChildProcess.java(List.of(), RemovedDeviceMain.class.getName(), List.of("10.30.0.1"));
        try (ChildProcess user = ChildProcess.start(command)) {
            user.awaitLine("connection", Duration.ofSeconds(40), "connected"::equals);
            try (ChildProcess removal = ChildProcess.start(List.of("rdma", "link", "delete", "rxedum"))) {
                String said = user.succeeds(RdmaPeer.LIMIT);
                removal.succeeds(RdmaPeer.LIMIT);

                assertTrue(said.contains("failed: device removed") && said.endsWith("closed"), said);
            } finally {
                ChildProcess.run(RdmaPeer.LIMIT, "rdma", "link", "add", "rxedum", "type", "rxe", "netdev", "dum0");
            }
        }
    }

    @Test
    void theEndOfAPeersProcessEndsTheConnection() {
        List<String> command = ChildProcess.java(List.of(), SilentPeerMain.class.getName(), List.of(RIGHT));
        try (ChildProcess process = ChildProcess.start(command)) {
            String line = process.awaitLine("port", Duration.ofSeconds(40), text -> text.startsWith("port "));
            RdmaConnection active = left.transport.prepare(
                    new InetSocketAddress(RIGHT, Integer.parseInt(line.substring(5))), left.settings());
            active.connect(new byte[0], RdmaPeer.LIMIT);
            active.postReceive(1, left.region, 0, 100);
            process.awaitLine("connection", RdmaPeer.LIMIT, text -> text.equals("connected"));

            process.kill();

            assertEquals(Status.FLUSHED, left.next().status());
            left.awaitState(active, State.DISCONNECTED);
        }
    }

    @Test
    void closingUnderTrafficEndsTheThreadsThatSendAndPoll() {
        for (int i = 0; i < 5; i++) {
            RdmaPeer sender = RdmaPeer.open(VERBS, LEFT);
            Link link = sender.connectTo(right);
            CompletableFuture<RdmaException> sending = RdmaPeer.inBackground(() -> {
                while (true) {
                    try {
                        link.active()
                                .postWrite(
                                        1,
                                        sender.region,
                                        0,
                                        MEBIBYTE,
                                        right.region.remoteAddress(),
                                        right.region.remoteKey());
                    } catch (RdmaException e) {
                        if (!e.getMessage().contains("full")) {
                            return e;
                        }
                        Thread.onSpinWait();
                    }
                }
            });
            int[] polled = {0};
            CompletableFuture<Integer> polling = RdmaPeer.inBackground(() -> {
                while (link.active().state() != State.CLOSED) {
                    if (sender.completions.poll(completion -> polled[0]++) == 0) {
                        sender.completions.await(System.nanoTime() + RdmaPeer.LIMIT.toNanos());
                    }
                }
                return polled[0];
            });
            Await.until("traffic", RdmaPeer.LIMIT, () -> polled[0] > 2);

            sender.close();

            assertTrue(RdmaPeer.result(polling) > 2);
            String why = RdmaPeer.result(sending).getMessage();
            assertTrue(why.contains("has ended") || why.contains("is closed"), why);
        }
    }

    @Test
    void closingLeavesNothingBehind() {
        RdmaPeer.open(VERBS, LEFT).close();
        String before = resources();
        Set<String> threadsBefore = threads();
        for (int i = 0; i < 3; i++) {
            try (RdmaPeer one = RdmaPeer.open(VERBS, LEFT);
                    RdmaPeer other = RdmaPeer.open(VERBS, RIGHT)) {
                Link link = one.connectTo(other);
                link.active().postReceive(1, one.region, 0, 10);
                other.transport.sharedReceiveQueue(4);
                other.transport.listen(0);
                one.transport.prepare(other.at(other.transport.listen(0)), one.settings());
            }
        }

        assertEquals(before, resources());
        assertEquals(threadsBefore, threads());
    }

    /** Queue pairs, completion queues and so on by device, as the kernel counts them. */
    private static String resources() {
        return ChildProcess.run(RdmaPeer.LIMIT, "rdma", "resource", "show");
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("peregrine"))
                .collect(Collectors.toSet());
    }
}
