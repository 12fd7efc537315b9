package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.StreamingMode.Protocol;
import io.peregrine.testing.ExpectedWarning;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A device of GigE Vision 3.0 that does not speak the interim mapping: nothing is guessed, nothing is written. */
@ExpectedWarning("UseRdma=\\w+ is not met")
@Timeout(30)
class ForeignRdmaDeviceTest {
    private static final int GIGE_VISION_2 = 0x00020002;
    private static final int GIGE_VISION_3 = 0x00030000;
    private static final int PROTOCOL = 0xA010;
    /** Made up after what LUCID's documentation says of its cameras: UDP is 0 here, TCP 1, RDMA 2. */
    private static final String VENDOR_RDMA = """
            <RegisterDescription ModelName="Atlas" VendorName="Somebody" SchemaMajorVersion="1" SchemaMinorVersion="1"
             SchemaSubMinorVersion="0" xmlns="http://www.genicam.org/GenApi/Version_1_1">
            <Category Name="Root"><pFeature>TransportStreamProtocol</pFeature></Category>
            <Enumeration Name="TransportStreamProtocol">
            <EnumEntry Name="UDP"><Value>0</Value></EnumEntry>
            <EnumEntry Name="TCP"><Value>1</Value></EnumEntry>
            <EnumEntry Name="RDMA">%s<Value>2</Value></EnumEntry>
            <pValue>ProtocolReg</pValue></Enumeration>
            <IntReg Name="ProtocolReg"><Address>0xA010</Address><Length>4</Length><AccessMode>RW</AccessMode>
            <pPort>Device</pPort>
            <Sign>Unsigned</Sign><Endianess>BigEndian</Endianess></IntReg>
            <Integer Name="No"><Value>0</Value></Integer>
            <Port Name="Device"/></RegisterDescription>
            """;

    private static final String WITH_RDMA = String.format(Locale.ROOT, VENDOR_RDMA, "");

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

    private static String reason(int version, String xml, int protocol) {
        try (ScriptedDevice scripted = new ScriptedDevice("127.85.0.1", version, xml).with(PROTOCOL, protocol);
                Device device = open(scripted, "1")) {
            assertEquals(Protocol.GVSP, device.streamingMode().protocol());
            return device.streamingMode().reason().orElseThrow();
        }
    }

    private static List<String> writes(String useRdma) {
        try (ScriptedDevice scripted = new ScriptedDevice("127.85.0.1", GIGE_VISION_3)) {
            return writes(scripted, useRdma);
        }
    }

    private static List<String> writes(ScriptedDevice scripted, String useRdma) {
        open(scripted, useRdma).close();
        return scripted.writes();
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

    @Test
    void theRdmaOfAManufacturerIsNamedInTheReason() {
        assertEquals(
                "the device offers the RDMA of its manufacturer from before GigE Vision 3.0 (TransportStreamProtocol),"
                        + " which is not public: frames use GVSP",
                reason(GIGE_VISION_2, WITH_RDMA, 0));
    }

    @ParameterizedTest
    @CsvSource({"1, TCP", "2, RDMA"})
    void aCameraThatIsSetToAnotherProtocolGetsAHint(int protocol, String name) {
        String reason = reason(GIGE_VISION_2, WITH_RDMA, protocol);

        assertTrue(
                reason.endsWith("; TransportStreamProtocol is " + name + " now: set it to UDP, or no frames arrive"),
                reason);
    }

    @Test
    void anEntryThatTheDeviceDoesNotImplementIsNoRdma() {
        assertEquals(
                "the device does not offer RDMA",
                reason(
                        GIGE_VISION_2,
                        String.format(Locale.ROOT, VENDOR_RDMA, "<pIsImplemented>No</pIsImplemented>"),
                        0));
    }

    @Test
    void requiringTheRdmaOfAManufacturerIsAnErrorWithTheReason() {
        try (ScriptedDevice scripted = new ScriptedDevice("127.85.0.1", GIGE_VISION_2, WITH_RDMA)) {
            DeviceException why = assertThrows(DeviceException.class, () -> open(scripted, "require"));

            assertTrue(why.getMessage().contains("(TransportStreamProtocol)"), why::getMessage);
        }
    }

    @Test
    void theProtocolOfTheManufacturerIsNotWritten() {
        try (ScriptedDevice scripted = new ScriptedDevice("127.85.0.1", GIGE_VISION_2, WITH_RDMA).with(PROTOCOL, 2)) {
            List<String> written = writes(scripted, "1");

            assertTrue(written.contains("0A00=2"), written::toString);
            assertTrue(written.stream().noneMatch(write -> write.startsWith("A010")), written::toString);
        }
    }
}
