package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.SilenceDiagnosis.Endpoint;
import io.peregrine.device.SilenceDiagnosis.Evidence;
import io.peregrine.device.SilenceDiagnosis.TestPackets;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SilenceDiagnosisTest {
    private static final Duration LATER = Duration.ofMillis(2500);
    private static final InetAddress DEVICE = LocalInterface.ipv4("10.0.0.9");
    private static final Endpoint LOCAL = new Endpoint(LocalInterface.ipv4("10.0.0.1"), 50_000);

    /** All is as it should be, and nothing is known of test packets. */
    private Optional<Endpoint> destination = Optional.of(LOCAL);

    private int packetSizeBytes = 1500;
    private TestPackets testPackets = TestPackets.UNKNOWN;
    private long foreign;
    private long foreignPort;
    private OptionalLong locked = OptionalLong.of(1);
    private Optional<Boolean> active = Optional.of(true);
    private Optional<String> trigger = Optional.empty();

    private List<String> reasons(Duration sinceStart) {
        return SilenceDiagnosis.of(
                new Evidence(
                        DEVICE,
                        LOCAL,
                        destination,
                        OptionalInt.of(packetSizeBytes),
                        OptionalInt.of(1500),
                        testPackets,
                        foreign,
                        foreignPort,
                        locked,
                        active,
                        trigger),
                sinceStart);
    }

    private void expectOnly(String beginning) {
        List<String> reasons = reasons(LATER);
        assertEquals(1, reasons.size(), reasons::toString);
        assertTrue(reasons.get(0).startsWith("Nothing was received in 2 s: " + beginning), reasons::toString);
    }

    @Test
    void packetsFromAnotherPortThanTheRegisterTellsAreNamed() {
        foreignPort = 7;
        expectOnly("7 packets came from the device's address, but from another port than its register SCSP reports");
    }

    @Test
    void firstSecondIsTooEarlyToSay() {
        trigger = Optional.of("Line1");
        assertEquals(List.of(), reasons(Duration.ofMillis(999)));
        assertEquals(1, reasons(Duration.ofSeconds(1)).size());
    }

    @Test
    void deviceThatSendsElsewhereIsToldWithBothAddresses() {
        destination = Optional.of(new Endpoint(LocalInterface.ipv4("10.0.0.7"), 50_000));
        expectOnly("the device sends to 10.0.0.7:50000 and not to 10.0.0.1:50000 (its registers SCDA and SCP)");
    }

    @Test
    void deviceThatSendsToAnotherPortIsTold() {
        destination = Optional.of(new Endpoint(LOCAL.address(), 0));
        expectOnly("the device sends to 10.0.0.1:0 and not to 10.0.0.1:50000");
    }

    @Test
    void packetsFromASecondAddressAreTold() {
        foreign = 12;
        expectOnly("12 packets came from another address than the device's 10.0.0.9");
    }

    @Test
    void packetsLargerThanTheInterfaceTakesAreTold() {
        packetSizeBytes = 9000;
        testPackets = TestPackets.ONLY_SMALL;
        expectOnly("packets of 9000 bytes do not fit the MTU of 1500 of the interface 10.0.0.1");
    }

    @Test
    void packetsLargerThanThePathTakesAreTold() {
        testPackets = TestPackets.ONLY_SMALL;
        expectOnly("a small test packet arrived, one of 1500 bytes did not: the MTU of the path");
    }

    @Test
    void firewallOrWrongInterfaceIsToldWhenNoTestPacketArrives() {
        testPackets = TestPackets.NONE;
        expectOnly("not even a small test packet arrived at 10.0.0.1:50000: a firewall drops UDP from 10.0.0.9");
    }

    @Test
    void deviceThatWasNotStartedIsTold() {
        locked = OptionalLong.of(0);
        active = Optional.of(false);
        expectOnly("TLParamsLocked is 0");
    }

    @Test
    void acquisitionThatIsNotActiveIsTold() {
        active = Optional.of(false);
        expectOnly("AcquisitionStatus says that acquisition is not active");
    }

    @Test
    void deviceThatWaitsForATriggerIsTold() {
        trigger = Optional.of("Line1");
        expectOnly("TriggerMode is On and the device waits for the trigger Line1");
    }

    @Test
    void pathThatWorksLeavesTheDevice() {
        testPackets = TestPackets.ARRIVED;
        expectOnly("A test packet of the size in use arrived, so network and firewall are fine");
    }

    @Test
    void withoutAnyEvidenceTheFirewallIsNamed() {
        destination = Optional.empty();
        locked = OptionalLong.empty();
        active = Optional.empty();
        expectOnly("Registers and features of the device are as they should be: allow UDP from 10.0.0.9 to port 50000");
    }

    @Test
    void severalReasonsAreToldWithThePathFirst() {
        testPackets = TestPackets.NONE;
        trigger = Optional.of("Line1");
        List<String> reasons = reasons(LATER);
        assertEquals(2, reasons.size());
        assertTrue(reasons.get(0).contains("test packet"));
        assertTrue(reasons.get(1).startsWith("TriggerMode"));
    }
}
