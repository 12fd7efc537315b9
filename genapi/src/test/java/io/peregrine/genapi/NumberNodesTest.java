package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.at;
import static io.peregrine.genapi.Xml.integer;
import static io.peregrine.genapi.Xml.register;
import static io.peregrine.genapi.Xml.value;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NumberNodesTest {
    private final CountingPort port = new CountingPort(65536);

    private NodeMap load(String nodes) {
        return NodeMap.load(Xml.description(nodes), port);
    }

    private static String sized(String name, int address, int length, String more) {
        return "<IntReg Name=\"" + name + "\">" + at(address, length) + more + "</IntReg>";
    }

    // ---- Integers

    @ParameterizedTest
    @CsvSource({
        "1,Unsigned,0,255",
        "2,Unsigned,0,65535",
        "2,Signed,-32768,32767",
        "4,Unsigned,0,4294967295",
        "4,Signed,-2147483648,2147483647",
        "8,Signed,-9223372036854775808,9223372036854775807",
        "8,Unsigned,0,9223372036854775807"
    })
    void theRangeOfARegisterIsThatOfItsBytes(int length, String sign, long min, long max) {
        NodeMap nodes = load(sized("R", 0, length, "<Sign>" + sign + "</Sign>"));
        assertEquals(min, nodes.integer("R").min());
        assertEquals(max, nodes.integer("R").max());
    }

    @Test
    void anUnsignedTimestampAboveTheSignedRangeWraps() {
        port.put(0, 0x80, 0, 0, 0, 0, 0, 0, 1);
        NodeMap nodes = load(sized("R", 0, 8, "<Endianess>BigEndian</Endianess>"));
        assertEquals(Long.MIN_VALUE + 1, nodes.integer("R").value());
    }

    @Test
    void writingARegisterLeavesItsNeighboursAlone() {
        port.put(0, 1, 2, 3, 4, 5, 6, 7, 8);
        NodeMap nodes = load(sized("R", 2, 2, ""));
        nodes.integer("R").set(0xABCD);
        assertArrayEquals(new byte[] {1, 2, (byte) 0xCD, (byte) 0xAB, 5, 6, 7, 8}, port.get(0, 8));
    }

    @ParameterizedTest
    @CsvSource({
        "LittleEndian,2,4,7,0x00F0",
        "BigEndian,2,11,8,0x00F0",
        "BigEndian,2,8,11,0x00F0",
        "LittleEndian,8,0,3,0x000F",
        "BigEndian,8,63,60,0x000F"
    })
    void bitsAreCountedInTheOrderOfTheBytes(String order, int length, int lsb, int msb, String mask) {
        NodeMap nodes = load("<MaskedIntReg Name=\"M\">" + at(0, length) + "<LSB>" + lsb + "</LSB><MSB>" + msb
                + "</MSB><Endianess>" + order + "</Endianess></MaskedIntReg>"
                + sized("R", 0, length, "<Endianess>" + order + "</Endianess>"));
        nodes.integer("M").set(15);
        assertEquals(Long.decode(mask), nodes.integer("R").value());
    }

    @Test
    void aMaskOfAllBitsIsTheWholeRegister() {
        NodeMap nodes = load(
                "<MaskedIntReg Name=\"M\">" + at(0, 8) + "<LSB>0</LSB><MSB>63</MSB><Sign>Signed</Sign></MaskedIntReg>");
        nodes.integer("M").set(-2);
        assertEquals(-2, nodes.integer("M").value());
    }

    @Test
    void aSignedFieldIsExtendedAndLimited() {
        NodeMap nodes = load(
                "<MaskedIntReg Name=\"M\">" + at(0, 4) + "<LSB>4</LSB><MSB>7</MSB><Sign>Signed</Sign></MaskedIntReg>");
        assertEquals(-8, nodes.integer("M").min());
        assertEquals(7, nodes.integer("M").max());
        nodes.integer("M").set(-3);
        assertEquals(-3, nodes.integer("M").value());
        assertEquals((byte) 0xD0, port.get(0, 1)[0]);
    }

    @Test
    void limitsGivenHereCountInsteadOfThoseOfTheRegister() {
        NodeMap nodes = load(sized("R", 0, 2, "") + integer("I", "<pValue>R</pValue><Min>-5</Min><Max>100</Max>"));
        assertEquals(-5, nodes.integer("I").min());
        assertEquals(100, nodes.integer("I").max());
    }

    @Test
    void limitsFromRealNumbersAreRoundedInwards() {
        NodeMap nodes = load("<Float Name=\"L\"><Value>1.5</Value></Float><Float Name=\"H\"><Value>8.5</Value></Float>"
                + integer("I", "<Value>2</Value><pMin>L</pMin><pMax>H</pMax>"));
        assertEquals(2, nodes.integer("I").min());
        assertEquals(8, nodes.integer("I").max());
    }

    @Test
    void stepsCountFromTheSmallestValue() {
        NodeMap nodes =
                load(value("Step", 4) + integer("I", "<Value>2</Value><Min>2</Min><Max>20</Max><pInc>Step</pInc>"));
        nodes.integer("I").set(10);
        assertThrows(GenApiRangeException.class, () -> nodes.integer("I").set(8));
        assertEquals(4, nodes.integer("I").increment());
    }

    @Test
    void verificationCanBeLeftOut() {
        NodeMap nodes = load(integer("I", "<Value>2</Value><Min>2</Min><Max>20</Max><Inc>4</Inc>"));
        nodes.integer("I").setUnverified(99);
        assertEquals(99, nodes.integer("I").value());
    }

    @Test
    void onlyValuesOfTheSetAreTaken() {
        NodeMap nodes = load(integer("I", "<Value>1</Value><Max>8</Max><ValidValueSet>1;2;4;8;16</ValidValueSet>"));
        nodes.integer("I").set(8);
        assertThrows(GenApiRangeException.class, () -> nodes.integer("I").set(3));
        assertThrows(GenApiRangeException.class, () -> nodes.integer("I").set(16));
    }

    @Test
    void limitsThatDependOnEachOtherEnd() {
        NodeMap nodes = load("<IntSwissKnife Name=\"WMax\"><pVariable Name=\"O\">Offset</pVariable>"
                + "<Formula>100-O.Max+O.Max</Formula></IntSwissKnife>"
                + integer("Width", "<Value>10</Value><pMax>WMax</pMax>")
                + integer("Offset", "<Value>5</Value><pMax>OMax</pMax>")
                + "<IntSwissKnife Name=\"OMax\"><pVariable Name=\"W\">Width</pVariable>"
                + "<Formula>W.Max - 10</Formula></IntSwissKnife>");
        assertEquals(100, nodes.integer("Width").max());
    }

    @ParameterizedTest
    @CsvSource({"0,10", "5,15", "7,99"})
    void aTableGivesTheValueOfItsIndex(long index, long expected) {
        NodeMap nodes = load(value("X", index)
                + integer(
                        "I",
                        "<pIndex>X</pIndex><ValueIndexed Index=\"0\">10</ValueIndexed>"
                                + "<ValueIndexed Index=\"5\">15</ValueIndexed><ValueDefault>99</ValueDefault>"));
        assertEquals(expected, nodes.integer("I").value());
    }

    @Test
    void aMultiplexerWritesToTheChosenNode() {
        NodeMap nodes = load(value("X", 1)
                + value("A", 0)
                + value("B", 0)
                + value("C", 0)
                + integer(
                        "I",
                        "<pIndex>X</pIndex><pValueIndexed Index=\"0\">A</pValueIndexed>"
                                + "<pValueIndexed Index=\"1\">B</pValueIndexed><pValueDefault>C</pValueDefault>"));
        nodes.integer("I").set(7);
        nodes.integer("X").set(9);
        nodes.integer("I").set(8);
        assertEquals(0, nodes.integer("A").value());
        assertEquals(7, nodes.integer("B").value());
        assertEquals(8, nodes.integer("C").value());
    }

    @Test
    void aFloatHasTablesToo() {
        NodeMap nodes = load(value("X", 2) + "<Float Name=\"F\"><pIndex>X</pIndex>"
                + "<ValueIndexed Index=\"1\">1.5</ValueIndexed><ValueIndexed Index=\"2\">2.5</ValueIndexed></Float>");
        assertEquals(2.5, nodes.floating("F").value());
        nodes.integer("X").set(3);
        assertEquals(AccessMode.NA, nodes.node("F").accessMode());
    }

    @Test
    void copiesAreWrittenAndNarrowTheRange() {
        NodeMap nodes = load(sized("A", 0, 4, "")
                + sized("B", 8, 1, "")
                + integer("I", "<pValue>A</pValue><pValueCopy>B</pValueCopy>"));
        assertEquals(255, nodes.integer("I").max());
        nodes.integer("I").set(7);
        assertEquals(7, nodes.integer("A").value());
        assertEquals(7, nodes.integer("B").value());
    }

    @Test
    void anAddressSumsIndexesWithLiteralLinkedAndNoOffset() {
        port.put(100 + 2 * 16 + 3 * 32 + 5 * 4, 0, 0, 0, 42);
        NodeMap nodes = load(value("A", 2) + value("B", 3) + value("C", 5) + value("Step", 32) + "<IntReg Name=\"R\">"
                + at(100, 4) + "<pIndex Offset=\"16\">A</pIndex><pIndex pOffset=\"Step\">B</pIndex><pIndex>C</pIndex>"
                + "<Endianess>BigEndian</Endianess></IntReg>");
        assertEquals(42, nodes.integer("R").value());
    }

    @Test
    void severalAddressesAreAdded() {
        port.put(0x30, 9);
        NodeMap nodes = load("<IntReg Name=\"R\"><Address>0x10</Address><Address>0x20</Address><Length>0x01</Length>"
                + "<AccessMode>RO</AccessMode><pPort>Device</pPort></IntReg>");
        assertEquals(9, nodes.integer("R").value());
    }

    @ParameterizedTest
    @CsvSource({
        "HexNumber,255,0xff",
        "Boolean,1,true",
        "Logarithmic,14,14",
        "IPV4Address,3232235777,192.168.1.1",
        "MACAddress,20015998343868,12:34:56:78:9a:bc",
        "PureNumber,-5,-5"
    })
    void representationsAreWrittenAndRead(String representation, long number, String text) {
        NodeMap nodes = load(integer("I", "<Value>0</Value><Representation>" + representation + "</Representation>"));
        nodes.node("I").setFromText(text);
        assertEquals(number, nodes.integer("I").value());
        assertEquals(text, nodes.node("I").valueAsText());
    }

    @Test
    void textThatIsNoNumberKeepsTheValue() {
        NodeMap nodes = load(value("I", 15));
        assertThrows(GenApiRangeException.class, () -> nodes.node("I").setFromText("foo"));
        assertEquals(15, nodes.integer("I").value());
    }

    @Test
    void unitAndRepresentationComeFromBelow() {
        NodeMap nodes = load(register("R", 0, "<Unit>us</Unit><Representation>HexNumber</Representation>")
                + integer("I", "<pValue>R</pValue>") + "<IntConverter Name=\"C\"><FormulaTo>FROM</FormulaTo>"
                + "<FormulaFrom>TO</FormulaFrom><pValue>I</pValue></IntConverter>");
        assertEquals(Optional.of("us"), nodes.node("C").unit());
        assertEquals("HexNumber", nodes.integer("C").representation());
    }

    // ---- Floats

    @ParameterizedTest
    @CsvSource({"4,LittleEndian", "4,BigEndian", "8,LittleEndian", "8,BigEndian"})
    void floatsComeBackAsTheyWereWritten(int length, String order) {
        NodeMap nodes =
                load("<FloatReg Name=\"F\">" + at(0, length) + "<Endianess>" + order + "</Endianess></FloatReg>");
        nodes.floating("F").set(-2.5);
        assertEquals(-2.5, nodes.floating("F").value());
    }

    @Test
    void theLengthOfAFloatCanBeLinked() {
        NodeMap nodes = load(value("L", 8) + "<FloatReg Name=\"F\"><Address>0</Address><pLength>L</pLength>"
                + "<AccessMode>RW</AccessMode><pPort>Device</pPort></FloatReg>");
        nodes.floating("F").set(1e300);
        assertEquals(1e300, nodes.floating("F").value());
        nodes.integer("L").set(3);
        assertThrows(GenApiException.class, () -> nodes.floating("F").value());
    }

    @Test
    void aFloatOfFourBytesTakesNoLargerValue() {
        NodeMap nodes = load("<FloatReg Name=\"F\">" + at(0, 4) + "</FloatReg>");
        assertThrows(GenApiRangeException.class, () -> nodes.floating("F").set(1e300));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 10.5, Double.NaN})
    void aFloatOutsideItsRangeIsRefused(double outside) {
        NodeMap nodes = load("<Float Name=\"F\"><Value>1</Value><Min>1</Min><Max>10</Max></Float>");
        assertThrows(GenApiRangeException.class, () -> nodes.floating("F").set(outside));
        assertEquals(1.0, nodes.floating("F").value());
    }

    @Test
    void aFloatTakesValuesBetweenItsSteps() {
        NodeMap nodes = load("<Float Name=\"F\"><Value>1</Value><Min>0</Min><Max>10</Max><Inc>0.5</Inc></Float>");
        nodes.floating("F").set(0.3);
        assertEquals(0.5, nodes.floating("F").increment().orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({"Fixed,2,3.14", "Scientific,3,3.142e+00", "Automatic,4,3.142"})
    void floatsAreShownAsTheDescriptionAsks(String notation, int digits, String text) {
        NodeMap nodes = load("<Float Name=\"F\"><Value>3.14159</Value><DisplayNotation>" + notation
                + "</DisplayNotation><DisplayPrecision>" + digits + "</DisplayPrecision></Float>");
        assertEquals(text, nodes.floating("F").displayText());
    }

    @Test
    void aFloatOverAnIntegerIsRounded() {
        NodeMap nodes = load(register("R", 0, "<Sign>Signed</Sign>") + "<Float Name=\"F\"><pValue>R</pValue></Float>");
        nodes.floating("F").set(2.5);
        assertEquals(3, nodes.integer("R").value());
        nodes.floating("F").set(-2.5);
        assertEquals(-3, nodes.integer("R").value());
    }

    // ---- Formulas

    @Test
    void aDecreasingConverterSwapsItsEnds() {
        NodeMap nodes = load(integer("P", "<Value>10</Value><Min>10</Min><Max>1000</Max>")
                + "<Converter Name=\"C\"><FormulaTo>1000/FROM</FormulaTo><FormulaFrom>1000/TO</FormulaFrom>"
                + "<pValue>P</pValue><Slope>Decreasing</Slope></Converter>");
        assertEquals(1.0, nodes.floating("C").min());
        assertEquals(100.0, nodes.floating("C").max());
    }

    @ParameterizedTest
    @CsvSource({"Automatic,1,100", "Varying,-1.7976931348623157E308,1.7976931348623157E308"})
    void aConverterOfAnotherSlopeProbesItsEndsOrHasNone(String slope, double min, double max) {
        NodeMap nodes = load(integer("P", "<Value>10</Value><Min>10</Min><Max>1000</Max>")
                + "<Converter Name=\"C\"><FormulaTo>1000/FROM</FormulaTo><FormulaFrom>1000/TO</FormulaFrom>"
                + "<pValue>P</pValue><Slope>" + slope + "</Slope></Converter>");
        assertEquals(min, nodes.floating("C").min());
        assertEquals(max, nodes.floating("C").max());
    }

    @Test
    void aConverterReadsTheOldValueBeforeItWrites() {
        NodeMap nodes = load(register("R", 0, "") + "<IntConverter Name=\"C\"><pVariable Name=\"OLD\">R</pVariable>"
                + "<FormulaTo>OLD | (1 &lt;&lt; FROM)</FormulaTo><FormulaFrom>TO</FormulaFrom><pValue>R</pValue>"
                + "<Slope>Varying</Slope></IntConverter>");
        nodes.integer("C").set(0);
        nodes.integer("C").set(3);
        assertEquals(9, nodes.integer("R").value());
    }

    @Test
    void aRealResultGoesIntoAnIntegerRounded() {
        NodeMap nodes = load(register("R", 0, "") + "<Converter Name=\"C\"><FormulaTo>FROM*0.1</FormulaTo>"
                + "<FormulaFrom>TO*10</FormulaFrom><pValue>R</pValue></Converter>");
        nodes.floating("C").set(25);
        assertEquals(3, nodes.integer("R").value());
    }

    @Test
    void aResultThatIsNoIntegerIsOutOfRange() {
        NodeMap nodes = load(register("R", 0, "") + "<Converter Name=\"C\"><FormulaTo>FROM*1e300</FormulaTo>"
                + "<FormulaFrom>TO</FormulaFrom><pValue>R</pValue><Slope>Varying</Slope></Converter>");
        assertThrows(GenApiRangeException.class, () -> nodes.floating("C").set(1e10));
    }

    @Test
    void integerConvertersPromoteWithARealLiteral() {
        NodeMap nodes = load(value("V", 50) + "<IntConverter Name=\"C\"><FormulaTo>FROM*10</FormulaTo>"
                + "<FormulaFrom>0.1*TO</FormulaFrom><pValue>V</pValue></IntConverter>");
        assertEquals(5, nodes.integer("C").value());
    }

    @ParameterizedTest
    @CsvSource({
        "V.Min,2",
        "V.Max,20",
        "V.Inc,3",
        "V.Value,5",
        "V.AccessMode,4",
        "V.Visibility,1",
        "V.CachingMode,1",
        "E.Entry.On,7",
        "E = E.Entry.On ? 1 : 0,1"
    })
    void variablesHaveMoreThanTheirValue(String formula, long expected) {
        NodeMap nodes = load(
                integer("V", "<Visibility>Expert</Visibility><Value>5</Value><Min>2</Min><Max>20</Max><Inc>3</Inc>")
                        + "<Enumeration Name=\"E\"><EnumEntry Name=\"On\"><Value>7</Value></EnumEntry><Value>7</Value>"
                        + "</Enumeration><IntSwissKnife Name=\"K\"><pVariable Name=\"V\">V</pVariable>"
                        + "<pVariable Name=\"E\">E</pVariable><Formula>" + formula + "</Formula></IntSwissKnife>");
        assertEquals(expected, nodes.integer("K").value());
    }

    @Test
    void anEntryThatIsMissingIsAnErrorOfItsNode() {
        NodeMap nodes = load("<Enumeration Name=\"E\"><EnumEntry Name=\"On\"><Value>7</Value></EnumEntry>"
                + "<Value>7</Value></Enumeration><IntSwissKnife Name=\"K\"><pVariable Name=\"E\">E</pVariable>"
                + "<Formula>E.Entry.Off</Formula></IntSwissKnife>");
        assertThrows(GenApiException.class, () -> nodes.integer("K").value());
    }

    @Test
    void constantsAndExpressionsArePutIn() {
        NodeMap nodes = load(value("V", 5) + "<SwissKnife Name=\"K\"><pVariable Name=\"X\">V</pVariable>"
                + "<Constant Name=\"C\">2.5</Constant><Expression Name=\"H\">X*C</Expression>"
                + "<Formula>H + 1</Formula></SwissKnife>");
        assertEquals(13.5, nodes.floating("K").value());
    }

    @ParameterizedTest
    @ValueSource(strings = {"V $ 1", "", "FOO(1)", "SIN(1,2)", "V +", "NOBODY", "SIN(V)"})
    void aBadFormulaCostsItsNodeWhenItIsUsed(String formula) {
        NodeMap nodes = load(value("V", 5) + "<IntSwissKnife Name=\"K\"><pVariable Name=\"V\">V</pVariable><Formula>"
                + formula + "</Formula></IntSwissKnife>" + value("Other", 1));
        GenApiException e =
                assertThrows(GenApiException.class, () -> nodes.integer("K").value());
        assertTrue(e.getMessage().contains("Node K"), e.getMessage());
        assertEquals(1, nodes.integer("Other").value());
    }

    @Test
    void manyNestedConditionsAreEvaluated() {
        String formula = "(V=0?0:".repeat(128) + "7" + ")".repeat(128);
        NodeMap nodes = load(value("V", 5) + "<IntSwissKnife Name=\"K\"><pVariable Name=\"V\">V</pVariable><Formula>"
                + formula + "</Formula></IntSwissKnife>");
        assertEquals(7, nodes.integer("K").value());
    }

    /** Each node reads the one before twice. */
    private static String doubling(String first) {
        StringBuilder xml = new StringBuilder(first);
        for (int i = 1; i < 60; i++) {
            xml.append("<IntSwissKnife Name=\"K" + i + "\"><pVariable Name=\"A\">K" + (i - 1)
                    + "</pVariable><pVariable Name=\"B\">K" + (i - 1)
                    + "</pVariable><Formula>A+B</Formula></IntSwissKnife>");
        }
        return xml.toString();
    }

    @Test
    void workThatDoublesWithEachNodeIsGivenUp() {
        NodeMap nodes = load(doubling(register("K0", 0, "<Cachable>NoCache</Cachable>")));
        GenApiException e =
                assertThrows(GenApiException.class, () -> nodes.integer("K59").value());
        assertTrue(e.getMessage().contains("given up"), e.getMessage());
    }

    @Test
    void formulasWhoseValuesMayBeRememberedAreCalculatedOnce() {
        assertEquals(1L << 59, load(doubling(value("K0", 1))).integer("K59").value());
        assertEquals(0, load(doubling(register("K0", 0, ""))).integer("K59").value());
    }

    // ---- Booleans, enumerations, texts

    @Test
    void aBooleanWithOddValuesWritesThem() {
        NodeMap nodes = load(register("R", 0, "")
                + "<Boolean Name=\"B\"><pValue>R</pValue><OnValue>10</OnValue><OffValue>20</OffValue></Boolean>");
        nodes.bool("B").set(true);
        assertEquals(10, nodes.integer("R").value());
        nodes.node("B").setFromText("false");
        assertEquals(20, nodes.integer("R").value());
        nodes.integer("R").set(15);
        assertThrows(GenApiException.class, () -> nodes.bool("B").value());
        assertThrows(GenApiRangeException.class, () -> nodes.node("B").setFromText("maybe"));
    }

    @Test
    void aBooleanThatIsTheSameOnAndOffIsNotImplemented() {
        NodeMap nodes =
                load("<Boolean Name=\"B\"><Value>1</Value><OnValue>1</OnValue><OffValue>1</OffValue></Boolean>");
        assertEquals(AccessMode.NI, nodes.node("B").accessMode());
        assertEquals(1, nodes.problems().size());
    }

    @Test
    void aValueWithoutEntryIsAnErrorOfTheSymbolAlone() {
        NodeMap nodes = load(register("R", 0, "") + "<Enumeration Name=\"E\"><EnumEntry Name=\"A\"><Value>1</Value>"
                + "</EnumEntry><pValue>R</pValue></Enumeration>");
        assertEquals(AccessMode.RW, nodes.node("E").accessMode());
        assertEquals(0, nodes.enumeration("E").intValue());
        assertThrows(GenApiException.class, () -> nodes.enumeration("E").value());
        nodes.enumeration("E").setIntValue(1);
        assertEquals("A", nodes.enumeration("E").value());
    }

    @Test
    void anEnumerationOverAFloatIsItsRoundedValue() {
        NodeMap nodes = load("<Float Name=\"F\"><Value>1.9</Value></Float><Enumeration Name=\"E\">"
                + "<EnumEntry Name=\"A\"><Value>0</Value></EnumEntry>"
                + "<EnumEntry Name=\"B\"><Value>2</Value></EnumEntry><pValue>F</pValue></Enumeration>");
        assertEquals("B", nodes.enumeration("E").value());
        nodes.enumeration("E").set("A");
        assertEquals(0.0, nodes.floating("F").value());
    }

    @Test
    void anEntryThatIsNotAvailableCannotBeSelected() {
        NodeMap nodes =
                load(value("No", 0) + "<Enumeration Name=\"E\"><EnumEntry Name=\"A\"><Value>0</Value></EnumEntry>"
                        + "<EnumEntry Name=\"B\"><pIsAvailable>No</pIsAvailable><Value>1</Value></EnumEntry>"
                        + "<Value>0</Value></Enumeration>");
        assertThrows(GenApiRangeException.class, () -> nodes.enumeration("E").set("B"));
        assertEquals(2, nodes.enumeration("E").entries().size());
    }

    @Test
    void aTextFillsItsRegisterWithZeros() {
        port.put(0, 'x', 'x', 'x', 'x');
        NodeMap nodes = load("<StringReg Name=\"S\">" + at(0, 4) + "</StringReg>");
        nodes.string("S").set("ab");
        assertArrayEquals(new byte[] {'a', 'b', 0, 0}, port.get(0, 4));
        nodes.string("S").set("abcd");
        assertEquals("abcd", nodes.string("S").value());
        assertEquals(4, nodes.string("S").maxLengthBytes());
    }

    @Test
    void aTextOfItsOwnHasNoLimit() {
        NodeMap nodes = load("<String Name=\"S\"><Value>hello</Value></String>");
        assertEquals("hello", nodes.string("S").value());
        assertEquals(Long.MAX_VALUE, nodes.string("S").maxLengthBytes());
    }

    private static String reportingError(String code) {
        return "<Enumeration Name=\"Err\"><EnumEntry Name=\"Ok\"><Value>0</Value></EnumEntry>"
                + "<EnumEntry Name=\"Hot\"><ToolTip>too hot</ToolTip><Value>2</Value></EnumEntry>"
                + "<pValue>" + code + "</pValue></Enumeration>" + integer("I", "<Value>0</Value><pError>Err</pError>");
    }

    @Test
    void anErrorThatTheDeviceReportsThroughAFormulaIsThrown() {
        NodeMap nodes = load(register("R", 16, "")
                + "<IntSwissKnife Name=\"Code\"><pVariable Name=\"X\">R</pVariable><Formula>X &amp; 2</Formula>"
                + "</IntSwissKnife>" + reportingError("Code"));
        nodes.integer("I").set(1);
        port.put(16, 0, 0, 0, 2);
        assertThrows(GenApiException.class, () -> nodes.integer("I").set(2));
    }

    @Test
    void anErrorThatTheDeviceReportsAfterAWriteIsThrown() {
        NodeMap nodes = load(register("Code", 16, "<Cachable>NoCache</Cachable>") + reportingError("Code"));
        nodes.integer("I").set(1);
        port.put(16, 0, 0, 0, 2);
        GenApiException e =
                assertThrows(GenApiException.class, () -> nodes.integer("I").set(2));
        assertEquals("Node I was written, but the device reports: too hot", e.getMessage());
        nodes.integer("I").setUnverified(3);
    }
}
