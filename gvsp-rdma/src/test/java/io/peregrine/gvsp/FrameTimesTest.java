package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.stream.engine.FrameTimes;
import io.peregrine.testing.ChildProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Flight Recorder learns about the way of a frame. */
@Timeout(60)
class FrameTimesTest {
    private static final String NAME = "io.peregrine.FrameTimes";
    private static final TestPackets PACKETS = TestPackets.standard(100);

    @TempDir
    private Path folder;

    /** What happens while a recording wants the event. */
    private interface Scene {
        void play(TimedStream stream) throws InterruptedException;
    }

    private List<RecordedEvent> told(int port, Scene scene) throws Exception {
        Path file = folder.resolve("recording.jfr");
        TimedStream stream = new TimedStream(settings(), port);
        try (Recording recording = new Recording()) {
            recording.enable(NAME);
            recording.start();
            scene.play(stream);
            recording.stop();
            recording.dump(file);
        } finally {
            stream.end();
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(NAME))
                .toList();
    }

    private static GvspSettings settings() {
        return AssemblerRig.settings().withFrameRetention(Duration.ofSeconds(20));
    }

    private RecordedEvent toldOfOneFrame() throws Exception {
        List<RecordedEvent> events = told(TimedStream.PORT, stream -> {
            stream.send(PACKETS.image(7, 20, 23));
            stream.take();
        });
        assertEquals(1, events.size());
        return events.get(0);
    }

    @Test
    void frameIsNamed() throws Exception {
        RecordedEvent event = toldOfOneFrame();
        assertEquals(7, event.getLong("blockId"));
        assertEquals("127.0.0.1-" + TimedStream.PORT, event.getString("stream"));
        assertTrue(event.getBoolean("complete"));
    }

    @Test
    void noStepEndsBeforeItBegins() throws Exception {
        long before = System.nanoTime();
        RecordedEvent event = toldOfOneFrame();
        for (String step : List.of("arrival", "receiverDelay", "assembly", "queue", "mapping")) {
            assertTrue(event.getLong(step) >= 0, () -> event.toString());
        }
        long firstPacketAt = event.getLong("readyAt") - event.getLong("assembly") - event.getLong("arrival");
        assertTrue(firstPacketAt - before >= 0, event::toString);
        long mappedAt = event.getLong("readyAt") + event.getLong("queue") + event.getLong("mapping");
        assertTrue(mappedAt - System.nanoTime() <= 0, event::toString);
    }

    @Test
    void onlyTheFrameOfThePacketAtHandHasTheTimeOfTheSystem() throws Exception {
        List<ByteBuffer> older = PACKETS.image(1, 20, 23);
        List<RecordedEvent> events = told(TimedStream.PORT, stream -> {
            stream.send(older.subList(0, 3));
            stream.send(older.subList(4, older.size()));
            stream.send(PACKETS.image(2, 20, 23));
            stream.send(List.of(PACKETS.resent(older.get(3))));
            stream.take();
            stream.take();
        });
        assertNotEquals(FrameTimes.UNKNOWN, events.get(0).getLong("receiverDelay"));
        assertEquals(FrameTimes.UNKNOWN, events.get(1).getLong("receiverDelay"));
    }

    @Test
    void framesThatDoNotComeFromANetworkAreNotReported() throws Exception {
        assertEquals(List.of(), told(0, stream -> {
            stream.send(PACKETS.image(7, 20, 23));
            stream.take();
        }));
    }

    @Test
    void nothingOfFlightRecorderIsLoadedBeforeItRuns() {
        String output = ChildProcess.runToEnd(
                Duration.ofSeconds(50),
                ChildProcess.java(List.of("-Xlog:class+load"), Unrecorded.class.getName(), List.of()));
        assertTrue(output.contains("both taken"), output);
        assertTrue(output.contains("jdk.jfr.FlightRecorder "), output);
        assertFalse(output.contains("jdk.jfr.Event "), output);
    }

    /** A program that receives a whole frame and one that is not. */
    static final class Unrecorded {
        private Unrecorded() {}

        public static void main(String[] arguments) throws InterruptedException, IOException {
            TimedStream stream =
                    new TimedStream(settings().withFrameRetention(Duration.ofMillis(10)), TimedStream.PORT);
            stream.send(PACKETS.image(1, 20, 23));
            stream.take();
            stream.send(PACKETS.image(2, 20, 23).subList(0, 3));
            stream.take();
            stream.end();
            System.out.println("both taken");
        }
    }
}
