package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.at;
import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.register;
import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Descriptions that are written strangely, incompletely, or to do harm. */
@Timeout(600)
class OddDescriptionTest {
    private final CountingPort port = new CountingPort(4096);

    private NodeMap load(String nodes) {
        return NodeMap.load(Xml.description(nodes), port);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    // ---- Ways to write the same

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Value>4<!-- not 5 -->2</Value>",
                "<Value><![CDATA[42]]></Value>",
                "<Value>\n\t 42 \n</Value>",
                "<Value>&#52;&#x32;</Value>",
                "<!-- <Value>1</Value> --><Value>42</Value>",
                "<?tool something?><Value>42</Value>",
                "<Extension><Value>1</Value><A Name=\"I\"/></Extension><Value>42</Value>",
                "<Unheard Of=\"x\"><Value>1</Value></Unheard><Value>42</Value>",
                "<Value Unit=\"none\">42</Value>"
            })
    void theSameValueCanBeWrittenInManyWays(String inside) {
        assertEquals(42, load(integer("I", inside)).integer("I").value());
    }

    @Test
    void entitiesOfXmlStandInFormulas() {
        NodeMap nodes =
                load("<IntSwissKnife Name=\"K\"><Formula>((1 &lt;&lt; 4) &amp; 0xFF) &gt; 3</Formula></IntSwissKnife>");
        assertEquals(1, nodes.integer("K").value());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<g:RegisterDescription xmlns:g=\"http://www.genicam.org/GenApi/Version_1_1\"><g:Integer Name=\"I\">"
                        + "<g:Value>7</g:Value></g:Integer></g:RegisterDescription>",
                "<RegisterDescription xmlns=\"urn:any\" xsi:schemaLocation=\"a b\"><Integer Name=\"I\"><Value>7</Value>"
                        + "</Integer></RegisterDescription>",
                "<x:RegisterDescription><x:Integer Name=\"I\"><Value>7</Value></x:Integer></x:RegisterDescription>",
                "<RegisterDescription SchemaMajorVersion=\"1\" SchemaMinorVersion=\"0\" StandardNameSpace=\"GEV\">"
                        + "<Integer Name=\"I\"><Value>7</Value></Integer></RegisterDescription>",
                "<RegisterDescription SchemaMajorVersion=\"one\"><Integer Name=\"I\"><Value>7</Value></Integer>"
                        + "</RegisterDescription>",
                "<RegisterDescription><Integer Name=\"I\"><ToolTip>a\u0001b\u0000c</ToolTip><Value>7</Value></Integer>"
                        + "</RegisterDescription>"
            })
    void namespacesVersionsAndControlCharactersDoNotMatter(String xml) {
        assertEquals(7, NodeMap.load(bytes(xml), port).integer("I").value());
    }

    @Test
    void nodesCanReferToNodesFurtherOn() {
        NodeMap nodes = load(integer("I", "<pValue>R</pValue><pMax>M</pMax>")
                + "<IntReg Name=\"R\"><pAddress>A</pAddress><Length>4</Length><AccessMode>RW</AccessMode>"
                + "<pPort>Device</pPort></IntReg>" + value("A", 16) + value("M", 9));
        nodes.integer("I").set(9);
        assertEquals(9, port.get(16, 1)[0]);
    }

    // ---- What is missing or double

    @Test
    void aRegisterThatSaysLittleIsUnsignedLittleEndianReadOnlyAndRemembered() {
        port.put(8, 0xFE, 0xFF);
        NodeMap nodes = load("<IntReg Name=\"R\"><Address>8</Address><Length>2</Length><pPort>Device</pPort></IntReg>");
        assertEquals(0xFFFE, nodes.integer("R").value());
        assertEquals(AccessMode.RO, nodes.node("R").accessMode());
        assertEquals(CachingMode.WRITE_THROUGH, nodes.node("R").cachingMode());
        assertEquals("PureNumber", nodes.integer("R").representation());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "<IntReg Name=\"N\"><Address>8</Address><Length>2</Length></IntReg>",
                "<Integer Name=\"N\"/>",
                "<Float Name=\"N\"><Min>1</Min></Float>",
                "<Enumeration Name=\"N\"/>",
                "<Command Name=\"N\"><CommandValue>1</CommandValue></Command>",
                "<Boolean Name=\"N\"/>",
                "<String Name=\"N\"/>",
                "<Converter Name=\"N\"><FormulaTo>FROM</FormulaTo><FormulaFrom>TO</FormulaFrom></Converter>",
                "<MaskedIntReg Name=\"N\"><Address>8</Address><Length>2</Length><pPort>Device</pPort></MaskedIntReg>"
            })
    void whatCannotHaveAValueIsNotImplemented(String node) {
        NodeMap nodes = load(node + value("Other", 1));
        assertEquals(AccessMode.NI, nodes.node("N").accessMode());
        assertEquals(1, nodes.integer("Other").value());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<IntReg Name=\"N\"><Address>8</Address><AccessMode>RW</AccessMode><pPort>Device</pPort></IntReg>",
                "<IntReg Name=\"N\"><Address>8</Address><Length>9</Length><AccessMode>RW</AccessMode>"
                        + "<pPort>Device</pPort></IntReg>",
                "<IntReg Name=\"N\"><Address>8</Address><Length>0</Length><AccessMode>RW</AccessMode>"
                        + "<pPort>Device</pPort></IntReg>",
                "<IntReg Name=\"N\"><Address>8</Address><Length>-4</Length><AccessMode>RW</AccessMode>"
                        + "<pPort>Device</pPort></IntReg>",
                "<FloatReg Name=\"N\"><Address>8</Address><Length>5</Length><AccessMode>RW</AccessMode>"
                        + "<pPort>Device</pPort></FloatReg>",
                "<StringReg Name=\"N\"><Address>8</Address><Length>99999999999</Length><AccessMode>RW</AccessMode>"
                        + "<pPort>Device</pPort></StringReg>",
                "<Register Name=\"N\"><Address>0x7FFFFFFFFFFFFFFF</Address><Length>64</Length>"
                        + "<AccessMode>RW</AccessMode><pPort>Device</pPort></Register>",
                "<MaskedIntReg Name=\"N\"><Address>8</Address><Length>4</Length><AccessMode>RW</AccessMode>"
                        + "<pPort>Device</pPort><LSB>0</LSB><MSB>32</MSB></MaskedIntReg>",
                "<SwissKnife Name=\"N\"/>",
                "<IntReg Name=\"N\"><Address>8</Address><Length>4</Length><AccessMode>RW</AccessMode>"
                        + "<pPort>Other</pPort></IntReg>"
            })
    void whatIsWrongInItselfSaysSoWhenItIsRead(String node) {
        NodeMap nodes = load(node + value("Other", 1));
        GenApiException e =
                assertThrows(GenApiException.class, () -> nodes.node("N").valueAsText());
        assertTrue(e.getMessage().contains("N"), e.getMessage());
        assertEquals(1, nodes.integer("Other").value());
    }

    @Test
    void aFieldOfOneBitCanBeGivenByOneEnd() {
        port.put(0, 0x08);
        NodeMap nodes = load("<MaskedIntReg Name=\"M\">" + at(0, 1) + "<LSB>3</LSB></MaskedIntReg>");
        assertEquals(1, nodes.integer("M").value());
    }

    @Test
    void aStructWithoutNamesIsReportedAndItsOtherEntriesWork() {
        port.put(0, 0x02);
        NodeMap nodes = load("<StructReg Comment=\"S\">" + at(0, 1)
                + "<StructEntry><Bit>0</Bit></StructEntry><StructEntry Name=\"B\"><Bit>1</Bit></StructEntry>"
                + "</StructReg>");
        assertEquals(1, nodes.integer("B").value());
        assertEquals(1, nodes.problems().size());
    }

    @Test
    void theFirstOfTwoEntriesWithOneNameIsUsed() {
        NodeMap nodes = load("<Enumeration Name=\"E\"><EnumEntry Name=\"A\"><Value>1</Value></EnumEntry>"
                + "<EnumEntry Name=\"A\"><Value>2</Value></EnumEntry><Value>2</Value></Enumeration>");
        nodes.enumeration("E").set("A");
        assertEquals(1, nodes.enumeration("E").intValue());
    }

    @Test
    void everyOneOfSeveralInvalidatorsCounts() {
        NodeMap nodes = load(register("R", 0, "<pInvalidator>A</pInvalidator><pInvalidator>B</pInvalidator>")
                + register("A", 8, "")
                + register("B", 12, ""));
        for (String invalidator : List.of("A", "B")) {
            nodes.integer("R").value();
            int before = port.reads;
            nodes.integer(invalidator).set(1);
            nodes.integer("R").value();
            assertEquals(before + 1, port.reads);
        }
    }

    @Test
    void copiesAreWrittenInTheOrderOfTheDescription() {
        StringBuilder order = new StringBuilder();
        NodeMap nodes = load(register("A", 0, "")
                + register("B", 4, "")
                + register("C", 8, "")
                + integer("I", "<pValueCopy>B</pValueCopy><pValue>A</pValue><pValueCopy>C</pValueCopy>"));
        for (String name : List.of("A", "B", "C")) {
            nodes.node(name).onChange(node -> order.append(node.name()));
        }
        nodes.integer("I").set(3);
        assertEquals("BAC", order.toString());
        assertEquals(3, port.get(8, 4)[3]);
    }

    @Test
    void anIndexCanBeAnEnumeration() {
        NodeMap nodes = load("<Enumeration Name=\"E\"><EnumEntry Name=\"A\"><Value>0</Value></EnumEntry>"
                + "<EnumEntry Name=\"B\"><Value>2</Value></EnumEntry><Value>0</Value></Enumeration>"
                + register("R", 0, "<pIndex Offset=\"0x8\">E</pIndex>"));
        port.put(16, 0, 0, 0, 5);
        nodes.enumeration("E").set("B");
        assertEquals(5, nodes.integer("R").value());
    }

    @Test
    void severalKnivesInAnAddressAreAdded() {
        port.put(0x400, 0, 0, 0, 9);
        NodeMap nodes = load(value("V", 0x100) + "<IntReg Name=\"R\"><IntSwissKnife Name=\"K1\">"
                + "<pVariable Name=\"Var\">V</pVariable><Constant Name=\"Const\">0x100</Constant>"
                + "<Expression Name=\"Expr\">Const+Var+0x80</Expression><Formula>Expr</Formula></IntSwissKnife>"
                + "<IntSwissKnife Name=\"K2\"><Formula>0x180</Formula></IntSwissKnife><Length>4</Length>"
                + "<AccessMode>RO</AccessMode><pPort>Device</pPort><Endianess>BigEndian</Endianess></IntReg>");
        assertEquals(9, nodes.integer("R").value());
        nodes.integer("V").set(0x104);
        assertEquals(0, nodes.integer("R").value());
    }

    @Test
    void aFloatIsBoundByIntegers() {
        NodeMap nodes = load(value("Low", 2) + value("High", 8)
                + "<Float Name=\"F\"><Value>5</Value><pMin>Low</pMin><pMax>High</pMax></Float>");
        assertEquals(2.0, nodes.floating("F").min());
        assertThrows(GenApiRangeException.class, () -> nodes.floating("F").set(8.5));
    }

    @Test
    void aTextWithoutAnEndFillsItsRegister() {
        byte[] full = new byte[256];
        Arrays.fill(full, (byte) 'x');
        port.write(0, ByteBuffer.wrap(full));
        NodeMap nodes = load("<StringReg Name=\"S\">" + at(0, 256) + "</StringReg>");
        assertEquals("x".repeat(256), nodes.string("S").value());
    }

    @Test
    void whatLocksWhileFramesAreSentFollowsTheLock() {
        NodeMap nodes = load(value("TLParamsLocked", 0)
                + integer("Width", "<pIsLocked>TLParamsLocked</pIsLocked><Value>640</Value>"));
        nodes.integer("TLParamsLocked").set(1);
        assertEquals(AccessMode.RO, nodes.node("Width").accessMode());
        assertThrows(GenApiAccessException.class, () -> nodes.integer("Width").set(320));
        nodes.integer("TLParamsLocked").set(0);
        nodes.integer("Width").set(320);
        assertEquals(320, nodes.integer("Width").value());
    }

    // ---- Files cut off, and files that do harm

    @Test
    void aFileThatIsCutOffAnywhereIsRefused() {
        byte[] whole =
                bytes("<RegisterDescription>" + register("R", 0, "") + "<Port Name=\"Device\"/></RegisterDescription>");
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThrows(GenApiException.class, () -> NodeMap.load(part, port), "cut off at " + length);
        }
    }

    @Test
    void anArchiveThatUnpacksToMoreThanIsPossibleIsRefused() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.putNextEntry(new ZipEntry("camera.xml"));
            byte[] blanks = new byte[1 << 20];
            Arrays.fill(blanks, (byte) ' ');
            for (int i = 0; i < 70; i++) {
                zip.write(blanks);
            }
        }
        assertThrows(GenApiException.class, () -> NodeMap.load(file.toByteArray(), port));
    }

    @Test
    void moreElementsThanAnyDescriptionHasAreRefused() {
        byte[] xml = bytes("<RegisterDescription>" + "<A/>".repeat(600_000) + "</RegisterDescription>");
        assertThrows(GenApiException.class, () -> NodeMap.load(xml, port));
    }

    @Test
    void entriesThatInheritMoreThanAnyDescriptionHasAreRefused() {
        String struct = "<StructReg>" + at(0, 4) + "<pInvalidator>Other</pInvalidator>".repeat(600)
                + "<StructEntry Name=\"E\"/>".repeat(1_000) + "</StructReg>";
        assertThrows(GenApiException.class, () -> load(struct));
    }

    @Test
    void aFormulaOfMillionsOfCharactersCostsItsNodeAlone() {
        NodeMap nodes = load("<IntSwissKnife Name=\"K\"><Formula>" + "+1".repeat(2_500_000)
                + "</Formula></IntSwissKnife>" + value("Other", 1));
        assertThrows(GenApiException.class, () -> nodes.integer("K").value());
        assertEquals(1, nodes.integer("Other").value());
    }

    @Test
    void longNamesWithoutDotsAreReadInOnePass() {
        NodeMap nodes = load("<IntSwissKnife Name=\"K\"><Formula>" + "A".repeat(99_000) + "</Formula></IntSwissKnife>");
        assertThrows(GenApiException.class, () -> nodes.integer("K").value());
    }

    @Test
    void deepFormulasInsideEachOtherCostNoStack() {
        StringBuilder xml = new StringBuilder(value("K0", 1));
        String deep = "+A".repeat(400);
        for (int i = 1; i < 150; i++) {
            xml.append("<IntSwissKnife Name=\"K" + i + "\"><pVariable Name=\"B\">K" + (i - 1)
                    + "</pVariable><pVariable Name=\"A\">K0</pVariable><Formula>B" + deep
                    + "</Formula></IntSwissKnife>");
        }
        NodeMap nodes = load(xml.toString());
        assertEquals(801, nodes.integer("K2").value());
        assertEquals(1 + 149 * 400, nodes.integer("K149").value());
    }

    @Test
    void selectorsOfEndlessSelectionsAreSavedInBoundedTime() {
        StringBuilder xml = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            xml.append(integer("S" + i, "<Value>0</Value><Min>0</Min><Max>1000000000</Max><pSelected>F</pSelected>"));
        }
        xml.append(integer("F", "<Streamable>Yes</Streamable><Value>1</Value>"));
        NodeMap nodes = load(xml.toString());
        Settings saved = Settings.save(nodes);
        assertTrue(
                saved.failures().toString().contains("more than"),
                saved.failures().toString());
        assertTrue(saved.settings().size() <= 65_536);
    }

    @Test
    void theNodeMapNeverListsMoreProblemsThanItCanHold() {
        NodeMap nodes = load("<Strange/>".repeat(50_000));
        assertEquals(10_000, nodes.problems().size());
    }
}
