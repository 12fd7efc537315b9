package io.peregrine.cli;

import io.peregrine.cli.ProviderProbe.Attempt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A host made of files, as the kernel would show it. */
final class FakeHost {
    static final String ADDRESS = "192.168.10.1";
    private static final String UDP_HEADER =
            "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

    private final HostFiles files;
    private final List<LocalAddress> addresses = new ArrayList<>();
    private final Map<String, Attempt> attempts = new TreeMap<>();
    private final Map<String, String> tools = new TreeMap<>();

    FakeHost(Path root) {
        files = new HostFiles(root.resolve("sys"), root.resolve("proc"), root.resolve("dev"));
        memlock("unlimited");
        capabilities("0000000000000000");
        proc("self/uid_map", "         0          0 4294967295\n");
        proc("self/cgroup", "0::/user.slice\n");
        proc("net/udp", UDP_HEADER);
        proc("sys/net/core/rmem_max", "212992\n");
        proc("sys/net/core/wmem_max", "8388608\n");
        address("lo", "127.0.0.1", 65536);
        verbs("there is no RDMA device (/sys/class/infiniband is empty or missing)", "", 0);
        software("", 4096);
    }

    /** A host with a ConnectX in good health. */
    static FakeHost withAdapter(Path root) {
        FakeHost host = new FakeHost(root);
        host.address("ens1f0", ADDRESS, 9000);
        host.sys("class/net/ens1f0/device/vendor", "0x15b3\n");
        host.device("mlx5_0", "ens1f0", ADDRESS, "RoCE v2");
        host.sys("class/infiniband/mlx5_0/fw_ver", "22.36.1010\n");
        host.sys("class/infiniband/mlx5_0/device/current_link_speed", "8.0 GT/s PCIe\n");
        host.sys("class/infiniband/mlx5_0/device/max_link_speed", "8.0 GT/s PCIe\n");
        host.sys("class/infiniband/mlx5_0/device/current_link_width", "8\n");
        host.sys("class/infiniband/mlx5_0/device/max_link_width", "8\n");
        host.sys("class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence", "0\n");
        host.sys("class/infiniband/mlx5_0/ports/1/hw_counters/rx_write_requests", "17\n");
        host.deviceFiles();
        host.verbs("", "mlx5_0", 4096);
        host.tool("ethtool -a ens1f0", "Pause parameters for ens1f0:\nAutonegotiate:\toff\nRX:\t\ton\nTX:\t\ton\n");
        return host;
    }

    /** A host with the kernel's Soft-RoCE. */
    static FakeHost withSoftRoce(Path root) {
        FakeHost host = new FakeHost(root);
        host.address("eth0", ADDRESS, 1500);
        host.sys("module/rdma_rxe/refcnt", "1\n");
        host.device("rxe0", "eth0", ADDRESS, "RoCE v2");
        host.sys("class/infiniband/rxe0/parent", "eth0\n");
        host.sys("class/infiniband/rxe0/ports/1/hw_counters/rcvd_seq_err", "0\n");
        host.deviceFiles();
        host.verbs("", "rxe0", 1024);
        host.software("UDP port 4791 belongs to the kernel's Soft-RoCE (rdma_rxe): use the provider verbs", 0);
        return host;
    }

    /** A host without any RDMA device. */
    static FakeHost withoutRdma(Path root) {
        FakeHost host = new FakeHost(root);
        host.address("eth0", ADDRESS, 9000);
        return host;
    }

    void address(String networkInterface, String address, int mtuBytes) {
        addresses.add(new LocalAddress(networkInterface, ipv4(address)));
        mtu(networkInterface, mtuBytes);
    }

    void mtu(String networkInterface, int mtuBytes) {
        sys("class/net/" + networkInterface + "/mtu", mtuBytes + "\n");
    }

    /** An RDMA device with one port, with an identifier of the link and one of the address. */
    void device(String name, String networkInterface, String address, String type) {
        String port = "class/infiniband/" + name + "/ports/1/";
        sys(port + "state", "4: ACTIVE\n");
        sys(port + "link_layer", "Ethernet\n");
        gid(name, 0, "fe80:0000:0000:0000:0e42:a1ff:fe00:0001", type, networkInterface);
        gid(name, 3, mapped(address), type, networkInterface);
        sys(port + "gids/4", "0000:0000:0000:0000:0000:0000:0000:0000\n");
    }

    void gid(String device, int index, String value, String type, String networkInterface) {
        String port = "class/infiniband/" + device + "/ports/1/";
        sys(port + "gids/" + index, value + "\n");
        sys(port + "gid_attrs/types/" + index, type + "\n");
        sys(port + "gid_attrs/ndevs/" + index, networkInterface + "\n");
    }

    void deviceFiles() {
        write(files.dev().resolve("infiniband/uverbs0"), "");
        write(files.dev().resolve("infiniband/rdma_cm"), "");
    }

    void memlock(String soft) {
        proc(
                "self/limits",
                "Limit                     Soft Limit           Hard Limit           Units     \n"
                        + "Max open files            1024                 1048576              files     \n"
                        + String.format(Locale.ROOT, "Max locked memory         %-20s %-20s bytes     %n", soft, soft));
    }

    void capabilities(String mask) {
        proc("self/status", "Name:\tjava\nCapPrm:\t" + mask + "\nCapEff:\t" + mask + "\nThreads:\t20\n");
    }

    /** A socket bound to a UDP port, as {@code /proc/net/udp} shows it. */
    void udpSocket(String littleEndianAddress, int port) {
        proc(
                "net/udp",
                UDP_HEADER
                        + String.format(
                                Locale.ROOT,
                                "  512: %s:%04X 00000000:0000 07 00000000:00000000 00:00000000 00000000     0%n",
                                littleEndianAddress,
                                port));
    }

    void verbs(String refusal, String device, int activeMtuBytes) {
        attempts.put("verbs", new Attempt("verbs", refusal, device, activeMtuBytes));
    }

    void software(String refusal, int activeMtuBytes) {
        attempts.put("software", new Attempt("software", refusal, refusal.isEmpty() ? "udp" : "", activeMtuBytes));
    }

    void tool(String command, String output) {
        tools.put(command, output);
    }

    void sys(String path, String text) {
        write(files.sys().resolve(path), text);
    }

    void proc(String path, String text) {
        write(files.proc().resolve(path), text);
    }

    HostFiles files() {
        return files;
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RdmaDoctor doctor() {
        return new RdmaDoctor(
                files,
                addresses,
                address -> List.of(attempts.get("verbs"), attempts.get("software")),
                command -> Optional.ofNullable(tools.get(String.join(" ", command))));
    }

    NetworkDoctor networkDoctor() {
        return new NetworkDoctor(
                files, addresses, command -> Optional.ofNullable(tools.get(String.join(" ", command))));
    }

    List<Finding> examine() {
        return doctor().examine(Optional.empty());
    }

    List<Finding> examine(String address) {
        return doctor().examine(Optional.of(ipv4(address)));
    }

    static Inet4Address ipv4(String address) {
        try {
            return (Inet4Address) InetAddress.getByName(address);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String mapped(String address) {
        byte[] octets = ipv4(address).getAddress();
        return String.format(
                Locale.ROOT,
                "0000:0000:0000:0000:0000:ffff:%02x%02x:%02x%02x",
                octets[0],
                octets[1],
                octets[2],
                octets[3]);
    }
}
