package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.integer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers as descriptions write them and as nodes show them. */
class NumberTextTest {
    private static NodeMap load(String nodes) {
        return NodeMap.load(Xml.description(nodes), new MemoryPort(64));
    }

    private static String real(String inside) {
        return "<Float Name=\"F\">" + inside + "</Float>";
    }

    @ParameterizedTest
    @CsvSource({
        "12.3456789,'',12.3457",
        "12.3456789e99,'',1.23457e+100",
        "12.3456789,Scientific 4,1.2346e+01",
        "12.3456789,Fixed 5,12.34568",
        "12.3456789,Fixed 6,12.345679",
        "12.3456789,Automatic 3,12.3",
        "-0.00012345,Automatic 3,-0.000123",
        "0.0000012345,Automatic 3,1.23e-06",
        "100000,'',100000",
        "1000000,'',1e+06",
        "0.000152588,Automatic 6,0.000152588",
        "0.0000152588,Automatic 6,1.52588e-05",
        "-0.0,'',-0",
        "0,Scientific 2,0.00e+00",
        "0,'',0"
    })
    void floatsAreShownInTheirNotation(String value, String how, String shown) {
        String[] parts = how.split(" ", -1);
        String notation = how.isEmpty()
                ? ""
                : "<DisplayNotation>" + parts[0] + "</DisplayNotation><DisplayPrecision>" + parts[1]
                        + "</DisplayPrecision>";
        assertEquals(
                shown,
                load(real("<Value>" + value + "</Value>" + notation))
                        .floating("F")
                        .displayText());
    }

    @ParameterizedTest
    @CsvSource({
        "Max,Fixed,5,31.415926,31.41592",
        "Max,Automatic,5,31.415926,31.415",
        "Max,Scientific,5,31.415926,3.14159e+01",
        "Min,Fixed,4,31.415926,31.4160",
        "Min,Fixed,2,31.411111,31.42",
        "Max,Fixed,2,-31.411111,-31.42",
        "Min,Scientific,2,-31.466666,-3.14e+01"
    })
    void whatIsShownLiesInTheRange(String limit, String notation, int digits, String value, String shown) {
        NodeMap nodes = load(real("<Value>" + value + "</Value><" + limit + ">" + value + "</" + limit
                + "><DisplayNotation>" + notation + "</DisplayNotation><DisplayPrecision>" + digits
                + "</DisplayPrecision>"));
        String text = nodes.floating("F").displayText();
        assertEquals(shown, text);
        nodes.node("F").setFromText(text);
    }

    @Test
    void notationComesFromBelow() {
        NodeMap nodes = load("<Float Name=\"Raw\"><Value>12.3456789</Value><DisplayNotation>Fixed</DisplayNotation>"
                + "<DisplayPrecision>5</DisplayPrecision></Float>" + real("<pValue>Raw</pValue>")
                + "<Converter Name=\"C\"><FormulaTo>FROM</FormulaTo><FormulaFrom>TO</FormulaFrom><pValue>Raw</pValue>"
                + "<DisplayNotation>Scientific</DisplayNotation><DisplayPrecision>1</DisplayPrecision></Converter>");
        assertEquals("12.34568", nodes.floating("F").displayText());
        assertEquals("1.2e+01", nodes.floating("C").displayText());
    }

    @Test
    void aLanguageWithDecimalCommasChangesNothing() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.FRANCE);
        try {
            NodeMap nodes = load(real("<Value>1.234</Value><DisplayNotation>Fixed</DisplayNotation>")
                    + "<SwissKnife Name=\"K\"><Formula>1.234</Formula></SwissKnife>");
            assertEquals(1.234, nodes.floating("K").value());
            assertEquals("1.234000", nodes.floating("F").displayText());
            assertEquals("1.234", nodes.node("F").valueAsText());
        } finally {
            Locale.setDefault(before);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "' 15 ',15",
        "0x1F,31",
        "0X1f,31",
        "-0x10,-16",
        "+7,7",
        "010,10",
        "1e3,1000",
        "15.0,15",
        "0xFFFFFFFFFFFFFFFF,-1",
        "18446744073709551615,-1",
        "-9223372036854775808,-9223372036854775808"
    })
    void wholeNumbersAreReadInEveryForm(String text, long expected) {
        assertEquals(
                expected,
                load(integer("I", "<Value>" + text + "</Value>")).integer("I").value());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "abc", "1,5", "1.5", "0x", "--1", "1e400", "0x1FFFFFFFFFFFFFFFF", "&amp;h1", "1 2", "NaN"})
    void whatIsNoWholeNumberCostsItsNode(String text) {
        NodeMap nodes = load(integer("I", "<Value>" + text + "</Value>") + Xml.value("Other", 1));
        assertEquals(AccessMode.NI, nodes.node("I").accessMode());
        assertEquals("I", nodes.problems().get(0).node());
        assertEquals(1, nodes.integer("Other").value());
    }

    @ParameterizedTest
    @CsvSource({"1e5,100000", ".5,0.5", "5.,5", "-1.5E-3,-0.0015", "0x10,16", "'\t2.5 ',2.5", "INF,Infinity"})
    void realNumbersAreReadInEveryForm(String text, double expected) {
        assertEquals(
                expected,
                load(real("<Value>" + text + "</Value>")).floating("F").value());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1,5", "1.5f", "0x1p3", "1e", "", "ten"})
    void whatIsNoRealNumberCostsItsNode(String text) {
        assertEquals(
                AccessMode.NI,
                load(real("<Value>" + text + "</Value>")).node("F").accessMode());
    }

    @ParameterizedTest
    @CsvSource({"&h1", "&HFF", "0x", "1.5", "foo"})
    void aTextThatIsNoNumberIsRefused(String text) {
        NodeMap nodes = load(integer("I", "<Value>3</Value>"));
        assertThrows(GenApiRangeException.class, () -> nodes.node("I").setFromText(text));
        assertEquals(3, nodes.integer("I").value());
    }

    @ParameterizedTest
    @CsvSource({"true,true,1", "1,true,1", "0,false,0", "14,true,14"})
    void aNumberThatIsYesOrNoIsShownSo(String text, String shown, long value) {
        NodeMap nodes = load(integer("I", "<Value>0</Value><Representation>Boolean</Representation>"));
        nodes.node("I").setFromText(text);
        assertEquals(shown, nodes.node("I").valueAsText());
        assertEquals(value, nodes.integer("I").value());
    }

    @Test
    void hexadecimalNumbersAreReadInUpperAndLowerCase() {
        NodeMap nodes = load(integer("I", "<Value>0</Value><Representation>HexNumber</Representation>"));
        nodes.node("I").setFromText("0X123456789ABCDEF");
        assertEquals("0x123456789abcdef", nodes.node("I").valueAsText());
    }

    @Test
    void bytesAreShownInHexadecimal() {
        NodeMap nodes = load("<Register Name=\"R\">" + Xml.at(0, 2) + "</Register>");
        nodes.node("R").setFromText("0xAAbb");
        assertEquals("0xaabb", nodes.node("R").valueAsText());
        assertThrows(GenApiRangeException.class, () -> nodes.node("R").setFromText("0x1"));
        assertThrows(GenApiRangeException.class, () -> nodes.node("R").setFromText("0x"));
        assertThrows(GenApiRangeException.class, () -> nodes.node("R").setFromText("0x123456"));
    }
}
