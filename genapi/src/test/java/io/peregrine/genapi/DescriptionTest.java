package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.register;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DescriptionTest {
    private static final String XML = "<RegisterDescription ModelName=\"M\" VendorName=\"V\" SchemaMajorVersion=\"1\""
            + " SchemaMinorVersion=\"1\" SchemaSubMinorVersion=\"0\"><Integer Name=\"A\"><Value>1</Value></Integer>"
            + "</RegisterDescription>";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static long value(byte[] xml) {
        return NodeMap.load(xml, new MemoryPort(64)).integer("A").value();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\uFEFF" + XML,
                "% junk\n" + XML,
                "<!-- from a tool -->\n<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + XML,
                XML + "\0\0\0\0",
                XML + "\n",
                XML + "0123456789",
                XML + "junk>junk"
            })
    void whatSurroundsADescriptionIsCutOff(String text) {
        assertEquals(1, value(bytes(text)));
    }

    @Test
    void aZippedDescriptionIsUnpackedWhateverItsName() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.putNextEntry(new ZipEntry("camera.xml"));
            zip.write(bytes(XML));
        }
        assertEquals(1, value(file.toByteArray()));
    }

    @Test
    void aBrokenArchiveIsRefused() {
        assertThrows(GenApiException.class, () -> value(new byte[] {'P', 'K', 3, 4, 0, 0, 1, 2, 3}));
    }

    @Test
    void aDescriptionInUtf16IsRead() {
        assertEquals(1, value(("\uFEFF" + XML).getBytes(StandardCharsets.UTF_16BE)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16BE", "UTF-16LE"})
    void wideEncodingsAreReadWithoutAMarkToo(String charset) {
        assertEquals(
                1, value(("<?xml version=\"1.0\" encoding=\"utf-16\"?>" + XML).getBytes(Charset.forName(charset))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"utf-16", "UTF-8", "utf8", "ANSI", "x-unheard-of", "windows-1252", "ISO-8859-1"})
    void anEncodingThatIsNotTrueDoesNotMatter(String declared) {
        byte[] xml = ("<?xml version=\"1.0\" encoding=\"" + declared + "\"?>"
                        + XML.replace("<Value>", "<Description>20 \u00B0C</Description><Value>"))
                .getBytes(StandardCharsets.ISO_8859_1);
        NodeMap nodes = NodeMap.load(xml, new MemoryPort(64));
        assertEquals("20 \u00B0C", nodes.node("A").description());
        assertEquals(1, nodes.integer("A").value());
    }

    /** Bytes of the text in the encodings: of the Unicode consortium's mapping tables. */
    @ParameterizedTest
    @CsvSource({
        "windows-1252, 80, \u20AC",
        "ISO-8859-1, B5, \u00B5",
        "ISO-8859-15, A4, \u20AC",
        "Shift_JIS, 835C, \u30BD",
        "GBK, 8148, \u4E20",
        "UTF-8, E382BD, \u30BD",
        "UTF-8, C3BCE382BD, \u00FC\u30BD"
    })
    void aTextIsReadInTheEncodingThatIsDeclared(String declared, String text, String expected) throws IOException {
        ByteArrayOutputStream xml = new ByteArrayOutputStream();
        xml.write(bytes("<?xml version=\"1.0\" encoding=\"" + declared + "\"?>"
                + XML.substring(0, XML.indexOf("<Value>")) + "<ToolTip>a &lt; b</ToolTip><Description>"));
        xml.write(HexFormat.of().parseHex(text));
        xml.write(bytes("</Description>" + XML.substring(XML.indexOf("<Value>"))));

        NodeMap nodes = NodeMap.load(xml.toByteArray(), new MemoryPort(64));

        assertEquals(expected, nodes.node("A").description());
        assertEquals("a < b", nodes.node("A").toolTip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"&#0;", "&#x1F;", "&#00011;"})
    void charactersThatXmlForbidsCostTheirTextAlone(String reference) {
        byte[] xml = bytes(XML.replace("<Value>", "<ToolTip>a" + reference + "b&#33;</ToolTip><Value>"));
        NodeMap nodes = NodeMap.load(xml, new MemoryPort(64));
        assertTrue(nodes.node("A").toolTip().endsWith("b!"));
        assertEquals(1, nodes.integer("A").value());
    }

    @Test
    void aTextInTheWrongEncodingCostsNothingElse() {
        byte[] xml = ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
                        + XML.replace("<Value>", "<Description>20 \u00B0C</Description><Value>"))
                .getBytes(StandardCharsets.ISO_8859_1);
        NodeMap nodes = NodeMap.load(xml, new MemoryPort(64));
        assertEquals("20 \u00B0C", nodes.node("A").description());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no XML",
                "<Other/>",
                "<RegisterDescription>",
                "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><RegisterDescription>&x;</RegisterDescription>"
            })
    void whatIsNoDescriptionIsRefused(String text) {
        assertThrows(GenApiException.class, () -> Description.parse(bytes(text)));
    }

    @Test
    void vendorModelAndSchemaAreTold() {
        Description description = Description.parse(bytes(XML));
        assertEquals("V", description.vendorName());
        assertEquals("M", description.modelName());
        assertEquals("1.1.0", description.schemaVersion());
    }

    @Test
    void anExtensionIsSkippedWhole() {
        NodeMap nodes = NodeMap.load(
                Xml.description(
                        Xml.integer("A", "<Extension><Value>9</Value><Node Name=\"X\"/></Extension><Value>1</Value>")),
                new MemoryPort(64));
        assertEquals(1, nodes.integer("A").value());
        assertTrue(nodes.find("X").isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ConfRom", "TextDesc", "IntKey", "AdvFeatureLock", "SmartFeature"})
    void leftoversOfAnotherBusAreThereAndNotImplemented(String kind) {
        NodeMap nodes =
                NodeMap.load(Xml.description("<" + kind + " Name=\"Old\"/>" + Xml.value("A", 1)), new MemoryPort(64));
        assertEquals(AccessMode.NI, nodes.node("Old").accessMode());
        assertEquals("Old", nodes.problems().get(0).node());
    }

    @Test
    void theFirstOfTwoNodesWithOneNameIsUsed() {
        NodeMap nodes = NodeMap.load(Xml.description(Xml.value("A", 1) + Xml.value("A", 2)), new MemoryPort(64));
        assertEquals(1, nodes.integer("A").value());
        assertEquals(1, nodes.problems().size());
    }

    @Test
    void groupsAreTransparent() {
        NodeMap nodes = NodeMap.load(
                Xml.description("<Group Comment=\"G\"><Group>" + Xml.value("A", 1) + "</Group></Group>"),
                new MemoryPort(64));
        assertEquals(1, nodes.integer("A").value());
    }

    @Test
    void registersOfTheOldSchemaAreBigEndian() {
        MemoryPort port = new MemoryPort(64);
        String xml = "<RegisterDescription SchemaMajorVersion=\"1\" SchemaMinorVersion=\"0\" StandardNameSpace=\"GEV\">"
                + register("R", 0, "").replace("BigEndian", "LittleEndian")
                + "<Port Name=\"Device\"/></RegisterDescription>";
        port.write(0, java.nio.ByteBuffer.wrap(new byte[] {0, 0, 0, 5}));
        assertEquals(5, NodeMap.load(bytes(xml), port).integer("R").value());
    }

    @Test
    void visibilityIsThatOfTheDescriptionOrForBeginners() {
        NodeMap nodes = NodeMap.load(
                Xml.description(Xml.value("A", 1)
                        + Xml.integer("B", "<Visibility>Guru</Visibility><Value>1</Value>")
                        + Xml.integer("C", "<Visibility>Invisible</Visibility><Value>1</Value>")
                        + Xml.integer("D", "<Visibility>Expert</Visibility><Value>1</Value>")),
                new MemoryPort(64));
        assertEquals(Visibility.BEGINNER, nodes.node("A").visibility());
        assertEquals(Visibility.GURU, nodes.node("B").visibility());
        assertEquals(Visibility.INVISIBLE, nodes.node("C").visibility());
        assertEquals(Visibility.EXPERT, nodes.node("D").visibility());
    }

    private static final String CATEGORIES = """
            <RegisterDescription>
              <Category Name="Root"><pFeature>A</pFeature><pFeature>B</pFeature></Category>
              <Category Name="A"><pFeature>Easy</pFeature><pFeature>Hard</pFeature></Category>
              <Category Name="B"><pFeature>Deep</pFeature></Category>
              <Integer Name="Easy"><Value>1</Value></Integer>
              <Integer Name="Hard"><Visibility>Expert</Visibility><Value>1</Value></Integer>
              <Integer Name="Deep"><Visibility>Guru</Visibility><Value>1</Value></Integer>
            </RegisterDescription>
            """;

    private static List<String> names(List<Node> nodes) {
        return nodes.stream().map(Node::name).toList();
    }

    @Test
    void featuresAreThoseThatAUserIsMeantToSee() {
        NodeMap nodes = NodeMap.load(CATEGORIES.getBytes(StandardCharsets.UTF_8), new MemoryPort(16));
        assertEquals(List.of("Easy"), names(nodes.features(Visibility.BEGINNER)));
        assertEquals(List.of("Easy", "Hard"), names(nodes.features(Visibility.EXPERT)));
        assertEquals(List.of("Easy", "Hard", "Deep"), names(nodes.features(Visibility.GURU)));
    }

    @Test
    void featuresOfACategoryAreThoseBelowIt() {
        NodeMap nodes = NodeMap.load(CATEGORIES.getBytes(StandardCharsets.UTF_8), new MemoryPort(16));
        assertEquals(List.of("Easy", "Hard"), names(nodes.features("A", Visibility.GURU)));
        assertEquals(List.of(), names(nodes.features("B", Visibility.EXPERT)));
    }

    @Test
    void aNodeIsFoundByNameAndTypeOrNotAtAll() {
        NodeMap nodes = NodeMap.load(CATEGORIES.getBytes(StandardCharsets.UTF_8), new MemoryPort(16));
        assertEquals(1, nodes.find("Easy", IntegerNode.class).orElseThrow().value());
        assertTrue(nodes.find("Easy", FloatNode.class).isEmpty());
        assertTrue(nodes.find("Nothing", IntegerNode.class).isEmpty());
    }
}
