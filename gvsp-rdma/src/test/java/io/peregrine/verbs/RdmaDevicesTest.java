package io.peregrine.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.rdma.RdmaUnavailableException;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RdmaDevicesTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @TempDir
    Path root;

    @Test
    void aPortIsFoundByTheAddressOfItsInterface() throws IOException {
        device("mlx5_0", "RoCE v2", "0000:0000:0000:0000:0000:ffff:0a14:0001", "4: ACTIVE");
        device("mlx5_1", "RoCE v2", "0000:0000:0000:0000:0000:ffff:0a0a:0001", "4: ACTIVE");

        assertEquals(new RdmaDevices.Port("mlx5_1", 1), at("10.10.0.1"));
    }

    @Test
    void ofTwoEntriesTheOneThatSpeaksRoceV2Counts() throws IOException {
        device("mlx5_0", "IB/RoCE v1", "0000:0000:0000:0000:0000:ffff:0a0a:0001", "4: ACTIVE");
        gid("mlx5_0", 5, "RoCE v2", "0000:0000:0000:0000:0000:ffff:0a0a:0001");

        assertEquals(new RdmaDevices.Port("mlx5_0", 1), at("10.10.0.1"));
    }

    @Test
    void aHostWithoutDevicesIsTold() throws IOException {
        assertEquals("there is no RDMA device (" + root + " is empty or missing)", refusal());
    }

    @Test
    void anAddressOfNoDeviceIsToldWithTheAddressesThereAre() throws IOException {
        device("rxe0", "RoCE v2", "0000:0000:0000:0000:0000:ffff:c0a8:01c8", "4: ACTIVE");

        assertEquals("no RDMA device has the address 10.10.0.1; there is 192.168.1.200 (rxe0)", refusal());
    }

    @Test
    void aDeviceWithoutIpv4AddressIsTold() throws IOException {
        device("rxe0", "RoCE v2", "fe80:0000:0000:0000:c4dd:20ff:fe28:ad9a", "4: ACTIVE");

        assertEquals("no RDMA device has the address 10.10.0.1; there is rxe0 without IPv4 address", refusal());
    }

    @Test
    void aDeviceOfTheFirstVersionIsTold() throws IOException {
        device("mlx4_0", "IB/RoCE v1", "0000:0000:0000:0000:0000:ffff:0a0a:0001", "4: ACTIVE");

        assertEquals("the RDMA device of 10.10.0.1 does not speak RoCE v2 there, only IB/RoCE v1 of mlx4_0", refusal());
    }

    @Test
    void anIwarpDeviceIsNamedAsSuch() throws IOException {
        device("cxgb4_0", "IB/RoCE v1", "0007:4333:1234:0000:0000:0000:0000:0000", "4: ACTIVE");
        Files.writeString(root.resolve("cxgb4_0/node_type"), "4: RNIC\n");

        assertEquals(
                "no RDMA device has the address 10.10.0.1; there is cxgb4_0 (iWARP) without IPv4 address", refusal());
    }

    @Test
    void anIwarpDeviceOfTheInterfaceIsTheReason() throws IOException {
        device("irdma0", "IB/RoCE v1", "0007:4333:1234:0000:0000:0000:0000:0000", "4: ACTIVE");
        Files.writeString(root.resolve("irdma0/node_type"), "4: RNIC\n");
        Path entries = Files.createDirectories(root.resolve("irdma0/ports/1/gid_attrs/ndevs"));
        Files.writeString(
                entries.resolve("0"),
                NetworkInterface.getByInetAddress(LOOPBACK).getName() + "\n");

        String refusal = assertThrows(RdmaUnavailableException.class, () -> at("127.0.0.1"))
                .getMessage();
        assertEquals(
                "irdma0 is an iWARP adapter (RDMA over TCP), and cameras speak RoCEv2. Some, such as Intel E810, can be"
                        + " switched to RoCEv2: see docs/rdma.md",
                refusal);
    }

    @Test
    void anAdapterOfInfiniBandIsNoIwarpDevice() throws IOException {
        device("mlx5_0", "RoCE v2", "fe80:0000:0000:0000:c4dd:20ff:fe28:ad9a", "4: ACTIVE");
        Files.writeString(root.resolve("mlx5_0/node_type"), "1: CA\n");

        assertEquals("no RDMA device has the address 10.10.0.1; there is mlx5_0 without IPv4 address", refusal());
    }

    @Test
    void aPortThatIsDownIsTold() throws IOException {
        device("rxe0", "RoCE v2", "0000:0000:0000:0000:0000:ffff:0a0a:0001", "1: DOWN");

        assertEquals("port 1 of rxe0 is not active but '1: DOWN': is its network interface up?", refusal());
    }

    @Test
    void countersAreReadByName() throws IOException {
        device("rxe0", "RoCE v2", "0000:0000:0000:0000:0000:ffff:0a0a:0001", "4: ACTIVE");
        Path counters = Files.createDirectories(root.resolve("rxe0/ports/1/hw_counters"));
        Files.writeString(counters.resolve("sent_pkts"), "12\n");
        Files.writeString(counters.resolve("lifespan"), "10\n");
        Files.writeString(counters.resolve("odd"), "no number\n");

        assertEquals(Map.of("sent_pkts", 12L), new RdmaDevices(root).counters(new RdmaDevices.Port("rxe0", 1)));
    }

    @Test
    void aPortWithoutCountersHasNone() {
        assertEquals(Map.of(), new RdmaDevices(root).counters(new RdmaDevices.Port("rxe0", 1)));
    }

    private RdmaDevices.Port at(String address) throws IOException {
        return new RdmaDevices(root).at((Inet4Address) InetAddress.getByName(address));
    }

    private String refusal() {
        return assertThrows(RdmaUnavailableException.class, () -> at("10.10.0.1"))
                .getMessage();
    }

    private void device(String name, String type, String gid, String state) throws IOException {
        gid(name, 0, type, gid);
        // An empty entry: the kernel refuses to tell its type.
        Files.writeString(root.resolve(name + "/ports/1/gids/1"), "0000:0000:0000:0000:0000:0000:0000:0000\n");
        Files.writeString(root.resolve(name + "/ports/1/state"), state + "\n");
    }

    private void gid(String name, int index, String type, String gid) throws IOException {
        Path port = root.resolve(name).resolve("ports/1");
        Files.createDirectories(port.resolve("gids"));
        Files.createDirectories(port.resolve("gid_attrs/types"));
        Files.writeString(port.resolve("gids/" + index), gid + "\n");
        Files.writeString(port.resolve("gid_attrs/types/" + index), type + "\n");
    }
}
