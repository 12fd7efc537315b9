package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

class ChunkFuzzTest {
    private static final NodeMap NODES = Description.parse(
                    ("<RegisterDescription><IntReg Name=\"A\"><Address>-4</Address>"
                                    + "<Length>4</Length><pPort>P</pPort></IntReg><StringReg"
                                    + " Name=\"S\"><Address>0</Address><pLength>A</pLength><pPort>P</pPort></StringReg>"
                                    + "<Port Name=\"P\"><ChunkID>1</ChunkID></Port></RegisterDescription>")
                            .getBytes(StandardCharsets.UTF_8))
            .nodeMap(new MemoryPort(16));

    @FuzzTest(maxDuration = "120s")
    void anyBytesAreWalkedToAnEnd(byte[] bytes) {
        ByteBuffer data = ByteBuffer.wrap(bytes);
        if (bytes.length > 0 && (bytes[0] & 1) != 0) {
            data.order(ByteOrder.LITTLE_ENDIAN).position(1);
        }
        ChunkLayout layout = new ChunkLayout();
        NodeMap.ChunkEnding ending = layout.walk(data);
        long covered = 0;
        for (int i = 0; i < layout.count(); i++) {
            assertTrue(layout.offsetBytes(i) >= 0, "a chunk starts inside the data");
            covered += layout.lengthBytes(i) + (long) ChunkLayout.TAG_BYTES;
        }
        assertTrue(covered <= data.remaining(), "chunks lie behind each other");
        assertTrue(
                covered == data.remaining() || ending != NodeMap.ChunkEnding.COMPLETE, "what is left over is reported");
        NODES.attachChunks(data);
        for (Node node : NODES.nodes()) {
            try {
                if (node.readable() && !node.kind().equals("Port")) {
                    node.valueAsText();
                }
            } catch (GenApiException e) {
                assertTrue(e.getMessage().contains("Node") || e.getMessage().contains("chunk"), e.getMessage());
            }
        }
    }
}
