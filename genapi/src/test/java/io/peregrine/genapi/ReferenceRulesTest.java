package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.at;
import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.register;
import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules that the reference implementation of GenApi (3.4) was asked for: what is expected here is what it answered. */
class ReferenceRulesTest {
    private final CountingPort port = new CountingPort(4096);

    private NodeMap load(String nodes) {
        return NodeMap.load(Xml.description(nodes), port);
    }

    private static String floating(String name, String inside) {
        return "<Float Name=\"" + name + "\">" + inside + "</Float>";
    }

    // ---- Commands

    private static final String LOAD_OF_SETTINGS = register("Trigger", 0x100, "")
            + "<Command Name=\"Load\"><pValue>Trigger</pValue><CommandValue>1</CommandValue></Command>"
            + register("Balance", 0x104, "<pInvalidator>Trigger</pInvalidator>");

    /** The shape of UserSetLoad and of white balance in 67 of 162 descriptions. */
    @Test
    void aCommandThatIsDoneMakesWhatItsRegisterInvalidatesForget() {
        NodeMap nodes = load(LOAD_OF_SETTINGS);
        nodes.command("Load").execute();
        assertFalse(nodes.command("Load").isDone());
        port.put(0x104, 0, 0, 0, 5);
        assertEquals(5, nodes.integer("Balance").value());
        port.put(0x104, 0, 0, 0, 9);
        port.put(0x100, 0, 0, 0, 0);
        assertEquals(5, nodes.integer("Balance").value());
        assertTrue(nodes.command("Load").isDone());
        assertEquals(9, nodes.integer("Balance").value());
    }

    @Test
    void aCommandThatIsNotImplementedIsNeitherDoneNorNot() {
        NodeMap nodes = load(register("R", 0, "") + value("No", 0)
                + "<Command Name=\"C\"><pIsImplemented>No</pIsImplemented><pValue>R</pValue>"
                + "<CommandValue>1</CommandValue></Command>");
        assertThrows(GenApiAccessException.class, () -> nodes.command("C").isDone());
    }

    @Test
    void aCommandThatIsNotAvailableIsDone() {
        port.put(0, 0, 0, 0, 1);
        NodeMap nodes = load(register("R", 0, "") + value("No", 0)
                + "<Command Name=\"C\"><pIsAvailable>No</pIsAvailable><pValue>R</pValue>"
                + "<CommandValue>1</CommandValue></Command>");
        assertTrue(nodes.command("C").isDone());
    }

    // ---- Limits

    /** An integer of two bytes below a maximum of its own. */
    private NodeMap ownMaximum() {
        return load("<IntReg Name=\"R\">" + at(0, 2) + "<Endianess>BigEndian</Endianess></IntReg>"
                + integer("I", "<pValue>R</pValue><Min>0</Min><Max>716208267</Max>")
                + floating("F", "<pValue>R</pValue><Min>0.5</Min><Max>1e9</Max>"));
    }

    @Test
    void aMaximumOfItsOwnIsShownThoughTheRegisterTakesLess() {
        assertEquals(716208267, ownMaximum().integer("I").max());
    }

    @Test
    void limitsOfItsOwnAreShownThoughTheIntegerBelowTakesOthers() {
        FloatNode node = ownMaximum().floating("F");
        assertEquals(List.of(0.5, 1e9), List.of(node.min(), node.max()));
    }

    @Test
    void whatTheRegisterDoesNotTakeIsRefused() {
        assertThrows(GenApiRangeException.class, () -> ownMaximum().integer("I").set(65536));
    }

    /** Limits of real cameras while the register that divides is zero. */
    @Test
    void theSmallestIsKnownThoughTheLargestCannotBeCalculated() {
        NodeMap nodes = load(register("R", 0, "")
                + "<IntSwissKnife Name=\"K\"><pVariable Name=\"A\">R</pVariable>"
                + "<Formula>100 / A</Formula></IntSwissKnife>"
                + integer("I", "<Value>4</Value><Min>3</Min><pMax>K</pMax>"));
        assertEquals(3, nodes.integer("I").min());
        assertThrows(GenApiException.class, () -> nodes.integer("I").max());
    }

    // ---- Integers over floats

    /** The reference gives an error here, which makes the integer unusable. */
    @Test
    void anIntegerOverAFloatHasAtMostTheRangeOfAnInteger() {
        NodeMap nodes = load(floating("F", "<Value>3</Value>") + integer("I", "<pValue>F</pValue>"));
        assertEquals(Long.MIN_VALUE, nodes.integer("I").min());
        assertEquals(Long.MAX_VALUE, nodes.integer("I").max());
        nodes.integer("I").set(5);
        assertEquals(5, nodes.floating("F").value());
    }

    @Test
    void anIntegerWhoseFloatIsOutOfItsRangeSaysSo() {
        NodeMap nodes = load(floating("F", "<Value>1e30</Value>") + integer("I", "<pValue>F</pValue>"));
        assertThrows(GenApiRangeException.class, () -> nodes.integer("I").value());
    }

    // ---- Entries of equal value

    private static String entry(String name, String more) {
        return "<EnumEntry Name=\"" + name + "\">" + more + "<Value>1</Value></EnumEntry>";
    }

    private static final String NO = "<pIsImplemented>Zero</pIsImplemented>";
    private static final String AWAY = "<pIsAvailable>Zero</pIsAvailable>";

    /** The reference takes the last of them in any case, also one that cannot be selected. */
    @ParameterizedTest
    @CsvSource({"NO,'',AWAY,B", "NO,AWAY,'',C", "AWAY,NO,'',C", "'',NO,AWAY,A", "NO,AWAY,NO,B", "'','','',A"})
    void ofEntriesWithOneValueTheAvailableOneIsCurrent(String a, String b, String c, String expected) {
        NodeMap nodes = load(value("Zero", 0) + "<Enumeration Name=\"E\">" + entry("A", condition(a))
                + entry("B", condition(b)) + entry("C", condition(c))
                + "<EnumEntry Name=\"Other\"><Value>2</Value></EnumEntry><Value>1</Value></Enumeration>");
        assertEquals(expected, nodes.enumeration("E").value());
        assertEquals(expected, nodes.enumeration("E").currentEntry().symbol());
    }

    private static String condition(String name) {
        return name.equals("NO") ? NO : name.equals("AWAY") ? AWAY : "";
    }

    @Test
    void anEntryOfEqualValueIsSelectedByItsNumberWhereItIsAvailable() {
        NodeMap nodes = load(value("Zero", 0) + "<Enumeration Name=\"E\">" + entry("A", NO) + entry("B", "")
                + "<Value>0</Value></Enumeration>");
        nodes.enumeration("E").setIntValue(1);
        assertEquals("B", nodes.enumeration("E").value());
    }

    @Test
    void entriesOfEqualValueAreWarnedOf() {
        NodeMap nodes = load("<Enumeration Name=\"E\">" + entry("A", "") + entry("B", "")
                + "<EnumEntry Name=\"Other\"><Value>2</Value></EnumEntry><Value>1</Value></Enumeration>");
        List<Problem> warnings = nodes.warnings();
        assertEquals(List.of("E"), warnings.stream().map(Problem::node).toList());
        assertTrue(warnings.get(0).message().contains("A, B have the same value 1"), warnings.toString());
    }

    @Test
    void aCurrentEntryThatCannotBeSelectedDoesNotPassTheCheck() {
        NodeMap nodes = load(value("Zero", 0) + "<Enumeration Name=\"E\">" + entry("A", AWAY)
                + "<EnumEntry Name=\"Other\"><Value>2</Value></EnumEntry><Value>1</Value></Enumeration>");
        assertEquals("A", nodes.enumeration("E").value());
        assertThrows(GenApiRangeException.class, () -> nodes.enumeration("E").verifiedValue());
        nodes.enumeration("E").set("Other");
        assertEquals("Other", nodes.enumeration("E").verifiedValue());
    }

    // ---- Booleans

    @ParameterizedTest
    @CsvSource({"1,7,3,true", "true,7,3,true", "0,7,3,false", "false,7,3,false", "0,0,1,false"})
    void theLiteralOfABooleanIsATruthAndNotOneOfItsNumbers(String literal, int on, int off, boolean expected) {
        NodeMap nodes = load("<Boolean Name=\"B\"><Value>" + literal + "</Value><OnValue>" + on + "</OnValue><OffValue>"
                + off + "</OffValue></Boolean>");
        assertEquals(expected, nodes.bool("B").value());
        nodes.bool("B").set(!expected);
        assertEquals(!expected, nodes.bool("B").value());
    }

    // ---- Lists of values

    @Test
    void theValuesOfAFloatOverAListAreThoseInItsRange() {
        NodeMap nodes = load(integer("I", "<Value>5</Value><ValidValueSet>1;2;3;5;8;13;50</ValidValueSet>")
                + floating("F", "<pValue>I</pValue><Min>2</Min><Max>8</Max>"));
        assertEquals(List.of(2.0, 3.0, 5.0, 8.0), nodes.floating("F").validValues());
    }

    // ---- Access modes

    @ParameterizedTest
    @CsvSource({"pMin,NotThere,NI", "pMax,NotNow,NA", "pInc,NotThere,NI", "pMin,NotNow,NA", "pMax,NotReadable,RW"})
    void whatLimitsANumberMustBeThereForIt(String link, String target, AccessMode expected) {
        String inside = "<Value>3</Value><" + link + ">" + target + "</" + link + ">";
        NodeMap nodes = load(value("Zero", 0)
                + integer("NotThere", NO + "<Value>1</Value>")
                + integer("NotNow", AWAY + "<Value>1</Value>")
                + integer("NotReadable", "<ImposedAccessMode>WO</ImposedAccessMode><Value>9</Value>")
                + integer("I", inside)
                + floating("F", inside));
        assertEquals(expected, nodes.node("I").accessMode());
        assertEquals(expected, nodes.node("F").accessMode());
    }

    @Test
    void anEventPortIsNotImplementedBeforeItsFirstEvent() {
        NodeMap nodes = load("<IntReg Name=\"Line\"><Address>2</Address><Length>2</Length><AccessMode>RO</AccessMode>"
                + "<pPort>P</pPort><Endianess>BigEndian</Endianess></IntReg>"
                + "<Port Name=\"P\"><EventID>9001</EventID></Port>");
        assertEquals(AccessMode.NI, nodes.node("P").accessMode());
        assertEquals(AccessMode.NI, nodes.node("Line").accessMode());
        GenApiAccessException e = assertThrows(
                GenApiAccessException.class, () -> nodes.integer("Line").value());
        assertTrue(e.getMessage().contains("no such event was received"), e.getMessage());
        nodes.deliverEvent(0x9001, ByteBuffer.wrap(new byte[] {0, 0, 1, 2}));
        assertEquals(AccessMode.RO, nodes.node("Line").accessMode());
    }

    /** GVCP packs events as they come: their numbers need not start at multiples of their length. */
    @Test
    void aNumberInAnEventNeedsNoAlignment() {
        NodeMap nodes = load("<IntReg Name=\"Stamp\"><Address>3</Address><Length>8</Length><AccessMode>RO</AccessMode>"
                + "<pPort>P</pPort><Endianess>BigEndian</Endianess></IntReg><FloatReg Name=\"Heat\">"
                + "<Address>1</Address>"
                + "<Length>4</Length><AccessMode>RO</AccessMode><pPort>P</pPort><Endianess>BigEndian</Endianess>"
                + "</FloatReg><Port Name=\"P\"><EventID>9001</EventID></Port>");
        nodes.deliverEvent(
                0x9001,
                ByteBuffer.wrap(new byte[] {9, 0x40, 0x20, 0, 0, 0x11, 0x22, 3, 4, 5, 6})
                        .position(0));
        assertEquals(0x0000_1122_0304_0506L, nodes.integer("Stamp").value());
        assertEquals(2.5, nodes.floating("Heat").value());
    }

    @Test
    void anEventThatLiesAnywhereInItsBufferIsReadFromItsOwnStart() {
        NodeMap nodes = load("<IntReg Name=\"Line\"><Address>1</Address><Length>2</Length><AccessMode>RO</AccessMode>"
                + "<pPort>P</pPort><Endianess>BigEndian</Endianess></IntReg>"
                + "<Port Name=\"P\"><EventID>9001</EventID></Port>");
        ByteBuffer packet =
                ByteBuffer.wrap(new byte[] {7, 7, 7, 0, 1, 2, 7}).position(3).limit(6);
        nodes.deliverEvent(0x9001, packet);
        assertEquals(0x102, nodes.integer("Line").value());
    }

    @Test
    void aTimestampOfAnEventAboveTheLargestSignedNumberKeepsItsBits() {
        NodeMap nodes = load("<IntReg Name=\"Stamp\"><Address>8</Address><Length>8</Length><AccessMode>RO</AccessMode>"
                + "<pPort>P</pPort><Endianess>BigEndian</Endianess></IntReg>"
                + "<Port Name=\"P\"><EventID>9001</EventID></Port>" + integer("Time", "<pValue>Stamp</pValue>")
                + "<IntSwissKnife Name=\"Micros\"><pVariable Name=\"T\">Stamp</pVariable><Formula>T >> 1</Formula>"
                + "</IntSwissKnife>");
        byte[] event = new byte[16];
        event[8] = (byte) 0x80;
        event[15] = 4;
        nodes.deliverEvent(0x9001, ByteBuffer.wrap(event));
        assertEquals(
                "9223372036854775812",
                Long.toUnsignedString(nodes.integer("Time").value()));
        assertEquals(AccessMode.RO, nodes.node("Time").accessMode());
        assertEquals((Long.MIN_VALUE + 4) >> 1, nodes.integer("Micros").value());
    }

    @Test
    void aCategoryWithoutAnythingImplementedBelowIsNotImplemented() {
        NodeMap nodes = load(value("Zero", 0)
                + integer("NotThere", NO + "<Value>1</Value>")
                + integer("NotNow", AWAY + "<Value>1</Value>")
                + "<Category Name=\"Empty\"/><Category Name=\"Dead\"><pFeature>NotThere</pFeature></Category>"
                + "<Category Name=\"Outer\"><pFeature>Dead</pFeature><pFeature>Empty</pFeature></Category>"
                + "<Category Name=\"Alive\"><pFeature>Dead</pFeature><pFeature>NotNow</pFeature></Category>");
        assertEquals(AccessMode.NI, nodes.node("Empty").accessMode());
        assertEquals(AccessMode.NI, nodes.node("Outer").accessMode());
        assertEquals(AccessMode.RO, nodes.node("Alive").accessMode());
    }

    // ---- Steps

    @ParameterizedTest
    @ValueSource(longs = {0, -2})
    void aNumberWhoseStepIsNotPositiveShowsItAndTakesNothing(long step) {
        NodeMap nodes = load(integer("I", "<Value>3</Value><Min>0</Min><Max>10</Max><Inc>" + step + "</Inc>"));
        assertEquals(step, nodes.integer("I").increment());
        GenApiRangeException e = assertThrows(
                GenApiRangeException.class, () -> nodes.integer("I").set(4));
        assertTrue(e.getMessage().contains("step"), e.getMessage());
        assertEquals(3, nodes.integer("I").value());
    }

    // ---- Texts

    @Test
    void textsKeepTheirBlanks() {
        NodeMap nodes = load("<String Name=\"S\"><ToolTip>  a\n b  </ToolTip><Description>\n long \n</Description>"
                + "<DisplayName> d </DisplayName><Value>  two  words  </Value></String>");
        assertEquals("  two  words  ", nodes.string("S").value());
        assertEquals("  a\n b  ", nodes.node("S").toolTip());
        assertEquals("\n long \n", nodes.node("S").description());
        assertEquals(" d ", nodes.node("S").displayName());
    }

    @Test
    void aTextIsWrittenWithItsBlanks() {
        NodeMap nodes = load("<StringReg Name=\"S\">" + at(0, 8) + "</StringReg>");
        nodes.node("S").setFromText(" abc ");
        assertEquals(" abc ", nodes.string("S").value());
    }

    // ---- Selection

    private static final String SELECTED = "<Category Name=\"Root\"><pFeature>Sel</pFeature><pFeature>X</pFeature>"
            + "</Category>" + integer("Sel", "<Value>0</Value><pSelected>T</pSelected>") + value("T", 4)
            + value("Other", 4) + integer("ByMin", "<Value>5</Value><pMin>T</pMin>");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Integer Name='X'><pValue>T</pValue></Integer>",
                "<Integer Name='X'><Value>5</Value><pMin>T</pMin></Integer>",
                "<Float Name='X'><Value>1</Value><pMax>T</pMax></Float>",
                "<Integer Name='X'><Value>4</Value><pInc>T</pInc></Integer>",
                "<Integer Name='X'><pIndex>T</pIndex><ValueDefault>0</ValueDefault></Integer>",
                "<IntReg Name='X'><pAddress>T</pAddress><Length>4</Length><pPort>Device</pPort></IntReg>",
                "<IntReg Name='X'><pIndex Offset='4'>T</pIndex><Length>4</Length><pPort>Device</pPort></IntReg>",
                "<StringReg Name='X'><Address>0</Address><pLength>T</pLength><pPort>Device</pPort></StringReg>",
                "<Integer Name='X'><pIsAvailable>T</pIsAvailable><Value>4</Value></Integer>",
                "<Integer Name='X'><pIsLocked>T</pIsLocked><Value>4</Value></Integer>",
                "<Integer Name='X'><pIsImplemented>T</pIsImplemented><Value>4</Value></Integer>",
                "<Command Name='X'><Value>0</Value><pCommandValue>T</pCommandValue></Command>",
                "<Integer Name='X'><pValueCopy>T</pValueCopy><pValue>Other</pValue></Integer>",
                "<SwissKnife Name='X'><pVariable Name='V'>T</pVariable><Formula>V</Formula></SwissKnife>",
                "<Integer Name='X'><Value>5</Value><pMin>ByMin</pMin></Integer>",
                "<IntReg Name='X'><IntSwissKnife Name='K'><pVariable Name='V'>T</pVariable><Formula>V</Formula>"
                        + "</IntSwissKnife><Length>4</Length><pPort>Device</pPort></IntReg>"
            })
    void whatReadsASelectedNodeIsSelectedToo(String node) {
        NodeMap nodes = load(SELECTED + node);
        assertEquals(List.of(nodes.node("Sel")), nodes.node("X").selecting());
        assertTrue(nodes.node("Sel").selected().contains(nodes.node("X")));
    }

    @Test
    void whatIsOnlyInvalidatedByASelectedNodeIsNotSelected() {
        NodeMap nodes = load(SELECTED + integer("X", "<pInvalidator>T</pInvalidator><Value>4</Value>"));
        assertEquals(List.of(), nodes.node("X").selecting());
        assertFalse(nodes.node("Sel").selected().contains(nodes.node("X")));
    }
}
