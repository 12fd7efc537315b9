package io.peregrine.cli;

import io.peregrine.doctor.Finding;
import io.peregrine.doctor.HostFiles;
import io.peregrine.doctor.LocalAddress;
import io.peregrine.doctor.NetworkDoctor;
import io.peregrine.doctor.ProviderProbe;
import io.peregrine.doctor.ProviderProbe.Attempt;
import io.peregrine.doctor.RdmaDoctor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

    static final String ROUTES =
            "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n";

    /** Of a running kernel: loopback and eth1, each a member of 224.0.0.1. */
    private static final String GROUPS = """
            Idx\tDevice    : Count Querier\tGroup    Users Timer\tReporter
            1\tlo        :     1      V3
            \t\t\t\t010000E0     1 0:00000000\t\t0
            4\teth1      :     1      V3
            \t\t\t\t010000E0     1 0:00000000\t\t0
            """;

    private final HostFiles files;
    private final List<LocalAddress> addresses = new ArrayList<>();
    private final Map<String, Attempt> attempts = new TreeMap<>();
    private final Map<String, String> tools = new TreeMap<>();
    private final List<Duration> pauses = new ArrayList<>();
    private Runnable meanwhile = () -> {};

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
        rawPackets("");
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
        host.sys("class/infiniband/mlx5_0/node_type", "1: CA\n");
        host.sys("class/infiniband/mlx5_0/device/uevent", "DRIVER=mlx5_core\nPCI_CLASS=20000\n");
        host.sys("class/infiniband/mlx5_0/ports/1/rate", "25 Gb/sec (1X EDR)\n");
        host.capabilities("0000000000002000");
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

    /** A host in good health for receiving over UDP, with one adapter, eth1. */
    static FakeHost withNetwork(Path root) {
        FakeHost host = new FakeHost(root);
        host.address("eth1", ADDRESS, 9000);
        host.sys("class/net/eth1/operstate", "up\n");
        host.sys("class/net/eth1/speed", "10000\n");
        host.sys("class/net/eth1/duplex", "full\n");
        host.sys("class/net/eth1/flags", "0x1003\n");
        host.sys("class/net/eth1/device/numa_node", "0\n");
        host.sys("class/net/eth1/queues/rx-0/rps_cpus", "0\n");
        host.sys("class/net/eth1/queues/rx-1/rps_cpus", "0\n");
        host.sys("class/net/eth1/statistics/rx_packets", "1000000\n");
        host.interrupt(24, "eth1-TxRx-0", "0\n");
        host.interrupt(25, "eth1-TxRx-1", "1\n");
        host.sys("devices/system/node/online", "0\n");
        host.sys("devices/system/cpu/online", "0-3\n");
        host.sys("devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
        host.proc("sys/net/core/rmem_max", "67108864\n");
        host.proc("sys/net/core/netdev_max_backlog", "5000\n");
        host.proc("sys/net/core/netdev_budget", "600\n");
        host.proc("sys/net/ipv4/conf/all/rp_filter", "0\n");
        host.proc("sys/net/ipv4/conf/eth1/rp_filter", "2\n");
        host.proc("net/softnet_stat", "00100000 00000000 00000007\n");
        host.sockets(1_000_000, 3);
        host.proc("net/route", ROUTES + "eth1\t000AA8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n");
        host.proc("net/igmp", GROUPS);
        host.firewall("");
        host.ring(4096);
        host.tool("ethtool -c eth1", "Coalesce parameters for eth1:\nAdaptive RX: off  TX: off\nrx-usecs: 3\n");
        return host;
    }

    /** An interrupt that a driver has taken. */
    void interrupt(int number, String driver, String cpus) {
        proc("irq/" + number + "/effective_affinity_list", cpus);
        proc("irq/" + number + "/" + driver + "/dummy", "");
    }

    /** What all UDP sockets received and dropped. */
    void sockets(long received, long dropped) {
        proc(
                "net/snmp",
                "Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors\nUdp: " + received + " 0 3 0 " + dropped
                        + "\n");
    }

    /** The ring of eth1, which holds 4096 packets at most. */
    void ring(int packets) {
        tool("ethtool -g eth1", """
                Ring parameters for eth1:
                Pre-set maximums:
                RX:\t\t4096
                TX:\t\t4096
                Current hardware settings:
                RX:\t\t%s
                TX:\t\t512
                """.formatted(packets));
    }

    /** The rules of the firewall. */
    void firewall(String policy) {
        tool("nft list ruleset", """
                table inet filter {
                    chain input {
                        type filter hook input priority 0;%s
                    }
                }
                """.formatted(policy));
    }

    /** What happens while time is let pass. */
    void meanwhile(Runnable change) {
        meanwhile = change;
    }

    /** How much time was let pass. */
    List<Duration> pauses() {
        return pauses;
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

    /** Whether queues for raw packets can be opened. */
    void rawPackets(String refusal) {
        attempts.put("raw", new Attempt("verbs", refusal, "", 0));
    }

    RdmaDoctor doctor() {
        ProviderProbe probe = new ProviderProbe() {
            @Override
            public List<Attempt> attempts(Inet4Address address) {
                return List.of(attempts.get("verbs"), attempts.get("software"));
            }

            @Override
            public Optional<Attempt> rawPackets(Inet4Address address) {
                return Optional.ofNullable(attempts.get("raw"));
            }
        };
        return new RdmaDoctor(
                files, addresses, probe, command -> Optional.ofNullable(tools.get(String.join(" ", command))));
    }

    NetworkDoctor networkDoctor() {
        return new NetworkDoctor(
                files, addresses, command -> Optional.ofNullable(tools.get(String.join(" ", command))), time -> {
                    pauses.add(time);
                    meanwhile.run();
                });
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
