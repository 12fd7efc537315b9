package io.peregrine.rocev2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads of the peer's memory: A reads, B is read from. */
class ReadTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Object DOMAIN = new Object();
    private static final int MTU = 256;
    private static final int PSN = 0x428EE7;
    private static final LinkTerms TERMS = new LinkTerms(MTU, 14, 7, 7, SECOND, 2, 2);

    private final SimulatedLink link = new SimulatedLink(7);
    private QueuePair a;
    private QueuePair b;
    private int taken;

    private void connect() {
        connect(TERMS, TERMS);
    }

    private void connect(LinkTerms atA, LinkTerms atB) {
        a = new QueuePair(0x13, DOMAIN, link.a.regions, 16, 16, Optional.empty(), link.a);
        b = new QueuePair(0x13, DOMAIN, link.b.regions, 16, 16, Optional.empty(), link.b);
        a.connect(SimulatedLink.B, 0x13, PSN, 99, atA);
        b.connect(SimulatedLink.A, 0x13, 99, PSN, atB);
        link.a.add(a);
        link.b.add(b);
    }

    private static LinkTerms reads(int asked, int served) {
        return new LinkTerms(MTU, 14, 7, 7, SECOND, asked, served);
    }

    private static RdmaMemory memory(int size, long seed) {
        byte[] bytes = new byte[size];
        if (seed != 0) {
            new Random(seed).nextBytes(bytes);
        }
        return RdmaMemory.of(ByteBuffer.allocateDirect(size).put(0, bytes));
    }

    private static byte[] bytes(RdmaMemory memory, long offset, int count) {
        ByteBuffer target = ByteBuffer.allocate(count);
        memory.get(offset, target, count);
        return target.array();
    }

    private MemoryTable.Region readable(RdmaMemory memory) {
        return link.b.regions.register(memory, RemoteAccess.READ, DOMAIN);
    }

    private void read(long id, RdmaMemory to, int length, long address, int key) {
        a.requester().post(Opcode.READ_REQUEST, id, to, 0, length, address, key, 0);
    }

    private void send(long id, int length) {
        a.requester().post(Opcode.SEND_ONLY, id, memory(length, 1), 0, length, 0, 0, 0);
    }

    private List<Status> statuses() {
        return link.a.done.stream().map(SimulatedLink.Done::status).toList();
    }

    // ---- packets by hand: nothing flies by itself

    private void byHand() {
        link.loss = 1;
    }

    /** What A sends now. */
    private List<RocePacket> fromA() {
        a.onTime(link.nowNanos);
        a.transmit(link.a, link.nowNanos);
        return since(link.a.sent);
    }

    /** What B sends now. */
    private List<RocePacket> fromB() {
        do {
            b.transmit(link.b, link.nowNanos);
        } while (b.answering());
        return since(link.b.sent);
    }

    private static <T> List<T> since(List<T> list) {
        List<T> all = List.copyOf(list);
        list.clear();
        return all;
    }

    private void toB(RocePacket packet) {
        ByteBuffer bytes = packet.encode();
        b.onPacket(SimulatedLink.A, bytes, 0, bytes.capacity(), link.nowNanos);
    }

    private void toA(RocePacket packet) {
        ByteBuffer bytes = packet.encode();
        a.onPacket(SimulatedLink.B, bytes, 0, bytes.capacity(), link.nowNanos);
    }

    private static RocePacket request(int psn, long address, int key, int length) {
        ByteBuffer packet = ByteBuffer.allocate(32);
        Headers.putBth(packet, 0, Opcode.READ_REQUEST, false, 0, 0x13, true, psn);
        Headers.putReth(packet, 12, address, key, length);
        return RocePacket.parse(packet, 0, 32).orElseThrow();
    }

    private static RocePacket response(int opcode, int psn, int payload) {
        int length = 12 + Opcode.extensionBytes(opcode) + payload + 4;
        ByteBuffer packet = ByteBuffer.allocate(length);
        Headers.putBth(packet, 0, opcode, false, 0, 0x13, false, psn);
        if (Opcode.hasAeth(opcode)) {
            Headers.putAeth(packet, 12, Headers.SYNDROME_ACK, 1);
        }
        return RocePacket.parse(packet, 0, length).orElseThrow();
    }

    private static List<String> names(List<RocePacket> packets) {
        return packets.stream()
                .map(p -> Opcode.name(p.opcode()) + " " + (p.psn() - PSN))
                .toList();
    }

    // ---- reading

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 255, 256, 257, 512, 5003, 16_384, 16_385, 300_000})
    void aReadBringsThePeersBytes(int length) {
        connect();
        RdmaMemory from = memory(length + 8, 1);
        RdmaMemory to = memory(length + 8, 0);
        MemoryTable.Region region = readable(from);
        read(8, to, length, region.address() + 5, region.key());

        link.run(SECOND);

        assertEquals(List.of(new SimulatedLink.Done(8, Operation.READ, Status.SUCCESS, 0, false, 0)), link.a.done);
        assertArrayEquals(bytes(from, 5, length), bytes(to, 0, length));
        assertArrayEquals(new byte[8], bytes(to, length, 8));
        assertEquals(List.of(), link.b.done);
    }

    @Test
    void theAnswerIsCutAtThePathMtu() {
        connect();
        MemoryTable.Region region = readable(memory(600, 1));
        read(1, memory(599, 0), 599, region.address(), region.key());

        link.run(SECOND);

        assertEquals(
                List.of("READ_RESPONSE_FIRST 256 0", "READ_RESPONSE_MIDDLE 256 0", "READ_RESPONSE_LAST 87 1"),
                link.b.sent.stream()
                        .map(p -> Opcode.name(p.opcode()) + " " + p.payload().capacity() + " "
                                + p.pad().capacity())
                        .toList());
    }

    @Test
    void theRequestOfRpingIsByteForByteOurs() {
        connect();
        byHand();
        ByteBuffer captured = golden("golden/17-read-request.hex");
        read(1, memory(64, 0), 64, 0x55D0615E9D00L, 0x7B3);

        assertEquals(captured, withoutChecksum(fromA().get(0)));
    }

    @Test
    void theAnswerToRpingIsByteForByteOurs() {
        connect();
        byHand();
        ByteBuffer captured = golden("golden/18-read-resp-only.hex");
        RdmaMemory memory = memory(64, 0);
        memory.put(0, captured.slice(16, 64));
        MemoryTable.Region region = readable(memory);
        toB(request(PSN, region.address(), region.key(), 64));

        assertEquals(captured, withoutChecksum(fromB().get(0)));
    }

    private static ByteBuffer golden(String name) {
        byte[] packet = Pcap.hex(Pcap.file(name));
        return ByteBuffer.wrap(packet, 28, packet.length - 32).slice();
    }

    private static ByteBuffer withoutChecksum(RocePacket packet) {
        ByteBuffer bytes = packet.encode();
        return bytes.slice(0, bytes.capacity() - 4);
    }

    @Test
    void sequenceNumbersWrapAroundWithinARead() {
        a = new QueuePair(0x13, DOMAIN, link.a.regions, 4, 4, Optional.empty(), link.a);
        b = new QueuePair(0x13, DOMAIN, link.b.regions, 4, 4, Optional.empty(), link.b);
        a.connect(SimulatedLink.B, 0x13, 0xFFFFFE, 99, TERMS);
        b.connect(SimulatedLink.A, 0x13, 99, 0xFFFFFE, TERMS);
        link.a.add(a);
        link.b.add(b);
        RdmaMemory from = memory(10_000, 1);
        RdmaMemory to = memory(10_000, 0);
        MemoryTable.Region region = readable(from);
        read(1, to, 10_000, region.address(), region.key());

        link.run(SECOND);

        assertArrayEquals(bytes(from, 0, 10_000), bytes(to, 0, 10_000));
    }

    @Test
    void aLongReadIsAskedForInPieces() {
        connect();
        MemoryTable.Region region = readable(memory(200 * MTU, 1));
        read(1, memory(200 * MTU, 0), 200 * MTU, region.address(), region.key());

        link.run(SECOND);

        assertEquals(
                List.of("READ_REQUEST 0", "READ_REQUEST 64", "READ_REQUEST 128", "READ_REQUEST 192"),
                names(link.a.sent));
        assertEquals(List.of(Status.SUCCESS), statuses());
    }

    @Test
    void noMoreReadsAreOutstandingThanThePeerServes() {
        connect(reads(2, 2), TERMS);
        byHand();
        MemoryTable.Region region = readable(memory(10, 1));
        for (int i = 0; i < 4; i++) {
            read(i, memory(10, 0), 10, region.address(), region.key());
        }

        List<RocePacket> first = fromA();
        first.forEach(this::toB);
        toA(fromB().get(0));

        assertEquals(List.of("READ_REQUEST 0", "READ_REQUEST 1"), names(first));
        assertEquals(List.of("READ_REQUEST 2"), names(fromA()));
    }

    @Test
    void readsSendsAndWritesCompleteInTheirOrder() {
        connect();
        MemoryTable.Region region = link.b.regions.register(memory(20_000, 1), RemoteAccess.READ_WRITE, DOMAIN);
        for (int i = 0; i < 12; i += 3) {
            b.postReceive(i, memory(1000, 0), 0, 1000);
            send(i, 1000);
            read(i + 1, memory(5000, 0), 5000, region.address(), region.key());
            a.requester().post(Opcode.WRITE_ONLY, i + 2, memory(700, 1), 0, 700, region.address(), region.key(), 0);
        }

        link.run(SECOND);

        assertEquals(
                IntStream.range(0, 12).mapToObj(i -> (long) i).toList(),
                link.a.done.stream().map(SimulatedLink.Done::workId).toList());
        assertEquals(12, statuses().stream().filter(Status.SUCCESS::equals).count());
    }

    // ---- what is refused

    private void assertRefused(Status status, RdmaMemory to) {
        link.run(SECOND);

        assertEquals(List.of(status), statuses());
        assertTrue(b.broken());
        assertArrayEquals(new byte[100], bytes(to, 0, 100));
    }

    @Test
    void aWrongKeyIsRefused() {
        connect();
        MemoryTable.Region region = readable(memory(100, 1));
        RdmaMemory to = memory(100, 0);
        read(1, to, 100, region.address(), region.key() + (1 << 20));

        assertRefused(Status.REMOTE_ACCESS_ERROR, to);
    }

    @ParameterizedTest
    @EnumSource(
            value = RemoteAccess.class,
            names = {"NONE", "WRITE"})
    void memoryThatIsNotForRemoteReadsIsNotRead(RemoteAccess access) {
        connect();
        MemoryTable.Region region = link.b.regions.register(memory(100, 1), access, DOMAIN);
        RdmaMemory to = memory(100, 0);
        read(1, to, 100, region.address(), region.key());

        assertRefused(Status.REMOTE_ACCESS_ERROR, to);
    }

    @Test
    void memoryOfAnotherOwnerIsNotRead() {
        connect();
        MemoryTable.Region region = link.b.regions.register(memory(100, 1), RemoteAccess.READ, new Object());
        RdmaMemory to = memory(100, 0);
        read(1, to, 100, region.address(), region.key());

        assertRefused(Status.REMOTE_ACCESS_ERROR, to);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1, 100, 1L << 40, -(1L << 50), Long.MAX_VALUE, Long.MIN_VALUE})
    void aReadThatLeavesItsRegionIsRefused(long offset) {
        connect();
        MemoryTable.Region region = readable(memory(100, 1));
        RdmaMemory to = memory(100, 0);
        read(1, to, 100, region.address() + offset, region.key());

        assertRefused(Status.REMOTE_ACCESS_ERROR, to);
    }

    @Test
    void memoryThatMayOnlyBeReadIsNotWritten() {
        connect();
        MemoryTable.Region region = readable(memory(100, 1));
        RdmaMemory from = memory(100, 2);
        a.requester().post(Opcode.WRITE_ONLY, 1, from, 0, 100, region.address(), region.key(), 0);

        link.run(SECOND);

        assertEquals(List.of(Status.REMOTE_ACCESS_ERROR), statuses());
    }

    @Test
    void whenTheRegistrationEndsWithinAReadItIsRefused() {
        connect();
        byHand();
        MemoryTable.Region region = readable(memory(100 * MTU, 1));
        toB(request(PSN, region.address(), region.key(), 100 * MTU));
        b.transmit(link.b, link.nowNanos);
        link.b.sent.clear();

        link.b.regions.remove(region);
        List<RocePacket> answers = fromB();

        assertEquals(List.of("ACKNOWLEDGE 32"), names(answers));
        assertEquals(Headers.SYNDROME_REMOTE_ACCESS, answers.get(0).extension().get(0));
        assertTrue(b.broken());
    }

    @Test
    void moreReadsThanAgreedOnAreInvalid() {
        connect(reads(4, 4), reads(2, 2));
        byHand();
        MemoryTable.Region region = readable(memory(100, 1));
        for (int i = 0; i < 3; i++) {
            toB(request(PSN + i, region.address(), region.key(), 100));
        }
        List<RocePacket> answers = fromB();

        assertEquals(List.of("READ_RESPONSE_ONLY 0", "READ_RESPONSE_ONLY 1", "ACKNOWLEDGE 2"), names(answers));
        assertEquals(
                Headers.SYNDROME_INVALID_REQUEST, answers.get(2).extension().get(0));
        assertTrue(b.broken());
    }

    @Test
    void whereNoReadsWereAgreedOnAReadIsInvalid() {
        connect(TERMS, reads(0, 0));
        MemoryTable.Region region = readable(memory(100, 1));
        RdmaMemory to = memory(100, 0);
        read(1, to, 100, region.address(), region.key());

        assertRefused(Status.REMOTE_INVALID_REQUEST, to);
    }

    @Test
    void aReadWithinAMessageIsInvalid() {
        connect();
        byHand();
        b.postReceive(1, memory(1000, 0), 0, 1000);
        MemoryTable.Region region = readable(memory(100, 1));
        send(1, 1000);
        toB(fromA().get(0));
        toB(request(PSN + 1, region.address(), region.key(), 100));

        assertEquals(
                Headers.SYNDROME_INVALID_REQUEST, fromB().get(0).extension().get(0));
        assertTrue(b.broken());
    }

    @Test
    void aLengthThatNoMessageMayHaveIsInvalid() {
        connect();
        byHand();
        MemoryTable.Region region = readable(memory(100, 1));
        toB(request(PSN, region.address(), region.key(), 0x80000001));

        assertEquals(
                Headers.SYNDROME_INVALID_REQUEST, fromB().get(0).extension().get(0));
    }

    // ---- order, bursts

    @Test
    void aLongAnswerLeavesInBursts() {
        connect();
        byHand();
        MemoryTable.Region region = readable(memory(100 * MTU, 1));
        toB(request(PSN, region.address(), region.key(), 100 * MTU));
        b.transmit(link.b, link.nowNanos);

        assertEquals(Responder.READ_BURST_PACKETS, link.b.sent.size());
        assertTrue(b.answering());
    }

    @Test
    void anAcknowledgementWaitsForTheAnswersBeforeIt() {
        connect();
        byHand();
        MemoryTable.Region region = readable(memory(3 * MTU, 1));
        b.postReceive(1, memory(10, 0), 0, 10);
        read(1, memory(3 * MTU, 0), 3 * MTU, region.address(), region.key());
        send(2, 10);
        fromA().forEach(this::toB);

        assertEquals(
                List.of("READ_RESPONSE_FIRST 0", "READ_RESPONSE_MIDDLE 1", "READ_RESPONSE_LAST 2", "ACKNOWLEDGE 3"),
                names(fromB()));
    }

    @Test
    void anAnswerAcknowledgesWhatWasSentBeforeTheRead() {
        connect();
        byHand();
        MemoryTable.Region region = readable(memory(10, 1));
        b.postReceive(1, memory(10, 0), 0, 10);
        send(1, 10);
        read(2, memory(10, 0), 10, region.address(), region.key());
        fromA().forEach(this::toB);
        List<RocePacket> answers = fromB();

        assertEquals(List.of("READ_RESPONSE_ONLY 1"), names(answers));
        toA(answers.get(0));
        assertEquals(List.of(Status.SUCCESS, Status.SUCCESS), statuses());
    }

    // ---- what is lost

    @Test
    void aReadIsAskedForAgainFromTheFirstMissingAnswerOn() {
        connect();
        byHand();
        RdmaMemory from = memory(5 * MTU - 7, 1);
        RdmaMemory to = memory(5 * MTU - 7, 0);
        MemoryTable.Region region = readable(from);
        read(1, to, 5 * MTU - 7, region.address(), region.key());
        toB(fromA().get(0));
        List<RocePacket> answers = fromB();
        for (int i : new int[] {0, 1, 3, 4}) {
            toA(answers.get(i));
        }

        List<RocePacket> again = fromA();
        again.forEach(this::toB);
        fromB().forEach(this::toA);

        assertEquals(
                List.of(request(PSN + 2, region.address() + 2 * MTU, region.key(), 3 * MTU - 7)
                        .extension()),
                again.stream().map(RocePacket::extension).toList());
        assertEquals(List.of("READ_REQUEST 2"), names(again));
        assertEquals(List.of(Status.SUCCESS), statuses());
        assertArrayEquals(bytes(from, 0, 5 * MTU - 7), bytes(to, 0, 5 * MTU - 7));
    }

    @Test
    void anAcknowledgementBehindAReadWithoutItsAnswersAsksForThemAgain() {
        connect();
        byHand();
        MemoryTable.Region region = readable(memory(10, 1));
        b.postReceive(1, memory(10, 0), 0, 10);
        read(1, memory(10, 0), 10, region.address(), region.key());
        send(2, 10);
        fromA().forEach(this::toB);
        toA(fromB().get(1));

        assertEquals(List.of(), statuses());
        assertEquals(List.of("READ_REQUEST 0", "SEND_ONLY 1"), names(fromA()));
    }

    @Test
    void aReadThatIsNotAnsweredIsAskedForAgainInTime() {
        connect();
        byHand();
        MemoryTable.Region region = readable(memory(10, 1));
        read(1, memory(10, 0), 10, region.address(), region.key());
        fromA();

        link.nowNanos += SECOND;

        assertEquals(List.of("READ_REQUEST 0"), names(fromA()));
    }

    @Test
    void aPeerThatNeverAnswersAReadEndsTheConnection() {
        connect();
        link.loss = 1;
        read(1, memory(10, 0), 10, 1, 1);

        link.run(10 * SECOND);

        assertEquals(List.of(Status.RETRIES_EXCEEDED), statuses());
    }

    @Test
    void aPeerThatNeverSendsTheFirstAnswerEndsTheConnection() {
        connect();
        byHand();
        read(1, memory(1000, 0), 1000, 1, 1);
        for (int i = 0; i < 200; i++) {
            fromA();
            toA(response(Opcode.READ_RESPONSE_MIDDLE, PSN + 1, MTU));
        }

        assertEquals(List.of(Status.RETRIES_EXCEEDED), statuses());
    }

    @Test
    void lateAnswersOfTheFirstTryDoNotAskForAThird() {
        connect();
        byHand();
        MemoryTable.Region region = readable(memory(5 * MTU, 1));
        read(1, memory(5 * MTU, 0), 5 * MTU, region.address(), region.key());
        toB(fromA().get(0));
        List<RocePacket> answers = fromB();
        toA(answers.get(1));
        int requests = fromA().size();
        for (int i = 2; i < 5; i++) {
            toA(answers.get(i));
            requests += fromA().size();
        }

        assertEquals(1, requests);
    }

    // ---- what comes again

    @Test
    void aRequestThatComesAgainIsAnsweredAgain() {
        connect();
        byHand();
        MemoryTable.Region region = readable(memory(3 * MTU, 1));
        RocePacket request = request(PSN, region.address(), region.key(), 3 * MTU);
        toB(request);
        List<RocePacket> first = fromB();
        toB(request);

        assertEquals(
                first.stream().map(RocePacket::payload).toList(),
                fromB().stream().map(RocePacket::payload).toList());
    }

    @Test
    void aRequestThatComesAgainInPartIsAnsweredInPart() {
        connect();
        byHand();
        MemoryTable.Region region = readable(memory(4 * MTU, 1));
        toB(request(PSN, region.address(), region.key(), 4 * MTU));
        List<RocePacket> first = fromB();
        toB(request(PSN + 2, region.address() + 2 * MTU, region.key(), 2 * MTU));
        List<RocePacket> second = fromB();

        assertEquals(List.of("READ_RESPONSE_FIRST 2", "READ_RESPONSE_LAST 3"), names(second));
        assertEquals(first.get(3).payload(), second.get(1).payload());
    }

    @Test
    void aRequestThatComesAgainWhileItIsAnsweredBeginsAnew() {
        connect();
        byHand();
        MemoryTable.Region region = readable(memory(100 * MTU, 1));
        toB(request(PSN, region.address(), region.key(), 100 * MTU));
        b.transmit(link.b, link.nowNanos);
        toB(request(PSN + 10, region.address() + 10 * MTU, region.key(), 90 * MTU));

        assertEquals(32 + 90, fromB().size());
    }

    @Test
    void aRequestThatComesAgainBeforeItIsAnsweredChangesNothing() {
        connect();
        byHand();
        MemoryTable.Region region = readable(memory(100 * MTU, 1));
        toB(request(PSN, region.address(), region.key(), 100 * MTU));
        b.transmit(link.b, link.nowNanos);
        toB(request(PSN + 50, region.address() + 50 * MTU, region.key(), 50 * MTU));

        assertEquals(100, fromB().size());
    }

    @Test
    void requestsThatComeAgainAreAnsweredInTheirOrder() {
        connect(TERMS, reads(4, 4));
        byHand();
        MemoryTable.Region region = readable(memory(MTU, 1));
        List<RocePacket> requests = IntStream.range(0, 4)
                .mapToObj(i -> request(PSN + i, region.address(), region.key(), MTU))
                .toList();
        requests.subList(0, 3).forEach(this::toB);
        fromB();
        toB(requests.get(3));
        for (int i : new int[] {2, 0, 1}) {
            toB(requests.get(i));
        }

        assertEquals(
                List.of("READ_RESPONSE_ONLY 0", "READ_RESPONSE_ONLY 1", "READ_RESPONSE_ONLY 2", "READ_RESPONSE_ONLY 3"),
                names(fromB()));
    }

    @Test
    void aDoubledRequestDoesNotTakeTheRoomOfANewOne() {
        connect(TERMS, reads(1, 1));
        byHand();
        MemoryTable.Region region = readable(memory(MTU, 1));
        toB(request(PSN, region.address(), region.key(), MTU));
        fromB();
        toB(request(PSN, region.address(), region.key(), MTU));
        toB(request(PSN + 1, region.address(), region.key(), MTU));

        assertEquals(List.of("READ_RESPONSE_ONLY 1"), names(fromB()));
        assertFalse(b.broken());
    }

    @Test
    void whatIsWrongWithARequestThatComesAgainIsNotAnswered() {
        connect();
        byHand();
        MemoryTable.Region region = readable(memory(MTU, 1));
        toB(request(PSN, region.address(), region.key(), MTU));
        fromB();
        toB(request(PSN, region.address() + 1, region.key(), MTU));
        toB(request(PSN, region.address(), region.key() + (1 << 20), MTU));
        toB(request(PSN, region.address(), region.key(), -1));
        toB(request(PSN - 5, region.address(), region.key(), 20 * MTU));

        assertEquals(List.of(), fromB());
        assertFalse(b.broken());
    }

    // ---- answers that are wrong

    @Test
    void anAnswerOfTheWrongLengthBreaksTheConnection() {
        connect();
        byHand();
        RdmaMemory to = memory(100, 0);
        read(1, to, 10, 1, 1);
        fromA();
        toA(response(Opcode.READ_RESPONSE_ONLY, PSN, 12));

        assertEquals(List.of(Status.OTHER_ERROR), statuses());
        assertEquals(
                List.of("OTHER_ERROR: The peer answered a read with 12 bytes in a packet instead of 10"), link.a.broke);
    }

    @Test
    void anAnswerThatWasNotAskedForChangesNothing() {
        connect();
        byHand();
        read(1, memory(10, 0), 10, 1, 1);
        toA(response(Opcode.READ_RESPONSE_ONLY, PSN, 12));

        assertFalse(a.broken());
        assertEquals(List.of(), statuses());
    }

    @Test
    void anAnswerToAMessageIsMalformed() {
        connect();
        byHand();
        send(1, 10);
        fromA();
        toA(response(Opcode.READ_RESPONSE_ONLY, PSN, 12));

        assertEquals(1, a.malformed());
        assertEquals(List.of(), statuses());
    }

    @Test
    void readsComeBackWhenTheConnectionEnds() {
        connect();
        read(1, memory(10, 0), 10, 1, 1);
        a.end();

        assertEquals(List.of(new SimulatedLink.Done(1, Operation.READ, Status.FLUSHED, 0, false, 0)), link.a.done);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyReadBringsItsBytesOverABadLink(long seed) {
        SimulatedLink bad = new SimulatedLink(seed);
        bad.loss = 0.01;
        bad.reorder = 0.01;
        bad.duplication = 0.01;
        bad.damage = 0.002;
        QueuePair reader = new QueuePair(1, DOMAIN, bad.a.regions, 8, 8, Optional.empty(), bad.a);
        QueuePair writer = new QueuePair(2, DOMAIN, bad.b.regions, 8, 8, Optional.empty(), bad.b);
        LinkTerms terms = new LinkTerms(MTU, 9, 7, 7, SECOND, 2, 2);
        reader.connect(SimulatedLink.B, 2, 100, 200, terms);
        writer.connect(SimulatedLink.A, 1, 200, 100, terms);
        bad.a.add(reader);
        bad.b.add(writer);
        int size = 40_000;
        RdmaMemory from = memory(2 * size, seed);
        RdmaMemory to = memory(8 * size, 0);
        RdmaMemory inbox = memory(8 * 100, 0);
        MemoryTable.Region region = bad.b.regions.register(from, RemoteAccess.READ, DOMAIN);
        Random random = new Random(seed);
        List<int[]> ranges = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            writer.postReceive(i, inbox, i * 100L, 100);
        }
        int rounds = 1000;
        for (int posted = 0; taken < rounds; ) {
            // Every third is a message, which no answer may overtake.
            while (posted < rounds && posted - taken < 8) {
                int[] range = {random.nextInt(size), random.nextInt(size)};
                ranges.add(range);
                if (posted % 3 == 2) {
                    reader.requester().post(Opcode.SEND_ONLY, posted, from, 0, 100, 0, 0, 0);
                } else {
                    reader.requester()
                            .post(
                                    Opcode.READ_REQUEST,
                                    posted,
                                    to,
                                    (long) (posted % 8) * size,
                                    range[1],
                                    region.address() + range[0],
                                    region.key(),
                                    0);
                }
                posted++;
            }
            bad.run(1_000_000);
            for (SimulatedLink.Done done : since(bad.a.done)) {
                assertEquals(Status.SUCCESS, done.status());
                assertEquals(taken, done.workId());
                int[] range = ranges.get(taken);
                if (done.operation() == Operation.READ) {
                    assertArrayEquals(bytes(from, range[0], range[1]), bytes(to, (long) (taken % 8) * size, range[1]));
                }
                taken++;
            }
            for (SimulatedLink.Done done : since(bad.b.done)) {
                writer.postReceive(done.workId(), inbox, done.workId() * 100, 100);
            }
        }

        assertTrue(reader.requester().retransmittedPackets() > 0);
    }
}
