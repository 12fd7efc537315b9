package io.peregrine.genapi;

import static io.peregrine.genapi.Xml.integer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.genapi.internal.NearNames;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What users read when a name or a value is wrong. */
class ErrorTextTest {
    private static final String PIXELS = "<Value>64</Value><Min>16</Min><Max>1280</Max><Inc>2</Inc><Unit>px</Unit>";

    private final NodeMap nodes = NodeMap.load(
            Xml.description("<Category Name=\"Root\"><pFeature>Width</pFeature><pFeature>ExposureTime</pFeature>"
                    + "<pFeature>ExposureMode</pFeature><pFeature>PixelFormat</pFeature><pFeature>Binning</pFeature>"
                    + "</Category>"
                    + integer("Width", PIXELS)
                    + integer("WidthReg", "<Value>1</Value>")
                    + integer("Binning", "<Value>1</Value><ValidValueSet>1;2;4</ValidValueSet><Unit>px</Unit>")
                    + "<Float Name=\"ExposureTime\"><Value>20</Value><Min>10</Min><Max>1000</Max><Unit>us</Unit>"
                    + "</Float>"
                    + "<Enumeration Name=\"ExposureMode\"><EnumEntry Name=\"Off\"><Value>0</Value></EnumEntry>"
                    + "<Value>0</Value></Enumeration>"
                    + "<Enumeration Name=\"PixelFormat\"><EnumEntry Name=\"Mono8\"><Value>0</Value></EnumEntry>"
                    + "<EnumEntry Name=\"Mono16\"><Value>1</Value></EnumEntry><Value>0</Value></Enumeration>"),
            new MemoryPort(16));

    private static String messageOf(Runnable attempt) {
        return assertThrows(GenApiException.class, attempt::run).getMessage();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Widht|There is no feature Widht. Did you mean Width?",
                "Width1|There is no feature Width1. Did you mean Width?",
                "WidthRge|There is no feature WidthRge. Did you mean WidthReg?",
                "width|There is no feature width. Did you mean Width? Upper and lower case matter.",
                "Exposure|There is no feature Exposure. Did you mean ExposureTime or ExposureMode?",
                "Cust::Widht|There is no feature Cust::Widht. Did you mean Width?",
                "Gamma|There is no feature Gamma in the description of Test"
            })
    void anUnknownFeatureIsNamedWithThoseOfNearNames(String name, String message) {
        assertEquals(message, messageOf(() -> nodes.node(name)));
    }

    @Test
    void anUnknownEntryIsNamedWithTheNearestAndAll() {
        assertEquals(
                "Node PixelFormat has no entry 'mono8'. Did you mean Mono8? Upper and lower case matter."
                        + " It has [Mono8, Mono16]",
                messageOf(() -> nodes.enumeration("PixelFormat").set("mono8")));
    }

    @Test
    void anEntryThatIsLikeNoneIsNamedWithAll() {
        assertEquals(
                "Node PixelFormat has no entry 'RGB8': it has [Mono8, Mono16]",
                messageOf(() -> nodes.enumeration("PixelFormat").set("RGB8")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Width|5000|Node Width does not take 5000: it takes 16 to 1280 px",
                "Width|33|Node Width does not take 33: it takes 16 to 1280 px in steps of 2 px",
                "Binning|3|Node Binning does not take 3: it takes [1, 2, 4] px",
                "ExposureTime|5|Node ExposureTime does not take 5.0: it takes 10.0 to 1000.0 us"
            })
    void aValueOutOfRangeIsToldWithTheUnit(String name, String value, String message) {
        assertEquals(message, messageOf(() -> nodes.node(name).setFromText(value)));
    }

    @Test
    void namesThatAreFarAwayAreNotSuggested() {
        assertEquals("", NearNames.question("Gamma", List.of("Width", "Gain")));
    }

    @Test
    void moreThanThreeNamesAreNotSuggested() {
        String question = NearNames.question("Gain", List.of("GainA", "GainB", "GainC", "GainD"));
        assertEquals("Did you mean GainA, GainB or GainC?", question);
    }

    /** Names of features come from the device, too. */
    @Test
    void aVeryLongNameIsNotCompared() {
        assertTrue(NearNames.question("x".repeat(1 << 20), List.of("x".repeat(1 << 20) + "y"))
                .isEmpty());
    }
}
