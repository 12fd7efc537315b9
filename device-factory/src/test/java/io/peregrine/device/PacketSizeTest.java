package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.CompositeStream;
import io.peregrine.testing.ExpectedWarning;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device that was set to packets of 1500 bytes, at an interface that takes more than any device sends. */
@Timeout(60)
class PacketSizeTest {
    private static final int SCPS = 0x0D04;
    private static final int TEST_DATA = 0x02000000;
    private static final String XML = """
            <RegisterDescription ModelName="Other" VendorName="Somebody" SchemaMajorVersion="1" SchemaMinorVersion="1"
             SchemaSubMinorVersion="0" xmlns="http://www.genicam.org/GenApi/Version_1_1">
            <Category Name="Root"><pFeature>PayloadSize</pFeature><pFeature>GevSCPSPacketSize</pFeature></Category>
            <IntReg Name="PayloadSize"><Address>0xA000</Address><Length>4</Length><AccessMode>RO</AccessMode>
            <pPort>Device</pPort><Sign>Unsigned</Sign><Endianess>BigEndian</Endianess></IntReg>
            <MaskedIntReg Name="GevSCPSPacketSize"><Address>0x0D04</Address><Length>4</Length>
            <AccessMode>RW</AccessMode>
            <pPort>Device</pPort><LSB>31</LSB><MSB>16</MSB><Sign>Unsigned</Sign><Endianess>BigEndian</Endianess>
            </MaskedIntReg>
            <Port Name="Device"/></RegisterDescription>
            """;

    private final ScriptedDevice scripted =
            new ScriptedDevice("127.87.0.1", 0x00020002, XML).with(0xA000, 4096).with(SCPS, 1500);

    @AfterEach
    void switchOff() {
        scripted.close();
    }

    private Device open(String packetSize) {
        PeregrineSettings settings = PeregrineSettings.load().with(PeregrineSettings.DISCOVERY_BROADCAST, "false");
        Devices factory = DeviceFactory.create(settings);
        return factory.open(
                factory.await(scripted.name(), Duration.ofSeconds(20)).setParameter("PacketSize", packetSize));
    }

    /** What a stream finds in the register while it runs. */
    private int sizeInUse(String packetSize) {
        try (Device device = open(packetSize);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.engineStart();
            return scripted.register(SCPS) & 0xFFFF;
        }
    }

    private List<String> writes() {
        return writes("0D04=");
    }

    private List<String> writes(String to) {
        return scripted.writes().stream().filter(write -> write.startsWith(to)).toList();
    }

    /** How many receivers the device was to send to. */
    private long receivers() {
        return writes("0D00=").stream().filter(write -> !write.equals("0D00=0")).count();
    }

    @Test
    void isTheLargestThatArrivesAlsoWithoutTheCapabilityBit() {
        scripted.sendingTestPackets(9000);
        assertEquals(9000, sizeInUse("negotiate"));
    }

    @Test
    void isFoundWithOnePacketWhereNothingHoldsItBack() {
        scripted.sendingTestPackets(0xFFFF);
        sizeInUse("negotiate");
        assertEquals(List.of("0D04=C0003F84", "0D04=40003F84", "0D04=5DC"), writes());
    }

    @Test
    void isFoundByTheReceiverOfTheStream() {
        scripted.sendingTestPackets(0xFFFF);
        sizeInUse("negotiate");
        assertEquals(1, receivers());
    }

    @Test
    void hasAReceiverOfItsOwnWhereLargerPacketsWereExpected() {
        scripted.sendingTestPackets(9000);
        sizeInUse("negotiate");
        assertEquals(2, receivers());
    }

    @Test
    void isExpectedAgainAtTheNextStart() {
        scripted.sendingTestPackets(9000);
        try (Device device = open("negotiate");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.engineStart();
            stream.engineStop();
            long before = receivers();
            stream.engineStart();
            assertEquals(before + 1, receivers());
        }
    }

    @Test
    void needsOneReceiverWhereItIsGiven() {
        sizeInUse("3000");
        assertEquals(1, receivers());
    }

    @Test
    void needsOneReceiverWhereItIsKept() {
        scripted.with(SCPS, 4000);
        sizeInUse("keep");
        assertEquals(1, receivers());
    }

    @Test
    void isThatOfTheDeviceWhereTheDeviceMakesNoLargerOnes() {
        scripted.makingPacketsUpTo(8000).sendingTestPackets(0xFFFF);
        assertEquals(8000, sizeInUse("negotiate"));
    }

    @Test
    void isTheOneThatWasSetWhereNoUsualOneArrives() {
        scripted.with(SCPS, 6000).sendingTestPackets(6500);
        assertEquals(6000, sizeInUse("negotiate"));
    }

    @Test
    void staysAsItWasWhereTheDeviceSendsNoTestPackets() {
        scripted.with(SCPS, 8228);
        assertEquals(8228, sizeInUse("negotiate"));
    }

    @Test
    @ExpectedWarning("None of the test packets arrived, so packets have 1500 bytes: a firewall may drop")
    void staysAsItWasAndAFirewallIsNamedWhereTestPacketsAreAnnounced() {
        scripted.with(0x0934, 0x40000000 | TEST_DATA);
        assertEquals(1500, sizeInUse("negotiate"));
    }

    @Test
    void isAFewPacketsWhereNoneArrives() {
        sizeInUse("negotiate");
        assertTrue(writes().size() <= 11, () -> writes().toString());
    }

    @Test
    void isAsItWasFoundOnceTheStreamHasStopped() {
        scripted.sendingTestPackets(9000);
        try (Device device = open("negotiate");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.engineStart();
            stream.engineStop();
            assertEquals(1500, scripted.register(SCPS));
        }
    }

    @Test
    void isAsItWasFoundOnceTheStreamIsClosed() {
        scripted.sendingTestPackets(9000);
        sizeInUse("negotiate");
        assertEquals(1500, scripted.register(SCPS));
    }

    @Test
    void isReadAnewByFeaturesOnceTheStreamHasStopped() {
        scripted.sendingTestPackets(9000);
        try (Device device = open("negotiate");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.engineStart();
            long running = device.nodes().integer("GevSCPSPacketSize").value();
            stream.engineStop();
            assertEquals(
                    List.of(9000L, 1500L),
                    List.of(running, device.nodes().integer("GevSCPSPacketSize").value()));
        }
    }

    @Test
    void thatTheUserSetsMeanwhileIsNotTakenBack() {
        scripted.sendingTestPackets(9000);
        try (Device device = open("negotiate");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.engineStart();
            device.nodes().integer("GevSCPSPacketSize").set(3000);
        }
        assertEquals(3000, scripted.register(SCPS) & 0xFFFF);
    }

    @Test
    void isAsItWasFoundWhenTheStreamCannotBeOpened() {
        scripted.sendingTestPackets(9000).refusing("0D04=40002328");
        try (Device device = open("negotiate");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            assertThrows(DeviceException.class, stream::engineStart);
            assertEquals(1500, scripted.register(SCPS));
        }
    }

    @Test
    void isAsItWasFoundWhenWhoeverStartsIsInterrupted() {
        scripted.sendingTestPackets(9000);
        try (Device device = open("negotiate");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            Thread.currentThread().interrupt();
            assertThrows(RuntimeException.class, stream::engineStart);
            assertTrue(Thread.interrupted());
            assertEquals(1500, scripted.register(SCPS));
        }
    }

    @Test
    void theChannelIsClosedWhenTheStreamCannotBeOpened() {
        scripted.sendingTestPackets(9000).refusing("0D04=40002328");
        try (Device device = open("negotiate");
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            assertThrows(DeviceException.class, stream::engineStart);
            assertEquals(0, scripted.register(0x0D00));
        }
    }

    @Test
    @ExpectedWarning("refuses to have its packet size set back to 1500 bytes")
    void thatTheDeviceDoesNotTakeBackIsTold() {
        scripted.sendingTestPackets(9000).refusing("0D04=5DC");
        assertEquals(9000, sizeInUse("negotiate"));
    }

    @Test
    void isNotTouchedWhereItIsToBeKept() {
        scripted.with(SCPS, 4000).sendingTestPackets(9000);
        assertEquals(4000, sizeInUse("keep"));
        assertEquals(List.of(), writes());
    }

    @Test
    void thatIsNoneCannotBeKept() {
        scripted.with(SCPS, 0);
        DeviceException why = assertThrows(DeviceException.class, () -> sizeInUse("keep"));
        assertTrue(why.getMessage().contains("PacketSize=negotiate"), why::getMessage);
    }

    @Test
    void isTheOneThatIsGivenWithoutTestPackets() {
        assertEquals(3000, sizeInUse("3000"));
        assertEquals(List.of("0D04=40000BB8", "0D04=5DC"), writes());
    }
}
