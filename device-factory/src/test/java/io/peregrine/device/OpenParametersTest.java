package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.device.OpenParameters.RdmaRequest;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenParametersTest {
    private final PeregrineSettings settings = PeregrineSettings.load(Map.of(), Map.of(), Path.of("no such directory"));

    @Test
    void rdmaIsOffByDefault() {
        assertEquals(RdmaRequest.OFF, OpenParameters.of(settings, Map.of()).rdma());
    }

    @ParameterizedTest
    @CsvSource({"0,OFF", "1,PREFER", "require,REQUIRE"})
    void useRdmaTakesThreeValues(String text, RdmaRequest expected) {
        assertEquals(
                expected, OpenParameters.of(settings, Map.of("UseRdma", text)).rdma());
    }

    @ParameterizedTest
    @CsvSource({"UseRdma,2", "PacketSize,100", "PacketSize,1501", "FlowSetCount,1", "AccessMode,All", "Payload,Video"})
    void wrongValueIsRefused(String name, String value) {
        assertThrows(DeviceException.class, () -> OpenParameters.of(settings, Map.of(name, value)));
    }

    @Test
    void unknownNameIsRefused() {
        assertThrows(DeviceException.class, () -> OpenParameters.checkedName("UseRDNA"));
    }

    @Test
    void nameIsFoundWhateverItsCase() {
        assertEquals("UseRdma", OpenParameters.checkedName("USERDMA"));
    }
}
