package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.virtualcamera.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flight Recorder learns of each frame that a program takes, and of none of those that are made up for the warm-up. */
@Timeout(60)
class RecordedFrameTimesTest {
    private static final String NAME = "io.peregrine.FrameTimes";

    @TempDir
    private Path folder;

    private List<RecordedEvent> events(Recording recording) throws IOException {
        recording.stop();
        Path file = folder.resolve("recording.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(NAME))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "require"})
    void eachFrameThatIsTakenIsReported(String rdma) throws IOException {
        List<Long> taken = new ArrayList<>();
        try (Recording recording = new Recording();
                LosableCamera camera = new LosableCamera(Scenario.builder()
                        .bindAddress("127.61.8.1")
                        .serial("TIMES")
                        .size(64, 48)
                        .rdmaProvider("software"))) {
            recording.enable(NAME);
            recording.start();
            try (Device device =
                            camera.open("UseRdma", rdma, "RdmaProvider", "software", "RdmaInterface", "127.61.8.2");
                    CompositeStream stream = device.stream(CompositeStream.class, 0)) {
                stream.start();
                for (int frame = 0; frame < 3; frame++) {
                    try (Composite composite = Frames.next(stream)) {
                        taken.add(composite.blockId());
                    }
                }
            }
            List<RecordedEvent> events = events(recording);
            assertEquals(
                    taken,
                    events.stream().map(event -> event.getLong("blockId")).toList());
            for (RecordedEvent event : events) {
                assertTrue(event.getString("stream").startsWith("127.61.8.1"), event::toString);
                assertTrue(event.getLong("queue") >= 0 && event.getLong("mapping") >= 0, event::toString);
            }
        }
    }
}
