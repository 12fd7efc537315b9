package io.peregrine.rdma;

import static io.peregrine.rdma.TestContainer.FLOW0;
import static io.peregrine.rdma.TestContainer.FLOW1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.fabric.FakeFabric;
import io.peregrine.nativeio.Libc;
import io.peregrine.stream.BlockInfo;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.RdmaMode;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.stream.engine.HandOff;
import io.peregrine.stream.engine.StreamEngine;
import io.peregrine.stream.engine.ThreadScheduling;
import io.peregrine.testing.Await;
import io.peregrine.testing.ExpectedWarning;
import io.peregrine.testing.Needs;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The host's side against a device that a test drives, without a network. */
@ExpectedWarning("The RDMA connection to .* was lost and is made again")
@Timeout(60)
class RdmaSourceTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int SETS = 3;
    private static final RdmaStreamSettings SETTINGS =
            RdmaStreamSettings.defaults().withReconnect(new ReconnectPolicy(3, Duration.ZERO, Duration.ZERO));

    static final ThreadScheduling ON_NO_PROCESSOR =
            new ThreadScheduling(List.of(1023), OptionalInt.empty(), OptionalInt.empty());

    private final FakeFabric fabric = new FakeFabric();
    private final FakeFabric.Transport host = fabric.transport("127.0.0.1");
    private final FakeGvrspDevice device = new FakeGvrspDevice(fabric, FLOW0, FLOW1);
    private final FlowSetPool pool = FlowSetPool.allocate(SETS, new long[] {FLOW0, FLOW1}, 1 << 20);
    private RdmaSource source;
    private StreamEngine channel;

    private void open(RdmaMode mode) {
        open(mode, SETTINGS);
    }

    private void open(RdmaMode mode, RdmaStreamSettings settings) {
        source = RdmaSource.open("test", settings, host, pool, mode, InterimMapping.at(0xB000), device);
        channel = new StreamEngine(source);
    }

    private void start(RdmaMode mode) {
        open(mode);
        channel.start();
        device.awaitAnnounced(SETS);
    }

    @AfterEach
    void nothingIsLeft() {
        if (channel != null) {
            channel.close();
        }
        assertEquals(0, host.openObjects());
        assertFalse(Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("peregrine-stream-test")));
    }

    private FlowSet next() throws InterruptedException {
        return channel.poll(LONG).orElseThrow(() -> new AssertionError(channel.failure() + " " + channel.statistics()));
    }

    private long count(Counter counter) {
        return channel.statistics().get(counter);
    }

    private void block(RdmaMode mode, long id) {
        block(mode, id, TestContainer.of(id));
    }

    private void block(RdmaMode mode, long id, byte[]... flows) {
        if (mode == RdmaMode.SEND) {
            device.send(flows);
        } else {
            device.writeBlock(id, flows);
        }
    }

    private static void expect(long id, FlowSet set) {
        assertEquals(Optional.empty(), set.block().incomplete());
        assertEquals(id, set.block().blockId());
        byte[][] expected = TestContainer.of(id);
        for (int flow = 0; flow < 2; flow++) {
            assertEquals(
                    ByteBuffer.wrap(expected[flow]), set.flow(flow).duplicate().clear());
            assertTrue(set.covered(flow, 0, expected[flow].length));
        }
        set.release();
    }

    private void expectIncomplete(IncompleteCause cause) throws InterruptedException {
        FlowSet set = next();
        assertEquals(Optional.of(cause), set.block().incomplete());
        assertEquals(1, count(Counter.FRAMES_INCOMPLETE));
        assertEquals(0, count(Counter.FRAMES_COMPLETE));
        set.release();
    }

    // ---- receiver thread

    @Test
    void processorThatTheReceiverThreadCannotHaveIsTold() throws Exception {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        open(RdmaMode.SEND, SETTINGS.withThread(ON_NO_PROCESSOR));
        channel.start();
        device.awaitAnnounced(SETS);
        block(RdmaMode.SEND, 1);
        next().release();
        List<String> told = channel.diagnosis(channel.statistics());
        assertEquals(1, told.size(), told::toString);
        assertTrue(told.get(0).startsWith("The receiver thread may not run on CPU [1023] alone: "), told::toString);
    }

    // ---- packets

    @Test
    void packetsLostSinceTheStreamWasOpenedAreExplainedByTheNamesOfTheirCounters() {
        host.packetLosses("sequenceGaps", 5);
        host.packetLosses("packetsDuplicate", 1);
        open(RdmaMode.SEND);
        host.packetLosses("sequenceGaps", 7);
        assertEquals(
                List.of("Packets of RDMA at 127.0.0.1 were lost or held up (sequenceGaps 2): each costs throughput,"
                        + " though frames arrive whole; check the cable, the switch, flow control and"
                        + " net.core.rmem_max (docs/rdma.md)"),
                channel.diagnosis());
    }

    @Test
    void packetsLostBeforeTheStreamWasOpenedAreNotExplained() {
        host.packetLosses("sequenceGaps", 5);
        open(RdmaMode.SEND);
        assertEquals(List.of(), channel.diagnosis());
    }

    // ---- good blocks

    @ParameterizedTest
    @EnumSource(RdmaMode.class)
    void blocksArriveWithEveryByte(RdmaMode mode) throws Exception {
        start(mode);
        for (long id = 1; id <= 20; id++) {
            block(mode, id);
            expect(id, next());
            device.awaitAnnounced(SETS);
        }
        assertEquals(20, count(Counter.FRAMES_COMPLETE));
        assertEquals(20 * (FLOW0 + FLOW1), count(Counter.BYTES_RECEIVED));
        assertEquals(mode == RdmaMode.SEND ? 40 : 20, count(Counter.MESSAGES_RECEIVED));
        assertEquals(0, count(Counter.BLOCK_ID_GAPS));
    }

    @ParameterizedTest
    @EnumSource(RdmaMode.class)
    void blockIsDescribedByItsContainer(RdmaMode mode) throws Exception {
        start(mode);
        block(mode, 7);
        FlowSet set = next();
        BlockInfo block = set.block();
        assertEquals(
                new BlockInfo(
                        7,
                        0x000B,
                        7000,
                        FLOW0 + FLOW1,
                        Optional.empty(),
                        TestContainer.DESCRIPTOR,
                        Optional.empty(),
                        0),
                block);
        set.release();
    }

    @Test
    void onlyWriteModeLetsTheDeviceWrite() {
        open(RdmaMode.SEND);
        assertTrue(host.regions.stream().noneMatch(FakeFabric.Region::remoteWrite));
        channel.close();
        open(RdmaMode.WRITE);
        assertEquals(
                SETS * 2,
                host.regions.stream().filter(FakeFabric.Region::remoteWrite).count());
    }

    @ParameterizedTest
    @EnumSource(RdmaMode.class)
    void flowSetsThatTheUserHoldsAreNotAnnounced(RdmaMode mode) throws Exception {
        start(mode);
        for (long id = 1; id <= SETS; id++) {
            block(mode, id);
        }
        List<FlowSet> held = List.of(next(), next(), next());
        assertEquals(0, device.announcedNow());
        held.get(1).release();
        device.awaitAnnounced(1);
        assertEquals(held.get(1).index(), device.nextAnnounced().orElseThrow().setId());
        held.get(0).release();
        held.get(2).release();
        device.awaitAnnounced(SETS);
    }

    @ParameterizedTest
    @EnumSource(RdmaMode.class)
    void withNewestOnlyAUserWhoTakesNothingCostsTheDeviceNoFrame(RdmaMode mode) throws Exception {
        source = RdmaSource.open("test", SETTINGS, host, pool, mode, InterimMapping.at(0xB000), device);
        channel = new StreamEngine(source, HandOff.DEFAULT.withNewestOnly(true));
        channel.start();
        for (long id = 1; id <= 10; id++) {
            device.awaitAnnounced(id == 1 ? SETS : SETS - 1);
            block(mode, id);
        }
        Await.until(
                "ten frames", LONG, () -> count(Counter.FRAMES_COMPLETE) == 10 && count(Counter.FRAMES_SKIPPED) == 9);
        expect(10, next());
        assertEquals(0, count(Counter.FRAMES_DROPPED_BY_DEVICE));
        device.awaitAnnounced(SETS);
        assertEquals(1, channel.diagnosis().size());
    }

    @ParameterizedTest
    @EnumSource(RdmaMode.class)
    void blocksThatTheDeviceDroppedAreCounted(RdmaMode mode) throws Exception {
        start(mode);
        block(mode, 1);
        device.dropped = 4;
        block(mode, 6);
        next().release();
        next().release();
        channel.stop();
        assertEquals(4, count(Counter.BLOCK_ID_GAPS));
        assertEquals(4, count(Counter.FRAMES_DROPPED_BY_DEVICE));
    }

    @ParameterizedTest
    @EnumSource(RdmaMode.class)
    void theDeviceIsAskedWhatItDroppedWhileItStreams(RdmaMode mode) {
        start(mode);
        device.dropped = 4;
        source.askForDrops();
        assertEquals(4, count(Counter.FRAMES_DROPPED_BY_DEVICE));
        assertTrue(channel.diagnosis().get(0).startsWith("The device dropped 4 frames"));
    }

    @Test
    void theDeviceIsNotAskedAgainAtOnceNorWhenAllIsOver() {
        start(RdmaMode.SEND);
        source.askForDrops();
        device.dropped = 4;
        source.askForDrops();
        assertEquals(0, count(Counter.FRAMES_DROPPED_BY_DEVICE));
        channel.stop();
        assertEquals(4, count(Counter.FRAMES_DROPPED_BY_DEVICE));
        device.dropped = 9;
        source.askForDrops();
        assertEquals(4, count(Counter.FRAMES_DROPPED_BY_DEVICE));
    }

    @Test
    void blocksThatTheDeviceDropsInTheNextRunAreAdded() {
        start(RdmaMode.SEND);
        device.dropped = 4;
        channel.stop();
        device.dropped = 0;
        channel.start();
        device.awaitAnnounced(SETS);
        device.dropped = 2;
        source.askForDrops();
        assertEquals(6, count(Counter.FRAMES_DROPPED_BY_DEVICE));
    }

    // ---- bad blocks

    @ParameterizedTest
    @CsvSource({"48,5000", "52,3", "52,-1", "12,60", "12,5000"})
    void impossibleHeadOfTheContainerIsAContradiction(int at, int value) throws Exception {
        start(RdmaMode.SEND);
        byte[][] flows = TestContainer.of(3);
        little(flows[0]).putInt(at, value);
        device.send(flows);
        expectIncomplete(IncompleteCause.CONTRADICTION);
    }

    @ParameterizedTest
    @CsvSource({
        "56,400", // component offset
        "56,-1",
        "112,208", // part offset
        "112,9223372036854775807",
        "144,209", // flow offset of part 0
        "144,-8",
        "192,65", // size of part 1
        "192,-1"
    })
    void impossiblePlaceIsAContradiction(int at, long value) throws Exception {
        start(RdmaMode.SEND);
        byte[][] flows = TestContainer.of(3);
        little(flows[0]).putLong(at, value);
        device.send(flows);
        expectIncomplete(IncompleteCause.CONTRADICTION);
    }

    @Test
    void flowThatDoesNotExistIsAContradiction() throws Exception {
        start(RdmaMode.SEND);
        byte[][] flows = TestContainer.of(3);
        little(flows[0]).putShort(TestContainer.PART1_AT + 14, (short) 2);
        device.send(flows);
        expectIncomplete(IncompleteCause.CONTRADICTION);
    }

    @Test
    void invalidComponentNeedsNoData() throws Exception {
        start(RdmaMode.SEND);
        byte[][] flows = TestContainer.of(3);
        little(flows[0]).putShort(TestContainer.COMPONENT_AT + 2, (short) 1);
        device.send(flows[0], new byte[0]);
        FlowSet set = next();
        assertTrue(set.block().complete());
        assertEquals(0, set.filledBytes(1));
        set.release();
    }

    @ParameterizedTest
    @EnumSource(RdmaMode.class)
    void flowThatIsShorterThanItsDescriptorIsMissed(RdmaMode mode) throws Exception {
        start(mode);
        byte[][] flows = TestContainer.of(3);
        block(mode, 3, flows[0], Arrays.copyOf(flows[1], FLOW1 - 1));
        expectIncomplete(IncompleteCause.DATA_MISSING);
    }

    @Test
    void descriptorThatArrivedInPartIsMissed() throws Exception {
        start(RdmaMode.SEND);
        device.send(Arrays.copyOf(TestContainer.of(3)[0], 100), new byte[0]);
        expectIncomplete(IncompleteCause.DATA_MISSING);
    }

    @ParameterizedTest
    @EnumSource(RdmaMode.class)
    void blockWithoutContainerIsDroppedAndItsFlowSetAnnouncedAgain(RdmaMode mode) throws Exception {
        start(mode);
        block(mode, 1, new byte[FLOW0], new byte[FLOW1]);
        device.awaitAnnounced(SETS);
        assertEquals(1, count(Counter.FRAMES_DROPPED_UNUSABLE));
        block(mode, 2);
        expect(2, next());
    }

    @Test
    void blockThatCouldNotBeUsedIsNotCountedAsSkippedToo() throws Exception {
        start(RdmaMode.SEND);
        block(RdmaMode.SEND, 1);
        expect(1, next());
        block(RdmaMode.SEND, 2, new byte[FLOW0], new byte[FLOW1]);
        device.awaitAnnounced(SETS);
        block(RdmaMode.SEND, 3);
        expect(3, next());
        assertEquals(1, channel.statistics().framesLost());
    }

    @Test
    void messageThatIsTooLongBreaksTheConnection() throws Exception {
        start(RdmaMode.SEND);
        device.sendMessage(TestContainer.of(1)[0]);
        device.sendMessage(new byte[FLOW1 + 1]);
        expectIncomplete(IncompleteCause.CONNECTION_LOST);
        assertEquals(1, count(Counter.COMPLETION_ERRORS));
        device.awaitAnnounced(SETS);
    }

    // ---- reports that lie

    @ParameterizedTest
    @CsvSource({"3", "-1", "2147483647"})
    void reportOfAnUnknownFlowSetBreaksTheConnection(int setId) throws Exception {
        start(RdmaMode.WRITE);
        device.done(setId, 0, 1, 0, 0, 0);
        reconnected();
        assertEquals(1, count(Counter.MESSAGES_MALFORMED));
    }

    private void reconnected() {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (device.connects < 2) {
            assertTrue(System.nanoTime() - deadline < 0);
            Thread.onSpinWait();
        }
        device.awaitAnnounced(SETS);
        assertEquals(1, count(Counter.RECONNECTS));
    }

    @Test
    void reportOfABlockTwiceBreaksTheConnection() throws Exception {
        start(RdmaMode.WRITE);
        FakeGvrspDevice.Announcement used = device.write(TestContainer.of(1));
        device.done(used.setId(), 0, 1, FLOW0 + FLOW1, FLOW0, FLOW1);
        FlowSet held = next();
        device.done(used.setId(), 0, 1, FLOW0 + FLOW1, FLOW0, FLOW1);
        long deadline = System.nanoTime() + LONG.toNanos();
        while (device.connects < 2) {
            assertTrue(System.nanoTime() - deadline < 0);
            Thread.onSpinWait();
        }
        device.awaitAnnounced(SETS - 1);
        expect(1, held);
    }

    @Test
    void reportOfAnotherShapeBreaksTheConnection() throws Exception {
        start(RdmaMode.WRITE);
        device.sendMessage(new byte[40]);
        reconnected();
        assertEquals(1, count(Counter.MESSAGES_MALFORMED));
    }

    @Test
    void writeThatUsesUpAReceiveBreaksTheConnection() throws Exception {
        start(RdmaMode.SEND);
        device.connection().postWriteWithImmediate(1, host.regions.get(0), 0, 0, 0, 0, 0);
        reconnected();
    }

    @ParameterizedTest
    @CsvSource({"301,64", "300,-1", "9223372036854775807,64"})
    void reportOfMoreThanAFlowHoldsIsToldAsTooLarge(long first, long second) throws Exception {
        start(RdmaMode.WRITE);
        device.done(device.write(TestContainer.of(1)).setId(), 0, 1, first + second, first, second);
        expectIncomplete(IncompleteCause.DATA_LARGER_THAN_FLOW_SET);
        assertEquals(FLOW0 + FLOW1, count(Counter.BYTES_RECEIVED));
    }

    @Test
    void reportWithAWrongSumIsAContradiction() throws Exception {
        start(RdmaMode.WRITE);
        device.done(device.write(TestContainer.of(1)).setId(), 0, 1, 1, FLOW0, FLOW1);
        expectIncomplete(IncompleteCause.CONTRADICTION);
    }

    @Test
    void reportWithAnotherBlockIdIsAContradiction() throws Exception {
        start(RdmaMode.WRITE);
        device.done(device.write(TestContainer.of(1)).setId(), 0, 2, FLOW0 + FLOW1, FLOW0, FLOW1);
        expectIncomplete(IncompleteCause.CONTRADICTION);
    }

    @Test
    void reportOfAnErrorMakesTheBlockIncomplete() throws Exception {
        start(RdmaMode.WRITE);
        device.done(device.write(TestContainer.of(1)).setId(), 0x8FFF, 1, FLOW0 + FLOW1, FLOW0, FLOW1);
        expectIncomplete(IncompleteCause.DEVICE_ERROR);
    }

    @Test
    void reportOfAnErrorBeforeAnyByteNamesTheBlock() throws Exception {
        start(RdmaMode.WRITE);
        device.done(device.write().setId(), 0x8FFF, 77, 0, 0, 0);
        FlowSet set = next();
        assertEquals(77, set.block().blockId());
        assertEquals(Optional.of(IncompleteCause.DEVICE_ERROR), set.block().incomplete());
        set.release();
    }

    @Test
    void bytesOfAnEarlierBlockAreNotTakenForThisOne() throws Exception {
        start(RdmaMode.WRITE);
        for (int i = 0; i < SETS; i++) {
            device.writeBlock(1 + i, TestContainer.of(1 + i));
            next().release();
        }
        device.awaitAnnounced(SETS);
        device.done(device.write().setId(), 0, 9, 0, 0, 0);
        device.awaitAnnounced(SETS);
        assertEquals(1, count(Counter.FRAMES_DROPPED_UNUSABLE));
    }

    // ---- broken connections

    @Test
    void blockOfWhichAPartArrivedIsIncomplete() throws Exception {
        start(RdmaMode.SEND);
        device.sendMessage(TestContainer.of(5)[0]);
        device.connection().fail("cable");
        FlowSet set = next();
        assertEquals(5, set.block().blockId());
        assertEquals(Optional.of(IncompleteCause.CONNECTION_LOST), set.block().incomplete());
        assertEquals(FLOW0, set.filledBytes(0));
        assertEquals(0, set.filledBytes(1));
        set.release();
    }

    @ParameterizedTest
    @EnumSource(RdmaMode.class)
    void blockThatWasWholeBeforeTheEndIsGood(RdmaMode mode) throws Exception {
        start(mode);
        block(mode, 5);
        device.connection().fail("cable");
        expect(5, next());
    }

    @ParameterizedTest
    @EnumSource(RdmaMode.class)
    void brokenConnectionIsMadeAgain(RdmaMode mode) throws Exception {
        start(mode);
        block(mode, 1);
        expect(1, next());
        device.connection().fail("cable");
        reconnected();
        assertTrue(source.lastLoss().orElseThrow().getMessage().contains("cable"));
        assertEquals(Optional.empty(), channel.failure());
        block(mode, 4);
        expect(4, next());
        assertEquals(2, count(Counter.BLOCK_ID_GAPS));
        assertEquals(List.of("open " + mode), device.log);
    }

    @Test
    void deviceThatDisconnectsIsConnectedAgain() throws Exception {
        start(RdmaMode.SEND);
        device.connection().disconnect();
        reconnected();
        assertEquals(0, count(Counter.COMPLETION_ERRORS));
    }

    @Test
    void busyDeviceIsAskedAgain() throws Exception {
        start(RdmaMode.SEND);
        device.refusals = 2;
        device.connection().fail("cable");
        long deadline = System.nanoTime() + LONG.toNanos();
        while (device.connects < 4) {
            assertTrue(System.nanoTime() - deadline < 0);
            Thread.onSpinWait();
        }
        device.awaitAnnounced(SETS);
        device.send(TestContainer.of(1));
        expect(1, next());
    }

    @Test
    void streamFailsWhenReconnectingIsUsedUp() throws Exception {
        start(RdmaMode.SEND);
        device.refusals = 100;
        device.connection().fail("cable");
        assertEquals(Optional.empty(), channel.poll(LONG));
        String message = channel.failure().orElseThrow().getMessage();
        assertTrue(message.contains("3 attempts") && message.contains("busy"), message);
        assertEquals(4, device.connects);
        assertFalse(channel.running());
        assertTrue(pool.flowSets().stream().allMatch(set -> set.state() == FlowSet.State.FREE));
    }

    @Test
    void deviceThatBreaksEveryConnectionIsGivenUp() throws Exception {
        start(RdmaMode.WRITE);
        for (int i = 1; i <= 4; i++) {
            device.awaitAnnounced(SETS);
            device.sendMessage(new byte[1]);
            long deadline = System.nanoTime() + LONG.toNanos();
            while (i < 4 && device.connects < i + 1) {
                assertTrue(System.nanoTime() - deadline < 0);
                Thread.onSpinWait();
            }
        }
        assertEquals(Optional.empty(), channel.poll(LONG));
        assertTrue(channel.failure().orElseThrow().getMessage().contains("broke the protocol"));
    }

    @Test
    void receiveThatEndsWithAnErrorIsCounted() throws Exception {
        start(RdmaMode.SEND);
        host.connections.get(0).failReceive(Completion.Status.OTHER_ERROR);
        reconnected();
        assertEquals(1, count(Counter.COMPLETION_ERRORS));
    }

    @Test
    void withoutReconnectingTheFirstLossIsTheFailure() throws Exception {
        open(RdmaMode.SEND, SETTINGS.withReconnect(ReconnectPolicy.never()));
        channel.start();
        device.awaitAnnounced(SETS).connection().fail("cable");
        assertEquals(Optional.empty(), channel.poll(LONG));
        assertTrue(channel.failure().orElseThrow().getMessage().contains("cable"));
    }

    // ---- connecting

    @Test
    void wrongNonceIsToldByTheDevice() {
        device.expectedNonce = 1;
        open(RdmaMode.SEND);
        RdmaException refused = assertThrows(RdmaException.class, channel::start);
        assertTrue(refused.getMessage().contains("nonce"), refused.getMessage());
        assertFalse(channel.running());
        assertEquals(List.of("open SEND", "close, never connected"), device.log);
    }

    @Test
    void deviceOfAnotherSizeIsNotStreamedFrom() {
        device.containerBytes = FLOW0 + FLOW1 + 1;
        open(RdmaMode.SEND);
        assertThrows(RdmaException.class, channel::start);
        assertTrue(pool.flowSets().stream().allMatch(set -> set.state() == FlowSet.State.FREE));
    }

    @Test
    void failedStartCanBeTriedAgain() throws Exception {
        device.deaf = true;
        open(RdmaMode.SEND);
        assertThrows(RdmaException.class, channel::start);
        device.deaf = false;
        channel.start();
        device.awaitAnnounced(SETS).send(TestContainer.of(1));
        expect(1, next());
    }

    // ---- end

    @ParameterizedTest
    @EnumSource(RdmaMode.class)
    void stoppedStreamStartsAgain(RdmaMode mode) throws Exception {
        start(mode);
        block(mode, 1);
        expect(1, next());
        channel.stop();
        channel.start();
        device.awaitAnnounced(SETS);
        block(mode, 1);
        expect(1, next());
        channel.stop();
        assertEquals(List.of("open " + mode, "close, DISCONNECTED", "open " + mode, "close, DISCONNECTED"), device.log);
        assertEquals(0, count(Counter.BLOCK_ID_GAPS));
    }

    @Test
    void blockThatIsOpenWhenTheStreamStopsIsIncomplete() throws Exception {
        start(RdmaMode.SEND);
        device.sendMessage(TestContainer.of(1)[0]);
        channel.stop();
        expectIncomplete(IncompleteCause.STREAM_ENDED);
    }

    @Test
    void filledFlowSetsOutliveTheStop() throws Exception {
        start(RdmaMode.SEND);
        device.send(TestContainer.of(1));
        device.send(TestContainer.of(2));
        channel.stop();
        expect(1, next());
        expect(2, next());
    }

    @Test
    void heldFlowSetOutlivesTheChannel() throws Exception {
        start(RdmaMode.WRITE);
        block(RdmaMode.WRITE, 1);
        FlowSet held = next();
        channel.close();
        assertEquals(0, host.openRegions());
        expect(1, held);
        assertEquals(FlowSet.State.FREE, held.state());
    }

    @Test
    void lostDeviceEndsTheStream() throws Exception {
        start(RdmaMode.SEND);
        channel.fail(new RdmaException("heartbeat"));
        assertEquals(Optional.empty(), channel.poll(LONG));
        assertEquals("heartbeat", channel.failure().orElseThrow().getMessage());
    }

    @Test
    void poolThatNeedsTooManyReceivesIsRefused() {
        FlowSetPool many = FlowSetPool.allocate(2, ones(20_000), 1 << 30);
        assertThrows(
                RdmaException.class,
                () -> RdmaSource.open("test", SETTINGS, host, many, RdmaMode.SEND, InterimMapping.at(0xB000), device));
    }

    private static long[] ones(int count) {
        long[] sizes = new long[count];
        Arrays.fill(sizes, 1);
        return sizes;
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void modeIsChosenByWishAndCapability() {
        assertEquals(
                Optional.of(RdmaMode.SEND), RdmaMode.choose(Set.of(RdmaMode.SEND, RdmaMode.WRITE), Optional.empty()));
        assertEquals(Optional.of(RdmaMode.WRITE), RdmaMode.choose(Set.of(RdmaMode.WRITE), Optional.empty()));
        assertEquals(Optional.empty(), RdmaMode.choose(Set.of(RdmaMode.WRITE), Optional.of(RdmaMode.SEND)));
    }
}
