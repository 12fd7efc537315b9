package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.device.OpenOptions.Payload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bits: 0x80 GenDC, 0x40 multi-part, 0x20 large leader and trailer, 0x4 all-in, 0x1 extended chunk data. */
class PayloadConfigurationTest {

    @ParameterizedTest
    @CsvSource({
        // SCC, SCCFG before, choice, SCCFG after, GenDC, multi-part
        "0xE1, 0x00, AUTOMATIC, 0x80, true, false",
        "0xE1, 0x60, AUTOMATIC, 0xA0, true, false",
        "0xE1, 0x80, MULTI_PART, 0x60, false, true",
        "0xE1, 0xC0, IMAGE, 0x00, false, false",
        "0x60, 0x00, AUTOMATIC, 0x60, false, true",
        "0x40, 0x04, AUTOMATIC, 0x44, false, true",
        "0x60, 0x60, IMAGE, 0x20, false, false",
        "0x60, 0x00, GENDC, 0x00, false, false",
        "0x80, 0x00, MULTI_PART, 0x00, false, false",
        "0x04, 0x04, AUTOMATIC, 0x04, false, false",
        "0x00, 0x40, AUTOMATIC, 0x40, false, false"
    })
    void richestOfferedPayloadIsSwitchedOn(
            String capability, String present, Payload choice, String value, boolean genDc, boolean multiPart) {
        assertEquals(
                new PayloadConfiguration(Integer.decode(value), genDc, multiPart),
                PayloadConfiguration.decide(Integer.decode(capability), Integer.decode(present), true, choice, false));
    }

    @Test
    void genDcWithoutItsExtendedBootstrapBlockIsNotOffered() {
        assertEquals(
                new PayloadConfiguration(0x40, false, true),
                PayloadConfiguration.decide(0xC0, 0, false, Payload.AUTOMATIC, false));
    }

    @ParameterizedTest
    @CsvSource({"0x1, true, 1", "0x1, false, 0", "0x0, true, 0"})
    void chunkDataIsExtendedWhenItIsOnAndOffered(String capability, boolean chunkMode, int value) {
        assertEquals(
                value,
                PayloadConfiguration.decide(Integer.decode(capability), 0, true, Payload.IMAGE, chunkMode)
                        .value());
    }

    @Test
    void placesOfPartsNeedLessThanEightBytesEach() {
        assertEquals(1785, PayloadConfiguration.alignmentBytes());
    }
}
