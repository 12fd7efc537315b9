package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What 'xml --check --json' tells of a description, property by property. */
@Timeout(60)
class XmlCommandTest {
    private static final String XML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <RegisterDescription xmlns="http://www.genicam.org/GenApi/Version_1_1" ModelName="Small" VendorName="Test"
                ToolTip="none" StandardNameSpace="None" SchemaMajorVersion="1" SchemaMinorVersion="1"
                SchemaSubMinorVersion="0" MajorVersion="1" MinorVersion="0" SubMinorVersion="0"
                ProductGuid="00000000-0000-0000-0000-000000000001" VersionGuid="00000000-0000-0000-0000-000000000002">
              <Category Name="Root"><pFeature>Control</pFeature></Category>
              <Category Name="Control"><pFeature>Width</pFeature><pFeature>Gain</pFeature><pFeature>Mode</pFeature>
                <pFeature>Address</pFeature><pFeature>Broken</pFeature><pFeature>Label</pFeature>
                <pFeature>Selector</pFeature><pFeature>Go</pFeature><pFeature>Bytes</pFeature><pFeature>Gone</pFeature>
              </Category>
              <Integer Name="Width" NameSpace="Standard"><Visibility>Expert</Visibility><Streamable>Yes</Streamable>
                <Value>64</Value><Min>16</Min><Max>128</Max><Inc>8</Inc><Unit>px</Unit></Integer>
              <Float Name="Gain"><Value>1.5</Value><Min>0</Min><Max>24</Max><Unit>dB</Unit></Float>
              <Enumeration Name="Mode">
                <EnumEntry Name="Off"><Value>0</Value></EnumEntry>
                <EnumEntry Name="On"><Value>5</Value></EnumEntry>
                <EnumEntry Name="Never"><pIsAvailable>Zero</pIsAvailable><Value>6</Value></EnumEntry>
                <Value>5</Value></Enumeration>
              <Integer Name="Address"><Value>3232235777</Value><Representation>IPV4Address</Representation></Integer>
              <IntSwissKnife Name="Broken"><Formula>1/0</Formula></IntSwissKnife>
              <String Name="Label"><Value>front</Value></String>
              <Integer Name="Selector"><Value>0</Value><Min>0</Min><Max>1</Max><pSelected>Gain</pSelected></Integer>
              <Command Name="Go"><pValue>Reg</pValue><CommandValue>1</CommandValue></Command>
              <Register Name="Bytes"><Address>0x20</Address><Length>4</Length><AccessMode>RO</AccessMode>
                <pPort>Device</pPort></Register>
              <Integer Name="Gone"><pIsImplemented>Zero</pIsImplemented><Value>1</Value></Integer>
              <Integer Name="Zero"><Value>0</Value></Integer>
              <IntReg Name="Reg"><Address>0x10</Address><Length>4</Length><AccessMode>RW</AccessMode>
                <pPort>Device</pPort><Cachable>NoCache</Cachable><Sign>Unsigned</Sign><Endianess>BigEndian</Endianess>
              </IntReg>
              <Port Name="Device"/>
            </RegisterDescription>
            """;

    @TempDir
    private Path directory;

    private JsonNode check(String... more) throws IOException {
        Path file = Files.writeString(directory.resolve("small.xml"), XML);
        String[] command = new String[4 + more.length];
        System.arraycopy(new String[] {"xml", "--check", "--json", "--file=" + file}, 0, command, 0, 4);
        System.arraycopy(more, 0, command, 4, more.length);
        Cli result = Cli.run(command);
        assertEquals(0, result.exitCode(), result.out() + result.err());
        return result.json().get(0);
    }

    private JsonNode value(String feature) throws IOException {
        return check().get("values").get(feature);
    }

    @Test
    void theDescriptionIsSummedUp() throws IOException {
        JsonNode file = check();
        assertTrue(file.get("loaded").asBoolean());
        assertEquals("Test", file.get("vendor").asText());
        assertEquals("Small", file.get("model").asText());
        assertEquals("1.1.0", file.get("schema").asText());
        assertEquals(10, file.get("features").asInt());
        assertEquals(5, file.get("kinds").get("Integer").asInt());
        assertEquals(3, file.get("kinds").get("EnumEntry").asInt());
        assertEquals(0, file.get("problems").size());
    }

    @Test
    void anIntegerHasValueRangeAndUnit() throws IOException {
        assertEquals(
                "{'kind':'Integer','type':'Integer','category':'Control','visibility':'Expert','standard':true,"
                        + "'streamable':true,'caching':'WriteThrough','access':'RW','value':64,'integer':64,'min':16,"
                        + "'max':128,'increment':8,'representation':'PureNumber','unit':'px'}",
                value("Width").toString().replace('"', '\''));
    }

    @Test
    void aFloatHasValueRangeAndSelectors() throws IOException {
        JsonNode gain = value("Gain");
        assertEquals("1.5", gain.get("value").asText());
        assertEquals(24.0, gain.get("max").asDouble());
        assertEquals("[\"Selector\"]", gain.get("selectors").toString());
        assertEquals("[\"Gain\"]", value("Selector").get("selected").toString());
    }

    @Test
    void anEnumerationHasItsEntriesWithTheirAccess() throws IOException {
        JsonNode mode = value("Mode");
        assertEquals("On", mode.get("value").asText());
        assertEquals(5, mode.get("integer").asInt());
        assertEquals("Never", mode.get("entries").get(2).get("symbol").asText());
        assertEquals("NA", mode.get("entries").get(2).get("access").asText());
        assertFalse(mode.get("entries").get(1).get("access").asText().equals("NA"));
    }

    @Test
    void anAddressIsTextAndNumber() throws IOException {
        assertEquals("192.168.1.1", value("Address").get("value").asText());
        assertEquals(3232235777L, value("Address").get("integer").asLong());
    }

    @Test
    void whatFailsHasItsErrorAndKeepsTheRest() throws IOException {
        JsonNode broken = value("Broken");
        assertEquals("RO", broken.get("access").asText());
        assertFalse(broken.has("value"));
        assertTrue(broken.get("errors").get("value").asText().contains("Broken"));
    }

    @Test
    void aCommandIsNotExecutedAndHasNoValue() throws IOException {
        assertEquals("Command", value("Go").get("type").asText());
        assertFalse(value("Go").has("value"));
    }

    @Test
    void aRegisterHasAddressAndLength() throws IOException {
        assertEquals("0x00000000", value("Bytes").get("value").asText());
        assertEquals(32, value("Bytes").get("address").asInt());
        assertEquals(4, value("Bytes").get("length").asInt());
    }

    @Test
    void whatIsNotImplementedHasAccessAlone() throws IOException {
        assertEquals("NI", value("Gone").get("access").asText());
        assertFalse(value("Gone").has("value"));
        assertFalse(value("Gone").has("min"));
    }

    @Test
    void allNodesAreReadWhenAskedFor() throws IOException {
        JsonNode register = check("--all").get("values").get("Reg");
        assertEquals("NoCache", register.get("caching").asText());
        assertFalse(register.has("category"));
        assertFalse(check("--all").get("values").has("Device"));
    }

    /** The bytes of the random port are told in the documentation: others can have the same. */
    @Test
    void theRandomPortHasTheDocumentedBytes() throws IOException {
        assertEquals(
                "0x%02x%02x%02x%02x".formatted(byteAt(32), byteAt(33), byteAt(34), byteAt(35)),
                check("--port=random:7").get("values").get("Bytes").get("value").asText());
    }

    private static int byteAt(long address) {
        long h = (address + 7) * 0x9E3779B97F4A7C15L;
        h ^= h >>> 30;
        return (int) ((h * 0xBF58476D1CE4E5B9L) >>> 56);
    }

    @Test
    void aFormulaThatOthersUnderstandOtherwiseIsWarnedOf() throws IOException {
        Path file = Files.writeString(
                directory.resolve("warned.xml"),
                XML.replace(
                        "</RegisterDescription>",
                        "<IntSwissKnife Name=\"Order\"><Formula>1 + 2 &lt;&lt; 3</Formula>"
                                + "</IntSwissKnife></RegisterDescription>"));
        Cli text = Cli.run("xml", "--check", "--file=" + file);
        assertEquals(0, text.exitCode(), text.out() + text.err());
        assertTrue(text.out().contains("warning: Order: the formula 1 + 2 << 3"), text.out());
        JsonNode warnings = Cli.run("xml", "--check", "--json", "--file=" + file)
                .json()
                .get(0)
                .get("warnings");
        assertEquals("Order", warnings.get(0).get("node").asText());
    }

    @Test
    void aFileNeedsNoOptionWhereItsNameSaysWhatItIs() throws IOException {
        Path file = Files.writeString(directory.resolve("named.xml"), XML);
        assertEquals(XML, Cli.run("xml", file.toString()).out());
        assertTrue(Cli.run("xml", "--check", file.toString()).out().contains("10 features"));
    }
}
