package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.at;
import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Converters, integer and real, over all that they can stand on (R19). */
class ConverterTest {
    private final CountingPort port = new CountingPort(4096);

    private NodeMap load(String nodes) {
        return NodeMap.load(Xml.description(nodes), port);
    }

    private static String converter(String kind, String name, String to, String from, String more) {
        return "<" + kind + " Name=\"" + name + "\">" + more + "<FormulaTo><![CDATA[" + to
                + "]]></FormulaTo><FormulaFrom><![CDATA[" + from + "]]></FormulaFrom></" + kind + ">";
    }

    private static String on(String target, String slope) {
        return "<pValue>" + target + "</pValue><Slope>" + slope + "</Slope>";
    }

    private static final String RAW = integer("Raw", "<Value>2</Value><Min>1</Min><Max>5</Max>")
            + "<Float Name=\"Real\"><Value>2.0</Value><Min>1.0</Min><Max>5.0</Max></Float>" + value("Base", 2);

    @ParameterizedTest
    @CsvSource({
        "Converter,Raw,Automatic,TO * 2,2,10",
        "Converter,Raw,Automatic,0 - TO + 10,5,9",
        "Converter,Real,Automatic,TO * 2,2,10",
        "Converter,Real,Decreasing,0 - TO + 10,5,9",
        "IntConverter,Raw,Automatic,TO * 2,2,10",
        "IntConverter,Raw,Automatic,0 - TO + 10,5,9",
        "IntConverter,Raw,Increasing,TO * 2,2,10",
        "IntConverter,Raw,Decreasing,0 - TO + 10,5,9"
    })
    void limitsGoThroughTheFormula(String kind, String target, String slope, String from, long min, long max) {
        NodeMap nodes = load(RAW + converter(kind, "C", "FROM", from, on(target, slope)));
        if (nodes.node("C") instanceof FloatNode real) {
            assertEquals((double) min, real.min());
            assertEquals((double) max, real.max());
        } else {
            assertEquals(min, nodes.integer("C").min());
            assertEquals(max, nodes.integer("C").max());
        }
    }

    @Test
    void aVaryingWholeConverterTakesAnyNumber() {
        NodeMap nodes = load(RAW + converter("IntConverter", "C", "FROM", "TO", on("Raw", "Varying")));
        assertEquals(Long.MIN_VALUE, nodes.integer("C").min());
        assertEquals(Long.MAX_VALUE, nodes.integer("C").max());
    }

    @Test
    void whatHasNoEndBelowHasNoneAboveEither() {
        NodeMap nodes = load(integer("Raw", "<Value>1</Value><Min>0</Min>")
                + converter("IntConverter", "C", "FROM/2", "TO*2", on("Raw", "Increasing")));
        assertEquals(0, nodes.integer("C").min());
        assertEquals(Long.MAX_VALUE, nodes.integer("C").max());
        nodes.integer("C").set(40);
        assertEquals(20, nodes.integer("Raw").value());
    }

    @Test
    void aVaryingConverterStillKeepsToTheRangeBelow() {
        NodeMap nodes = load(RAW + converter("IntConverter", "C", "FROM", "TO", on("Raw", "Varying")));
        assertThrows(GenApiRangeException.class, () -> nodes.integer("C").set(6));
        nodes.integer("C").setUnverified(6);
        assertEquals(6, nodes.integer("Raw").value());
    }

    @Test
    void whatIsWrittenBelowFitsTheNextStep() {
        NodeMap nodes = load(integer("Raw", "<Value>0</Value><Min>0</Min><Max>20</Max><Inc>2</Inc>")
                + converter("Converter", "Gain", "LN(FROM)/LN(2)", "1<<TO", on("Raw", "Increasing")));
        nodes.floating("Gain").set(5.2);
        assertEquals(4.0, nodes.floating("Gain").value());
        nodes.floating("Gain").set(15.1);
        assertEquals(16.0, nodes.floating("Gain").value());
    }

    @Test
    void aFloatOverAnIntegerTakesTheNearestStep() {
        NodeMap nodes = load(integer("I", "<Value>1</Value><Min>1</Min><Max>31</Max><Inc>3</Inc>")
                + "<Float Name=\"F\"><pValue>I</pValue></Float>");
        assertThrows(GenApiRangeException.class, () -> nodes.floating("F").set(1e200));
        nodes.floating("F").set(2.4);
        assertEquals(1, nodes.integer("I").value());
        nodes.floating("F").set(2.6);
        assertEquals(4, nodes.integer("I").value());
    }

    @Test
    void convertersGoBothWaysThroughOtherVariables() {
        NodeMap nodes = load(value("Raw", 2)
                + value("TimeBase", 10)
                + converter(
                        "Converter",
                        "Abs",
                        "FROM / BASE",
                        "TO * BASE",
                        "<pVariable Name=\"BASE\">TimeBase</pVariable>" + on("Raw", "Increasing")));
        assertEquals(20.0, nodes.floating("Abs").value());
        nodes.integer("TimeBase").set(100);
        assertEquals(200.0, nodes.floating("Abs").value());
        nodes.floating("Abs").set(400);
        assertEquals(4, nodes.integer("Raw").value());
    }

    @Test
    void aConverterCanStandOnAnEnumeration() {
        NodeMap nodes = load("<Enumeration Name=\"E\"><EnumEntry Name=\"A\"><Value>1</Value></EnumEntry>"
                + "<EnumEntry Name=\"B\"><Value>2</Value></EnumEntry><Value>1</Value></Enumeration>"
                + converter("IntConverter", "C", "FROM/10", "TO*10", on("E", "Increasing")));
        assertEquals(10, nodes.integer("C").value());
        nodes.integer("C").set(20);
        assertEquals("B", nodes.enumeration("E").value());
    }

    @Test
    void constantsAndExpressionsServeBothDirections() {
        NodeMap nodes = load(value("Val", 1)
                + value("Var", 5)
                + converter(
                        "IntConverter",
                        "C",
                        "FROM - TwoX - Two",
                        "TO + TwoX + Two",
                        "<pVariable Name=\"X\">Var</pVariable><Constant Name=\"Two\">2</Constant>"
                                + "<Expression Name=\"TwoX\">2*X</Expression>" + on("Val", "Increasing")));
        assertEquals(13, nodes.integer("C").value());
        nodes.integer("C").set(15);
        assertEquals(3, nodes.integer("Val").value());
    }

    @Test
    void theOldValueOfTheTargetAddsUpOverWrites() {
        NodeMap nodes = load(value("Val", 0)
                + converter(
                        "IntConverter",
                        "C",
                        "OLDTO + FROM",
                        "TO",
                        "<pVariable Name=\"OLDTO\">Val</pVariable>" + on("Val", "Varying")));
        nodes.integer("C").set(1);
        nodes.integer("C").set(1);
        nodes.integer("C").set(1);
        assertEquals(3, nodes.integer("C").value());
    }

    @Test
    void unitAndRepresentationOfTheConverterComeFirst() {
        NodeMap nodes = load(integer("Raw", "<Value>2</Value><Unit>raw</Unit><Representation>Linear</Representation>")
                + converter(
                        "Converter",
                        "C",
                        "FROM",
                        "TO",
                        on("Raw", "Automatic") + "<Unit>own</Unit><Representation>Logarithmic</Representation>")
                + converter("Converter", "D", "FROM", "TO", on("Raw", "Automatic")));
        assertEquals(Optional.of("own"), nodes.node("C").unit());
        assertEquals("Logarithmic", nodes.floating("C").representation());
        assertEquals(Optional.of("raw"), nodes.node("D").unit());
        assertEquals("Linear", nodes.floating("D").representation());
    }

    @Test
    void listedValuesGoThroughAChainOfConverters() {
        NodeMap nodes = load(integer(
                        "Raw",
                        "<Value>16</Value><Min>8</Min><Max>32</Max><ValidValueSet>1;2;4;8;16;22;64</ValidValueSet>")
                + converter("IntConverter", "Ten", "FROM/10", "TO*10", on("Raw", "Increasing"))
                + converter("Converter", "Tenth", "FROM*10", "TO/10", on("Raw", "Increasing"))
                + converter("Converter", "Hundredth", "FROM*10", "TO/10", on("Tenth", "Increasing")));
        assertEquals(List.of(80L, 160L, 220L), nodes.integer("Ten").validValues());
        assertEquals(List.of(0.8, 1.6, 2.2), nodes.floating("Tenth").validValues());
        assertEquals(3, nodes.floating("Hundredth").validValues().size());
        assertThrows(GenApiRangeException.class, () -> nodes.integer("Ten").set(100));
    }

    @Test
    void listedValuesPassThroughIntegersAndAreOverriddenThere() {
        NodeMap nodes = load(value("Value", 8)
                + value("Index", 0)
                + integer(
                        "Raw",
                        "<pValue>Value</pValue><Min>8</Min><Max>32</Max>"
                                + "<ValidValueSet>1;2;4;8;16;22;64</ValidValueSet>")
                + integer("Narrow", "<pValue>Raw</pValue><Min>8</Min><Max>16</Max>")
                + integer("Own", "<pValue>Raw</pValue><ValidValueSet>8;9;10;11;32</ValidValueSet>")
                + integer(
                        "Indexed",
                        "<pIndex>Index</pIndex><pValueIndexed Index=\"0\">Narrow</pValueIndexed>"
                                + "<pValueDefault>Index</pValueDefault>"));
        assertEquals(List.of(8L, 16L, 22L), nodes.integer("Raw").validValues());
        assertEquals(List.of(8L, 16L), nodes.integer("Narrow").validValues());
        assertEquals(List.of(8L, 9L, 10L, 11L, 32L), nodes.integer("Own").validValues());
        assertEquals(List.of(8L, 16L), nodes.integer("Indexed").validValues());
        nodes.integer("Index").set(2);
        assertEquals(List.of(), nodes.integer("Indexed").validValues());
    }

    @ParameterizedTest
    @CsvSource({"Increasing,Yes,0.4", "Automatic,Yes,0.4", "Decreasing,Yes,0.4", "Varying,Yes,-1", "Increasing,No,-1"})
    void onlyAStraightConverterHasAStep(String slope, String linear, double step) {
        String sign = slope.equals("Decreasing") ? "(-2.0)" : "2.0";
        NodeMap nodes = load("<Float Name=\"Raw\"><Value>5.2</Value><Min>1.6</Min><Max>10.0</Max><Inc>0.2</Inc></Float>"
                + converter(
                        "Converter",
                        "C",
                        "FROM / " + sign,
                        "TO * " + sign,
                        on("Raw", slope) + "<IsLinear>" + linear + "</IsLinear>"));
        OptionalDouble expected = step < 0 ? OptionalDouble.empty() : OptionalDouble.of(step);
        assertEquals(expected, nodes.floating("C").increment());
    }

    @Test
    void aStepComesFromBelow() {
        NodeMap nodes = load(integer("Raw", "<Value>0</Value><Min>-2</Min><Max>10</Max><Inc>2</Inc>")
                + "<Float Name=\"FromInt\"><pValue>Raw</pValue></Float>"
                + "<Float Name=\"Inc\"><Value>2.1</Value></Float>"
                + "<Float Name=\"Own\"><Value>4.2</Value><pInc>Inc</pInc></Float>"
                + "<Float Name=\"Over\"><pValue>Own</pValue></Float>"
                + integer("Whole", "<pValue>Own</pValue>"));
        assertEquals(OptionalDouble.of(2.0), nodes.floating("FromInt").increment());
        assertEquals(OptionalDouble.of(2.1), nodes.floating("Over").increment());
        assertEquals(2, nodes.integer("Whole").increment());
    }

    @Test
    void namesOfVariablesMatterByCaseInTheNewSchemaAlone() {
        String nodes = value("Raw", 2)
                + value("TimeBase", 10)
                + converter(
                        "Converter",
                        "C",
                        "FroM / TiMeBaSe",
                        "to * timeBASE",
                        "<pVariable Name=\"TIMEBASE\">TimeBase</pVariable>" + on("Raw", "Increasing"));
        assertThrows(GenApiException.class, () -> load(nodes).floating("C").value());
        String old = "<RegisterDescription SchemaMajorVersion=\"1\" SchemaMinorVersion=\"0\">" + nodes
                + "</RegisterDescription>";
        NodeMap tolerant = NodeMap.load(old.getBytes(StandardCharsets.UTF_8), port);
        assertEquals(20.0, tolerant.floating("C").value());
        tolerant.floating("C").set(400);
        assertEquals(40, tolerant.integer("Raw").value());
    }

    @Test
    void aConverterWithAnUnknownNameFailsWhenItIsUsed() {
        NodeMap nodes =
                load(value("Raw", 2) + converter("Converter", "C", "FROM / Z", "TO * Z", on("Raw", "Automatic")));
        assertThrows(GenApiException.class, () -> nodes.floating("C").value());
        assertEquals(2, nodes.integer("Raw").value());
    }

    @Test
    void aConverterOverAFloatRegisterWritesItsBytes() {
        NodeMap nodes = load("<FloatReg Name=\"F\">" + at(0, 4) + "<Endianess>BigEndian</Endianess></FloatReg>"
                + converter("Converter", "C", "FROM/2", "TO*2", on("F", "Increasing")));
        nodes.floating("C").set(2.0);
        assertEquals(0x3F, port.get(0, 1)[0]);
        assertEquals(2.0, nodes.floating("C").value());
    }

    @Test
    void shiftsAndMasksWorkInTheRealDomain() {
        NodeMap nodes = load(Xml.register("R", 0, "")
                + converter("Converter", "C", "( FROM * 1.024 ) & 0x0000FFFF", "TO / 1.024", on("R", "Increasing"))
                + converter("Converter", "Div", "(1<<16)/FROM", "(1<<16)/TO", on("R", "Decreasing")));
        nodes.floating("C").set(1000);
        assertEquals(1024, nodes.integer("R").value());
        assertEquals(64.0, nodes.floating("Div").value());
    }
}
