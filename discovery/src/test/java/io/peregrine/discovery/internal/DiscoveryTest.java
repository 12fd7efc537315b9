package io.peregrine.discovery.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.gvcp.MacAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DiscoveryTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(120);
    private static final int IP_3_1 = 0x7F0A0301; // 127.10.3.1
    private static final int IP_3_2 = 0x7F0A0302;

    private static DiscoverySettings asking(InetSocketAddress... devices) {
        return DiscoverySettings.defaults().withBroadcast(false).withUnicast(List.of(devices));
    }

    @Test
    void findsDevicesAtGivenAddressesAndDoesNotWaitLonger() throws IOException {
        try (FakeResponder first = FakeResponder.start(
                        "127.10.3.1",
                        0,
                        r -> List.of(FakeResponder.answer(FakeResponder.id(r), 0x001122334455L, IP_3_1, "S1")));
                FakeResponder second = FakeResponder.start(
                        "127.10.3.2",
                        0,
                        r -> List.of(FakeResponder.answer(FakeResponder.id(r), 0x001122334455L, IP_3_2, "S2")))) {
            Discovery discovery = Discovery.create(asking(first.address(), second.address()));
            List<DiscoveredDevice> found =
                    assertTimeoutPreemptively(Duration.ofSeconds(10), () -> discovery.discover(LONG));
            assertEquals(
                    Set.of("S1", "S2"),
                    found.stream().map(DiscoveredDevice::serial).collect(Collectors.toSet()));
            DiscoveredDevice device = found.stream()
                    .filter(d -> d.serial().equals("S1"))
                    .findFirst()
                    .orElseThrow();
            assertEquals(first.address(), device.socketAddress());
            assertEquals("00:11:22:33:44:55", device.mac().toString());
            assertEquals(InetAddress.getByName("255.0.0.0"), device.subnetMask());
            assertEquals("Maker", device.manufacturer());
            assertEquals("Model", device.model());
            assertEquals("1.2", device.deviceVersion());
            assertEquals("info", device.manufacturerInfo());
            assertEquals("user", device.userName());
            assertEquals(2, device.specVersionMajor());
            assertEquals(2, device.specVersionMinor());
            assertEquals("lo", device.interfaceName());
            assertTrue(device.interfaceAddress().isLoopbackAddress());
            assertFalse(device.foreignSubnet());
            assertEquals(
                    "4201000200000001",
                    HexFormat.of().formatHex(first.requests().get(0)));
        }
    }

    @Test
    void asksAgainInTheMiddleOfTheWindow() throws IOException {
        try (FakeResponder forgetful = FakeResponder.start(
                "127.10.3.3",
                0,
                r -> FakeResponder.id(r) == 1
                        ? List.of()
                        : List.of(FakeResponder.answer(FakeResponder.id(r), 1, 0x7F0A0303, "S3")))) {
            Discovery discovery = Discovery.create(asking(forgetful.address()));
            assertEquals(1, discovery.discover(Duration.ofSeconds(2)).size());
        }
    }

    @Test
    void acceptsTheLateAnswerToItsFirstQuestion() throws IOException {
        try (FakeResponder slow = FakeResponder.start(
                "127.10.3.4",
                0,
                r -> FakeResponder.id(r) == 1
                        ? List.of()
                        : List.of(FakeResponder.answer(FakeResponder.id(r) - 1, 1, 0x7F0A0304, "S4")))) {
            Discovery discovery = Discovery.create(asking(slow.address()));
            assertEquals(1, discovery.discover(Duration.ofSeconds(2)).size());
        }
    }

    @Test
    void dropsMalformedAndStaleAnswersAndMergesDuplicates() throws IOException {
        try (FakeResponder noisy = FakeResponder.start("127.10.3.5", 0, r -> {
            byte[] good = FakeResponder.answer(FakeResponder.id(r), 1, 0x7F0A0305, "S5");
            return List.of(
                    new byte[3],
                    Arrays.copyOf(good, 200),
                    FakeResponder.answer(FakeResponder.id(r) + 100, 2, 0x7F0A0305, "stale"),
                    good,
                    good);
        })) {
            Discovery discovery = Discovery.create(asking(noisy.address()));
            List<DiscoveredDevice> found = discovery.discover(Duration.ofSeconds(5));
            assertEquals(
                    List.of("S5"), found.stream().map(DiscoveredDevice::serial).toList());
            assertEquals(2, discovery.malformedAnswers());
            assertEquals(1, discovery.staleAnswers());
        }
    }

    @Test
    void findsNothingWhereNothingListensAndDoesNotWaitForIt() {
        // No port of those that the system hands out: another program could get it at this moment.
        Discovery discovery = Discovery.create(asking(new InetSocketAddress("127.10.3.6", 1)));
        assertEquals(List.of(), assertTimeoutPreemptively(Duration.ofSeconds(10), () -> discovery.discover(LONG)));
    }

    @Test
    void waitsOnlyForTheWindow() throws IOException {
        try (FakeResponder silent = FakeResponder.start("127.10.3.7", 0, r -> List.of())) {
            Discovery discovery = Discovery.create(asking(silent.address()));
            assertEquals(List.of(), assertTimeoutPreemptively(Duration.ofSeconds(10), () -> discovery.discover(SHORT)));
            assertEquals(2, silent.requests().size());
        }
    }

    @Test
    void searchesLoopbackByBroadcastWhenAskedTo() throws IOException {
        try (FakeResponder everywhere = FakeResponder.start(
                "0.0.0.0", 0, r -> List.of(FakeResponder.answer(FakeResponder.id(r), 1, 0x7F0A0308, "S8")))) {
            Discovery discovery = Discovery.create(DiscoverySettings.defaults()
                    .withInterfaces(List.of("lo"))
                    .withPort(everywhere.address().getPort()));
            List<DiscoveredDevice> found = discovery.discover(Duration.ofSeconds(1));
            assertEquals(
                    List.of("S8"), found.stream().map(DiscoveredDevice::serial).toList());
            assertEquals("127.10.3.8", found.get(0).address().getHostAddress());
            assertEquals("lo", found.get(0).interfaceName());
            assertFalse(found.get(0).foreignSubnet());
            assertEquals(
                    "42110002", HexFormat.of().formatHex(everywhere.requests().get(0), 0, 4));
        }
    }

    @Test
    void flagsADeviceOnAForeignSubnet() throws IOException {
        try (FakeResponder stranger = FakeResponder.start(
                "0.0.0.0",
                0,
                r -> List.of(FakeResponder.answer(FakeResponder.id(r), 1, 0xC6336407, "S9")))) { // 198.51.100.7
            Discovery discovery = Discovery.create(DiscoverySettings.defaults()
                    .withInterfaces(List.of("127.0.0.1"))
                    .withPort(stranger.address().getPort()));
            List<DiscoveredDevice> found = discovery.discover(Duration.ofSeconds(1));
            assertEquals(1, found.size());
            assertTrue(found.get(0).foreignSubnet());
            assertEquals("lo", found.get(0).interfaceName());
            assertFalse(stranger.requests().isEmpty());
        }
    }

    @Test
    void givesADeviceAnotherAddress() throws IOException {
        try (FakeResponder device = FakeResponder.start(
                "127.10.3.10", 0, r -> List.of(new byte[] {0, 0, 0, 5, 0, 0, 0, (byte) FakeResponder.id(r)}))) {
            assertTrue(forceIp(device, LONG));
            assertEquals(
                    "4201000400380001" + "0000" + "00112233aabb" + "000000000000000000000000" + "0a4d0001"
                            + "000000000000000000000000" + "ffffff00" + "000000000000000000000000" + "00000000",
                    HexFormat.of().formatHex(device.requests().get(0)));
        }
    }

    @Test
    void tellsThatADeviceRefusesAnotherAddress() throws IOException {
        try (FakeResponder device = FakeResponder.start(
                "127.10.3.11",
                0,
                r -> List.of(new byte[] {(byte) 0x80, 6, 0, 5, 0, 0, 0, (byte) FakeResponder.id(r)}))) {
            DiscoveryException e = assertThrows(DiscoveryException.class, () -> forceIp(device, LONG));
            assertTrue(e.getMessage().contains("ACCESS_DENIED"), e::getMessage);
        }
    }

    @Test
    void tellsThatNoDeviceAnsweredToAnotherAddress() throws IOException {
        try (FakeResponder device = FakeResponder.start("127.10.3.12", 0, r -> List.of())) {
            assertFalse(forceIp(device, SHORT));
        }
    }

    private static boolean forceIp(FakeResponder device, Duration window) throws IOException {
        return Discovery.create(asking(device.address()))
                .forceIp(
                        MacAddress.parse("00:11:22:33:aa:bb"),
                        InetAddress.getByName("10.77.0.1"),
                        InetAddress.getByName("255.255.255.0"),
                        InetAddress.getByName("0.0.0.0"),
                        window);
    }

    @Test
    void namesTheInterfacesThereAreWhenAskedForAnother() {
        Discovery discovery = Discovery.create(DiscoverySettings.defaults().withInterfaces(List.of("nosuch0")));
        DiscoveryException e = assertThrows(DiscoveryException.class, () -> discovery.discover(SHORT));
        assertTrue(e.getMessage().contains("nosuch0"), e::getMessage);
        assertTrue(e.getMessage().contains("lo (127.0.0.1)"), e::getMessage);
    }

    @Test
    void leavesLoopbackOutUnlessAskedFor() throws IOException {
        HostInterface loopback = new HostInterface("lo", InetAddress.getLoopbackAddress(), 8, true);
        HostInterface wired = new HostInterface("eth0", InetAddress.getByName("10.77.0.2"), 24, false);
        HostInterface second = new HostInterface("eth0", InetAddress.getByName("169.254.3.4"), 16, false);
        List<HostInterface> present = List.of(loopback, wired, second);
        assertEquals(List.of(wired, second), HostInterface.select(present, List.of()));
        assertEquals(List.of(wired, second), HostInterface.select(present, List.of("eth0", "10.77.0.2")));
        assertEquals(List.of(loopback, second), HostInterface.select(present, List.of("lo", "169.254.3.4")));
    }

    @Test
    void computesSubnets() throws IOException {
        HostInterface wired = new HostInterface("eth0", InetAddress.getByName("10.77.0.130"), 25, false);
        assertTrue(wired.contains(InetAddress.getByName("10.77.0.200")));
        assertFalse(wired.contains(InetAddress.getByName("10.77.0.1")));
        assertEquals(
                InetAddress.getByName("10.77.0.255"), wired.directedBroadcast().orElseThrow());
        assertTrue(new HostInterface("p", InetAddress.getByName("10.0.0.1"), 32, false)
                .directedBroadcast()
                .isEmpty());
        assertTrue(new HostInterface("any", InetAddress.getByName("10.0.0.1"), 0, false)
                .contains(InetAddress.getByName("192.0.2.1")));
    }
}
