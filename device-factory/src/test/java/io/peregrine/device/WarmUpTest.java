package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.internal.AcquisitionControl;
import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.PayloadType;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.HandOff;
import io.peregrine.stream.engine.StreamEngine;
import io.peregrine.stream.engine.StreamSource;
import io.peregrine.testing.Await;
import io.peregrine.virtualcamera.Scenario;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WarmUpTest {
    private static boolean threadAlive() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("peregrine-warm-up"));
    }

    private final Map<Integer, Integer> made = new ConcurrentHashMap<>();

    /** One for which the acquisition waits all the time. */
    private WarmUp warmUp(int frames) {
        return warmUp(frames, Long.MAX_VALUE / 2);
    }

    private WarmUp warmUp(int frames, long rehearsed) {
        return new WarmUp(
                PayloadType.IMAGE, frames, made, () -> rehearsed, type -> new MadeUpStream(type, HandOff.DEFAULT, 1));
    }

    private int images() {
        return made.getOrDefault(PayloadType.IMAGE, 0);
    }

    private static CompositeStream stream(MadeUpReceiver frames) {
        StreamEngine engine = new StreamEngine(frames.source(2), HandOff.DEFAULT);
        CompositeStream stream =
                CompositeStream.create(CompositeStream.class, engine, new AcquisitionControl.NoDevice() {});
        stream.start();
        return stream;
    }

    @ParameterizedTest
    @ValueSource(ints = {PayloadType.IMAGE, PayloadType.MULTI_PART, PayloadType.GENDC})
    void eachPayloadTypeComesOut(int payloadType) {
        try (MadeUpStream stream = new MadeUpStream(payloadType, HandOff.DEFAULT, 8)) {
            for (int frame = 0; frame < 200; frame++) {
                assertEquals(payloadType, stream.take());
            }
            stream.end();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {PayloadType.IMAGE, PayloadType.MULTI_PART, PayloadType.GENDC})
    void whatIsLostComesWhenItIsAskedForOrIsNotToBeHad(int payloadType) {
        MadeUpReceiver frames = new MadeUpReceiver(MadeUpBlock.of(payloadType), 1);
        try (CompositeStream stream = stream(frames)) {
            for (int frame = 0; frame < 6; frame++) {
                frames.want(1);
                assertEquals(payloadType, MadeUpReceiver.take(stream, Duration.ofSeconds(20), true));
            }
            StreamStatistics counted = stream.statistics();
            assertEquals(4, counted.get(Counter.FRAMES_COMPLETE));
            assertEquals(2, counted.get(IncompleteCause.PACKETS_UNAVAILABLE));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {PayloadType.IMAGE, PayloadType.MULTI_PART})
    void aStreamEndsWithinAFrame(int payloadType) {
        MadeUpReceiver frames = new MadeUpReceiver(MadeUpBlock.of(payloadType));
        try (CompositeStream stream = stream(frames)) {
            frames.wantLast();
            assertEquals(payloadType, MadeUpReceiver.take(stream, Duration.ofSeconds(20)));
            stream.stop();
            assertEquals(payloadType, MadeUpReceiver.take(stream, Duration.ZERO, true));
            assertEquals(1, stream.statistics().get(IncompleteCause.STREAM_ENDED));
        }
    }

    @Test
    void nothingIsLeftOfAMadeUpStream() {
        WarmUp warmUp = warmUp(3);
        warmUp.expect(PayloadType.IMAGE);
        warmUp.end();
        assertFalse(threadAlive());
        assertFalse(Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("peregrine-stream-127.0.0.1-0")));
    }

    @Test
    void theStartOfTheAcquisitionEndsIt() {
        WarmUp warmUp = warmUp(Integer.MAX_VALUE);
        warmUp.expect(PayloadType.IMAGE);
        Await.until("made-up frames", Duration.ofSeconds(20), () -> images() > 10);
        warmUp.end();
        assertFalse(threadAlive());
        int made = images();
        warmUp.expect(PayloadType.IMAGE);
        warmUp.end();
        assertEquals(made, images());
    }

    @Test
    void mostFramesAreMadeUpOnceTheDeviceIsOpen() {
        WarmUp warmUp = warmUp(60);
        warmUp.begin();
        Await.until("the first made-up frames", Duration.ofSeconds(20), () -> !threadAlive());
        assertEquals(20, images());
        warmUp.opened();
        Await.until("all made-up frames", Duration.ofSeconds(20), () -> images() == 60);
        warmUp.end();
    }

    @Test
    void moreFramesAreMadeUpUntilTheAcquisitionStarts() {
        WarmUp warmUp = warmUp(60, 0);
        warmUp.opened();
        Await.until("frames that nothing waits for", Duration.ofSeconds(20), () -> images() == 240 && !threadAlive());
        warmUp.end();
    }

    @Test
    void framesThatStreamsRehearsedAreNotMadeUpAgain() {
        WarmUp warmUp = warmUp(60, 140);
        warmUp.opened();
        Await.until("the frames that are missing", Duration.ofSeconds(20), () -> images() == 100 && !threadAlive());
        warmUp.end();
    }

    /** The others would take five seconds. */
    @Test
    void theAcquisitionDoesNotWaitForThoseFrames() {
        WarmUp warmUp = warmUp(5000, 0);
        warmUp.opened();
        Await.until("the frames it waits for", Duration.ofSeconds(20), () -> images() >= 5000);
        warmUp.finish(TimeUnit.SECONDS.toNanos(20));
        assertTrue(images() < 20_000);
    }

    @Test
    void theAcquisitionStartsWhenAllFramesWereMadeUp() {
        WarmUp warmUp = warmUp(200);
        warmUp.opened();
        warmUp.finish(TimeUnit.SECONDS.toNanos(20));
        assertEquals(200, images());
    }

    @Test
    void theAcquisitionDoesNotWaitLong() {
        WarmUp warmUp = warmUp(Integer.MAX_VALUE);
        warmUp.opened();
        warmUp.finish(1);
        assertFalse(threadAlive());
    }

    @Test
    void oneFrameOfThePayloadTypeThatComesIsMadeEvenLate() {
        WarmUp warmUp = warmUp(1);
        warmUp.expect(PayloadType.GENDC);
        warmUp.end();
        assertEquals(Map.of(PayloadType.GENDC, 1), made);
    }

    @Test
    void theSecondDeviceHasNothingToDo() {
        for (int device = 0; device < 2; device++) {
            WarmUp warmUp = warmUp(2);
            warmUp.expect(PayloadType.IMAGE);
            Await.until("made-up frames", Duration.ofSeconds(20), () -> images() == 2);
            warmUp.end();
        }
        assertEquals(2, images());
    }

    @Test
    void noFramesAreMadeUpWhenNoneAreWanted() {
        WarmUp warmUp = warmUp(0);
        warmUp.expect(PayloadType.IMAGE);
        warmUp.end();
        assertEquals(0, images());
    }

    @ParameterizedTest
    @CsvSource({"Image,1", "GenDC,11"})
    void openingADeviceBeginsWithThePayloadThatIsAskedFor(String payload, int payloadType) {
        int before = WarmUp.made(payloadType);
        try (LosableCamera camera = new LosableCamera(Scenario.builder()
                        .bindAddress("127.61.8.1")
                        .serial("WARM")
                        .size(64, 48));
                Device device = camera.open("Payload", payload, "WarmUpFrames", "" + (before + 2));
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            Await.until("made-up frames", Duration.ofSeconds(20), () -> WarmUp.made(payloadType) >= before + 2);
            stream.start();
            Frames.takeWhole(stream, 2, 64);
        }
        assertFalse(threadAlive());
    }

    @Test
    void aPublishedStreamIsOpenWhenTheMadeUpContainersAreThroughOrTookLong() {
        int before = WarmUp.made(PayloadType.GENDC);
        MadeUpReceiver frames = new MadeUpReceiver(MadeUpBlock.of(PayloadType.GENDC));
        DiscoveryInformation info = PublishedStreams.information(new PublishedLine() {
            @Override
            public StreamSource source(int flowSetCount, long memoryLimitBytes) {
                return frames.source(flowSetCount);
            }
        });
        info.setParameter("WarmUpFrames", "100000");
        try (Device device = DeviceFactory.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            assertFalse(threadAlive());
            assertTrue(WarmUp.made(PayloadType.GENDC) > before);
            stream.start();
            frames.want(1);
            assertEquals(PayloadType.GENDC, MadeUpReceiver.take(stream, Duration.ofSeconds(20)));
        }
    }

    @Test
    void aFailureEndsItForThatPayloadTypeOnly() {
        AtomicInteger attempts = new AtomicInteger();
        for (int device = 0; device < 2; device++) {
            WarmUp warmUp = new WarmUp(PayloadType.IMAGE, 5, made, () -> 0, type -> {
                attempts.incrementAndGet();
                throw new StreamException("no memory");
            });
            warmUp.expect(PayloadType.IMAGE);
            warmUp.end();
        }
        assertEquals(1, attempts.get());
        WarmUp warmUp = warmUp(5);
        warmUp.expect(PayloadType.GENDC);
        Await.until("made-up containers", Duration.ofSeconds(20), () -> made.getOrDefault(PayloadType.GENDC, 0) == 5);
        warmUp.end();
    }
}
