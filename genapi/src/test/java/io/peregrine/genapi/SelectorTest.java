package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.register;
import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SelectorTest {
    private final CountingPort port = new CountingPort(4096);

    private NodeMap load(String nodes) {
        return NodeMap.load(Xml.description(nodes), port);
    }

    private static final String SELECTED = "<Category Name=\"Root\"><pFeature>Sel</pFeature><pFeature>Gain</pFeature>"
            + "<pFeature>Width</pFeature></Category>"
            + "<Enumeration Name=\"Sel\"><Streamable>Yes</Streamable>"
            + "<EnumEntry Name=\"Red\"><Value>0</Value></EnumEntry><EnumEntry Name=\"Blue\"><Value>1</Value>"
            + "</EnumEntry><Value>1</Value><pSelected>GainInt</pSelected></Enumeration>"
            + integer("Gain", "<Streamable>Yes</Streamable><pValue>GainInt</pValue>")
            + integer("GainInt", "<pValue>GainReg</pValue>")
            + register("GainReg", 0, "<pIndex Offset=\"4\">Sel</pIndex>")
            + integer("Width", "<Streamable>Yes</Streamable><pValue>WidthReg</pValue>")
            + register("WidthReg", 32, "");

    @Test
    void whatStandsOnASelectedNodeIsSelectedToo() {
        NodeMap nodes = load(SELECTED);
        assertEquals(
                List.of("GainInt", "Gain"),
                nodes.node("Sel").selected().stream().map(Node::name).toList());
        assertEquals(List.of(nodes.node("Sel")), nodes.node("Gain").selecting());
        assertEquals(List.of(), nodes.node("Width").selecting());
    }

    @Test
    void settingsAreSavedThroughAllSelectionsAndSelectorsPutBack() {
        port.put(0, 0, 0, 0, 11, 0, 0, 0, 22);
        port.put(32, 0, 0, 2, 0x80);
        NodeMap nodes = load(SELECTED);
        Settings saved = Settings.save(nodes);
        assertEquals(List.of(), saved.failures());
        assertEquals(
                List.of("Sel = Blue", "Width = 640", "Gain [Sel=Red] = 11", "Gain [Sel=Blue] = 22"),
                saved.settings().stream().map(Settings.Setting::toString).toList());
        assertEquals("Blue", nodes.enumeration("Sel").value());
    }

    @Test
    void settingsAreLoadedThroughAllSelections() {
        NodeMap nodes = load(SELECTED);
        Settings settings =
                Settings.parse("# comment\nWidth\t320\nGain\t{Sel=Red}\t5\nGain\t{Sel=Blue}\t6\nSel\tRed\n");
        assertEquals(List.of(), settings.load(nodes, true));
        assertEquals(5, port.get(0, 8)[3]);
        assertEquals(6, port.get(0, 8)[7]);
        assertEquals("Red", nodes.enumeration("Sel").value());
    }

    @Test
    void aSelectorThatHoldsAValueWithoutAnEntryIsMoved() {
        port.put(40, 0, 0, 0, 7);
        NodeMap nodes = load("<Enumeration Name=\"Sel\"><EnumEntry Name=\"Red\"><Value>0</Value></EnumEntry>"
                + "<EnumEntry Name=\"Blue\"><Value>1</Value></EnumEntry><pValue>SelReg</pValue>"
                + "<pSelected>Gain</pSelected></Enumeration>" + register("SelReg", 40, "")
                + integer("Gain", "<pValue>GainReg</pValue>")
                + register("GainReg", 0, "<pIndex Offset=\"4\">SelReg</pIndex>"));
        assertEquals(List.of(), Settings.parse("Gain\t{Sel=Blue}\t6\n").load(nodes, true));
        assertEquals(6, port.get(0, 8)[7]);
    }

    @Test
    void aSelectorInALineOfItsOwnSelectsForTheLinesBehindIt() {
        NodeMap nodes = load(SELECTED);
        Settings settings = Settings.parse("Sel\tBlue\nGain\t6\nSel\tRed\nGain\t5\n");
        assertEquals(List.of(), settings.load(nodes, true));
        assertEquals(5, port.get(0, 8)[3]);
        assertEquals(6, port.get(0, 8)[7]);
        assertEquals("Red", nodes.enumeration("Sel").value());
    }

    @Test
    void aValueThatIsTriedAgainKeepsTheSelectionOfItsPlace() {
        NodeMap nodes = load(integer("Sel", "<Value>0</Value><Min>0</Min><Max>1</Max><pSelected>F</pSelected>")
                + integer("F", "<pValue>R</pValue><pMax>Max</pMax>")
                + register("R", 0, "<pIndex Offset=\"4\">Sel</pIndex>")
                + integer("Max", "<Value>10</Value>"));
        Settings settings = Settings.parse("Sel\t0\nF\t50\nSel\t1\nF\t60\nMax\t100\n");
        assertEquals(List.of(), settings.load(nodes, true));
        assertEquals(50, port.get(0, 8)[3]);
        assertEquals(60, port.get(0, 8)[7]);
    }

    @Test
    void aDeviceThatFindsItsSettingsInconsistentIsReported() {
        NodeMap nodes = load(integer("I", "<Value>1</Value>") + register("R", 0, "")
                + "<Command Name=\"DeviceRegistersStreamingEnd\"><pValue>R</pValue><CommandValue>2</CommandValue>"
                + "</Command><Boolean Name=\"DeviceRegistersValid\"><Value>false</Value></Boolean>");
        List<Settings.Failure> failures = Settings.parse("I\t5\n").load(nodes, true);
        assertEquals(
                List.of("DeviceRegistersValid: the device says that its settings do not fit together"),
                failures.stream().map(Settings.Failure::toString).toList());
    }

    @Test
    void theDeviceIsToldBeforeAndAfterItsSettingsAreSaved() {
        NodeMap nodes = load(integer("I", "<Streamable>Yes</Streamable><Value>1</Value>") + register("R", 0, "")
                + register("S", 4, "")
                + "<Command Name=\"DeviceFeaturePersistenceStart\"><pValue>R</pValue><CommandValue>1</CommandValue>"
                + "</Command><Command Name=\"DeviceFeaturePersistenceEnd\"><pValue>S</pValue>"
                + "<CommandValue>2</CommandValue></Command>");
        Settings.save(nodes);
        assertEquals(1, port.get(0, 4)[3]);
        assertEquals(2, port.get(4, 4)[3]);
    }

    @Test
    void everyFailureOfALoadIsListedAndTheRestIsLoaded() {
        NodeMap nodes = load(SELECTED);
        List<Settings.Failure> failures = Settings.parse(
                        "Nobody\t1\nWidth\twide\nGain\t{Sel=Green}\t5\nGain\t{Sel=Red}\t7\n")
                .load(nodes, true);
        assertEquals(
                List.of("Nobody", "Width", "Gain"),
                failures.stream().map(Settings.Failure::feature).toList());
        assertEquals(7, port.get(0, 4)[3]);
    }

    @Test
    void aFeatureWhoseRangeHangsOnALaterOneIsTriedAgain() {
        NodeMap nodes = load(integer("Max", "<Value>10</Value>") + integer("I", "<Value>1</Value><pMax>Max</pMax>"));
        assertEquals(List.of(), Settings.parse("I\t50\nMax\t100\n").load(nodes, true));
        assertEquals(50, nodes.integer("I").value());
    }

    @Test
    void whatOthersDependOnIsSavedFirst() {
        NodeMap nodes = load(integer("I", "<Streamable>Yes</Streamable><Value>1</Value><pMax>Max</pMax>")
                + integer("Max", "<Streamable>Yes</Streamable><Value>10</Value>"));
        assertEquals(
                List.of("Max", "I"),
                Settings.save(nodes).settings().stream()
                        .map(Settings.Setting::feature)
                        .toList());
    }

    @Test
    void aValueThatTheDeviceChangesIsReportedByTheVerification() {
        NodeMap nodes = load("<IntConverter Name=\"C\"><FormulaTo>FROM &amp; ~1</FormulaTo>"
                + "<FormulaFrom>TO</FormulaFrom><pValue>R</pValue></IntConverter>" + register("R", 0, ""));
        List<Settings.Failure> failures = Settings.parse("C\t5\n").load(nodes, true);
        assertEquals("was set to 5 and is 4", failures.get(0).reason());
        assertEquals(List.of(), Settings.parse("C\t5\n").load(nodes, false));
    }

    @Test
    void yesAndNoAreSavedAsNumbersAndLoadedAsWords() {
        NodeMap nodes = load("<Boolean Name=\"B\"><Streamable>Yes</Streamable><Value>true</Value></Boolean>");
        Settings saved = Settings.save(nodes);
        assertEquals("1", saved.settings().get(0).value());
        assertEquals(List.of(), Settings.parse("B\t0\n").load(nodes, true));
        assertFalse(nodes.bool("B").value());
        assertEquals(List.of(), Settings.parse("B\ttrue\n").load(nodes, true));
        assertEquals(List.of(), saved.load(nodes, true));
        assertTrue(nodes.bool("B").value());
    }

    @Test
    void aValueThatTheDeviceDidNotKeepIsFoundBehindTheCache() {
        NodeMap nodes = load(integer("I", "<Streamable>Yes</Streamable><pValue>R</pValue>") + register("R", 0, ""));
        nodes.node("I").onChange(node -> port.put(0, 0, 0, 0, 9));
        List<Settings.Failure> failures = Settings.parse("I\t5\n").load(nodes, true);
        assertEquals("was set to 5 and is 9", failures.get(0).reason());
    }

    @Test
    void aValueThatTheDeviceDidNotKeepIsFoundBehindAnIndex() {
        NodeMap nodes = load(integer(
                        "I",
                        "<pIndex>One</pIndex><pValueIndexed Index=\"1\">R</pValueIndexed>"
                                + "<ValueDefault>0</ValueDefault>")
                + value("One", 1)
                + register("R", 0, ""));
        nodes.node("I").onChange(node -> port.put(0, 0, 0, 0, 9));
        List<Settings.Failure> failures = Settings.parse("I\t5\n").load(nodes, true);
        assertEquals(
                List.of("I: was set to 5 and is 9"),
                failures.stream().map(Settings.Failure::toString).toList());
    }

    @Test
    void selectorsOfSelectorsAreSavedOutermostFirst() {
        NodeMap nodes = load(integer("Outer", "<Value>0</Value><Min>0</Min><Max>1</Max><pSelected>Inner</pSelected>")
                + integer("Inner", "<Value>0</Value><Min>0</Min><Max>1</Max><pSelected>F</pSelected>")
                + "<IntReg Name=\"F\"><Streamable>Yes</Streamable>" + Xml.at(0, 1)
                + "<pIndex Offset=\"2\">Outer</pIndex><pIndex Offset=\"1\">Inner</pIndex></IntReg>");
        port.put(0, 10, 11, 12, 13);
        assertEquals(
                List.of(
                        "F [Outer=0, Inner=0] = 10",
                        "F [Outer=0, Inner=1] = 11",
                        "F [Outer=1, Inner=0] = 12",
                        "F [Outer=1, Inner=1] = 13"),
                Settings.save(nodes).settings().stream()
                        .map(Settings.Setting::toString)
                        .toList());
    }

    @Test
    void whatCannotBeReadIsListedAndTheRestIsSaved() {
        NodeMap nodes = load(integer("Good", "<Streamable>Yes</Streamable><Value>1</Value>")
                + register("Bad", 8192, "<Streamable>Yes</Streamable>"));
        Settings saved = Settings.save(nodes);
        assertEquals(1, saved.settings().size());
        assertEquals("Bad", saved.failures().get(0).feature());
    }

    private static final String COMMAND =
            "<Command Name=\"Reset\"><Streamable>Yes</Streamable><pValue>R</pValue><CommandValue>1</CommandValue>"
                    + "</Command>" + register("R", 0, "") + value("Width", 32);

    private void refusesCommand(String line, String feature) {
        List<Settings.Failure> failures = Settings.parse(line).load(load(COMMAND), true);
        assertEquals(
                List.of(feature + ": This would execute a command, and settings are values only"),
                failures.stream().map(Settings.Failure::toString).toList());
        assertEquals(0, port.writes);
    }

    @Test
    void aCommandIsNotExecutedByALoad() {
        refusesCommand("Reset\t1\n", "Reset");
    }

    @Test
    void aCommandThatIsGivenAsSelectorIsNotExecutedByALoad() {
        refusesCommand("Width\t{Reset=1}\t64\n", "Width");
    }

    @Test
    void aCommandIsNotSaved() {
        assertEquals(List.of(), Settings.save(load(COMMAND)).settings());
    }

    @Test
    void bracketsOfTheDeviceAreExecutedAroundALoad() {
        NodeMap nodes = load(integer("I", "<Value>1</Value>") + register("R", 0, "")
                + "<Command Name=\"DeviceRegistersStreamingStart\"><pValue>R</pValue><CommandValue>1</CommandValue>"
                + "</Command><Command Name=\"DeviceRegistersStreamingEnd\"><pValue>R</pValue>"
                + "<CommandValue>2</CommandValue></Command>");
        Settings.parse("I\t5\n").load(nodes, false);
        assertEquals(2, port.writes);
        assertEquals(2, port.get(0, 4)[3]);
    }

    @Test
    void theTextIsWhatOtherToolsRead() {
        Settings settings = new Settings(
                "V::M",
                List.of(
                        new Settings.Setting("Width", List.of(), "640"),
                        new Settings.Setting("Gain", List.of(Map.entry("A", "1"), Map.entry("B", "x")), "2.5")),
                List.of());
        assertEquals("""
                # {05D8C294-F295-4dfb-9D01-096BD04049F4}
                # GenApi persistence file (version 3.1.0)
                # Device = V::M
                Width\t640
                Gain\t{A=1\tB=x}\t2.5
                """, settings.toText());
        assertEquals(settings, Settings.parse(settings.toText()));
    }

    @Test
    void aTextInBracesIsAValue() {
        assertEquals("{a=b}", Settings.parse("Name\t{a=b}\n").settings().get(0).value());
    }

    @Test
    void namesCanBeAskedForByTheirNamespace() {
        NodeMap nodes = load("<Integer Name=\"A\" NameSpace=\"Standard\"><Value>1</Value></Integer>" + value("B", 1));
        assertTrue(nodes.find("Std::A").isPresent());
        assertFalse(nodes.find("Cust::A").isPresent());
        assertTrue(nodes.find("Cust::B").isPresent());
        assertFalse(nodes.find("Std::B").isPresent());
    }

    @Test
    void aliasesAreLinkedBothWays() {
        NodeMap nodes = load(integer("A", "<pAlias>B</pAlias><Value>1</Value>")
                + integer("B", "<pCastAlias>A</pCastAlias><Value>1</Value>"));
        assertEquals(Optional.of(nodes.node("B")), nodes.node("A").alias());
        assertEquals(Optional.of(nodes.node("A")), nodes.node("B").castAlias());
    }
}
