package io.peregrine.composite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.pfnc.PfncCodes;
import io.peregrine.stream.ByteRange;
import io.peregrine.stream.FlowMemory;
import io.peregrine.stream.MemoryFile;
import io.peregrine.stream.PayloadType;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.engine.ExternalMemory;
import io.peregrine.stream.engine.FlowSetPool;
import io.peregrine.testing.Needs;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Frames in flows of more than 2 GiB, of which only what is written takes space. */
class LargeItemTest {
    private static final int WIDTH = 65536;
    private static final int HEIGHT = 49152;
    private static final long BYTES = (long) WIDTH * HEIGHT;
    private static final byte[] ENDS = {1, 2, 3, 4, 5};

    private MemoryFile file;
    private ExternalMemory memory;
    private FlowSetPool pool;

    @BeforeEach
    void map(@TempDir Path folder) {
        Needs.that(System.getProperty("os.name").equals("Linux"), "Linux, for memory files");
        file = MemoryFile.createSparse(folder.resolve("flows"), 2 * BYTES);
        List<List<FlowMemory>> sets = List.of(List.of(file.flow(0, BYTES)), List.of(file.flow(BYTES, BYTES)));
        memory = new ExternalMemory(sets, () -> {});
        pool = memory.pool(new long[] {BYTES});
    }

    @AfterEach
    void unmap() {
        memory.release();
        file.close();
    }

    private Composite image() {
        return Blocks.map(pool, Blocks.image(12, PfncCodes.MONO8, WIDTH, HEIGHT, 0, BYTES), set -> {
            set.segment(0).put(0, ByteBuffer.wrap(ENDS), 0, ENDS.length);
            set.segment(0).put(BYTES - ENDS.length, ByteBuffer.wrap(ENDS), 0, ENDS.length);
            set.markReceived(0, 0, BYTES);
        });
    }

    @Test
    void imageIsReadInPieces() {
        try (Composite composite = image()) {
            Item item = composite.image().orElseThrow();

            assertTrue(composite.complete(), composite::toString);
            assertEquals(BYTES, item.sizeBytes());
            assertEquals(HEIGHT, item.height());
            assertEquals(List.of(new ByteRange(0, BYTES)), item.arrivedRanges());
            assertEquals(ByteBuffer.wrap(ENDS), item.data(0, ENDS.length));
            assertEquals(ByteBuffer.wrap(ENDS), item.data(BYTES - ENDS.length, ENDS.length));
            assertEquals(OptionalLong.of(file.address()), item.address());
            assertThrows(IndexOutOfBoundsException.class, () -> item.data(BYTES - ENDS.length, ENDS.length + 1));
        }
    }

    @Test
    void imageIsNotOneBufferAndSaysWhatToDo() {
        try (Composite composite = image()) {
            Item item = composite.image().orElseThrow();

            String text = assertThrows(CompositeException.class, item::data).getMessage();
            assertTrue(text.contains("use data(offset, length)"), text);
        }
    }

    @Test
    void imageIsNotCopied() {
        try (Composite composite = image()) {
            String text =
                    assertThrows(CompositeException.class, composite::copy).getMessage();
            assertTrue(text.contains("has " + BYTES + " bytes"), text);
        }
    }

    @Test
    void otherBytesHaveTheirWholeSizeToo() {
        var block = Blocks.of(PayloadType.RAW, BYTES, Optional.empty(), List.of(), Optional.empty(), Optional.empty());
        try (Composite composite = Blocks.map(pool, block, set -> set.markReceived(0, 0, BYTES))) {
            assertTrue(composite.complete(), composite::toString);
            assertEquals(BYTES, composite.items().get(0).sizeBytes());
        }
    }

    @Test
    void dataInMemoryOfADeviceHasAnAddressAndCannotBeRead() {
        long address = 1L << 40;
        ExternalMemory ofDevice = new ExternalMemory(
                List.of(
                        List.of(file.flow(0, 4096), FlowMemory.peerDirect(address, 4096, this)),
                        List.of(file.flow(4096, 4096), FlowMemory.dmaBuf(7, 0, 4096, this))),
                () -> {});
        FlowSetPool gpu = ofDevice.pool(new long[] {4096, 4096});
        byte[] flow0 = io.peregrine.testing.TwoFlows.flow0();
        try (Composite composite = Blocks.map(gpu, Blocks.genDc(12), set -> {
            set.segment(0).put(0, ByteBuffer.wrap(flow0), 0, flow0.length);
            set.markReceived(0, 0, flow0.length);
            set.markReceived(1, 0, 128);
        })) {
            Item there = composite.items().stream()
                    .filter(item -> item.flowId() == 1)
                    .findFirst()
                    .orElseThrow();
            assertEquals(OptionalLong.of(address + there.flowOffset()), there.address());
            assertTrue(assertThrows(StreamException.class, there::data)
                    .getMessage()
                    .contains("processor cannot read"));
        }
        ofDevice.release();
    }
}
