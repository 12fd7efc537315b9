package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.StreamingMode.Protocol;
import io.peregrine.testing.ExpectedWarning;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device of GigE Vision 3.0 that does not speak the interim mapping: nothing is guessed, nothing is written. */
@ExpectedWarning("UseRdma=\\w+ is not met")
@Timeout(30)
class ForeignRdmaDeviceTest {
    private static final int GIGE_VISION_2 = 0x00020002;
    private static final int GIGE_VISION_3 = 0x00030000;

    private static Device open(ScriptedDevice device, String useRdma) {
        PeregrineSettings settings = PeregrineSettings.load()
                .with(PeregrineSettings.DISCOVERY_ADDRESSES, device.name())
                .with(PeregrineSettings.DISCOVERY_BROADCAST, "false");
        List<DiscoveryInformation> found =
                DeviceFactory.create(settings).discover(DiscoverFlags.FIND_ALL, Duration.ofMillis(500));
        found.get(0).setParameter("UseRdma", useRdma);
        return DeviceFactory.open(found.get(0));
    }

    private static StreamingMode mode(int version, String useRdma) {
        try (ScriptedDevice scripted = new ScriptedDevice("127.85.0.1", version);
                Device device = open(scripted, useRdma)) {
            return device.streamingMode();
        }
    }

    private static List<String> writes(String useRdma) {
        try (ScriptedDevice scripted = new ScriptedDevice("127.85.0.1", GIGE_VISION_3)) {
            open(scripted, useRdma).close();
            return scripted.writes();
        }
    }

    @Test
    void itStreamsByGvspAndTheReasonSaysWhy() {
        StreamingMode mode = mode(GIGE_VISION_3, "1");

        assertEquals(Protocol.GVSP, mode.protocol());
        assertEquals(
                "the device announces GigE Vision 3.0, but how it streams by RDMA is not public: frames use GVSP",
                mode.reason().orElseThrow());
    }

    @Test
    void anOlderDeviceDoesNotOfferRdma() {
        assertEquals(
                "the device does not offer RDMA",
                mode(GIGE_VISION_2, "1").reason().orElseThrow());
    }

    @Test
    void requiringRdmaIsAnErrorWithTheReason() {
        DeviceException why = assertThrows(DeviceException.class, () -> mode(GIGE_VISION_3, "require"));

        assertTrue(why.getMessage().contains("is not public"), why::getMessage);
    }

    @Test
    void askingForRdmaWritesNothingThatIsNotWrittenOtherwise() {
        List<String> without = writes("0");

        assertTrue(without.contains("0A00=2"), without::toString);
        assertEquals(without, writes("1"));
    }
}
