package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IncompleteFrameEventTest {
    private static final String NAME = "io.peregrine.IncompleteFrame";

    private static void damage() {
        AssemblerRig rig = new AssemblerRig(AssemblerRig.settings().withResendEnabled(false), 2, 600);
        List<ByteBuffer> packets = new ArrayList<>(TestPackets.standard(100).image(7, 20, 23));
        packets.remove(5);
        packets.remove(2);
        packets.remove(1);
        rig.send(packets).pass(200);
    }

    @Test
    void incompleteFrameIsTold(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(NAME);
            recording.start();
            assertTrue(IncompleteFrameEvent.on());
            damage();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(NAME))
                .toList();
        assertEquals(1, events.size());
        RecordedEvent event = events.get(0);
        assertEquals(7, event.getLong("blockId"));
        assertEquals("PACKETS_MISSING", event.getString("cause"));
        assertEquals(7, event.getInt("expectedPackets"));
        assertEquals(3, event.getLong("missingPackets"));
        assertEquals("1-2 5", event.getString("gaps"));
        assertEquals(0, event.getLong("packetsAskedFor"));
    }

    @Test
    void nothingIsToldWithoutARecording() {
        damage();
        assertFalse(IncompleteFrameEvent.on());
    }

    @Test
    void mapOfManyGapsIsCut() {
        PacketLedger packets = new PacketLedger();
        packets.open(0);
        packets.ensureCapacity(100_000);
        for (int id = 0; id < 100_000; id += 2) {
            packets.markReceived(id);
        }
        String gaps = IncompleteFrameEvent.gaps(packets, 100_000);
        assertTrue(gaps.startsWith("1 3 5 7"), gaps);
        assertTrue(gaps.endsWith(" ..."), gaps);
        assertTrue(gaps.length() < 1100, gaps);
    }
}
