package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.composite.Composite;
import io.peregrine.genapi.GenApiAccessException;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.NodeMap.ChunkEnding;
import io.peregrine.genapi.Port;
import io.peregrine.gendc.ComponentType;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.pfnc.PfncCodes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ChunkNodesTest {
    private static final String XML = "<RegisterDescription SchemaMajorVersion=\"1\" SchemaMinorVersion=\"1\">"
            + "<IntReg Name=\"ChunkWidth\"><Address>0</Address><Length>4</Length><AccessMode>RO</AccessMode>"
            + "<pPort>Chunk</pPort><Endianess>LittleEndian</Endianess></IntReg>"
            + "<IntReg Name=\"Width\"><Address>0</Address><Length>4</Length><AccessMode>RW</AccessMode>"
            + "<pPort>Device</pPort><Endianess>LittleEndian</Endianess></IntReg>"
            + "<Port Name=\"Chunk\"><ChunkID>A01</ChunkID></Port><Port Name=\"Device\"/></RegisterDescription>";

    private final Port registers = Port.memory(64);
    private final NodeMap device = NodeMap.load(XML.getBytes(StandardCharsets.UTF_8), registers);
    private final ChunkNodesPool pool = new ChunkNodesPool(device, registers);

    /** A frame whose only chunk is a width: four bytes, id and length of GenDC, little-endian. */
    private static Composite frame(String chunkHex) {
        byte[] chunk = HexFormat.of().parseHex(chunkHex.replace(" ", ""));
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .component(c -> c.typeId(ComponentType.METADATA.id())
                        .format(PfncCodes.DATA8)
                        .partChunk(p -> p.size(chunk.length)))
                .build();
        ByteBuffer container = ByteBuffer.allocate((int) descriptor.containerSizeBytes());
        container.put(descriptor.toBytes());
        container.position((int) descriptor.components().get(0).parts().get(0).dataOffset());
        container.put(chunk);
        return Composite.of(container.clear());
    }

    private ChunkNodes chunks(Composite composite) {
        return pool.attach(composite, composite.chunks().get(0));
    }

    @Test
    void featuresOfAFrameAreReadFromItsMemory() {
        try (Composite frame = frame("80020000 010A0000 04000000");
                ChunkNodes chunks = chunks(frame)) {
            assertEquals(ChunkEnding.COMPLETE, chunks.ending());
            assertEquals(640, chunks.nodes().integer("ChunkWidth").value());
        }
    }

    @Test
    void twoFramesAreReadAtOnce() {
        try (Composite one = frame("01000000 010A0000 04000000");
                Composite two = frame("02000000 010A0000 04000000");
                ChunkNodes first = chunks(one);
                ChunkNodes second = chunks(two)) {
            assertEquals(1, first.nodes().integer("ChunkWidth").value());
            assertEquals(2, second.nodes().integer("ChunkWidth").value());
            assertNotSame(first.nodes(), second.nodes());
        }
    }

    @Test
    void readingAfterTheFrameWasClosedFails() {
        Composite frame = frame("01000000 010A0000 04000000");
        try (ChunkNodes chunks = chunks(frame)) {
            frame.close();
            assertThrows(
                    GenApiAccessException.class,
                    () -> chunks.nodes().integer("ChunkWidth").value());
        }
    }

    @Test
    void aNodeMapThatWasGivenBackServesTheNextFrame() {
        try (Composite frame = frame("01000000 010A0000 04000000")) {
            ChunkNodes first = chunks(frame);
            NodeMap used = first.nodes();
            first.close();
            try (ChunkNodes second = chunks(frame)) {
                assertSame(used, second.nodes());
            }
            assertThrows(IllegalStateException.class, first::nodes);
        }
    }

    @Test
    void featuresThatDoNotComeWithTheFrameFollowTheDevice() {
        try (Composite frame = frame("01000000 010A0000 04000000")) {
            try (ChunkNodes chunks = chunks(frame)) {
                assertEquals(0, chunks.nodes().integer("Width").value());
            }
            device.integer("Width").set(7);
            try (ChunkNodes chunks = chunks(frame)) {
                assertEquals(7, chunks.nodes().integer("Width").value());
            }
        }
    }

    @Test
    void theDeviceIsNotChangedThroughAFrame() {
        try (Composite frame = frame("01000000 010A0000 04000000");
                ChunkNodes chunks = chunks(frame)) {
            assertThrows(
                    GenApiException.class, () -> chunks.nodes().integer("Width").set(1));
        }
    }
}
