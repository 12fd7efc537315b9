package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that the reference implementation of GenApi, version 3.4, gives to the same formulas. */
class FormulaReferenceTest {
    private static NodeMap load(String kind, String formula, String x, String y) {
        return NodeMap.load(
                Xml.description(number("X", x) + number("Y", y) + "<" + kind
                        + " Name=\"K\"><pVariable Name=\"X\">VX</pVariable><pVariable Name=\"Y\">VY</pVariable>"
                        + "<Formula><![CDATA[" + formula + "]]></Formula></" + kind + ">"),
                new MemoryPort(64));
    }

    private static String number(String name, String text) {
        return text.contains(".")
                ? "<Float Name=\"V" + name + "\"><Value>" + text + "</Value></Float>"
                : value("V" + name, Long.parseLong(text));
    }

    private static double real(String formula, String x, String y) {
        return load("SwissKnife", formula, x, y).floating("K").value();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "(X > 32767 ? (X << 16) >> 16 : X) / 100; 65336; 1; -2",
                "(X > 32767 ? (X << 16) >> 16 : X) / 100; 65336.5; 1; -2",
                "X << Y; 65336; 16; -13107200",
                "X << Y; 1; 31; -2147483648",
                "X << Y; 1; 32; 1",
                "X << Y; 1; 100; 16",
                "X << Y; 5; -1; -2147483648",
                "X << Y; 2147483647; 1; -2",
                "X << Y; 1073741824; 2; 0",
                "X << Y; 7.75; 2.5; 28",
                "X << Y; -3.99; 1; -6",
                "X << Y; -2147483648; 1; 0",
                "X >> Y; -8; 33; -4",
                "X >> Y; -1000; 70; -16",
                "X >> Y; 1; -1; 0",
                "X >> Y; 7; -1; 0",
                "X >> Y; -3.99; 1; -2",
                "X & Y; -7.75; -2.5; -8",
                "X | Y; 7.75; 2.5; 7",
                "X | Y; 5; -1; -1",
                "X ^ Y; 65336.5; 33; 65305",
                "~X; 65336.5; 1; -65337",
                "~X; -7.75; 1; 6",
                "X % Y; 5.7; 3.9; 1.8000000000000003",
                "X % Y; -5.5; 3; -2.5",
                "X % Y; 65336.5; 33; 29.5",
                "X % Y; 6000000000; 7; 1",
                "X % Y; 5; 4294967297; 5"
            })
    void realKnivesCalculateWithIntegersOf32Bits(String formula, String x, String y, double expected) {
        assertEquals(expected, real(formula, x, y));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "X << Y; 1; 31; 2147483648",
                "X << Y; 1; 32; 4294967296",
                "X << Y; 1; 64; 1",
                "X << Y; 1; 100; 68719476736",
                "X << Y; 1; -1; -9223372036854775808",
                "X >> Y; 1; -1; 0",
                "X >> Y; -8; 33; -1",
                "X >> Y; -1000; 70; -16",
                "(X << 16) >> 16; 65336; 0; 65336",
                "~X; 4294967295; 0; -4294967296",
                "X | Y; 4294967296; 1; 4294967297"
            })
    void wholeKnivesCalculateWithIntegersOf64Bits(String formula, String x, String y, long expected) {
        assertEquals(expected, load("IntSwissKnife", formula, x, y).integer("K").value());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "LN(X); 0; 1; -Infinity",
                "LN(-Y); 0; 1; NaN",
                "LG(X); 0; 1; -Infinity",
                "SQRT(-Y); 0; 1; NaN",
                "ASIN(Y + 1); 0; 1; NaN",
                "EXP(1000 * Y); 0; 1; Infinity",
                "10**(400 * Y); 0; 1; Infinity",
                "X**-1; 0; 1; Infinity",
                "1/LN(X); 0; 1; 0",
                "TRUNC(EXP(1000)); 0; 1; Infinity",
                "ROUND(EXP(1000)); 0; 1; Infinity",
                "ROUND(LN(-Y)); 0; 1; NaN",
                "FRAC(EXP(1000)); 0; 1; 0",
                "SGN(LN(-Y)); 0; 1; 0",
                "SGN(EXP(1000)); 0; 1; 1",
                "EXP(1000) % 3; 0; 1; NaN",
                "3 % EXP(1000); 0; 1; 3",
                "LN(-Y) = LN(-Y); 0; 1; 0",
                "LN(-Y) <> LN(-Y); 0; 1; 1",
                "LN(-Y) > 1; 0; 1; 0",
                "LN(-Y) ? 1 : 2; 0; 1; 1",
                "EXP(1000) > 5; 0; 1; 1"
            })
    void resultsMayBeInfiniteOrNotANumber(String formula, String x, String y, double expected) {
        assertEquals(expected, real(formula, x, y), 0.0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1/X", "X/X", "Y/-X", "1/(1/X)", "Y%X", "LN(X) | 0", "LN(-Y) & 1", "~LN(X)", "1 << LN(-Y)"})
    void aDivisionByZeroAndBitsOfWhatIsNoNumberAreErrors(String formula) {
        GenApiException e = assertThrows(GenApiException.class, () -> real(formula, "0.0", "1.0"));
        assertEquals("Node K", e.getMessage().substring(0, 6));
    }

    @Test
    void theBranchThatIsNotTakenIsNotEvaluated() {
        assertEquals(7, real("X ? Y/X : 7", "0", "1"));
        assertEquals(0, real("X && (Y/X)", "0", "1"));
        assertEquals(1, real("Y || (Y/X)", "0", "1"));
    }

    @Test
    void operandsBeyond32BitsKeepTheirBits() {
        // The reference has no value here: "Value too big for operation".
        assertEquals(65535, real("X >> 16", "4294901760", "0"));
        assertEquals(5, real("X & 0xFFFFFFFF", "5", "0"));
    }
}
