package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.at;
import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.genapi.Node.Linkage;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How nodes hang together, and what is done where they hang together in circles (R33). */
class LinkageTest {
    private static NodeMap load(String nodes) {
        return NodeMap.load(Xml.description(nodes), new MemoryPort(4096));
    }

    private static final String NODES = integer("N", "<pInvalidator>G</pInvalidator><pValue>A</pValue><pMin>B</pMin>")
            + integer("A", "<pValue>C</pValue>")
            + value("B", 0)
            + value("C", 0)
            + integer("D", "<pValue>N</pValue>")
            + integer("E", "<pValue>D</pValue>")
            + integer("F", "<pInvalidator>N</pInvalidator><Value>0</Value>")
            + integer("G", "<pInvalidator>H</pInvalidator><Value>0</Value>")
            + value("H", 0);

    @ParameterizedTest
    @CsvSource({"WRITTEN,A", "READ,A B", "TERMINAL,C", "PARENTS,D", "DEPENDING,D E F", "INVALIDATING,A B G"})
    void linksAreListedByTheirMeaning(Linkage linkage, String expected) {
        List<String> names = load(NODES).node("N").linked(linkage).stream()
                .map(Node::name)
                .sorted()
                .toList();
        assertEquals(Arrays.asList(expected.split(" ")), names);
    }

    @Test
    void copiesThatWriteInACircleCostTheirNodesAndAreReported() {
        NodeMap nodes = load(integer("A", "<pValue>B</pValue>")
                + integer("B", "<pValue>C</pValue>")
                + integer("C", "<pValueCopy>B</pValueCopy><pValue>D</pValue>")
                + value("D", 17));
        assertThrows(GenApiException.class, () -> nodes.integer("C").set(1));
        assertEquals(17, nodes.integer("D").value());
        assertTrue(
                nodes.problems().get(0).toString().contains("depends on itself"),
                nodes.problems().toString());
    }

    @Test
    void aRegisterWhoseAddressNeedsItselfCostsItsNodeAndIsReported() {
        NodeMap nodes =
                load("<IntReg Name=\"R\">" + at(0, 4) + "<pIndex pOffset=\"R\">I</pIndex></IntReg>" + value("I", 1));
        assertThrows(GenApiException.class, () -> nodes.integer("R").value());
        assertEquals(
                "R: its value depends on itself, through R",
                nodes.problems().get(0).toString());
    }

    @Test
    void rangesInACircleAreReportedAndStillWork() {
        NodeMap nodes = load(integer("A", "<Value>17</Value><pMax>B</pMax>")
                + integer("B", "<Value>17</Value><pMax>C</pMax>")
                + integer("C", "<Value>17</Value><pMin>B</pMin><pMax>D</pMax>")
                + value("D", 17));
        assertEquals(1, nodes.problems().size());
        assertEquals(17, nodes.integer("A").max());
        nodes.integer("A").set(16);
        assertEquals(16, nodes.integer("A").value());
    }

    /** As in a camera of Allied Vision. */
    @Test
    void aSelectorWhoseEntriesDependOnWhatIsSelectedIsNoProblem() {
        NodeMap nodes = load("<Enumeration Name=\"Line\"><EnumEntry Name=\"A\"><pIsAvailable>Has</pIsAvailable>"
                + "<Value>0</Value></EnumEntry><Value>0</Value></Enumeration>"
                + "<IntReg Name=\"Has\">" + at(0, 4) + "<pIndex Offset=\"4\">Line</pIndex></IntReg>");
        assertEquals(List.of(), nodes.problems());
        assertEquals(AccessMode.NA, nodes.node("Line").accessMode());
    }

    @Test
    void widthAndOffsetThatBoundEachOtherWork() {
        String xml = "<IntSwissKnife Name=\"WMax\"><pVariable Name=\"O\">Offset</pVariable><Formula>1000-O</Formula>"
                + "</IntSwissKnife>" + integer("Width", "<Value>1000</Value><pMax>WMax</pMax>")
                + "<IntSwissKnife Name=\"OMax\"><pVariable Name=\"W\">Width</pVariable><Formula>1000-W</Formula>"
                + "</IntSwissKnife>" + integer("Offset", "<Value>0</Value><pMax>OMax</pMax>");
        NodeMap nodes = load(xml);
        assertEquals(0, nodes.integer("OMax").value());
        nodes.integer("Width").set(900);
        assertEquals(100, nodes.integer("Offset").max());
        nodes.integer("Offset").set(100);
        assertEquals(900, nodes.integer("Width").max());
    }

    @Test
    void selectorsThatSelectEachOtherAreReportedAndStillSaved() {
        NodeMap nodes = load(integer(
                        "F",
                        "<Streamable>Yes</Streamable><Value>5</Value><Max>9</Max><Min>5</Min>"
                                + "<pSelected>Outer</pSelected>")
                + integer("Inner", "<Value>0</Value><Min>0</Min><Max>1</Max><pSelected>F</pSelected>")
                + integer("Outer", "<Value>0</Value><Min>0</Min><Max>1</Max><pSelected>Inner</pSelected>"));
        assertEquals(1, nodes.problems().size());
        assertEquals(4, Settings.save(nodes).settings().size());
    }

    @Test
    void categoriesInACircleAreReportedAndListedOnce() {
        NodeMap nodes = load("<Category Name=\"Root\"><pFeature>A</pFeature></Category>"
                + "<Category Name=\"A\"><pFeature>Root</pFeature><pFeature>I</pFeature><pFeature>A</pFeature>"
                + "</Category>"
                + value("I", 1));
        assertEquals(List.of(nodes.node("I")), nodes.features());
        assertEquals(AccessMode.RO, nodes.node("Root").accessMode());
        assertEquals(Visibility.BEGINNER, nodes.node("Root").visibility());
        assertEquals(2, nodes.problems().size());
    }

    @ParameterizedTest
    @ValueSource(ints = {20_000, 40_000})
    void endlessChainsOfCategoriesSelectorsAndFeaturesEnd(int length) {
        StringBuilder xml = new StringBuilder("<Category Name=\"Root\"><pFeature>C0</pFeature></Category>");
        for (int i = 0; i < length; i++) {
            xml.append("<Category Name=\"C" + i + "\"><pFeature>C" + (i + 1) + "</pFeature></Category>");
            xml.append(integer(
                    "S" + i,
                    "<Streamable>Yes</Streamable><Value>0</Value><Min>0</Min><Max>0</Max><pMax>S" + (i + 1)
                            + "</pMax><pSelected>S" + (i + 1) + "</pSelected>"));
        }
        NodeMap nodes = load(xml.toString());
        assertEquals(List.of(), nodes.features());
        assertEquals(Visibility.INVISIBLE, nodes.node("Root").visibility());
        assertTrue(nodes.problems().size() > Math.min(length / 2, 5_000));
        nodes.node("S" + (length - 1)).selecting();
    }

    @Test
    void categoriesTakeTheVisibilityOfTheirFeatures() {
        NodeMap nodes = load("<Category Name=\"Root\"><pFeature>Sub</pFeature></Category><Category Name=\"Sub\">"
                + "<Visibility>Expert</Visibility><pFeature>Empty</pFeature><pFeature>G</pFeature></Category>"
                + "<Category Name=\"Empty\"/>"
                + integer("G", "<Visibility>Guru</Visibility><Value>1</Value>"));
        assertEquals(Visibility.GURU, nodes.node("Root").visibility());
        assertEquals(Visibility.GURU, nodes.node("Sub").visibility());
        assertEquals(Visibility.INVISIBLE, nodes.node("Empty").visibility());
    }

    @Test
    void aCategoryIsNeverJustNotAvailable() {
        NodeMap nodes =
                load(value("No", 0) + integer("Dark", "<ImposedAccessMode>WO</ImposedAccessMode><Value>1</Value>")
                        + value("I", 1)
                        + "<Category Name=\"A\"><pIsImplemented>Dark</pIsImplemented><pFeature>I</pFeature></Category>"
                        + "<Category Name=\"B\"><pIsImplemented>No</pIsImplemented><pFeature>I</pFeature></Category>");
        assertEquals(AccessMode.RO, nodes.node("A").accessMode());
        assertEquals(AccessMode.NI, nodes.node("B").accessMode());
    }

    @Test
    void selectionReachesWhatStandsOnTheSelectedNodesInTheirOrder() {
        NodeMap nodes = load(value("A", 1) + integer("AA", "<pValue>A</pValue>") + "<Node Name=\"B\"/>"
                + integer("S1", "<Value>1</Value><pSelected>A</pSelected><pSelected>B</pSelected>")
                + integer("S2", "<Value>1</Value><pSelected>A</pSelected>"));
        assertEquals(
                List.of("A", "B", "AA"),
                nodes.node("S1").selected().stream().map(Node::name).toList());
        assertEquals(
                List.of("S1", "S2"),
                nodes.node("AA").selecting().stream().map(Node::name).toList());
        assertEquals(List.of(), nodes.node("A").selected());
        assertEquals(List.of(), nodes.node("S1").selecting());
    }

    @Test
    void aCategoryIsNotSelectedByWhatSelectsItsFeature() {
        NodeMap nodes = load("<Category Name=\"Root\"><pFeature>F</pFeature><pFeature>S</pFeature></Category>"
                + value("F", 0) + integer("S", "<Value>0</Value><pSelected>F</pSelected>"));
        assertEquals(List.of(nodes.node("S")), nodes.node("F").selecting());
        assertEquals(List.of(), nodes.node("Root").selecting());
    }
}
