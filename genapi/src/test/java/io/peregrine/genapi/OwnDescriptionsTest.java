package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Descriptions that are part of the project. */
class OwnDescriptionsTest extends DescriptionsContract {
    @Override
    Map<String, byte[]> descriptions() {
        return OwnDescriptions.all();
    }

    @Override
    int least() {
        return 30;
    }

    @Test
    void nothingIsWrongWithOwnDescriptions() {
        descriptions()
                .forEach((name, xml) -> assertEquals(
                        List.of(),
                        NodeMap.load(xml, new SyntheticRegisters(false, 0)).problems(),
                        name));
    }
}
