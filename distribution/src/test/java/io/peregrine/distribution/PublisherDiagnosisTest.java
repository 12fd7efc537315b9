package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Await;
import java.util.List;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a publisher says of frames that are large for its term, and of consumers that it waits for. */
class PublisherDiagnosisTest {
    private static final int SESSION = 7;
    private static final String LARGE_FOR_TERM = "distribution.term=16m at the publisher";

    private final PublisherCounters counters = new PublisherCounters();
    private AeronHost host;
    private ConsumerDesk desk;
    private PublisherDiagnosis diagnosis;

    @BeforeEach
    void setUp() {
        DistributionSettings settings = DistributionSettings.load()
                .with(DistributionSettings.TERM, "4m")
                .with(DistributionSettings.GONE_AFTER, "60s");
        host = AeronHost.open(settings);
        desk = new ConsumerDesk(host.aeron(), Route.parse("ipc"), settings, SESSION);
        diagnosis = new PublisherDiagnosis(
                PublisherSettings.of("large", "239.192.7.1:40456").withDistribution(settings), counters, desk);
        counters.noteSize(4_000_000);
    }

    @AfterEach
    void tearDown() {
        desk.close();
        host.close();
    }

    private void consumer(int from, boolean mustHave) {
        UnsafeBuffer message = new UnsafeBuffer(new byte[ConsumerReport.SIZE_BYTES]);
        new ConsumerReport(false, mustHave, false, SESSION, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0).put(message);
        desk.hear(from, message, 0, ConsumerReport.SIZE_BYTES);
    }

    private void leaving(int from) {
        UnsafeBuffer message = new UnsafeBuffer(new byte[ConsumerReport.SIZE_BYTES]);
        new ConsumerReport(true, true, false, SESSION, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0).put(message);
        desk.hear(from, message, 0, ConsumerReport.SIZE_BYTES);
    }

    private void awaitSentence(String text) {
        Await.until(
                "sentence", DistributionRig.PATIENCE, () -> sentences().stream().anyMatch(one -> one.contains(text)));
    }

    private List<String> sentences() {
        return diagnosis.sentences(Optional.empty(), List.of());
    }

    @Test
    void itWarnsOfAConsumerThatMayDropFramesThatAreLargeForTheTerm() {
        consumer(1, false);
        String warning = diagnosis.warning().orElseThrow();
        assertTrue(warning.contains(LARGE_FOR_TERM), warning);
    }

    @Test
    void theWarningStaysInTheDiagnosisAfterTheConsumerHasLeft() {
        consumer(1, false);
        diagnosis.warning();
        desk.close();
        assertTrue(sentences().get(0).contains(LARGE_FOR_TERM), sentences().toString());
    }

    @Test
    void itWarnsOnce() {
        consumer(1, false);
        diagnosis.warning();
        consumer(2, false);
        assertEquals(Optional.empty(), diagnosis.warning());
    }

    @Test
    void consumersThatMustHaveEachFrameNeedNoLongerTerm() {
        consumer(1, true);
        assertEquals(Optional.empty(), diagnosis.warning());
        assertEquals(List.of(), sentences());
    }

    @Test
    void aSilentConsumerThatMustHaveEachFrameIsNamedAndSoIsTheSettingThatEndsTheWait() {
        consumer(1, true);
        awaitSentence("process 1, which must have each frame, has not been heard for");
        assertTrue(
                sentences().get(0).endsWith("wait for it until it has been silent for distribution.goneAfter=60s"),
                sentences().toString());
    }

    @Test
    void itIsNamedAlsoWhenItsConnectionHasEnded() {
        consumer(1, true);
        // No image is there for it.
        desk.turn();
        awaitSentence("has not been heard");
        assertEquals(false, desk.view().get(0).connected());
    }

    @Test
    void oneThatSaidThatItLeavesIsNotWaitedFor() {
        consumer(1, true);
        leaving(1);
        consumer(2, true);
        awaitSentence("has not been heard");
        assertEquals(1, sentences().size(), sentences().toString());
    }

    @Test
    void whereAConsumerMustHaveEachFrameThePublisherSaysHowItCanDropThem() {
        consumer(1, false);
        consumer(2, true);
        counters.droppedBackPressure.increment();
        assertTrue(
                sentences().get(0).endsWith("or let slow consumers drop frames (distribution.whenSlow=drop)"),
                sentences().toString());
    }

    @Test
    void whereAllConsumersMayDropFramesThePublisherSaysAtWhosePaceItGoes() {
        consumer(1, false);
        counters.droppedBackPressure.increment();
        assertTrue(
                sentences().get(0).endsWith("the publisher goes at the pace of the fastest"),
                sentences().toString());
    }
}
