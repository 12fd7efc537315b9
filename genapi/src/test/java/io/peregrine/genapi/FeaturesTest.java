package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void everyRowOfTheTableHasItsMethod() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("src/main/features/features.csv"));
        assertEquals(
                rows.size() - 1,
                Stream.of(Features.class.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers()))
                        .count());
    }

    @ParameterizedTest
    @CsvSource({
        "tlParamsLocked,IntegerNode",
        "genDcDescriptor,RegisterNode",
        "offsetX,IntegerNode",
        "deviceUserId,StringNode",
        "gevScpsPacketSize,IntegerNode",
        "exposureTime,FloatNode",
        "pixelFormat,EnumerationNode",
        "acquisitionStart,CommandNode",
        "reverseX,BooleanNode"
    })
    void aFeatureHasTheTypeOfItsTable(String method, String type) throws NoSuchMethodException {
        assertEquals(type, Features.class.getMethod(method).getReturnType().getSimpleName());
    }
}
