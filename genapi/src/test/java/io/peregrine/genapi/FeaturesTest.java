package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class FeaturesTest {
    private final Features features = new Features(NodeMap.load(
            "<RegisterDescription><Float Name=\"ExposureTime\"><Value>5</Value></Float></RegisterDescription>"
                    .getBytes(StandardCharsets.UTF_8),
            new MemoryPort(16)));

    @Test
    void featuresAreReachedByNameAndType() {
        features.exposureTime().set(20.5);
        assertEquals(20.5, features.exposureTime().value());
    }

    @Test
    void anAbsentFeatureSaysWhichItIs() {
        GenApiException e = assertThrows(GenApiException.class, features::pixelFormat);
        assertEquals("There is no feature PixelFormat in the description of ", e.getMessage());
    }

    @Test
    void theSourceIsWhatTheTableGives() throws IOException {
        assertEquals(
                FeaturesGenerator.generate(Files.readAllLines(FeaturesGenerator.table())),
                Files.readString(FeaturesGenerator.target()),
                "run FeaturesGenerator after a change of the table");
    }

    @Test
    void namesOfMethodsAreThoseOfJava() {
        assertEquals("tlParamsLocked", FeaturesGenerator.method("TLParamsLocked"));
        assertEquals("genDcDescriptor", FeaturesGenerator.method("GenDCDescriptor"));
        assertEquals("offsetX", FeaturesGenerator.method("OffsetX"));
        assertEquals("deviceUserId", FeaturesGenerator.method("DeviceUserID"));
        assertEquals("gevScpsPacketSize", FeaturesGenerator.method("GevSCPSPacketSize"));
    }
}
