package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same formulas in an integer and in a real knife, and formulas that are none. */
class FormulaTableTest {
    private static NodeMap load(String nodes) {
        return NodeMap.load(Xml.description(nodes), new MemoryPort(64));
    }

    private static String knife(String kind, String formula) {
        return "<" + kind
                + " Name=\"K\"><pVariable Name=\"A\">A</pVariable><pVariable Name=\"B\">B</pVariable><Formula>"
                + "<![CDATA[" + formula + "]]></Formula></" + kind + ">";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "10+2; 12; 12",
                "(24+2)*2; 52; 52",
                "24+2*8; 40; 40",
                "2+3*4; 14; 14",
                "(2+3)*4; 20; 20",
                "1=1?1:0; 1; 1",
                "1=0?1:0; 0; 0",
                "5?7:8; 7; 7",
                "0?7:8; 8; 8",
                "2>1; 1; 1",
                "2>2; 0; 0",
                "1<2; 1; 1",
                "2<2; 0; 0",
                "2>=2; 1; 1",
                "1>=2; 0; 0",
                "2<=2; 1; 1",
                "2<=1; 0; 0",
                "1<>2; 1; 1",
                "1<>1; 0; 0",
                "10-8; 2; 2",
                "10.1-8.1; 2; 2",
                "25.2+7; 32; 32.2",
                "25.2-7; 18; 18.2",
                "25.2*7; 176; 176.4",
                "2.5*4; 10; 10",
                "10/4; 2; 2.5",
                "10.0/4; 2; 2.5",
                "15/6; 2; 2.5",
                "4*-3; -12; -12",
                "4*+3; 12; 12",
                "+2.2; 2; 2.2",
                "-2.2; -2; -2.2",
                "10%3; 1; 1",
                "25.2%7; 4; 4.2",
                "-7%4; -3; -3",
                "2**10; 1024; 1024",
                "2**10*2; 2048; 2048",
                "3**2; 9; 9",
                "255 & 8; 8; 8",
                "128 | 8; 136; 136",
                "3 ^ 1; 2; 2",
                "~255; -256; -256",
                "1<<4; 16; 16",
                "16>>4; 1; 1",
                "2.1<>2; 1; 1",
                "1.0<>1; 0; 0",
                "1.0=1; 1; 1",
                "2.1=2; 0; 0",
                "2.1>2; 1; 1",
                "2>2.1; 0; 0",
                "2<2.1; 1; 1",
                "2.1>=2; 1; 1",
                "2<=2.1; 1; 1",
                "(2=2)&&(1=1); 1; 1",
                "(2=2)&&(1=2); 0; 0",
                "(2=2)||(1=2); 1; 1",
                "(1=2)||(0=2); 0; 0",
                "-5&&7; 1; 1",
                "SGN(2); 1; 1",
                "SGN(-2); -1; -1",
                "SGN(0); 0; 0",
                "SGN(2.5); 1; 1",
                "NEG(-1); 1; 1",
                "NEG(5); -5; -5",
                "ABS(-10000000000); 10000000000; 1e10",
                "(0 & 1)=0?((0 & 1)+2):1; 2; 2",
                "(~(~0xC2000221|0xFEFFFFFF)) ? 2:0; 0; 0",
                "10.2+10+0x10+010; 46; 46.2",
                "((3-4)*(2+(-1)))/(6-5); -1; -1",
                "2/(-2)*(0x01||(((((~(2^0x03)=(-2)))+2-(-2))>>2)>0))%(-2); -1; -1",
                "((((2<<1) & 0x01) <= (-2<0)) >=0 ) && 1; 1; 1",
                "(A << 32) | B; 12884901893; 7",
                "A; 3; 3",
                "A > 4 ? -1 : B; 5; 5",
                "neg(A) + abs(-B) ; 2; 2"
            })
    void wholeAndRealKnivesCalculate(String formula, long whole, double real) {
        String variables = value("A", 3) + value("B", 5);
        assertEquals(
                whole,
                load(knife("IntSwissKnife", formula) + variables).integer("K").value());
        assertEquals(
                real,
                load(knife("SwissKnife", formula) + variables).floating("K").value(),
                1e-9 * Math.max(1, Math.abs(real)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "LN(E); 1",
                "LN(E*E); 2",
                "LG(1000); 3",
                "SQRT(2.25); 1.5",
                "EXP(1); 2.718281828459045",
                "E; 2.718281828459045",
                "PI; 3.141592653589793",
                "SIN(0); 0",
                "SIN(PI/2); 1",
                "SIN(-PI/2); -1",
                "COS(PI); -1",
                "COS(PI/2); 0",
                "TAN(PI/4); 1",
                "ASIN(1); 1.5707963267948966",
                "ACOS(0); 1.5707963267948966",
                "ATAN(1); 0.7853981633974483",
                "TRUNC(5.5); 5",
                "TRUNC(-5.5); -5",
                "FLOOR(5.4); 5",
                "FLOOR(-5.4); -6",
                "CEIL(5.4); 6",
                "CEIL(-5.5); -5",
                "ROUND(5.4); 5",
                "ROUND(5.5); 6",
                "ROUND(-5.4); -5",
                "ROUND(-5.5); -6",
                "ROUND(45.4545,1); 45.5",
                "ROUND(45.4545,2); 45.45",
                "ROUND(45.4545,3); 45.455",
                "ROUND(45.4545,0); 45",
                "ROUND(45.4545,-1); 50",
                "FRAC(5.4); 0.4",
                "FRAC(-5.4); -0.4",
                "ABS(-5.4); 5.4",
                "(4/(20/10000)); 2000",
                "ln(lg(10)*e*exp(1)); 2",
                "(trunc(-0.5*3) + frac(-0.5*3))+0; -1.5",
                "(ceil(-0.5)*2 - floor(-0.5)*2)/2; 1",
                "round(0.5+2)-2; 1"
            })
    void functionsOfRealKnives(String formula, double expected) {
        assertEquals(
                expected,
                load(knife("SwissKnife", formula) + value("A", 0) + value("B", 0))
                        .floating("K")
                        .value(),
                1e-9);
    }

    @Test
    void blanksAndLineEndsStandAnywhereBetweenParts() {
        NodeMap nodes = load(knife("IntSwissKnife", "\n\t1\r\n+\n A *\t2\n") + value("A", 3) + value("B", 0));
        assertEquals(7, nodes.integer("K").value());
    }

    @ParameterizedTest
    @ValueSource(strings = {"LN(1)", "LG(10)", "SQRT(16)", "TAN(0)", "EXP(1)", "ATAN(0)", "COS(PI)", "ASIN(0)"})
    void wholeKnivesHaveNoTrigonometry(String formula) {
        NodeMap nodes = load(knife("IntSwissKnife", formula) + value("A", 0) + value("B", 0));
        assertThrows(GenApiException.class, () -> nodes.integer("K").value());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/A",
                "A/",
                "/",
                "A$B",
                "A#B",
                "A}B",
                "!A",
                "FOOBAR(A)",
                "(A+B",
                "A+B)",
                "",
                "    ",
                "1 2 3",
                "0x",
                "\"abc\"",
                "'abc'",
                "\\* aha *\\ 1",
                "'abc",
                "()",
                "SGN()",
                "SGN(A,B)",
                "ROUND(A,B,1)",
                "a",
                "1..2",
                "A ? B",
                "A : B"
            })
    void aFormulaThatIsNoneFailsWhenItIsRead(String formula) {
        for (String kind : new String[] {"SwissKnife", "IntSwissKnife"}) {
            NodeMap nodes = load(knife(kind, formula) + value("A", 1) + value("B", 2));
            assertEquals(AccessMode.RO, nodes.node("K").accessMode());
            GenApiException e =
                    assertThrows(GenApiException.class, () -> nodes.node("K").valueAsText());
            assertTrue(e.getMessage().contains("K"), e.getMessage());
            assertThrows(GenApiException.class, () -> nodes.node("K").valueAsText());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1/A", "1%A", "A/A", "1/(1/A)"})
    void dividingByZeroHasNoValue(String formula) {
        NodeMap nodes = load(knife("SwissKnife", formula) + value("A", 0) + value("B", 0));
        GenApiException e =
                assertThrows(GenApiException.class, () -> nodes.floating("K").value());
        assertTrue(e.getMessage().startsWith("Node K"), e.getMessage());
        nodes.integer("A").set(1);
        assertTrue(nodes.floating("K").value() >= 0);
    }

    @Test
    void aKnifeHasNoRangeOfItsOwn() {
        NodeMap nodes = load("<SwissKnife Name=\"K\"><Formula>((3.0-4.0)+1.0) = 0.0</Formula></SwissKnife>");
        assertEquals(1.0, nodes.floating("K").value());
        assertEquals(-nodes.floating("K").min(), nodes.floating("K").max());
        assertThrows(GenApiAccessException.class, () -> nodes.floating("K").set(7.7));
    }

    @Test
    void expressionsThatReferToThemselvesHaveNoValue() {
        NodeMap nodes = load("<SwissKnife Name=\"K\"><Expression Name=\"X\">X + 1</Expression><Formula>X</Formula>"
                + "</SwissKnife><SwissKnife Name=\"L\"><Constant Name=\"HALF\">0.5</Constant>"
                + "<Expression Name=\"TWICE\">2*6</Expression><Formula>HALF + TWICE</Formula></SwissKnife>");
        assertThrows(GenApiException.class, () -> nodes.floating("K").value());
        assertEquals(12.5, nodes.floating("L").value());
    }
}
