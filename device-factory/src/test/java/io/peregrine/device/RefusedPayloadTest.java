package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.CompositeStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device that offers GenDC and parts, and whose features stand against containers whatever it is asked for. */
@Timeout(30)
class RefusedPayloadTest {
    private static final String XML = """
            <RegisterDescription ModelName="Other" VendorName="Somebody" SchemaMajorVersion="1" SchemaMinorVersion="1"
             SchemaSubMinorVersion="0" xmlns="http://www.genicam.org/GenApi/Version_1_1">
            <Category Name="Root"><pFeature>GenDCStreamingStatus</pFeature></Category>
            <Enumeration Name="GenDCStreamingStatus">
            <EnumEntry Name="Off"><Value>0</Value></EnumEntry><EnumEntry Name="On"><Value>1</Value></EnumEntry>
            <pValue>StatusReg</pValue></Enumeration>
            <IntReg Name="StatusReg"><Address>0xA000</Address><Length>4</Length><AccessMode>RO</AccessMode>
            <pPort>Device</pPort><Sign>Unsigned</Sign><Endianess>BigEndian</Endianess></IntReg>
            <Port Name="Device"/></RegisterDescription>
            """;

    private static ScriptedDevice device() {
        // Extended bootstrap block; GenDC, multi-part, large leader and trailer.
        return new ScriptedDevice("127.86.0.1", 0x00020002, XML)
                .with(0x092C, 0x10000000)
                .with(0x0D20, 0xE0);
    }

    private static Device open(ScriptedDevice device, String payload) {
        PeregrineSettings settings = PeregrineSettings.load()
                .with(PeregrineSettings.DISCOVERY_ADDRESSES, device.name())
                .with(PeregrineSettings.DISCOVERY_BROADCAST, "false");
        List<DiscoveryInformation> found =
                DeviceFactory.create(settings).discover(DiscoverFlags.FIND_ALL, Duration.ofMillis(500));
        found.get(0).setParameter("Payload", payload);
        return DeviceFactory.open(found.get(0));
    }

    private static List<String> configurations(ScriptedDevice device) {
        return device.writes().stream()
                .filter(write -> write.startsWith("0D24="))
                .toList();
    }

    @Test
    void userWhoWantsContainersIsTold() {
        try (ScriptedDevice scripted = device();
                Device device = open(scripted, "GenDC");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            DeviceException why = assertThrows(DeviceException.class, stream::start);
            assertTrue(why.getMessage().contains("Payload=GenDC cannot be met"), why::getMessage);
            assertEquals(List.of("0D24=80", "0D24=0"), configurations(scripted));
        }
    }

    @Test
    void partsTakeThePlaceOfContainers() {
        try (ScriptedDevice scripted = device();
                Device device = open(scripted, "Automatic");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            // It has no payload size: what matters here is written before that is asked for.
            assertThrows(RuntimeException.class, stream::start);
            assertEquals(List.of("0D24=80", "0D24=60"), configurations(scripted));
            assertTrue(
                    scripted.writes().contains("0960=40000000"),
                    () -> scripted.writes().toString());
        }
    }
}
