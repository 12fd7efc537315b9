package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.genapi.NodeMap.ChunkEnding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkPortTest {
    private static final String XML = "<RegisterDescription SchemaMajorVersion=\"1\" SchemaMinorVersion=\"1\">"
            + register("Width", "WidthPort", 0, 4, "BigEndian")
            + register("Last", "TailPort", -4, 4, "BigEndian")
            + register("Small", "TailPort", 2, 2, "LittleEndian")
            + "<Integer Name=\"ChunkWidth\"><pValue>Width</pValue></Integer>"
            + "<IntSwissKnife Name=\"Double\"><pVariable Name=\"W\">Width</pVariable><Formula>W*2</Formula>"
            + "</IntSwissKnife>"
            + "<FloatReg Name=\"Gain\"><Address>0</Address><Length>4</Length><pPort>GainPort</pPort>"
            + "<Endianess>BigEndian</Endianess></FloatReg>"
            + "<StringReg Name=\"Text\"><Address>0</Address><Length>4</Length><pPort>TextPort</pPort></StringReg>"
            + "<Boolean Name=\"Flag\"><pValue>Width</pValue><OnValue>640</OnValue></Boolean>"
            + "<IntReg Name=\"OnDevice\"><Address>0</Address><Length>4</Length><AccessMode>RW</AccessMode>"
            + "<pPort>Device</pPort></IntReg>"
            + "<Port Name=\"WidthPort\"><ChunkID>a01</ChunkID></Port>"
            + "<Port Name=\"TailPort\"><ChunkID>C0000002</ChunkID></Port>"
            + "<Port Name=\"GainPort\"><ChunkID>0xA03</ChunkID></Port>"
            + "<Port Name=\"TextPort\"><ChunkID>A04</ChunkID></Port>"
            + "<Port Name=\"Device\"/></RegisterDescription>";

    private static String register(String name, String port, int address, int length, String order) {
        return "<IntReg Name=\"" + name + "\"><Address>" + address + "</Address><Length>" + length
                + "</Length><AccessMode>RO</AccessMode><pPort>" + port + "</pPort><Endianess>" + order
                + "</Endianess></IntReg>";
    }

    /** Width 640, a tail of eight bytes, gain 1.5, text "ab". */
    private static final String FRAME = "00000280 00000A01 00000004  1112131415161718 C0000002 00000008"
            + " 3FC00000 00000A03 00000004  61620000 00000A04 00000004";

    private final NodeMap nodes =
            Description.parse(XML.getBytes(StandardCharsets.UTF_8)).nodeMap(new MemoryPort(64));

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    @Test
    void featuresAreNotAvailableWithoutAFrame() {
        assertEquals(AccessMode.NA, nodes.node("ChunkWidth").accessMode());
        assertThrows(
                GenApiAccessException.class, () -> nodes.integer("ChunkWidth").value());
    }

    @Test
    void integersFloatsTextsAndBooleansComeFromTheirChunks() {
        assertEquals(ChunkEnding.COMPLETE, nodes.attachChunks(bytes(FRAME)));
        assertEquals(640, nodes.integer("ChunkWidth").value());
        assertEquals(1280, nodes.integer("Double").value());
        assertEquals(1.5, nodes.floating("Gain").value());
        assertEquals("ab", nodes.string("Text").value());
        assertTrue(nodes.bool("Flag").value());
    }

    @Test
    void aNegativeAddressCountsFromTheEndOfTheChunk() {
        nodes.attachChunks(bytes(FRAME));
        assertEquals(0x15161718, nodes.integer("Last").value());
        assertEquals(0x1413, nodes.integer("Small").value());
    }

    @Test
    void theNextFrameTakesThePlaceOfTheLast() {
        nodes.attachChunks(bytes(FRAME));
        nodes.integer("ChunkWidth").value();
        nodes.attachChunks(bytes("00000281 00000A01 00000004"));
        assertEquals(641, nodes.integer("ChunkWidth").value());
        assertEquals(AccessMode.NA, nodes.node("Gain").accessMode());
    }

    @Test
    void chunkFeaturesAreReadOnly() {
        nodes.attachChunks(bytes(FRAME));
        assertEquals(AccessMode.RO, nodes.node("ChunkWidth").accessMode());
        assertThrows(
                GenApiAccessException.class, () -> nodes.integer("ChunkWidth").set(1));
    }

    @Test
    void tagsOfAGenDcContainerAreLittleEndianWhateverTheRegistersAre() {
        ByteBuffer data = bytes("00000280 010A0000 04000000").order(ByteOrder.LITTLE_ENDIAN);
        nodes.attachChunks(data);
        assertEquals(640, nodes.integer("ChunkWidth").value());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Integer Name=\"Id\"><Value>0xA01</Value></Integer>",
                "<String Name=\"Id\"><Value>a01</Value></String>",
                "<IntSwissKnife Name=\"Id\"><Formula>2561</Formula></IntSwissKnife>"
            })
    void theIdOfAChunkCanBeHeldByAnotherNode(String id) {
        NodeMap linked = Description.parse(XML.replace("<ChunkID>a01</ChunkID>", "<pChunkID>Id</pChunkID>")
                        .replace("<Port Name=\"Device\"/>", id + "<Port Name=\"Device\"/>")
                        .getBytes(StandardCharsets.UTF_8))
                .nodeMap(new MemoryPort(64));
        assertEquals(AccessMode.NA, linked.node("ChunkWidth").accessMode());
        linked.attachChunks(bytes(FRAME));
        assertEquals(640, linked.integer("ChunkWidth").value());
    }

    @Test
    void aRegisterBeyondItsChunkSaysSo() {
        nodes.attachChunks(bytes("0280 00000A01 00000002"));
        GenApiException e = assertThrows(
                GenApiAccessException.class, () -> nodes.integer("ChunkWidth").value());
        assertTrue(e.getMessage().contains("WidthPort"), e.getMessage());
    }

    @Test
    void afterDetachingNothingIsAvailable() {
        nodes.attachChunks(bytes(FRAME));
        nodes.detachChunks();
        assertEquals(AccessMode.NA, nodes.node("ChunkWidth").accessMode());
    }

    @Test
    void aClosedFrameCannotBeRead() {
        AtomicBoolean open = new AtomicBoolean(true);
        nodes.attachChunks(bytes(FRAME), open::get);
        nodes.integer("ChunkWidth").value();
        open.set(false);
        assertThrows(
                GenApiAccessException.class, () -> nodes.integer("ChunkWidth").value());
    }

    @Test
    void otherPortsStayConnectedToTheDevice() {
        nodes.attachChunks(bytes(FRAME));
        assertEquals(AccessMode.RW, nodes.node("OnDevice").accessMode());
    }

    @Test
    void nodeMapsOfOneDescriptionHoldDifferentFrames() {
        NodeMap other = nodes.description().nodeMap(new MemoryPort(64));
        nodes.attachChunks(bytes(FRAME));
        other.attachChunks(bytes("00000001 00000A01 00000004"));
        assertEquals(640, nodes.integer("ChunkWidth").value());
        assertEquals(1, other.integer("ChunkWidth").value());
    }
}
