package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.genapi.NodeMap.ChunkEnding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ChunkLayoutTest {
    private final ChunkLayout layout = new ChunkLayout(4);

    private ChunkEnding walk(String hex) {
        return layout.walk(ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", ""))));
    }

    @Test
    void chunksAreFoundFromTheEnd() {
        assertEquals(ChunkEnding.COMPLETE, walk("01020304 00000A01 00000004  0506070809101112 C0000002 00000008"));
        assertEquals(2, layout.count());
        assertEquals(0xC0000002L, layout.id(0));
        assertEquals(12, layout.offsetBytes(0));
        assertEquals(8, layout.lengthBytes(0));
        assertEquals(1, layout.find(0xA01));
        assertEquals(0, layout.offsetBytes(1));
        assertEquals(4, layout.lengthBytes(1));
    }

    @Test
    void littleEndianTagsAreReadInTheOrderOfTheBuffer() {
        ByteBuffer data = ByteBuffer.wrap(HexFormat.of().parseHex("01020304010a000004000000"))
                .order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(ChunkEnding.COMPLETE, layout.walk(data));
        assertEquals(0xA01, layout.id(0));
    }

    @Test
    void offsetsCountFromThePositionOfTheBuffer() {
        ByteBuffer data = ByteBuffer.wrap(HexFormat.of().parseHex("EEEE0102030400000A0100000004EE"));
        data.position(2).limit(14);
        assertEquals(ChunkEnding.COMPLETE, layout.walk(data));
        assertEquals(0, layout.offsetBytes(0));
        assertEquals(2, data.position());
    }

    @Test
    void aChunkWithoutBytesIsAChunk() {
        assertEquals(ChunkEnding.COMPLETE, walk("00000A01 00000000"));
        assertEquals(0, layout.lengthBytes(0));
    }

    @Test
    void nothingIsEmpty() {
        assertEquals(ChunkEnding.EMPTY, walk(""));
    }

    @Test
    void aLengthBeyondTheStartEndsTheWalkAndKeepsWhatWasFound() {
        assertEquals(ChunkEnding.LENGTH_OUTSIDE, walk("00000A01 00000005  01020304 00000A02 00000004"));
        assertEquals(1, layout.count());
        assertEquals(0xA02, layout.id(0));
    }

    @Test
    void aLengthOfFourGigabytesEndsTheWalk() {
        assertEquals(ChunkEnding.LENGTH_OUTSIDE, walk("01020304 00000A01 FFFFFFFF"));
        assertEquals(0, layout.count());
    }

    @Test
    void bytesThatAreNoTagAreReported() {
        assertEquals(ChunkEnding.BYTES_LEFT, walk("EEEEEE 00000A01 00000000"));
        assertEquals(1, layout.count());
    }

    @Test
    void memoryThatWasNeverWrittenHoldsNoChunks() {
        assertEquals(ChunkEnding.ZERO_TAG, walk("00".repeat(800)));
        assertEquals(0, layout.count());
    }

    @Test
    void moreChunksThanTheLayoutHoldsEndTheWalk() {
        assertEquals(ChunkEnding.TOO_MANY, walk("00000A0100000000".repeat(5)));
        assertEquals(4, layout.count());
    }

    @Test
    void ofTwoChunksWithOneIdTheLastIsFound() {
        walk("01 00000A01 00000001 02 00000A01 00000001");
        assertEquals(9, layout.offsetBytes(layout.find(0xA01)));
    }

    @Test
    void aNewWalkForgetsTheOldOne() {
        walk("00000A01 00000000");
        walk("");
        assertEquals(-1, layout.find(0xA01));
        assertThrows(IndexOutOfBoundsException.class, () -> layout.id(0));
    }

    @Test
    void anIdOfMoreThanFourBytesIsNeverFound() {
        walk("00000A01 00000000");
        assertEquals(-1, layout.find(0x1_0000_0A01L));
    }
}
