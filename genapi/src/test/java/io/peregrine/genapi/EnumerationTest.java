package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.register;
import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Enumerations, their entries, and what other nodes see of them (R16). */
class EnumerationTest {
    private final CountingPort port = new CountingPort(4096);

    private NodeMap load(String nodes) {
        return NodeMap.load(Xml.description(nodes), port);
    }

    private static String entry(String name, long value, String more) {
        return "<EnumEntry Name=\"" + name + "\">" + more + "<Value>" + value + "</Value></EnumEntry>";
    }

    private static String enumeration(String inside) {
        return "<Enumeration Name=\"E\">" + inside + "</Enumeration>";
    }

    private static final String NUMBERS = enumeration(entry("Low", 10, "<NumericValue>1.5</NumericValue>")
            + entry("Far", 20, "") + entry("High", 30, "<NumericValue>1.7</NumericValue>") + "<Value>10</Value>");

    @ParameterizedTest
    @CsvSource({"1,Low", "2,High", "20,Far", "1000,Far"})
    void anIntegerOverAnEnumerationSelectsTheNearestNumber(long number, String symbol) {
        NodeMap nodes = load(NUMBERS + integer("I", "<pValue>E</pValue>"));
        nodes.integer("I").set(number);
        assertEquals(symbol, nodes.enumeration("E").value());
    }

    @ParameterizedTest
    @CsvSource({"1.55,Low", "1.65,High", "11.0,Far"})
    void aFloatOverAnEnumerationSelectsTheNearestNumber(double number, String symbol) {
        NodeMap nodes = load(NUMBERS + "<Float Name=\"F\"><pValue>E</pValue></Float>");
        nodes.floating("F").set(number);
        assertEquals(symbol, nodes.enumeration("E").value());
    }

    @Test
    void otherNodesSeeTheNumberOfTheEntry() {
        NodeMap nodes = load(NUMBERS + integer("I", "<pValue>E</pValue>")
                + "<Float Name=\"F\"><pValue>E</pValue></Float><SwissKnife Name=\"K\"><pVariable"
                + " Name=\"V\">E</pVariable><Formula>V*2</Formula></SwissKnife>");
        assertEquals(2, nodes.integer("I").value());
        assertEquals(1.5, nodes.floating("F").value());
        assertEquals(3.0, nodes.floating("K").value());
        assertEquals(10, nodes.enumeration("E").intValue());
    }

    @Test
    void aNumberIsTheValueWhereTheEntryHasNoOther() {
        NodeMap nodes = load(NUMBERS);
        List<Double> numbers = nodes.enumeration("E").entries().stream()
                .map(EnumEntryNode::numericValue)
                .toList();
        assertEquals(List.of(1.5, 20.0, 1.7), numbers);
    }

    @Test
    void whatHasNoEntryToSelectCannotBeWritten() {
        NodeMap nodes = load(enumeration(entry("A", 1, "<pIsAvailable>No</pIsAvailable>") + "<Value>1</Value>")
                + value("No", 0)
                + integer("I", "<pValue>E</pValue>"));
        assertThrows(GenApiAccessException.class, () -> nodes.integer("I").set(1));
        assertEquals(AccessMode.NA, nodes.node("E").accessMode());
        nodes.integer("No").set(1);
        assertEquals(AccessMode.RW, nodes.node("E").accessMode());
    }

    @Test
    void anEnumerationWithoutImplementedEntriesIsNotImplemented() {
        NodeMap nodes = load(enumeration(entry("A", 1, "<pIsImplemented>No</pIsImplemented>") + "<Value>1</Value>")
                + value("No", 0));
        assertEquals(AccessMode.NI, nodes.node("E").accessMode());
    }

    @Test
    void entriesAreListedWhenTheyCanBeSelected() {
        NodeMap nodes = load(enumeration(entry("A", 0, "") + entry("B", 1, "<pIsAvailable>No</pIsAvailable>")
                        + entry("C", 2, "<pIsImplemented>No</pIsImplemented>") + "<Value>0</Value>")
                + value("No", 0));
        assertEquals(List.of("A"), nodes.enumeration("E").symbols());
        assertEquals(AccessMode.NA, nodes.node("EnumEntry_E_B").accessMode());
        assertEquals(AccessMode.NI, nodes.node("EnumEntry_E_C").accessMode());
        assertThrows(GenApiRangeException.class, () -> nodes.enumeration("E").setIntValue(1));
        assertThrows(GenApiRangeException.class, () -> nodes.enumeration("E").setIntValue(99));
    }

    @Test
    void anEntryIsNamedByItsSymbolAndShownByItsDisplayName() {
        NodeMap nodes = load(enumeration(entry("E0", 0, "") + entry("E1", 1, "<Symbolic>S1</Symbolic>")
                + entry("E2", 2, "<DisplayName>D2</DisplayName>")
                + entry("E3", 3, "<DisplayName>D3</DisplayName><Symbolic>S3</Symbolic>") + "<Value>0</Value>"));
        assertEquals(List.of("E0", "S1", "E2", "S3"), nodes.enumeration("E").symbols());
        List<String> shown =
                nodes.enumeration("E").entries().stream().map(Node::displayName).toList();
        assertEquals(List.of("E0", "S1", "D2", "D3"), shown);
        nodes.enumeration("E").set("S1");
        assertEquals(1, nodes.enumeration("E").intValue());
    }

    @Test
    void valuesCanBeHexadecimalAndNegative() {
        NodeMap nodes = load(register("R", 0, "<Sign>Signed</Sign>")
                + "<Enumeration Name=\"E\"><EnumEntry Name=\"Minus\"><Value>-2</Value></EnumEntry>"
                + "<EnumEntry Name=\"Hex\"><Value>0X1f</Value></EnumEntry><pValue>R</pValue></Enumeration>");
        nodes.enumeration("E").set("Minus");
        assertEquals(-2, nodes.integer("R").value());
        nodes.enumeration("E").set("Hex");
        assertEquals(31, nodes.integer("R").value());
    }

    @Test
    void anEntryThatDoesNotFitItsRegisterIsRefused() {
        NodeMap nodes = load("<IntReg Name=\"R\">" + Xml.at(0, 1) + "</IntReg>"
                + enumeration(entry("Small", 1, "") + entry("Big", 256, "") + "<pValue>R</pValue>"));
        assertThrows(GenApiRangeException.class, () -> nodes.enumeration("E").set("Big"));
        assertEquals(0, port.writes);
    }

    @Test
    void castAliasesGiveTheSameValueAsAnotherType() {
        NodeMap nodes = load("<Float Name=\"Abs\"><pCastAlias>Raw</pCastAlias><pValue>Raw</pValue></Float>"
                + integer("Raw", "<pCastAlias>Abs</pCastAlias><Value>42</Value>")
                + "<Enumeration Name=\"E\"><pCastAlias>Raw</pCastAlias><EnumEntry"
                + " Name=\"A\"><Value>42</Value></EnumEntry><pValue>Raw</pValue></Enumeration>");
        assertEquals(Optional.of(nodes.node("Raw")), nodes.node("Abs").castAlias());
        assertEquals(42.0, nodes.floating("Abs").value());
        assertEquals(Optional.of(nodes.node("Raw")), nodes.node("E").castAlias());
        assertEquals("A", nodes.enumeration("E").value());
        assertEquals(Optional.empty(), nodes.node("Raw").alias());
    }

    // ---- Entries that the device leaves by itself

    private static final String AUTO =
            register("Gain", 0, "<pBlockPolling>Block</pBlockPolling><PollingTime>1000</PollingTime>")
                    + register("Auto", 4, "")
                    + "<Enumeration Name=\"GainAuto\"><EnumEntry Name=\"Off\"><Value>1</Value></EnumEntry>"
                    + "<EnumEntry Name=\"Once\"><Value>2</Value><IsSelfClearing>Yes</IsSelfClearing></EnumEntry>"
                    + "<EnumEntry Name=\"Continuous\"><Value>3</Value></EnumEntry><pValue>Auto</pValue>"
                    + "<PollingTime>50</PollingTime></Enumeration>"
                    + "<IntSwissKnife Name=\"Block\"><pVariable Name=\"A\">GainAuto</pVariable><Formula>A=1 ? 1 :"
                    + " 0</Formula></IntSwissKnife>";

    private final AtomicInteger told = new AtomicInteger();

    private NodeMap auto() {
        port.put(4, 0, 0, 0, 1);
        NodeMap nodes = load(AUTO);
        nodes.node("GainAuto").onChange(node -> told.incrementAndGet());
        return nodes;
    }

    @Test
    void anEntryThatClearsItselfIsPolledWhileItIsOn() {
        NodeMap nodes = auto();
        nodes.poll(Duration.ofMillis(100));
        assertEquals(0, told.get());
        nodes.enumeration("GainAuto").set("Once");
        assertEquals(1, told.get());
        nodes.poll(Duration.ofMillis(100));
        assertEquals(2, told.get());
        nodes.poll(Duration.ofMillis(25));
        assertEquals(2, told.get());
        nodes.poll(Duration.ofMillis(25));
        assertEquals(3, told.get());
    }

    @Test
    void anEntryThatClearsItselfIsAskedFromTheDevice() {
        NodeMap nodes = auto();
        nodes.enumeration("GainAuto").set("Once");
        assertEquals("Once", nodes.enumeration("GainAuto").value());
        port.put(4, 0, 0, 0, 1);
        assertEquals("Off", nodes.enumeration("GainAuto").value());
        assertEquals(1, told.get());
        nodes.poll(Duration.ofMillis(100));
        assertEquals(1, told.get());
    }

    @Test
    void whatDependsOnAnEntryThatClearedItselfIsForgotten() {
        NodeMap nodes = auto();
        nodes.enumeration("GainAuto").set("Once");
        nodes.integer("Gain").value();
        port.put(0, 0, 0, 2, 0x2B);
        port.put(4, 0, 0, 0, 1);
        assertEquals(0, nodes.integer("Gain").value());
        assertEquals("Off", nodes.enumeration("GainAuto").value());
        assertEquals(555, nodes.integer("Gain").value());
    }

    @Test
    void anotherSelectionEndsTheWaiting() {
        NodeMap nodes = auto();
        nodes.enumeration("GainAuto").set("Once");
        nodes.enumeration("GainAuto").set("Continuous");
        int before = told.get();
        nodes.poll(Duration.ofMillis(500));
        assertEquals(before, told.get());
    }

    @Test
    void entriesSayWhetherTheyClearThemselves() {
        List<Boolean> clearing = auto().enumeration("GainAuto").entries().stream()
                .map(EnumEntryNode::selfClearing)
                .toList();
        assertEquals(List.of(false, true, false), clearing);
    }

    @Test
    void aValueThatNothingBlocksIsPolled() {
        NodeMap nodes = auto();
        nodes.enumeration("GainAuto").set("Continuous");
        nodes.integer("Gain").value();
        port.put(0, 0, 0, 0, 48);
        nodes.poll(Duration.ofSeconds(1));
        assertEquals(48, nodes.integer("Gain").value());
        nodes.enumeration("GainAuto").set("Off");
        nodes.integer("Gain").value();
        port.put(0, 0, 0, 0, 49);
        nodes.poll(Duration.ofSeconds(2));
        assertEquals(48, nodes.integer("Gain").value());
        assertTrue(told.get() >= 2);
    }
}
