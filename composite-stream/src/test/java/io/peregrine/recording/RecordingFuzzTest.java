package io.peregrine.recording;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.peregrine.composite.Composite;
import io.peregrine.composite.Frames;
import io.peregrine.composite.Frames.Frame;
import io.peregrine.stream.engine.FlowSet;
import io.peregrine.stream.engine.FlowSetPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/** Whatever a recording file holds: frames, or {@link RecordingException}, and never more memory than the file has. */
class RecordingFuzzTest {
    private static final int EDIT_BYTES = 10;
    private static final int FLOW_BYTES = 4096;
    private static final byte[] GOOD = good();

    private final FlowSetPool pool = FlowSetPool.allocate(1, new long[] {FLOW_BYTES}, 1 << 20);

    private static byte[] good() {
        try {
            Path directory = Files.createTempDirectory("peregrine-fuzz");
            Path file = directory.resolve("run.pgr");
            RecorderSettings settings = RecorderSettings.defaults()
                    .withCamera(new Camera(
                            Map.of("DeviceModel", "M"), "Width\t4\n", Optional.empty(), Optional.of(new byte[] {1, 2, 3
                            })))
                    .withCheckpointBytes(600)
                    .withQueueFrames(10);
            try (Recorder recorder = Recorder.start(file, settings)) {
                for (Frame frame : List.of(Frames.oneFlow(1), Frames.multiPart(2), Frames.imageWithChunks(3))) {
                    try (Composite composite = frame.composite()) {
                        recorder.record(composite);
                    }
                }
            }
            byte[] bytes = Files.readAllBytes(file);
            Files.delete(file);
            Files.delete(directory);
            return bytes;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @FuzzTest(maxDuration = "60s")
    void readsAnyFile(byte[] input) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(64 + input.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(GOOD, 0, 64).put(input);
        repair(bytes);
        read(bytes.array());
    }

    /** A good file with changes; checksums are made right again, so that the changes reach what is behind them. */
    @FuzzTest(maxDuration = "60s")
    void readsAnyChangedFile(byte[] edits) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(GOOD.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(0, GOOD);
        ByteBuffer from = ByteBuffer.wrap(edits);
        boolean repair = from.hasRemaining() && from.get() >= 0;
        while (from.remaining() >= EDIT_BYTES) {
            bytes.putLong(Short.toUnsignedInt(from.getShort()) % (GOOD.length - 8), from.getLong());
        }
        if (repair) {
            repair(bytes);
        }
        read(bytes.array());
    }

    private static void repair(ByteBuffer bytes) {
        for (int at = 64; at + 64 <= bytes.limit(); at += 8) {
            if (bytes.getInt(at) != 0x43455250) {
                continue;
            }
            long body = bytes.getLong(at + 16) + bytes.getInt(at + 24);
            if (bytes.getLong(at + 16) >= 0
                    && bytes.getInt(at + 24) >= 0
                    && body >= 0
                    && body <= bytes.limit() - at - 64) {
                bytes.putInt(at + 28, crc(bytes, at + 64, (int) body));
            }
            bytes.putInt(at + 60, crc(bytes, at, 60));
        }
    }

    private static int crc(ByteBuffer bytes, int at, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(at, length));
        return (int) crc.getValue();
    }

    private void read(byte[] bytes) throws IOException {
        try (Recording recording = Recording.read(Path.of("fuzzed"), Input.of(bytes))) {
            for (RecordedFrame frame : recording) {
                readContainer(frame);
                replay(frame);
            }
        } catch (RecordingException e) {
            // What a hostile file may bring about.
            return;
        }
    }

    private static void readContainer(RecordedFrame frame) {
        try (Composite composite = frame.composite()) {
            composite.items();
        } catch (RecordingException e) {
            // The same.
            return;
        }
    }

    private void replay(RecordedFrame frame) {
        FlowSet set = pool.take().orElseThrow();
        set.beginFilling();
        try {
            frame.readInto(set, ByteBuffer::allocate);
        } catch (RecordingException e) {
            // The same.
            return;
        } finally {
            set.abandonFilling();
            pool.reclaim();
        }
    }
}
