package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.at;
import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.register;
import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessModeTest {
    private final CountingPort port = new CountingPort(4096);

    private NodeMap load(String nodes) {
        return NodeMap.load(Xml.description(nodes), port);
    }

    private AccessMode mode(String nodes, String name) {
        return load(nodes).node(name).accessMode();
    }

    private static String declared(String name, String mode, String more) {
        return "<IntReg Name=\"" + name + "\"><Address>0</Address><Length>4</Length><AccessMode>" + mode
                + "</AccessMode><pPort>Device</pPort>" + more + "</IntReg>";
    }

    @ParameterizedTest
    @CsvSource({"RO,RW,RO", "RW,RO,RO", "WO,RW,WO", "RW,WO,WO", "RO,WO,NA", "WO,RO,NA", "RW,RW,RW"})
    void declaredAndImposedModesAreIntersected(String declared, String imposed, AccessMode expected) {
        assertEquals(
                expected, mode(declared("R", declared, "<ImposedAccessMode>" + imposed + "</ImposedAccessMode>"), "R"));
    }

    @ParameterizedTest
    @CsvSource({"RO,RO,RO", "RW,RO,RO", "RO,WO,NA", "RW,WO,WO"})
    void entriesOfAStructHaveModesOfTheirOwn(String declared, String imposed, AccessMode expected) {
        assertEquals(
                expected,
                mode(
                        "<StructReg Comment=\"S\"><Address>0</Address><Length>4</Length><AccessMode>" + declared
                                + "</AccessMode><pPort>Device</pPort><StructEntry Name=\"E\"><ImposedAccessMode>"
                                + imposed + "</ImposedAccessMode><Bit>1</Bit></StructEntry></StructReg>",
                        "E"));
    }

    @Test
    void notImplementedComesBeforeNotAvailable() {
        String nodes = value("No", 0)
                + integer("I", "<pIsImplemented>No</pIsImplemented><pIsAvailable>No</pIsAvailable><Value>1</Value>");
        assertEquals(AccessMode.NI, mode(nodes, "I"));
    }

    @ParameterizedTest
    @CsvSource({"RW,RO", "WO,NA", "RO,RO"})
    void lockingTakesWritingAway(String declared, AccessMode expected) {
        assertEquals(expected, mode(value("Yes", 1) + declared("R", declared, "<pIsLocked>Yes</pIsLocked>"), "R"));
    }

    /** As in the reference; FLIR and Basler link predicates that have predicates. */
    @ParameterizedTest
    @CsvSource({"pIsImplemented", "pIsAvailable", "pIsLocked"})
    void aPredicateThatIsNotImplementedMakesTheNodeNotImplemented(String predicate) {
        String nodes = value("No", 0)
                + integer("P", "<pIsImplemented>No</pIsImplemented><Value>1</Value>")
                + integer("I", "<" + predicate + ">P</" + predicate + "><Value>1</Value>");
        assertEquals(AccessMode.NI, mode(nodes, "I"));
    }

    @ParameterizedTest
    @CsvSource({"pIsImplemented", "pIsAvailable", "pIsLocked"})
    void aPredicateThatCannotBeReadMakesTheNodeNotAvailable(String predicate) {
        String link = "<" + predicate + ">P</" + predicate + "><Value>1</Value>";
        assertEquals(AccessMode.NA, mode(declared("P", "WO", "") + integer("I", link), "I"));
        String unavailable = value("No", 0) + integer("P", "<pIsAvailable>No</pIsAvailable><Value>1</Value>");
        assertEquals(AccessMode.NA, mode(unavailable + integer("I", link), "I"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "<Integer Name=\"P\"><Value>2</Value></Integer>; RO",
                "<Float Name=\"P\"><Value>0.5</Value></Float>; RO",
                "<Float Name=\"P\"><Value>0.0</Value></Float>; RW",
                "<Boolean Name=\"P\"><Value>true</Value></Boolean>; RO",
                "<Boolean Name=\"P\"><Value>false</Value></Boolean>; RW",
                "<Enumeration Name=\"P\"><EnumEntry"
                        + " Name=\"A\"><Value>3</Value></EnumEntry><Value>3</Value></Enumeration>; RO"
            })
    void anyNumberButZeroLocks(String predicate, AccessMode expected) {
        assertEquals(expected, mode(predicate + integer("I", "<pIsLocked>P</pIsLocked><Value>1</Value>"), "I"));
    }

    @Test
    void aNodeFollowsAPredicateThatIsNotCached() {
        NodeMap nodes = load(register("P", 16, "<Cachable>NoCache</Cachable>")
                + declared("R", "RW", "<pIsAvailable>P</pIsAvailable>"));
        assertEquals(AccessMode.NA, nodes.node("R").accessMode());
        port.put(16, 0, 0, 0, 1);
        assertEquals(AccessMode.RW, nodes.node("R").accessMode());
    }

    @Test
    void aCategoryOfFeaturesThatDoNotExistDoesNotExist() {
        String gone = value("No", 0) + integer("I", "<pIsImplemented>No</pIsImplemented><Value>1</Value>");
        assertEquals(AccessMode.NI, mode(gone + "<Category Name=\"C\"><pFeature>I</pFeature></Category>", "C"));
    }

    @Test
    void aCategoryOfFeaturesThatAreNotAvailableCanBeRead() {
        String away = value("No", 0) + integer("I", "<pIsAvailable>No</pIsAvailable><Value>1</Value>");
        assertEquals(AccessMode.RO, mode(away + "<Category Name=\"C\"><pFeature>I</pFeature></Category>", "C"));
    }

    @Test
    void aKnifeIsReadOnly() {
        assertEquals(AccessMode.RO, mode("<IntSwissKnife Name=\"K\"><Formula>1</Formula></IntSwissKnife>", "K"));
    }

    @Test
    void aKnifeOverAVariableThatCannotBeReadIsNotAvailable() {
        String knife = "<IntSwissKnife Name=\"K\"><pVariable Name=\"V\">W</pVariable><Formula>V</Formula>"
                + "</IntSwissKnife>";
        assertEquals(AccessMode.NA, mode(declared("W", "WO", "") + knife, "K"));
    }

    @ParameterizedTest
    @CsvSource({"RO,RO", "RW,RW", "WO,WO"})
    void aConverterAllowsWhatItsValueAllows(String declared, AccessMode expected) {
        String converter = "<Converter Name=\"C\"><FormulaTo>FROM</FormulaTo><FormulaFrom>TO</FormulaFrom>"
                + "<pValue>R</pValue></Converter>";
        assertEquals(expected, mode(declared("R", declared, "") + converter, "C"));
    }

    @Test
    void registersOfAPortThatOnlyReadsAreReadOnly() {
        Port readOnly = new Port() {
            @Override
            public void read(long address, ByteBuffer destination) {
                port.read(address, destination);
            }

            @Override
            public void write(long address, ByteBuffer source) {
                throw new AssertionError("a port that only reads was written");
            }

            @Override
            public AccessMode accessMode() {
                return AccessMode.RO;
            }
        };
        NodeMap nodes = NodeMap.load(Xml.description(register("R", 0, "")), readOnly);
        assertEquals(AccessMode.RO, nodes.node("R").accessMode());
        assertThrows(GenApiAccessException.class, () -> nodes.integer("R").set(1));
    }

    @Test
    void aModeCanBeImposedLaterAndTakenBack() {
        NodeMap nodes = load(register("R", 0, ""));
        nodes.node("R").imposeAccessMode(AccessMode.RO);
        assertEquals(AccessMode.RO, nodes.node("R").accessMode());
        nodes.node("R").imposeAccessMode(AccessMode.RW);
        assertEquals(AccessMode.RW, nodes.node("R").accessMode());
    }

    @Test
    void anErrorNamesNodeAndMode() {
        GenApiException e = assertThrows(
                GenApiAccessException.class,
                () -> load(declared("R", "WO", "")).integer("R").value());
        assertTrue(e.getMessage().contains("R") && e.getMessage().contains("WO"), e.getMessage());
    }

    @Test
    void predicatesThatDependOnEachOtherEnd() {
        String ring = integer("A", "<pIsAvailable>B</pIsAvailable><Value>1</Value>")
                + integer("B", "<pIsAvailable>A</pIsAvailable><Value>1</Value>");
        assertEquals(AccessMode.RW, mode(ring, "A"));
    }

    @Test
    void anEnumEntryIsANodeOfItsOwn() {
        String enumeration = "<Enumeration Name=\"E\"><EnumEntry Name=\"A\"><Value>3</Value></EnumEntry>"
                + "<Value>3</Value></Enumeration>";
        assertEquals(AccessMode.RO, mode(enumeration, "EnumEntry_E_A"));
    }

    @Test
    void anAddressThatCannotBeReadMakesItsRegisterNotAvailable() {
        String register = "<IntReg Name=\"R\">" + at(0, 4) + "<pAddress>W</pAddress></IntReg>";
        assertEquals(AccessMode.NA, mode(declared("W", "WO", "") + register, "R"));
    }
}
