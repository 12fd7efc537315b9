package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class NodeMapTest {

    /** Memory that counts how often it is asked. */
    private static final class CountingPort implements Port {
        private final MemoryPort memory = new MemoryPort(4096);
        private int reads;
        private int writes;

        @Override
        public void read(long address, ByteBuffer destination) {
            reads++;
            memory.read(address, destination);
        }

        @Override
        public void write(long address, ByteBuffer source) {
            writes++;
            memory.write(address, source);
        }

        void put(long address, int... bytes) {
            ByteBuffer buffer = ByteBuffer.allocate(bytes.length);
            for (int value : bytes) {
                buffer.put((byte) value);
            }
            memory.write(address, buffer.flip());
        }

        byte[] get(long address, int length) {
            ByteBuffer buffer = ByteBuffer.allocate(length);
            memory.read(address, buffer);
            return buffer.array();
        }
    }

    private final CountingPort port = new CountingPort();

    private NodeMap load(String nodes) {
        return NodeMap.load(description(nodes), port);
    }

    private static byte[] description(String nodes) {
        return ("<RegisterDescription SchemaMajorVersion=\"1\" SchemaMinorVersion=\"1\" ModelName=\"Test\">" + nodes
                        + "<Port Name=\"Device\"/></RegisterDescription>")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String register(String name, int address, String more) {
        return "<IntReg Name=\"" + name + "\"><Address>" + address + "</Address><Length>4</Length>"
                + "<AccessMode>RW</AccessMode><pPort>Device</pPort>" + more
                + "<Endianess>BigEndian</Endianess></IntReg>";
    }

    @Test
    void bigEndianRegisterIsRead() {
        port.put(8, 0x01, 0x02, 0x03, 0x04);
        assertEquals(0x01020304, load(register("A", 8, "")).integer("A").value());
    }

    @Test
    void registerWithoutSignIsUnsigned() {
        port.put(8, 0xFF, 0xFF, 0xFF, 0xFF);
        assertEquals(0xFFFFFFFFL, load(register("A", 8, "")).integer("A").value());
    }

    @Test
    void signedRegisterIsExtended() {
        port.put(8, 0xFF, 0xFF, 0xFF, 0xFE);
        assertEquals(
                -2, load(register("A", 8, "<Sign>Signed</Sign>")).integer("A").value());
    }

    @Test
    void secondReadComesFromTheCache() {
        NodeMap nodes = load(register("A", 8, ""));
        nodes.integer("A").value();
        nodes.integer("A").value();
        assertEquals(1, port.reads);
    }

    @Test
    void uncachedRegisterAlwaysAsksTheDevice() {
        NodeMap nodes = load(register("A", 8, "<Cachable>NoCache</Cachable>"));
        nodes.integer("A").value();
        nodes.integer("A").value();
        assertEquals(2, port.reads);
    }

    @Test
    void writeThroughFillsTheCache() {
        NodeMap nodes = load(register("A", 8, ""));
        nodes.integer("A").set(5);
        assertEquals(5, nodes.integer("A").value());
        assertEquals(0, port.reads);
    }

    @Test
    void writeAroundDropsTheCache() {
        NodeMap nodes = load(register("A", 8, "<Cachable>WriteAround</Cachable>"));
        nodes.integer("A").set(5);
        nodes.integer("A").value();
        assertEquals(1, port.reads);
    }

    @Test
    void invalidatorDropsTheCacheOfTheNodeThatNamesIt() {
        NodeMap nodes = load(register("A", 8, "<pInvalidator>B</pInvalidator>") + register("B", 16, ""));
        nodes.integer("A").value();
        port.put(8, 0, 0, 0, 9);
        nodes.integer("B").set(1);
        assertEquals(9, nodes.integer("A").value());
    }

    @Test
    void maskedBitsOfABigEndianRegisterCountFromTheMostSignificantOne() {
        port.put(0, 0x80, 0x00, 0x00, 0x00);
        NodeMap nodes =
                load("<MaskedIntReg Name=\"M\"><Address>0</Address><Length>4</Length><AccessMode>RW</AccessMode>"
                        + "<pPort>Device</pPort><Bit>0</Bit><Endianess>BigEndian</Endianess></MaskedIntReg>");
        assertEquals(1, nodes.integer("M").value());
    }

    @Test
    void maskedWriteLeavesTheOtherBitsAlone() {
        port.put(0, 0xFF, 0xFF, 0xFF, 0xFF);
        NodeMap nodes =
                load("<MaskedIntReg Name=\"M\"><Address>0</Address><Length>4</Length><AccessMode>RW</AccessMode>"
                        + "<pPort>Device</pPort><LSB>4</LSB><MSB>7</MSB><Endianess>LittleEndian</Endianess>"
                        + "</MaskedIntReg>");
        nodes.integer("M").set(0);
        assertArrayEquals(new byte[] {0x0F, -1, -1, -1}, port.get(0, 4));
    }

    @Test
    void structEntryInheritsFromItsStruct() {
        port.put(100, 0x00, 0x00, 0x00, 0x30);
        NodeMap nodes = load("<StructReg Comment=\"S\"><Address>100</Address><Length>4</Length>"
                + "<AccessMode>RO</AccessMode><pPort>Device</pPort><Endianess>BigEndian</Endianess>"
                + "<StructEntry Name=\"Field\"><LSB>27</LSB><MSB>26</MSB></StructEntry></StructReg>");
        assertEquals(3, nodes.integer("Field").value());
    }

    @Test
    void addressIsTheSumOfAllItsTerms() {
        port.put(4 + 16 + 2 * 8 + 100, 0, 0, 0, 42);
        NodeMap nodes = load("<Integer Name=\"Index\"><Value>2</Value></Integer>"
                + "<Integer Name=\"Base\"><Value>16</Value></Integer>"
                + "<IntReg Name=\"A\"><Address>4</Address><pAddress>Base</pAddress><pIndex Offset=\"8\">Index</pIndex>"
                + "<IntSwissKnife Name=\"K\"><Formula>50*2</Formula></IntSwissKnife><Length>4</Length>"
                + "<AccessMode>RO</AccessMode><pPort>Device</pPort><Endianess>BigEndian</Endianess></IntReg>");
        assertEquals(42, nodes.integer("A").value());
    }

    @Test
    void valueOutsideTheRangeIsRefused() {
        NodeMap nodes =
                load(register("R", 0, "") + "<Integer Name=\"I\"><pValue>R</pValue><Min>4</Min><Max>8</Max></Integer>");
        assertThrows(GenApiRangeException.class, () -> nodes.integer("I").set(9));
        assertEquals(0, port.writes);
    }

    @Test
    void valueOffTheIncrementIsRefused() {
        NodeMap nodes = load(register("R", 0, "")
                + "<Integer Name=\"I\"><pValue>R</pValue><Min>4</Min><Max>16</Max><Inc>4</Inc></Integer>");
        assertThrows(GenApiRangeException.class, () -> nodes.integer("I").set(6));
    }

    @Test
    void limitOfAnotherNodeHolds() {
        NodeMap nodes = load(register("R", 0, "") + "<Integer Name=\"Limit\"><Value>7</Value></Integer>"
                + "<Integer Name=\"I\"><pValue>R</pValue><pMax>Limit</pMax></Integer>");
        assertEquals(7, nodes.integer("I").max());
    }

    @Test
    void lockedNodeIsReadOnly() {
        NodeMap nodes = load(register("R", 0, "") + "<Integer Name=\"Lock\"><Value>1</Value></Integer>"
                + "<Integer Name=\"I\"><pIsLocked>Lock</pIsLocked><pValue>R</pValue></Integer>");
        assertEquals(AccessMode.RO, nodes.node("I").accessMode());
        nodes.integer("Lock").set(0);
        assertEquals(AccessMode.RW, nodes.node("I").accessMode());
    }

    @Test
    void unavailableNodeCannotBeRead() {
        NodeMap nodes = load("<Integer Name=\"No\"><Value>0</Value></Integer>"
                + "<Integer Name=\"I\"><pIsAvailable>No</pIsAvailable><Value>1</Value></Integer>");
        assertEquals(AccessMode.NA, nodes.node("I").accessMode());
        assertThrows(GenApiAccessException.class, () -> nodes.integer("I").value());
    }

    @Test
    void enumerationIsSetBySymbol() {
        NodeMap nodes = load(register("R", 0, "") + "<Enumeration Name=\"E\">"
                + "<EnumEntry Name=\"Off\"><Value>0</Value></EnumEntry>"
                + "<EnumEntry Name=\"On\"><Value>3</Value></EnumEntry><pValue>R</pValue></Enumeration>");
        nodes.enumeration("E").set("On");
        assertEquals(3, nodes.integer("R").value());
        assertEquals("On", nodes.enumeration("E").value());
    }

    @Test
    void unavailableEntryIsNotListed() {
        NodeMap nodes = load("<Integer Name=\"No\"><Value>0</Value></Integer><Enumeration Name=\"E\">"
                + "<EnumEntry Name=\"A\"><Value>0</Value></EnumEntry>"
                + "<EnumEntry Name=\"B\"><pIsImplemented>No</pIsImplemented><Value>1</Value></EnumEntry>"
                + "<Value>0</Value></Enumeration>");
        assertEquals(List.of("A"), nodes.enumeration("E").symbols());
    }

    @Test
    void converterWorksBothWays() {
        NodeMap nodes = load(register("Period", 0, "") + "<Converter Name=\"Rate\">"
                + "<FormulaTo>1000000/FROM</FormulaTo><FormulaFrom>1000000/TO</FormulaFrom>"
                + "<pValue>Period</pValue><Slope>Decreasing</Slope></Converter>");
        nodes.floating("Rate").set(25.0);
        assertEquals(40_000, nodes.integer("Period").value());
        assertEquals(25.0, nodes.floating("Rate").value());
    }

    @Test
    void knifeFollowsItsVariables() {
        NodeMap nodes = load(register("W", 0, "") + "<IntSwissKnife Name=\"Size\">"
                + "<pVariable Name=\"A\">W</pVariable><Formula>A*3</Formula></IntSwissKnife>");
        nodes.integer("W").set(5);
        assertEquals(15, nodes.integer("Size").value());
    }

    @Test
    void floatRegisterIsWrittenInItsByteOrder() {
        NodeMap nodes = load("<FloatReg Name=\"F\"><Address>0</Address><Length>4</Length><AccessMode>RW</AccessMode>"
                + "<pPort>Device</pPort><Endianess>BigEndian</Endianess></FloatReg>");
        nodes.floating("F").set(1.0);
        assertArrayEquals(new byte[] {0x3F, (byte) 0x80, 0, 0}, port.get(0, 4));
    }

    @Test
    void textEndsAtItsFirstZero() {
        port.put(0, 'a', 'b', 0, 'c');
        NodeMap nodes = load("<StringReg Name=\"S\"><Address>0</Address><Length>4</Length><AccessMode>RW</AccessMode>"
                + "<pPort>Device</pPort></StringReg>");
        assertEquals("ab", nodes.string("S").value());
    }

    @Test
    void tooLongTextIsRefused() {
        NodeMap nodes = load("<StringReg Name=\"S\"><Address>0</Address><Length>4</Length><AccessMode>RW</AccessMode>"
                + "<pPort>Device</pPort></StringReg>");
        assertThrows(GenApiRangeException.class, () -> nodes.string("S").set("12345"));
    }

    @Test
    void commandWritesItsValueAndIsDoneWhenTheDeviceClearsIt() {
        NodeMap nodes = load(register("R", 0, "")
                + "<Command Name=\"C\"><pValue>R</pValue><CommandValue>1</CommandValue></Command>");
        nodes.command("C").execute();
        assertFalse(nodes.command("C").isDone());
        port.put(0, 0, 0, 0, 0);
        assertTrue(nodes.command("C").isDone());
    }

    @Test
    void integerIsSetFromText() {
        NodeMap nodes = load(register("A", 8, ""));
        nodes.node("A").setFromText("0x10");
        assertEquals("16", nodes.node("A").valueAsText());
    }

    @Test
    void addressIsShownAsIpv4() {
        NodeMap nodes = load(register("A", 8, "<Representation>IPV4Address</Representation>"));
        nodes.node("A").setFromText("10.0.0.7");
        assertEquals("10.0.0.7", nodes.node("A").valueAsText());
    }

    @Test
    void unknownElementCostsOnlyItself() {
        NodeMap nodes = load("<Wonder Name=\"W\"/>" + register("A", 8, ""));
        assertEquals(AccessMode.NI, nodes.node("W").accessMode());
        assertEquals(AccessMode.RW, nodes.node("A").accessMode());
        assertFalse(nodes.problems().isEmpty());
    }

    @Test
    void danglingLinkCostsOnlyItsNode() {
        NodeMap nodes = load("<Integer Name=\"I\"><pValue>Nowhere</pValue></Integer>" + register("A", 8, ""));
        assertEquals(AccessMode.NI, nodes.node("I").accessMode());
        assertEquals(1, nodes.problems().size());
    }

    @Test
    void unconnectedPortMakesItsRegistersNotImplemented() {
        Function<String, Port> none = name -> null;
        NodeMap nodes = NodeMap.load(description(register("A", 8, "")), none);
        assertEquals(AccessMode.NI, nodes.node("A").accessMode());
    }

    @Test
    void circularValuesEndInAnError() {
        NodeMap nodes = load("<Integer Name=\"A\"><pValue>B</pValue></Integer>"
                + "<Integer Name=\"B\"><pValue>A</pValue></Integer>");
        assertThrows(GenApiException.class, () -> nodes.integer("A").value());
    }

    @Test
    void documentTypeIsRefused() {
        byte[] xml = "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"b\">]><RegisterDescription/>"
                .getBytes(StandardCharsets.UTF_8);
        assertThrows(GenApiException.class, () -> NodeMap.load(xml, port));
    }

    @Test
    void documentTypeWithForbiddenCharactersIsRefused() {
        byte[] xml = "<!DOCTYPE x [\u0001]><RegisterDescription/>".getBytes(StandardCharsets.UTF_8);
        assertThrows(GenApiException.class, () -> NodeMap.load(xml, port));
    }

    @Test
    void deepNestingIsRefused() {
        byte[] xml = ("<RegisterDescription>" + "<Group>".repeat(1000) + "</Group>".repeat(1000)
                        + "</RegisterDescription>")
                .getBytes(StandardCharsets.UTF_8);
        assertThrows(GenApiException.class, () -> NodeMap.load(xml, port));
    }

    @Test
    void junkAroundTheDocumentIsCutOff() {
        byte[] xml = ("% arv-tool says\n" + new String(description(register("A", 8, "")), StandardCharsets.UTF_8)
                        + "\0\0\0")
                .getBytes(StandardCharsets.UTF_8);
        assertTrue(NodeMap.load(xml, port).find("A").isPresent());
    }

    @Test
    void featuresAreWhatTheCategoriesHold() {
        NodeMap nodes = load("<Category Name=\"Root\"><pFeature>Sub</pFeature></Category>"
                + "<Category Name=\"Sub\"><pFeature>A</pFeature></Category>" + register("A", 8, "")
                + register("B", 12, ""));
        assertEquals(List.of(nodes.node("A")), nodes.features());
    }
}
