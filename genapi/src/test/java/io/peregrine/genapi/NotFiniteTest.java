package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results that are not finite, as values and as limits: what is expected is what the reference (3.4) answered. */
class NotFiniteTest {
    private static NodeMap load(String nodes) {
        return NodeMap.load(Xml.description(nodes), new CountingPort(4096));
    }

    private static String knife(String name, String formula) {
        return "<SwissKnife Name=\"" + name + "\"><pVariable Name=\"X\">Zero</pVariable><Formula>" + formula
                + "</Formula></SwissKnife>";
    }

    private static String floating(String name, String inside) {
        return "<Float Name=\"" + name + "\">" + inside + "</Float>";
    }

    @Test
    void theLogarithmOfZeroIsMinusInfinity() {
        assertEquals(
                Double.NEGATIVE_INFINITY,
                load(value("Zero", 0) + knife("K", "LN(X)")).floating("K").value());
    }

    @Test
    void theRootOfANegativeNumberIsNotANumber() {
        assertEquals(
                Double.NaN,
                load(value("Zero", 0) + knife("K", "SQRT(X-1)")).floating("K").value());
    }

    private static final String LIMITS = value("Zero", 0)
            + knife("Low", "LN(X)")
            + knife("High", "-LN(X)")
            + knife("None", "SQRT(X-1)")
            + floating("F", "<Value>3</Value><pMin>Low</pMin><pMax>High</pMax>")
            + floating("N", "<Value>3</Value><pMin>None</pMin><pMax>None</pMax>")
            + floating("Never", "<Value>3</Value><pMin>High</pMin><Max>5</Max>");

    @Test
    void aFloatWithInfiniteLimitsHasTheRangeOfItsType() {
        NodeMap nodes = load(LIMITS);
        assertEquals(-Double.MAX_VALUE, nodes.floating("F").min());
        assertEquals(Double.MAX_VALUE, nodes.floating("F").max());
        nodes.floating("F").set(-1e300);
        assertEquals(-1e300, nodes.floating("F").value());
    }

    @Test
    void aLimitThatIsNotANumberIsNoLimit() {
        NodeMap nodes = load(LIMITS);
        nodes.floating("N").set(4);
        assertEquals(4, nodes.floating("N").value());
    }

    @Test
    void aSmallestValueOfInfinityRefusesEverything() {
        NodeMap nodes = load(LIMITS);
        assertEquals(Double.POSITIVE_INFINITY, nodes.floating("Never").min());
        assertThrows(GenApiRangeException.class, () -> nodes.floating("Never").set(4));
    }

    @Test
    void aConverterWhoseEndIsInfiniteHasNoLimitThere() {
        NodeMap nodes = load(integer("I", "<Value>4</Value><Min>0</Min><Max>10</Max>")
                + "<Converter Name=\"C\"><FormulaTo>EXP(FROM)</FormulaTo><FormulaFrom>LN(TO)</FormulaFrom>"
                + "<pValue>I</pValue></Converter>");
        assertEquals(-Double.MAX_VALUE, nodes.floating("C").min());
        assertEquals(2.302585092994046, nodes.floating("C").max());
    }

    /** The reference gives an error here, which makes the integer unusable. */
    @ParameterizedTest
    @ValueSource(strings = {"Low", "None"})
    void anIntegerIsNotLimitedByWhatIsNoFiniteNumber(String limit) {
        NodeMap nodes = load(LIMITS + integer("I", "<Value>3</Value><pMin>" + limit + "</pMin>"));
        assertEquals(Long.MIN_VALUE, nodes.integer("I").min());
        nodes.integer("I").set(-100);
        assertEquals(-100, nodes.integer("I").value());
    }
}
