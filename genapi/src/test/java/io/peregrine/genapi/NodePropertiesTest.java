package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.at;
import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.register;
import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node says of itself beside its value, and what a program can impose on it. */
class NodePropertiesTest {
    private final CountingPort port = new CountingPort(4096);

    private NodeMap load(String nodes) {
        return NodeMap.load(Xml.description(nodes), port);
    }

    // ---- What the description says

    @Test
    void aNodeGivesItsPropertiesAsTheDescriptionHasThem() {
        NodeMap nodes = load("<IntSwissKnife Name=\"K\" NameSpace=\"Standard\"><pVariable Name=\"X\">V</pVariable>"
                + "<pVariable Name=\"Y\">V</pVariable><Formula>X + Y</Formula></IntSwissKnife>" + value("V", 1));
        List<Node.Property> properties = nodes.node("K").properties();
        assertTrue(properties.contains(new Node.Property("NameSpace", "Standard", Map.of())));
        assertEquals(
                List.of(
                        new Node.Property("pVariable", "V", Map.of("Name", "X")),
                        new Node.Property("pVariable", "V", Map.of("Name", "Y")),
                        new Node.Property("Formula", "X + Y", Map.of())),
                properties.subList(properties.size() - 3, properties.size()));
    }

    @Test
    void aPropertyIsFoundByItsName() {
        NodeMap nodes = load(register("R", 256, ""));
        assertEquals(Optional.of("256"), nodes.node("R").property("Address"));
        assertEquals(Optional.of("R"), nodes.node("R").property("Name"));
        assertEquals(Optional.empty(), nodes.node("R").property("pLength"));
    }

    @Test
    void anEntryOfAStructHasThePropertiesOfTheStruct() {
        NodeMap nodes = load("<StructReg Comment=\"S\">" + at(16, 4)
                + "<StructEntry Name=\"E\"><Bit>1</Bit></StructEntry></StructReg>");
        assertEquals(Optional.of("16"), nodes.node("E").property("Address"));
    }

    @Test
    void aNodeSaysThatItShouldNotBeUsedAndWhereItIsExplained() {
        NodeMap nodes = load(
                integer("Old", "<DocuURL>http://vendor/old</DocuURL><IsDeprecated>Yes</IsDeprecated><Value>1</Value>")
                        + value("New", 1));
        assertTrue(nodes.node("Old").deprecated());
        assertEquals(Optional.of("http://vendor/old"), nodes.node("Old").documentationUrl());
        assertFalse(nodes.node("New").deprecated());
        assertEquals(Optional.empty(), nodes.node("New").documentationUrl());
    }

    @Test
    void aNodeGivesItsPollingTimeAndItsIds() {
        NodeMap nodes = load(register("R", 0, "<PollingTime>1500</PollingTime>") + value("V", 1)
                + "<Port Name=\"Event\"><EventID>9001</EventID></Port><Port Name=\"Chunk\"><ChunkID>1F</ChunkID></Port>"
                + "<Port Name=\"Linked\"><pChunkID>V</pChunkID></Port>");
        assertEquals(Optional.of(Duration.ofMillis(1500)), nodes.node("R").pollingTime());
        assertEquals(Optional.empty(), nodes.node("V").pollingTime());
        assertEquals(OptionalLong.of(0x9001), nodes.node("Event").eventId());
        assertEquals(OptionalLong.empty(), nodes.node("V").eventId());
        assertEquals(OptionalLong.of(0x1F), port(nodes, "Chunk").chunkId());
        assertEquals(OptionalLong.of(1), port(nodes, "Linked").chunkId());
        assertEquals(OptionalLong.empty(), port(nodes, "Device").chunkId());
    }

    private static PortNode port(NodeMap nodes, String name) {
        return nodes.find(name, PortNode.class).orElseThrow();
    }

    // ---- The cache

    private static final String CACHES = register("Through", 0, "")
            + register("Around", 4, "<Cachable>WriteAround</Cachable>")
            + register("Never", 8, "<Cachable>NoCache</Cachable>")
            + integer("OverThrough", "<pValue>Through</pValue>")
            + integer("OverNever", "<pValue>Never</pValue>")
            + "<String Name=\"Text\"><pValue>TextReg</pValue></String><StringReg Name=\"TextReg\">" + at(16, 8)
            + "</StringReg><Category Name=\"C\"/>"
            + "<IntSwissKnife Name=\"Knife\"><pVariable Name=\"X\">Through</pVariable><Formula>X</Formula>"
            + "</IntSwissKnife>";

    @ParameterizedTest
    @ValueSource(strings = {"Through", "Around", "OverThrough", "Knife", "Text"})
    void aValueIsCachedOnceItWasRead(String name) {
        NodeMap nodes = load(CACHES);
        assertFalse(nodes.node(name).valueCached());
        nodes.node(name).valueAsText();
        assertTrue(nodes.node(name).valueCached());
        int reads = port.reads;
        nodes.node(name).valueAsText();
        assertEquals(reads, port.reads);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Never", "OverNever", "C"})
    void whatMustNotBeRememberedOrHasNoValueIsNeverCached(String name) {
        NodeMap nodes = load(CACHES);
        nodes.integer("Never").value();
        assertFalse(nodes.node(name).valueCached());
    }

    @Test
    void askingForTheCacheAsksNoDevice() {
        NodeMap nodes = load(CACHES);
        nodes.nodes().forEach(Node::valueCached);
        assertEquals(0, port.reads);
    }

    @Test
    void whatIsWrittenIsCachedByWriteThroughAlone() {
        NodeMap nodes = load(CACHES);
        nodes.integer("Through").set(1);
        nodes.integer("Around").set(1);
        assertTrue(nodes.node("Through").valueCached());
        assertFalse(nodes.node("Around").valueCached());
    }

    @Test
    void aPolledValueIsNoLongerCachedWhenItsTimeIsOver() {
        NodeMap nodes = load(register("R", 0, "<PollingTime>1000</PollingTime>"));
        nodes.integer("R").value();
        nodes.poll(Duration.ofMillis(500));
        assertTrue(nodes.node("R").valueCached());
        nodes.poll(Duration.ofMillis(600));
        assertFalse(nodes.node("R").valueCached());
    }

    // ---- Verified reading

    @ParameterizedTest
    @CsvSource({"7,in steps of 3", "1,it takes 2 to 10", "3,in steps of 3"})
    void anIntegerThatIsReadCanBeChecked(long held, String reason) {
        NodeMap nodes =
                load(register("R", 0, "") + integer("I", "<pValue>R</pValue><Min>2</Min><Max>10</Max><Inc>3</Inc>"));
        nodes.integer("R").set(held);
        assertEquals(held, nodes.integer("I").value());
        GenApiRangeException e = assertThrows(
                GenApiRangeException.class, () -> nodes.integer("I").verifiedValue());
        assertTrue(e.getMessage().contains(reason), e.getMessage());
    }

    @Test
    void aNumberInItsRangePassesTheCheck() {
        NodeMap nodes = load(register("R", 0, "")
                + integer("I", "<pValue>R</pValue><Min>2</Min><Max>10</Max><Inc>3</Inc>")
                + "<Float Name=\"F\"><Value>3</Value><Min>1</Min><Max>10</Max></Float>");
        nodes.integer("R").set(5);
        assertEquals(5, nodes.integer("I").verifiedValue());
        assertEquals(3, nodes.floating("F").verifiedValue());
    }

    @Test
    void aFloatThatIsReadCanBeChecked() {
        NodeMap nodes = load("<FloatReg Name=\"R\">" + at(0, 4)
                + "</FloatReg><Float Name=\"F\"><pValue>R</pValue><Min>1</Min><Max>10</Max></Float>");
        assertEquals(0, nodes.floating("F").value());
        assertThrows(GenApiRangeException.class, () -> nodes.floating("F").verifiedValue());
    }

    // ---- What is imposed

    private static final String RANGES = integer("I", "<Value>4</Value><Min>0</Min><Max>20</Max><Inc>4</Inc>")
            + "<Float Name=\"F\"><Value>4</Value><Min>0</Min><Max>20</Max></Float>";

    @Test
    void imposedLimitsNarrowTheRange() {
        NodeMap nodes = load(RANGES);
        nodes.integer("I").imposeMin(6);
        nodes.integer("I").imposeMax(15);
        nodes.floating("F").imposeMin(6.5);
        nodes.floating("F").imposeMax(15.5);
        assertEquals(6, nodes.integer("I").min());
        assertEquals(15, nodes.integer("I").max());
        assertEquals(6.5, nodes.floating("F").min());
        assertEquals(15.5, nodes.floating("F").max());
    }

    @Test
    void whatIsOutsideImposedLimitsIsRefused() {
        NodeMap nodes = load(RANGES);
        nodes.integer("I").imposeMin(6);
        nodes.floating("F").imposeMax(15.5);
        assertThrows(GenApiRangeException.class, () -> nodes.integer("I").set(4));
        assertThrows(GenApiRangeException.class, () -> nodes.floating("F").set(16));
        nodes.integer("I").set(8);
        assertEquals(8, nodes.integer("I").value());
    }

    @Test
    void imposedLimitsNeverWidenTheRange() {
        NodeMap nodes = load(RANGES);
        nodes.integer("I").imposeMin(-5);
        nodes.integer("I").imposeMax(100);
        nodes.floating("F").imposeMin(-5);
        nodes.floating("F").imposeMax(100);
        assertEquals(0, nodes.integer("I").min());
        assertEquals(20, nodes.integer("I").max());
        assertEquals(0, nodes.floating("F").min());
        assertEquals(20, nodes.floating("F").max());
    }

    @Test
    void imposedVisibilityHidesAndNeverShows() {
        NodeMap nodes = load(value("I", 1)
                + integer("G", "<Visibility>Guru</Visibility><Value>1</Value>")
                + "<Category Name=\"Root\"><pFeature>I</pFeature></Category>");
        nodes.node("I").imposeVisibility(Visibility.GURU);
        nodes.node("G").imposeVisibility(Visibility.EXPERT);
        assertEquals(Visibility.GURU, nodes.node("I").visibility());
        assertEquals(Visibility.GURU, nodes.node("G").visibility());
        assertEquals(List.of(), nodes.features(Visibility.EXPERT));
        nodes.node("I").imposeVisibility(Visibility.BEGINNER);
        assertEquals(Visibility.BEGINNER, nodes.node("I").visibility());
        nodes.node("Root").imposeVisibility(Visibility.INVISIBLE);
        assertEquals(Visibility.INVISIBLE, nodes.node("Root").visibility());
    }

    // ---- Bytes and ports

    private static final String BYTES = register("I", 0x100, "") + "<FloatReg Name=\"F\">" + at(0x140, 4)
            + "</FloatReg><StringReg Name=\"S\">" + at(0x120, 16) + "</StringReg><Register Name=\"R\">" + at(0x150, 8)
            + "</Register><MaskedIntReg Name=\"M\">" + at(0x160, 2)
            + "<LSB>0</LSB><MSB>3</MSB></MaskedIntReg>";

    private static RegisterBacked backed(NodeMap nodes, String name) {
        return nodes.find(name, RegisterBacked.class).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"I,0x100,4", "F,0x140,4", "S,0x120,16", "R,0x150,8", "M,0x160,2"})
    void aRegisterGivesItsPlace(String name, String address, long length) {
        NodeMap nodes = load(BYTES);
        assertEquals(Long.decode(address), backed(nodes, name).address());
        assertEquals(length, backed(nodes, name).lengthBytes());
    }

    @Test
    void bytesOfARegisterAreReadAndWritten() {
        NodeMap nodes = load(BYTES);
        backed(nodes, "I").setBytes(new byte[] {0, 0, 1, 2});
        assertEquals(0x102, nodes.integer("I").value());
        nodes.integer("M").set(5);
        assertArrayEquals(new byte[] {5, 0}, backed(nodes, "M").bytes());
        assertThrows(GenApiRangeException.class, () -> backed(nodes, "I").setBytes(new byte[3]));
    }

    @Test
    void aPortIsReadPastTheCache() {
        NodeMap nodes = load(BYTES);
        nodes.integer("I").value();
        port.put(0x100, 0, 0, 0, 7);
        ByteBuffer bytes = ByteBuffer.allocate(4);
        port(nodes, "Device").read(0x100, bytes);
        assertEquals(7, bytes.getInt(0));
        assertEquals(0, bytes.remaining());
    }

    @Test
    void whatIsWrittenToAPortIsReadByItsRegisters() {
        NodeMap nodes = load(BYTES + integer("OverI", "<pValue>I</pValue>"));
        nodes.integer("OverI").value();
        port(nodes, "Device").write(0x102, ByteBuffer.wrap(new byte[] {3, 4}));
        assertEquals(0x304, nodes.integer("OverI").value());
    }

    @Test
    void aPortThatFailsSaysWhichItWas() {
        NodeMap nodes = load(BYTES);
        port.failing = true;
        GenApiException e =
                assertThrows(GenApiException.class, () -> port(nodes, "Device").read(0, ByteBuffer.allocate(4)));
        assertTrue(e.getMessage().contains("Port Device could not be read"), e.getMessage());
    }

    @Test
    void aPortThatIsNotConnectedCannotBeRead() {
        NodeMap nodes = NodeMap.load(Xml.description(BYTES), name -> null);
        assertThrows(GenApiAccessException.class, () -> port(nodes, "Device").read(0, ByteBuffer.allocate(4)));
    }
}
