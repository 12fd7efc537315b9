package io.peregrine.rocev2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RemoteAccess;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueuePairTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Object DOMAIN = new Object();
    private static final int MTU = 1024;

    private final SimulatedLink link = new SimulatedLink(7);

    private QueuePair a;
    private QueuePair b;

    private void connect(int mtu, int psn, int depth, Optional<ReceiveRing> sharedAtB) {
        connect(mtu, psn, depth, sharedAtB, 14, 7, 7);
    }

    private void connect(
            int mtu, int psn, int depth, Optional<ReceiveRing> sharedAtB, int timeout, int retries, int rnr) {
        connect(psn, depth, sharedAtB, new LinkTerms(mtu, timeout, retries, rnr, 60 * SECOND, 2, 2));
    }

    private void connect(int psn, int depth, Optional<ReceiveRing> sharedAtB, LinkTerms terms) {
        a = new QueuePair(0x11, DOMAIN, link.a.regions, depth, depth, Optional.empty(), link.a);
        b = new QueuePair(0x22, DOMAIN, link.b.regions, depth, depth, sharedAtB, link.b);
        a.connect(SimulatedLink.B, 0x22, psn, psn + 77, terms);
        b.connect(SimulatedLink.A, 0x11, psn + 77, psn, terms);
        link.a.add(a);
        link.b.add(b);
    }

    private static RdmaMemory memory(int size, long seed) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(size);
        byte[] bytes = new byte[size];
        if (seed != 0) {
            new Random(seed).nextBytes(bytes);
        }
        buffer.put(0, bytes);
        return RdmaMemory.of(buffer);
    }

    private static byte[] bytes(RdmaMemory memory, long offset, int count) {
        ByteBuffer target = ByteBuffer.allocate(count);
        memory.get(offset, target, count);
        return target.array();
    }

    private void send(long id, RdmaMemory memory, long offset, int length) {
        a.requester().post(Opcode.SEND_ONLY, id, memory, offset, length, 0, 0, 0);
    }

    private void write(int opcode, long id, RdmaMemory memory, int length, long address, int key, int immediate) {
        a.requester().post(opcode, id, memory, 0, length, address, key, immediate);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 1023, 1024, 1025, 2048, 5003, 100_000})
    void aMessageArrivesAsItWasSent(int length) {
        connect(MTU, 5, 4, Optional.empty());
        RdmaMemory from = memory(length + 1, 1);
        RdmaMemory to = memory(length + 1, 0);
        b.postReceive(9, to, 0, length);
        send(8, from, 0, length);

        link.run(SECOND);

        assertArrayEquals(bytes(from, 0, length), bytes(to, 0, length));
        assertEquals(
                List.of(new SimulatedLink.Done(9, Operation.RECEIVE, Status.SUCCESS, length, false, 0)), link.b.done);
        assertEquals(List.of(new SimulatedLink.Done(8, Operation.SEND, Status.SUCCESS, 0, false, 0)), link.a.done);
    }

    @Test
    void aMessageIsCutAtThePathMtu() {
        connect(256, 5, 4, Optional.empty());
        b.postReceive(1, memory(600, 0), 0, 600);
        send(1, memory(600, 1), 0, 600);

        link.run(SECOND);

        assertEquals(
                List.of("SEND_FIRST 256 0", "SEND_MIDDLE 256 0", "SEND_LAST 88 0"),
                link.a.sent.stream()
                        .map(p -> Opcode.name(p.opcode()) + " " + p.payload().capacity() + " "
                                + p.pad().capacity())
                        .collect(Collectors.toList()));
    }

    @Test
    void whatIsAcknowledgedLetsMoreBeOnTheWayAtATime() {
        connect(256, 5, 4, Optional.empty());
        RdmaMemory to = memory(1 << 20, 0);
        RdmaMemory from = memory(1 << 20, 1);
        b.postReceive(1, to, 0, 1 << 20);
        b.postReceive(2, to, 0, 1 << 20);
        send(1, from, 0, 1 << 20);
        a.transmit(link.a, link.nowNanos);
        long atFirst = link.packets;
        link.run(SECOND);
        long before = link.packets;
        send(2, from, 0, 1 << 20);

        a.transmit(link.a, link.nowNanos);

        assertEquals(List.of(128L, 512L), List.of(atFirst, link.packets - before));
    }

    @Test
    void whatIsLostLetsFewerBeOnTheWayAtATime() {
        connect(256, 5, 4, Optional.empty());
        send(1, memory(1 << 20, 1), 0, 1 << 20);
        link.loss = 1;

        // One time-out of 67 ms.
        link.run(100_000_000);

        assertEquals(128 + 64, link.packets);
    }

    @Test
    void anOddLengthIsPaddedToWords() {
        connect(256, 5, 4, Optional.empty());
        b.postReceive(1, memory(8, 0), 0, 8);
        send(1, memory(5, 1), 0, 5);

        link.run(SECOND);

        assertEquals(3, link.a.sent.get(0).pad().capacity());
    }

    @Test
    void sequenceNumbersWrapAround() {
        connect(256, 0xFFFFFF - 3, 8, Optional.empty());
        RdmaMemory from = memory(10_000, 3);
        RdmaMemory to = memory(10_000, 0);
        b.postReceive(1, to, 0, 10_000);
        send(1, from, 0, 10_000);

        link.run(SECOND);

        assertArrayEquals(bytes(from, 0, 10_000), bytes(to, 0, 10_000));
    }

    @Test
    void aWriteGoesWhereTheKeyAllows() {
        connect(MTU, 5, 4, Optional.empty());
        RdmaMemory from = memory(5003, 1);
        RdmaMemory to = memory(6000, 0);
        MemoryTable.Region region = link.b.regions.register(to, RemoteAccess.WRITE, DOMAIN);
        write(Opcode.WRITE_ONLY, 1, from, 5003, region.address() + 500, region.key(), 0);

        link.run(SECOND);

        assertArrayEquals(bytes(from, 0, 5003), bytes(to, 500, 5003));
        assertEquals(List.of(), link.b.done);
    }

    @Test
    void aWriteWithImmediateUsesUpAReceiveAndLeavesItsMemoryAlone() {
        connect(MTU, 5, 4, Optional.empty());
        RdmaMemory to = memory(6000, 0);
        RdmaMemory receive = memory(100, 0);
        MemoryTable.Region region = link.b.regions.register(to, RemoteAccess.WRITE, DOMAIN);
        b.postReceive(4, receive, 0, 100);
        write(Opcode.WRITE_ONLY_IMM, 1, memory(5003, 1), 5003, region.address(), region.key(), 0xCAFE0001);

        link.run(SECOND);

        assertEquals(
                List.of(new SimulatedLink.Done(4, Operation.RECEIVE_WRITE, Status.SUCCESS, 5003, true, 0xCAFE0001)),
                link.b.done);
        assertArrayEquals(new byte[100], bytes(receive, 0, 100));
    }

    @Test
    void aSendWithImmediateCarriesIt() {
        connect(MTU, 5, 4, Optional.empty());
        b.postReceive(4, memory(3000, 0), 0, 3000);
        a.requester().post(Opcode.SEND_ONLY_IMM, 1, memory(3000, 1), 0, 3000, 0, 0, 7);

        link.run(SECOND);

        assertEquals(List.of(new SimulatedLink.Done(4, Operation.RECEIVE, Status.SUCCESS, 3000, true, 7)), link.b.done);
    }

    @Test
    void aWrongKeyIsRefusedAndBreaksTheConnection() {
        connect(MTU, 5, 4, Optional.empty());
        RdmaMemory to = memory(6000, 0);
        MemoryTable.Region region = link.b.regions.register(to, RemoteAccess.WRITE, DOMAIN);
        write(Opcode.WRITE_ONLY, 1, memory(100, 1), 100, region.address(), region.key() + (1 << 20), 0);
        send(2, memory(10, 1), 0, 10);

        link.run(SECOND);

        assertEquals(
                List.of(Status.REMOTE_ACCESS_ERROR, Status.FLUSHED),
                link.a.done.stream().map(SimulatedLink.Done::status).collect(Collectors.toList()));
        assertArrayEquals(new byte[6000], bytes(to, 0, 6000));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 5901, 6000, 1L << 40, -(1L << 50), Long.MAX_VALUE, Long.MIN_VALUE})
    void aWriteThatLeavesItsRegionTouchesNothing(long offset) {
        connect(MTU, 5, 4, Optional.empty());
        ByteBuffer all = ByteBuffer.allocateDirect(8000);
        MemoryTable.Region region =
                link.b.regions.register(RdmaMemory.of(all.slice(1000, 6000)), RemoteAccess.WRITE, DOMAIN);
        write(Opcode.WRITE_ONLY, 1, memory(100, 1), 100, region.address() + offset, region.key(), 0);

        link.run(SECOND);

        assertEquals(Status.REMOTE_ACCESS_ERROR, link.a.done.get(0).status());
        assertEquals(all.clear(), ByteBuffer.allocate(8000));
    }

    @Test
    void memoryThatIsNotForRemoteWritesIsSafe() {
        connect(MTU, 5, 4, Optional.empty());
        MemoryTable.Region region = link.b.regions.register(memory(100, 0), RemoteAccess.NONE, DOMAIN);
        write(Opcode.WRITE_ONLY, 1, memory(100, 1), 100, region.address(), region.key(), 0);

        link.run(SECOND);

        assertEquals(Status.REMOTE_ACCESS_ERROR, link.a.done.get(0).status());
    }

    @Test
    void memoryOfAnotherOwnerIsSafe() {
        connect(MTU, 5, 4, Optional.empty());
        MemoryTable.Region region = link.b.regions.register(memory(100, 0), RemoteAccess.WRITE, new Object());
        write(Opcode.WRITE_ONLY, 1, memory(100, 1), 100, region.address(), region.key(), 0);

        link.run(SECOND);

        assertEquals(Status.REMOTE_ACCESS_ERROR, link.a.done.get(0).status());
    }

    @Test
    void aMessageLongerThanItsReceiveBreaksBothSides() {
        connect(MTU, 5, 4, Optional.empty());
        b.postReceive(1, memory(3000, 0), 0, 2000);
        b.postReceive(2, memory(3000, 0), 0, 2000);
        send(3, memory(3000, 1), 0, 3000);

        link.run(SECOND);

        assertEquals(
                List.of(Status.LOCAL_ERROR, Status.FLUSHED),
                link.b.done.stream().map(SimulatedLink.Done::status).collect(Collectors.toList()));
        assertEquals(Status.REMOTE_INVALID_REQUEST, link.a.done.get(0).status());
    }

    @Test
    void aSenderWaitsForALateReceive() {
        connect(MTU, 5, 4, Optional.empty());
        RdmaMemory from = memory(5000, 1);
        RdmaMemory to = memory(5000, 0);
        send(3, from, 0, 5000);
        link.run(3_000_000);
        b.postReceive(1, to, 0, 5000);

        link.run(SECOND);

        assertArrayEquals(bytes(from, 0, 5000), bytes(to, 0, 5000));
        assertTrue(a.requester().rnrWaits() > 0);
    }

    @Test
    void aWriteWithImmediateResumesWhenALateReceiveComes() {
        connect(MTU, 5, 4, Optional.empty());
        RdmaMemory from = memory(5000, 1);
        RdmaMemory to = memory(5000, 0);
        MemoryTable.Region region = link.b.regions.register(to, RemoteAccess.WRITE, DOMAIN);
        write(Opcode.WRITE_ONLY_IMM, 3, from, 5000, region.address(), region.key(), 1);
        link.run(3_000_000);
        b.postReceive(1, memory(1, 0), 0, 1);

        link.run(SECOND);

        assertArrayEquals(bytes(from, 0, 5000), bytes(to, 0, 5000));
        assertEquals(1, link.b.statuses(Operation.RECEIVE_WRITE, Status.SUCCESS));
    }

    @Test
    void waitingForReceivesEndsWhenTheRetriesAreUsedUp() {
        connect(MTU, 5, 4, Optional.empty(), 14, 7, 3);
        send(3, memory(10, 1), 0, 10);

        link.run(10 * SECOND);

        assertEquals(Status.RECEIVER_NOT_READY, link.a.done.get(0).status());
    }

    /** A peer answers every packet with "not ready" and a wait, for a while. The packets that it was sent. */
    private long neverReady(int waitCode, long nanos) {
        link.loss = 1;
        long before = link.packets;
        long end = link.nowNanos + nanos;
        ByteBuffer answer = ByteBuffer.allocate(20);
        while (link.nowNanos < end && !a.broken() && link.packets - before < 100_000) {
            long sent = link.packets;
            a.onTime(link.nowNanos);
            a.transmit(link.a, link.nowNanos);
            if (link.packets > sent) {
                Headers.putBth(answer, 0, Opcode.ACKNOWLEDGE, false, 0, 0x11, false, 5);
                Headers.putAeth(answer, 12, Headers.SYNDROME_RNR | waitCode, 0);
                a.onPacket(SimulatedLink.B, answer, 0, 20, link.nowNanos);
            }
            link.nowNanos = Math.max(link.nowNanos + 1000, Math.min(end, a.nextDeadlineNanos()));
        }
        return link.packets - before;
    }

    @Test
    void aPeerThatIsNeverReadyIsTriedLessAndLessOften() {
        connect(MTU, 5, 4, Optional.empty());
        send(3, memory(100_000, 1), 0, 100_000);

        long packets = neverReady(1, 9 * SECOND);

        assertTrue(packets < 1000, packets + " packets in 9 s");
    }

    @Test
    void aPeerThatIsNeverReadyEndsTheConnectionInTheEnd() {
        connect(MTU, 5, 4, Optional.empty());
        send(3, memory(100_000, 1), 0, 100_000);

        neverReady(1, 100 * SECOND);

        assertEquals(
                List.of(Status.RECEIVER_NOT_READY),
                link.a.done.stream().map(SimulatedLink.Done::status).toList());
    }

    @Test
    void theTimeThatAPeerMayHaveNoReceiveCanBeSet() {
        connect(5, 4, Optional.empty(), new LinkTerms(MTU, 14, 7, 7, 3 * SECOND, 2, 2));
        send(3, memory(10, 1), 0, 10);

        neverReady(20, 2 * SECOND);
        assertEquals(List.of(), link.a.broke);
        neverReady(20, 2 * SECOND);

        assertEquals(
                List.of("RECEIVER_NOT_READY: The peer had no receive posted for a message for 3000 ms"),
                link.a.broke.stream()
                        .map(text -> text.replaceAll("30\\d\\d ms", "3000 ms"))
                        .toList());
    }

    @Test
    void thePeerIsTriedAsSoonAsItAsksAtFirst() {
        connect(MTU, 5, 4, Optional.empty());
        send(3, memory(10, 1), 0, 10);

        long packets = neverReady(1, 100_000);

        assertTrue(packets >= 5, packets + " packets in 100 us");
    }

    @Test
    void thePeerIsTriedWithOnePacketOfALongMessage() {
        connect(MTU, 5, 4, Optional.empty());
        send(3, memory(100_000, 1), 0, 100_000);
        long first = neverReady(20, 1000);

        long second = neverReady(20, 15_000_000);

        assertEquals(List.of(98L, 1L), List.of(first, second));
    }

    @Test
    void theTimeBeginsAnewWithEachMessageThatThePeerTakes() {
        connect(5, 16, Optional.empty(), new LinkTerms(MTU, 14, 7, 7, SECOND, 2, 2));
        for (int i = 0; i < 10; i++) {
            send(i, memory(10, 1), 0, 10);
        }
        for (int i = 0; i < 10; i++) {
            link.run(SECOND / 2);
            b.postReceive(i, memory(10, 0), 0, 10);
        }
        link.run(SECOND / 2);

        assertEquals(10, link.a.statuses(Operation.SEND, Status.SUCCESS));
    }

    @Test
    void aPeerThatIsGoneEndsTheConnection() {
        connect(MTU, 5, 4, Optional.empty());
        link.loss = 1;
        send(3, memory(10, 1), 0, 10);

        link.run(10 * SECOND);

        assertEquals(Status.RETRIES_EXCEEDED, link.a.done.get(0).status());
        assertEquals(List.of("RETRIES_EXCEEDED: The peer does not answer"), link.a.broke);
    }

    @Test
    void packetsFromAStrangerChangeNothing() {
        connect(MTU, 5, 4, Optional.empty());
        b.postReceive(1, memory(10, 0), 0, 10);
        ByteBuffer packet = ByteBuffer.allocate(100);
        Headers.putBth(packet, 0, Opcode.SEND_ONLY, false, 0, 0x22, true, 5);

        boolean taken = b.onPacket(0x0A000001, packet, 0, 26, link.nowNanos);

        assertEquals(false, taken);
        assertEquals(List.of(), link.b.done);
    }

    @Test
    void aMiddleWithoutAFirstIsInvalid() {
        connect(MTU, 5, 4, Optional.empty());
        b.postReceive(1, memory(10, 0), 0, 10);
        ByteBuffer packet = ByteBuffer.allocate(12 + MTU + 4);
        Headers.putBth(packet, 0, Opcode.SEND_MIDDLE, false, 0, 0x22, true, 5);

        b.onPacket(SimulatedLink.A, packet, 0, packet.capacity(), link.nowNanos);
        b.transmit(link.b, link.nowNanos);

        assertEquals(
                Headers.SYNDROME_INVALID_REQUEST, link.b.sent.get(0).extension().get(0));
        assertTrue(b.broken());
    }

    @Test
    void endingGivesEverythingBack() {
        connect(MTU, 5, 4, Optional.empty());
        b.postReceive(1, memory(10, 0), 0, 10);
        b.postReceive(2, memory(10, 0), 0, 10);

        b.end();

        assertEquals(2, link.b.statuses(Operation.RECEIVE, Status.FLUSHED));
    }

    @Test
    void connectionsTakeTheirReceivesFromTheSharedQueue() {
        ReceiveRing shared = new ReceiveRing(4);
        connect(MTU, 5, 4, Optional.of(shared));
        QueuePair a2 = new QueuePair(0x12, DOMAIN, link.a.regions, 4, 4, Optional.empty(), link.a);
        QueuePair b2 = new QueuePair(0x23, DOMAIN, link.b.regions, 4, 4, Optional.of(shared), link.b);
        LinkTerms terms = new LinkTerms(MTU, 14, 7, 7, 60 * SECOND, 0, 0);
        a2.connect(SimulatedLink.B, 0x23, 1, 1, terms);
        b2.connect(SimulatedLink.A, 0x12, 1, 1, terms);
        link.a.add(a2);
        link.b.add(b2);
        shared.post(1, memory(10, 0), 0, 10);
        shared.post(2, memory(10, 0), 0, 10);
        send(1, memory(10, 1), 0, 10);
        a2.requester().post(Opcode.SEND_ONLY, 2, memory(10, 1), 0, 10, 0, 0, 0);

        link.run(SECOND);

        assertEquals(2, link.b.statuses(Operation.RECEIVE, Status.SUCCESS));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void nothingIsLostOrDoubledOverABadLink(long seed) {
        SimulatedLink bad = new SimulatedLink(seed);
        bad.loss = 0.01;
        bad.reorder = 0.01;
        bad.duplication = 0.01;
        bad.damage = 0.002;
        int messages = 10_000;
        int slot = 3_000;
        int depth = 16;
        QueuePair sender = new QueuePair(1, DOMAIN, bad.a.regions, depth, depth, Optional.empty(), bad.a);
        QueuePair receiver = new QueuePair(2, DOMAIN, bad.b.regions, depth, depth, Optional.empty(), bad.b);
        LinkTerms terms = new LinkTerms(256, 9, 7, 7, 60 * SECOND, 2, 2);
        sender.connect(SimulatedLink.B, 2, 100, 200, terms);
        receiver.connect(SimulatedLink.A, 1, 200, 100, terms);
        bad.a.add(sender);
        bad.b.add(receiver);
        RdmaMemory from = memory(slot * 2, seed);
        RdmaMemory to = memory(slot * depth, 0);
        RdmaMemory back = memory(slot * depth, 0);
        RdmaMemory written = memory(slot, 0);
        MemoryTable.Region region = bad.b.regions.register(written, RemoteAccess.WRITE, DOMAIN);
        Random lengths = new Random(seed);
        List<Integer> expected = new ArrayList<>();
        List<Integer> seen = new ArrayList<>();
        int posted = 0;
        for (int i = 0; i < depth; i++) {
            receiver.postReceive(i, to, (long) i * slot, slot);
            sender.postReceive(1000 + i, back, (long) i * slot, slot);
        }
        int received = 0;
        int acknowledged = 0;
        int returned = 0;
        int guard = 0;
        while ((received < messages || acknowledged < messages || returned < messages) && guard++ < 1_000_000) {
            while (posted < messages && posted - Math.min(acknowledged, Math.min(received, returned)) < depth / 2) {
                int length = lengths.nextInt(slot);
                expected.add(length);
                int start = posted % slot;
                if (posted % 3 == 2) {
                    sender.requester()
                            .post(
                                    Opcode.WRITE_ONLY_IMM,
                                    posted,
                                    from,
                                    start,
                                    length,
                                    region.address(),
                                    region.key(),
                                    posted);
                } else {
                    sender.requester().post(Opcode.SEND_ONLY_IMM, posted, from, start, length, 0, 0, posted);
                }
                receiver.requester().post(Opcode.SEND_ONLY_IMM, posted, from, start, length, 0, 0, posted);
                posted++;
            }
            bad.run(1_000_000);
            for (SimulatedLink.Done done : bad.b.done) {
                assertEquals(Status.SUCCESS, done.status());
                if (done.operation() == Operation.RECEIVE || done.operation() == Operation.RECEIVE_WRITE) {
                    assertEquals(received, done.immediate());
                    seen.add((int) done.lengthBytes());
                    RdmaMemory where = done.operation() == Operation.RECEIVE ? to : written;
                    long offset = done.operation() == Operation.RECEIVE ? done.workId() * slot : 0;
                    if (done.operation() == Operation.RECEIVE) {
                        assertArrayEquals(
                                bytes(from, received % slot, (int) done.lengthBytes()),
                                bytes(where, offset, (int) done.lengthBytes()));
                    }
                    receiver.postReceive(done.workId(), to, done.workId() * slot, slot);
                    received++;
                }
            }
            bad.b.done.clear();
            for (SimulatedLink.Done done : bad.a.done) {
                assertEquals(Status.SUCCESS, done.status());
                if (done.operation() == Operation.RECEIVE) {
                    assertEquals(returned, done.immediate());
                    sender.postReceive(done.workId(), back, (done.workId() - 1000) * slot, slot);
                    returned++;
                } else {
                    assertEquals(acknowledged, done.workId());
                    acknowledged++;
                }
            }
            bad.a.done.clear();
        }

        assertEquals(messages, received);
        assertEquals(messages, returned);
        assertEquals(expected, seen);
        assertTrue(sender.requester().retransmittedPackets() > 0);
    }
}
