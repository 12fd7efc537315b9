package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.cli.Finding.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkDoctorTest {
    private static final String ROUTES =
            "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n";

    @TempDir
    Path root;

    private FakeHost host;

    @BeforeEach
    void healthyHost() {
        host = new FakeHost(root);
        host.address("eth1", "192.168.10.1", 9000);
        host.sys("class/net/eth1/operstate", "up\n");
        host.sys("class/net/eth1/speed", "10000\n");
        host.sys("class/net/eth1/duplex", "full\n");
        host.sys("devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
        host.proc("sys/net/core/rmem_max", "33554432\n");
        host.proc("sys/net/core/netdev_max_backlog", "5000\n");
        host.proc("sys/net/core/netdev_budget", "600\n");
        host.proc("sys/net/ipv4/conf/all/rp_filter", "0\n");
        host.proc("sys/net/ipv4/conf/eth1/rp_filter", "2\n");
        host.proc("net/softnet_stat", "00100000 00000000 00000007\n");
        host.proc("net/snmp", "Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors\nUdp: 1000000 0 3 0 3\n");
        host.proc("net/route", ROUTES + "eth1\t000AA8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n");
        host.tool("nft list ruleset", rules(""));
        host.tool("ethtool -g eth1", ring(4096));
    }

    private static String ring(int packets) {
        return """
                Ring parameters for eth1:
                Pre-set maximums:
                RX:\t\t4096
                TX:\t\t4096
                Current hardware settings:
                RX:\t\t%d
                TX:\t\t512
                """.formatted(packets);
    }

    private static String rules(String policy) {
        return """
                table inet filter {
                    chain input {
                        type filter hook input priority 0;%s
                    }
                }
                """.formatted(policy);
    }

    private static Set<String> with(Verdict verdict, List<Finding> findings) {
        Set<String> checks = new TreeSet<>();
        findings.stream()
                .filter(finding -> finding.verdict() == verdict)
                .forEach(finding -> checks.add(finding.check()));
        return checks;
    }

    private Finding only(String check) {
        List<Finding> found = host.networkDoctor().examine().stream()
                .filter(finding -> finding.check().equals(check))
                .toList();
        assertEquals(1, found.size(), found::toString);
        return found.get(0);
    }

    private void warns(String check, String fix) {
        List<Finding> findings = host.networkDoctor().examine();
        assertEquals(Set.of(check), with(Verdict.WARN, findings));
        assertTrue(only(check).fix().contains(fix), only(check)::toString);
    }

    @Test
    void aHealthyHostPassesEveryCheck() {
        List<Finding> findings = host.networkDoctor().examine();
        assertEquals(
                Set.of(
                        "link",
                        "MTU",
                        "ring",
                        "rp_filter",
                        "subnets",
                        "receive buffer",
                        "backlog",
                        "budget",
                        "kernel drops",
                        "socket drops",
                        "firewall",
                        "CPU frequency"),
                with(Verdict.PASS, findings));
        assertEquals(12, findings.size(), findings::toString);
    }

    @Test
    void aHostThatTellsNothingIsSkippedAndNotJudged() {
        FakeHost silent = new FakeHost(root.resolve("silent"));
        silent.address("eth1", "192.168.10.1", 9000);
        silent.proc("sys/net/core/rmem_max", "x\n");
        List<Finding> findings = silent.networkDoctor().examine();
        assertEquals(Set.of("MTU"), with(Verdict.PASS, findings));
        assertEquals(Set.of(), with(Verdict.FAIL, findings));
        assertEquals(11, with(Verdict.SKIP, findings).size());
    }

    @Test
    void aSlowLinkIsAWarning() {
        host.sys("class/net/eth1/speed", "100\n");
        warns("link", "ethtool -s eth1");
        assertEquals("100 Mbit/s, full duplex", only("link").evidence());
    }

    @Test
    void wirelessIsAWarning() {
        host.sys("class/net/eth1/wireless/dummy", "");
        warns("link", "cable");
    }

    @Test
    void smallPacketsAreAWarning() {
        host.mtu("eth1", 1500);
        warns("MTU", "ip link set eth1 mtu 9000");
    }

    @Test
    void aSmallRingIsAWarning() {
        host.tool("ethtool -g eth1", ring(512));
        warns("ring", "ethtool -G eth1 rx 4096");
        assertEquals("512 of 4096 packets", only("ring").evidence());
    }

    @Test
    void theStricterReversePathFilterCounts() {
        host.proc("sys/net/ipv4/conf/eth1/rp_filter", "0\n");
        host.proc("sys/net/ipv4/conf/all/rp_filter", "1\n");
        warns("rp_filter", "net.ipv4.conf.eth1.rp_filter=2");
    }

    @Test
    void oneSubnetOnTwoInterfacesFails() {
        host.proc(
                "net/route",
                ROUTES + "eth1\t000AA8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
                        + "eth2\t000AA8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n");
        Finding finding = only("subnets");
        assertEquals(Verdict.FAIL, finding.verdict());
        assertEquals("192.168.10.0/24", finding.subject());
        assertTrue(finding.evidence().startsWith("on eth1 and eth2"), finding.evidence());
    }

    @Test
    void aSmallReceiveBufferIsAWarning() {
        host.proc("sys/net/core/rmem_max", "212992\n");
        warns("receive buffer", "sysctl -w net.core.rmem_max=33554432");
    }

    @Test
    void dropsOfTheKernelAreAWarning() {
        host.proc("net/softnet_stat", "00100000 00000100 00000000 00000000\n");
        warns("kernel drops", "netdev_max_backlog");
        assertTrue(only("kernel drops").evidence().startsWith("256 of 1048576 packets"));
    }

    @Test
    void dropsOfSocketsAreAWarning() {
        host.proc("net/snmp", "Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors\nUdp: 1000 0 3 0 30\n");
        warns("socket drops", "rmem_max");
        assertTrue(only("socket drops").evidence().startsWith("30 of 1030 datagrams"));
    }

    @Test
    void aFirewallThatDropsIsAWarning() {
        host.tool("nft list ruleset", rules(" policy drop;"));
        warns("firewall", "udp sport 3956 accept");
    }

    @Test
    void savingPowerIsAWarning() {
        host.sys("devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
        warns("CPU frequency", "performance");
    }

    @Test
    void aHostWithoutAnInterfaceIsToldToMakeOne() {
        FakeHost lonely = new FakeHost(root.resolve("lonely"));
        assertTrue(with(Verdict.WARN, lonely.networkDoctor().examine()).contains("interface"));
    }
}
