package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.at;
import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.register;
import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every kind of node is, and what all kinds have in common. */
class NodeKindsTest {
    private final CountingPort port = new CountingPort(4096);

    private NodeMap load(String nodes) {
        return NodeMap.load(Xml.description(nodes), port);
    }

    private static String node(String kind) {
        String inside = switch (kind) {
            case "IntReg", "FloatReg", "StringReg", "Register" -> at(0, 4);
            case "MaskedIntReg" -> at(0, 4) + "<Bit>1</Bit>";
            case "SwissKnife", "IntSwissKnife" -> "<Formula>1</Formula>";
            case "Converter", "IntConverter" ->
                "<FormulaTo>FROM</FormulaTo><FormulaFrom>TO</FormulaFrom><pValue>Raw</pValue>";
            case "Command" -> "<pValue>Raw</pValue><CommandValue>1</CommandValue>";
            case "Enumeration" -> "<EnumEntry Name=\"A\"><Value>0</Value></EnumEntry><Value>0</Value>";
            case "Category" -> "<pFeature>Raw</pFeature>";
            case "Node", "Port" -> "";
            default -> "<Value>0</Value>";
        };
        return "<" + kind + " Name=\"N\">PREDICATE" + inside + "</" + kind + ">" + value("Raw", 0);
    }

    @ParameterizedTest
    @CsvSource({
        "Integer,IntegerNode",
        "IntReg,IntegerNode",
        "MaskedIntReg,IntegerNode",
        "IntSwissKnife,IntegerNode",
        "IntConverter,IntegerNode",
        "Float,FloatNode",
        "FloatReg,FloatNode",
        "SwissKnife,FloatNode",
        "Converter,FloatNode",
        "Boolean,BooleanNode",
        "Enumeration,EnumerationNode",
        "Command,CommandNode",
        "String,StringNode",
        "StringReg,StringNode",
        "Register,RegisterNode",
        "Category,CategoryNode",
        "Node,Node",
        "Port,Node"
    })
    void everyKindHasTheTypeOfItsValue(String kind, String type) throws ClassNotFoundException {
        Node node = load(node(kind).replace("PREDICATE", "")).node("N");
        assertInstanceOf(Class.forName("io.peregrine.genapi." + type), node);
        assertEquals(kind, node.kind());
        assertTrue(
                node.accessMode().readable() || node instanceof CommandNode,
                node.accessMode().toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Integer",
                "Float",
                "Command",
                "IntSwissKnife",
                "SwissKnife",
                "Enumeration",
                "Port",
                "Register",
                "Boolean",
                "IntConverter",
                "Converter",
                "String",
                "StringReg",
                "IntReg",
                "MaskedIntReg",
                "FloatReg",
                "Node"
            })
    void everyKindFollowsAConditionThatMustNotBeRemembered(String kind) {
        NodeMap nodes = load(node(kind).replace("PREDICATE", "<pIsAvailable>C</pIsAvailable>")
                + register("X", 64, "<Cachable>NoCache</Cachable>")
                + "<IntSwissKnife Name=\"C\"><pVariable Name=\"X\">X</pVariable><Formula>X > 0</Formula>"
                + "</IntSwissKnife>");
        assertEquals(AccessMode.NA, nodes.node("N").accessMode());
        port.put(64, 0, 0, 0, 4);
        assertFalse(nodes.node("N").accessMode() == AccessMode.NA);
        port.put(64, 0, 0, 0, 0);
        assertEquals(AccessMode.NA, nodes.node("N").accessMode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"IntSwissKnife", "SwissKnife", "IntConverter", "Converter"})
    void aFormulaOverWhatMustNotBeRememberedIsNotRemembered(String kind) {
        NodeMap nodes = load(node(kind).replace("PREDICATE", "<pVariable Name=\"X\">X</pVariable>")
                + register("X", 64, "<Cachable>NoCache</Cachable>"));
        assertEquals(CachingMode.NO_CACHE, nodes.node("N").cachingMode());
    }

    @ParameterizedTest
    @CsvSource({"pIsImplemented,NI", "pIsAvailable,NA"})
    void aFormulaOverWhatIsMissingIsMissing(String predicate, AccessMode expected) {
        NodeMap nodes = load(value("No", 0)
                + integer("V", "<" + predicate + ">No</" + predicate + "><Value>1</Value>")
                + "<SwissKnife Name=\"K\"><pVariable Name=\"V\">V</pVariable><Formula>V+1</Formula></SwissKnife>"
                + "<IntReg Name=\"R\">" + at(0, 4) + "<pAddress>V</pAddress></IntReg>");
        assertEquals(expected, nodes.node("K").accessMode());
        assertEquals(expected, nodes.node("R").accessMode());
    }

    @Test
    void aNodeWithoutValueCanBeLocked() {
        NodeMap nodes = load(value("Lock", 0) + "<Node Name=\"N\"><pIsLocked>Lock</pIsLocked></Node>");
        assertEquals(AccessMode.RW, nodes.node("N").accessMode());
        nodes.integer("Lock").set(1);
        assertEquals(AccessMode.RO, nodes.node("N").accessMode());
    }

    @Test
    void aCategoryDescribesItselfAndItsFeatures() {
        StringBuilder xml = new StringBuilder("<Category Name=\"Cat\"><ToolTip>tip</ToolTip>"
                + "<Description>long</Description><DisplayName>A Category</DisplayName>");
        for (int i = 0; i < 8; i++) {
            xml.append("<pFeature>F" + i + "</pFeature>");
        }
        xml.append("</Category>");
        for (int i = 0; i < 8; i++) {
            xml.append(value("F" + i, i));
        }
        CategoryNode category = load(xml.toString()).category("Cat");
        assertEquals("tip", category.toolTip());
        assertEquals("long", category.description());
        assertEquals("A Category", category.displayName());
        assertEquals(
                List.of("F0", "F1", "F2", "F3", "F4", "F5", "F6", "F7"),
                category.features().stream().map(Node::name).toList());
    }

    @Test
    void linkedLimitsAreCheckedWithTheValueBelow() {
        NodeMap nodes = load(integer("V", "<pValue>Inner</pValue><pMin>Min</pMin><pMax>Max</pMax><pInc>Inc</pInc>")
                + integer("Inner", "<Value>20</Value><Min>0</Min><Max>100</Max>")
                + value("Min", 10)
                + value("Max", 30)
                + value("Inc", 2));
        nodes.integer("V").set(22);
        assertThrows(GenApiRangeException.class, () -> nodes.integer("V").set(0));
        assertThrows(GenApiRangeException.class, () -> nodes.integer("V").set(40));
        assertThrows(GenApiRangeException.class, () -> nodes.integer("V").set(21));
        nodes.integer("Min").set(11);
        nodes.integer("V").set(21);
        nodes.node("V").setFromText("15");
        assertThrows(GenApiRangeException.class, () -> nodes.node("V").setFromText("abc"));
        assertEquals("15", nodes.node("V").valueAsText());
    }

    @Test
    void aFloatTakesWholeNumbersAndKeepsItsValueAtABadText() {
        NodeMap nodes = load("<Float Name=\"F\"><Value>1</Value></Float>");
        nodes.node("F").setFromText("10");
        assertThrows(GenApiRangeException.class, () -> nodes.node("F").setFromText("ten"));
        assertEquals(10.0, nodes.floating("F").value());
    }

    @ParameterizedTest
    @CsvSource({"true,true", "false,false", "1,true", "0,false", "TRUE,true"})
    void aBooleanIsSetByText(String text, boolean expected) {
        NodeMap nodes = load("<Boolean Name=\"B\"><Value>" + !expected + "</Value></Boolean>");
        nodes.node("B").setFromText(text);
        assertEquals(expected, nodes.bool("B").value());
    }

    @Test
    void anIntegerOverABooleanIsOneOrZeroAndTakesAnyNumberForYes() {
        NodeMap nodes = load("<Boolean Name=\"B\"><Value>1</Value><OnValue>7</OnValue><OffValue>5</OffValue></Boolean>"
                + integer("I", "<pValue>B</pValue>"));
        nodes.integer("I").set(0);
        assertFalse(nodes.bool("B").value());
        nodes.integer("I").set(-253);
        assertTrue(nodes.bool("B").value());
        assertEquals(1, nodes.integer("I").value());
    }

    @Test
    void anIntegerOverAFloatRoundsAndRefusesWhatIsTooLarge() {
        NodeMap nodes = load("<Float Name=\"F\"><Value>11.5</Value></Float>" + integer("I", "<pValue>F</pValue>"));
        assertEquals(12, nodes.integer("I").value());
        nodes.floating("F").set(1e200);
        assertThrows(GenApiRangeException.class, () -> nodes.integer("I").value());
        nodes.integer("I").set(2);
        assertEquals(2.0, nodes.floating("F").value());
    }

    @Test
    void aBitBehindASelectorCostsOneReadAndOneWrite() {
        NodeMap nodes = load("<Boolean Name=\"Bit\"><pValue>BitInteger</pValue></Boolean>"
                + integer("Selector", "<Value>0</Value><Min>0</Min><Max>7</Max>")
                + "<IntConverter Name=\"BitInteger\"><pVariable Name=\"SEL\">Selector</pVariable>"
                + "<pVariable Name=\"CUR\">Bits</pVariable><FormulaTo>(FROM) ? (CUR | (1 &lt;&lt; SEL)) : "
                + "(CUR &amp; (~ (1 &lt;&lt; SEL)))</FormulaTo><FormulaFrom>(TO &gt;&gt; SEL) &amp; 1</FormulaFrom>"
                + "<pValue>Bits</pValue><Slope>Varying</Slope></IntConverter><IntReg Name=\"Bits\">" + at(0, 1)
                + "</IntReg>");
        port.put(0, 0xAA);
        nodes.integer("Selector").set(3);
        nodes.bool("Bit").set(false);
        assertEquals(1, port.reads);
        assertEquals(1, port.writes);
        assertEquals((byte) 0xA2, port.get(0, 1)[0]);
        nodes.bool("Bit").set(true);
        assertEquals(1, port.reads);
        assertEquals(2, port.writes);
        assertTrue(nodes.bool("Bit").value());
        assertEquals(1, port.reads);
    }

    @ParameterizedTest
    @CsvSource({"Min,-1.0", "Max,1.0", "Inc,0.1", "Value,0.2", "AccessMode,4", "Visibility,0", "CachingMode,2"})
    void aVariableCanBeDeclaredWithTheEndOfItsName(String suffix, double expected) {
        NodeMap nodes =
                load("<Float Name=\"Blade\"><Value>0.2</Value><Min>-1.0</Min><Max>1.0</Max><Inc>0.1</Inc></Float>"
                        + "<SwissKnife Name=\"K\"><pVariable Name=\"BLADE." + suffix
                        + "\">Blade</pVariable><Formula>10*BLADE."
                        + suffix + "</Formula></SwissKnife>");
        assertEquals(10 * expected, nodes.floating("K").value(), 1e-12);
    }

    @Test
    void entriesInFormulasAreTheirValuesAndNotTheirNumbers() {
        NodeMap nodes = load("<SwissKnife Name=\"K\"><pVariable Name=\"E.Entry.A\">E</pVariable>"
                + "<pVariable Name=\"E.Entry.B\">E</pVariable><Formula>E.Entry.A + E.Entry.B</Formula></SwissKnife>"
                + "<Enumeration Name=\"E\"><EnumEntry Name=\"A\"><Value>10</Value><NumericValue>1.5</NumericValue>"
                + "</EnumEntry><EnumEntry Name=\"B\"><Value>20</Value></EnumEntry><Value>10</Value></Enumeration>");
        assertEquals(30.0, nodes.floating("K").value());
    }

    @Test
    void aKnifeCalculatesWithTwoRegisters() {
        port.put(0, 0, 0, 0x12, 0x34, 0, 0, 0, 4);
        NodeMap nodes = load(register("A", 0, "") + register("B", 4, "")
                + "<IntSwissKnife Name=\"K\"><pVariable Name=\"A\">A</pVariable><pVariable Name=\"B\">B</pVariable>"
                + "<Formula>(A &gt;&gt; (B * 2)) + (A &amp; 0xF) * -B</Formula></IntSwissKnife>");
        assertEquals(0x12 - 16, nodes.integer("K").value());
    }

    @Test
    void aChangeOfThePortTellsItsRegisters() {
        StringBuilder told = new StringBuilder();
        NodeMap nodes = load(register("R", 0, "").replace(">Device<", ">Other<") + register("Load", 8, "")
                + "<Port Name=\"Other\"><pInvalidator>Load</pInvalidator></Port>");
        nodes.node("R").onChange(node -> told.append(node.name()));
        nodes.integer("Load").set(1);
        assertEquals("R", told.toString());
    }

    @Test
    void onlyWhatIsMarkedIsStreamable() {
        NodeMap nodes = load(integer("Yes", "<Streamable>Yes</Streamable><Value>20</Value>")
                + integer("No", "<Streamable>No</Streamable><Value>20</Value>")
                + value("Silent", 1));
        assertTrue(nodes.node("Yes").streamable());
        assertFalse(nodes.node("No").streamable());
        assertFalse(nodes.node("Silent").streamable());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Std::", "Trallala::A", "Std::Trallala", "Trallala", "::A", ""})
    void namesThatAreNoneAreNotFound(String name) {
        assertTrue(load(value("A", 1)).find(name).isEmpty());
    }

    @Test
    void threadsThatWriteAtTheSameTimeLoseNothing() throws InterruptedException {
        NodeMap nodes = load(register("R", 0, "") + "<IntConverter Name=\"Count\"><pVariable Name=\"OLD\">R</pVariable>"
                + "<FormulaTo>OLD + FROM</FormulaTo><FormulaFrom>TO</FormulaFrom><pValue>R</pValue>"
                + "<Slope>Varying</Slope></IntConverter>");
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = List.of(0, 1, 2, 3).stream()
                .map(number -> new Thread(
                        () -> {
                            try {
                                for (int i = 0; i < 500; i++) {
                                    nodes.integer("Count").set(1);
                                }
                            } catch (RuntimeException e) {
                                failure.set(e);
                            }
                        },
                        "writer " + number))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(null, failure.get());
        assertEquals(2_000, nodes.integer("R").value());
    }
}
