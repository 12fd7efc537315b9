package io.peregrine.stream.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamDiagnosis.Reception;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StreamDiagnosisTest {
    private static final Reception USUAL = new Reception(64 << 20, 64 << 20, true, 10, 1);

    private final StreamCounters counters = new StreamCounters();

    private List<String> diagnosis(Reception reception) {
        return StreamDiagnosis.of(counters.snapshot(), reception);
    }

    @Test
    void nothingIsSaidWhenNothingIsLost() {
        counters.add(Counter.PACKETS_RECEIVED, 1000);
        counters.add(Counter.FRAMES_COMPLETE, 10);
        assertEquals(List.of(), diagnosis(USUAL));
    }

    @Test
    void overflowOfASmallBufferNamesTheSettingToRaise() {
        counters.set(Counter.KERNEL_DROPS, 312);
        assertEquals(
                List.of("The kernel's receive buffer of 208 KiB overflowed and lost 312 packets: raise"
                        + " net.core.rmem_max to 64 MiB: sysctl -w net.core.rmem_max=67108864"),
                diagnosis(new Reception(212_992, 64 << 20, true, 10, 1)));
    }

    @Test
    void overflowOfALargeBufferIsTheHost() {
        counters.set(Counter.KERNEL_DROPS, 1);
        List<String> found = diagnosis(USUAL);
        assertEquals(1, found.size());
        assertTrue(found.get(0).contains("lost 1 packet: this host does not keep up"), found::toString);
    }

    @Test
    void overflowOfABufferThatWasAskedToBeSmallNamesTheParameter() {
        counters.set(Counter.KERNEL_DROPS, 1);
        String found = diagnosis(new Reception(1 << 20, 1 << 20, true, 10, 1)).get(0);
        assertTrue(found.contains("raise ReceiveBufferBytes"), found);
    }

    @Test
    void dropsInTheKernelAreNotCountedAsLostInTheNetwork() {
        counters.set(Counter.KERNEL_DROPS, 10);
        counters.add(Counter.PACKETS_MISSING, 4);
        counters.add(Counter.PACKETS_RECOVERED, 6);
        assertEquals(0, StreamDiagnosis.lostInNetwork(counters.snapshot()));
        counters.add(Counter.PACKETS_MISSING, 3);
        assertEquals(3, StreamDiagnosis.lostInNetwork(counters.snapshot()));
    }

    @Test
    void packetsOfFramesThatWereShedAreNotBlamedOnThePath() {
        counters.set(Counter.FRAMES_SHED, 7);
        counters.add(Counter.PACKETS_SHED, 7000);
        List<String> found = diagnosis(USUAL);
        assertEquals(1, found.size(), found::toString);
        assertTrue(found.get(0).startsWith("7 frames were dropped entirely"), found::toString);
    }

    @Test
    void packetsOfDroppedRunsAreNotBlamedOnThePath() {
        counters.set(Counter.KERNEL_DROPS, 2);
        counters.add(Counter.PACKETS_MISSING, 80);
        List<String> found = diagnosis(new Reception(64 << 20, 64 << 20, true, 10, 44));
        assertEquals(1, found.size(), found::toString);
        assertTrue(
                found.get(0).contains("lost 2 runs of up to 44 packets: this host does not keep up"), found::toString);
    }

    @Test
    void moreThanDroppedRunsExplainWasLostInTheNetwork() {
        counters.set(Counter.KERNEL_DROPS, 2);
        counters.add(Counter.PACKETS_MISSING, 90);
        List<String> found = diagnosis(new Reception(64 << 20, 64 << 20, true, 10, 44));
        assertTrue(
                found.get(1).startsWith("2 packets were lost between the device and this host's socket"),
                found::toString);
    }

    @Test
    void lossThatWasRepairedIsSaidToBe() {
        counters.add(Counter.PACKETS_RECOVERED, 5);
        counters.add(Counter.RESENDS_REQUESTED, 5);
        counters.add(Counter.RESENDS_RECEIVED, 5);
        String found = diagnosis(USUAL).get(0);
        assertTrue(
                found.startsWith("5 packets were lost between the device and this host's socket, and all arrived when"
                        + " requested again: check for a bad cable"),
                found);
    }

    @Test
    void lossWithoutResendingSaysSo() {
        counters.add(Counter.PACKETS_MISSING, 5);
        String found =
                diagnosis(new Reception(64 << 20, 64 << 20, false, 10, 1)).get(0);
        assertTrue(found.contains("resending is off or the device does not support it"), found);
    }

    @ParameterizedTest
    @CsvSource({
        "FRAMES_DROPPED_NO_FLOW_SET, 3 frames found all 10 flow sets in use",
        "RESENDS_UNAVAILABLE, The device could not send 3 packets again",
        "BLOCK_ID_GAPS, Nothing arrived of 3 blocks",
        "FRAMES_DROPPED_UNUSABLE, 3 frames could not be used",
        "RECONNECTS, The device was lost and found again 3 times",
        "PACKETS_FOREIGN_SOURCE, 3 packets came from another address",
        "PACKETS_FOREIGN_PORT, '3 packets came from the device''s address, but not from the port of its stream'",
        "PACKETS_MALFORMED, 3 packets were malformed",
        "FRAMES_SKIPPED, 3 frames were skipped because a newer one was there"
    })
    void eachCauseHasItsSentence(Counter counter, String beginning) {
        counters.add(counter, 3);
        List<String> found = diagnosis(USUAL);
        assertEquals(1, found.size(), found::toString);
        assertTrue(found.get(0).startsWith(beginning), found::toString);
    }

    private List<String> rdma() {
        return StreamDiagnosis.ofRdma(counters.snapshot(), 2, Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({
        "FRAMES_DROPPED_BY_DEVICE, The device dropped 3 frames because none of the 2 flow sets was free",
        "RECONNECTS, The connection was lost and made again 3 times",
        "COMPLETION_ERRORS, The adapter failed to complete its work 3 times",
        "MESSAGES_MALFORMED, The device broke the protocol 3 times",
        "BLOCK_ID_GAPS, Nothing arrived of 3 blocks",
        "FRAMES_DROPPED_UNUSABLE, 3 frames could not be used",
        "FRAMES_SKIPPED, 3 frames were skipped because a newer one was there"
    })
    void eachCauseOfRdmaHasItsSentence(Counter counter, String beginning) {
        assertEquals(List.of(), rdma());
        counters.add(counter, 3);
        List<String> found = rdma();
        assertEquals(1, found.size(), found::toString);
        assertTrue(found.get(0).startsWith(beginning), found::toString);
    }

    @ParameterizedTest
    @EnumSource(value = IncompleteCause.class, mode = EnumSource.Mode.EXCLUDE, names = "STREAM_ENDED")
    void eachIncompleteFrameHasASentenceByEveryTransport(IncompleteCause cause) {
        counters.incomplete(cause);
        assertEquals(1, diagnosis(USUAL).size(), diagnosis(USUAL)::toString);
        assertEquals(1, rdma().size(), rdma()::toString);
    }

    @Test
    void frameThatTheEndOfTheStreamCutOffIsNoLoss() {
        counters.incomplete(IncompleteCause.STREAM_ENDED);
        assertEquals(List.of(), diagnosis(USUAL));
        assertEquals(List.of(), rdma());
    }

    @Test
    void skippedBlocksThatTheDeviceDroppedAreExplainedOnce() {
        counters.add(Counter.BLOCK_ID_GAPS, 90);
        counters.set(Counter.FRAMES_DROPPED_BY_DEVICE, 96);
        assertEquals(
                List.of("The device dropped 96 frames because none of the 2 flow sets was free: close composites"
                        + " earlier, or raise FlowSetCount"),
                rdma());
    }

    @Test
    void lostConnectionTellsWhyAndWhatItCost() {
        counters.add(Counter.RECONNECTS, 2);
        counters.incomplete(IncompleteCause.CONNECTION_LOST);
        String found = StreamDiagnosis.ofRdma(counters.snapshot(), 2, Optional.of("The device ended it."))
                .get(0);
        assertTrue(
                found.startsWith(
                        "The connection was lost and made again 2 times, within 1 frame, the last time because:"
                                + " The device ended it; "),
                found);
    }

    @Test
    void mostSevereCauseComesFirst() {
        counters.add(Counter.PACKETS_FOREIGN_SOURCE, 3);
        counters.set(Counter.KERNEL_DROPS, 3);
        assertTrue(diagnosis(USUAL).get(0).contains("overflowed"));
    }
}
