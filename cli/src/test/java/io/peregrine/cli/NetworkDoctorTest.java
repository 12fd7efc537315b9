package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.doctor.Finding;
import io.peregrine.doctor.Finding.Verdict;
import io.peregrine.doctor.ShellCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkDoctorTest {
    @TempDir
    Path root;

    private FakeHost host;

    @BeforeEach
    void healthyHost() {
        host = FakeHost.withNetwork(root);
    }

    private static Set<String> with(Verdict verdict, List<Finding> findings) {
        Set<String> checks = new TreeSet<>();
        findings.stream()
                .filter(finding -> finding.verdict() == verdict)
                .forEach(finding -> checks.add(finding.check()));
        return checks;
    }

    private Finding only(String check) {
        List<Finding> found = host.networkDoctor().examine(Duration.ZERO).stream()
                .filter(finding -> finding.check().equals(check))
                .toList();
        assertEquals(1, found.size(), found::toString);
        return found.get(0);
    }

    private void warns(String check, String fix) {
        List<Finding> findings = host.networkDoctor().examine(Duration.ZERO);
        assertEquals(Set.of(check), with(Verdict.WARN, findings));
        assertTrue(only(check).fix().contains(fix), only(check)::toString);
    }

    @Test
    void aHealthyHostPassesEveryCheck() {
        List<Finding> findings = host.networkDoctor().examine(Duration.ZERO);
        assertEquals(
                Set.of(
                        "link",
                        "MTU",
                        "ring",
                        "coalescing",
                        "interrupts",
                        "NUMA",
                        "rp_filter",
                        "multicast",
                        "subnets",
                        "receive buffer",
                        "backlog",
                        "budget",
                        "adapter drops",
                        "kernel drops",
                        "socket drops",
                        "firewall",
                        "CPU frequency"),
                with(Verdict.PASS, findings));
        assertEquals(Set.of("IGMP snooping"), with(Verdict.SKIP, findings));
        assertEquals(18, findings.size(), findings::toString);
    }

    @Test
    void aHostThatTellsNothingIsSkippedAndNotJudged() {
        FakeHost silent = new FakeHost(root.resolve("silent"));
        silent.address("eth1", "192.168.10.1", 9000);
        silent.proc("sys/net/core/rmem_max", "x\n");
        List<Finding> findings = silent.networkDoctor().examine(Duration.ZERO);
        assertEquals(Set.of("MTU"), with(Verdict.PASS, findings));
        assertEquals(Set.of(), with(Verdict.FAIL, findings));
        assertEquals(17, with(Verdict.SKIP, findings).size());
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
        host.ring(512);
        warns("ring", "ethtool -G eth1 rx 4096");
        assertEquals("512 of 4096 packets", only("ring").evidence());
    }

    @Test
    void theStricterReversePathFilterCounts() {
        host.proc("sys/net/ipv4/conf/eth1/rp_filter", "0\n");
        host.proc("sys/net/ipv4/conf/all/rp_filter", "1\n");
        warns("rp_filter", "net/ipv4/conf/eth1/rp_filter=2");
    }

    @Test
    void oneSubnetOnTwoInterfacesFails() {
        host.proc(
                "net/route",
                FakeHost.ROUTES + "eth1\t000AA8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
                        + "eth2\t000AA8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n");
        Finding finding = only("subnets");
        assertEquals(Verdict.FAIL, finding.verdict());
        assertEquals("192.168.10.0/24", finding.subject());
        assertTrue(finding.evidence().startsWith("on eth1 and eth2"), finding.evidence());
    }

    @Test
    void aSmallReceiveBufferIsAWarning() {
        host.proc("sys/net/core/rmem_max", "212992\n");
        warns("receive buffer", "sysctl -w net.core.rmem_max=67108864");
    }

    @Test
    void dropsOfTheKernelAreAWarning() {
        host.proc("net/softnet_stat", "00100000 00000100 00000000 00000000\n");
        warns("kernel drops", "netdev_max_backlog");
        assertTrue(only("kernel drops").evidence().startsWith("256 of 1048576 packets"));
    }

    @Test
    void dropsOfSocketsAreAWarning() {
        host.sockets(1000, 30);
        warns("socket drops", "rmem_max");
        assertTrue(only("socket drops").evidence().startsWith("30 of 1030 datagrams"));
    }

    @Test
    void aFirewallThatDropsIsAWarning() {
        host.firewall(" policy drop;");
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
        assertTrue(with(Verdict.WARN, lonely.networkDoctor().examine(Duration.ZERO))
                .contains("interface"));
    }

    // ---- Drops while somebody looks

    private Finding watched(String check) {
        return host.networkDoctor().examine(Duration.ofSeconds(2)).stream()
                .filter(finding -> finding.check().equals(check))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void countersAreReadTwiceWithTheTimeBetweenThatWasAskedFor() {
        watched("socket drops");
        assertEquals(List.of(Duration.ofSeconds(2)), host.pauses());
    }

    @Test
    void noTimePassesWhereNoneIsAskedFor() {
        only("socket drops");
        assertEquals(List.of(), host.pauses());
    }

    @Test
    void oneSocketDropWhileWatchedIsAWarningHoweverManyWentWell() {
        host.meanwhile(() -> host.sockets(1_050_000, 4));
        Finding drops = watched("socket drops");
        assertEquals(Verdict.WARN, drops.verdict());
        assertEquals(
                "1 of 50001 in 2.0 s, 4 of 1050004 datagrams of all programs since the host started", drops.evidence());
    }

    @Test
    void dropsOfTheKernelAreCountedOverAllProcessors() {
        host.proc("net/softnet_stat", "00100000 00000001 00000007\n00000000 00000002 00000000\n");
        host.meanwhile(() -> host.proc("net/softnet_stat", "00100010 00000003 00000007\n00000001 00000004 00000000\n"));
        Finding drops = watched("kernel drops");
        assertEquals(Verdict.WARN, drops.verdict());
        assertTrue(drops.evidence().startsWith("4 of 17 in 2.0 s, 7 of 1048593 packets"), drops.evidence());
    }

    @Test
    void counterThatGoesBackIsNoLoss() {
        host.meanwhile(() -> host.proc("net/softnet_stat", "00000010 00000000 00000000\n"));
        assertTrue(watched("kernel drops").evidence().startsWith("0 of 0 in 2.0 s"));
    }

    @Test
    void whatTheAdapterHadNoPlaceForIsAWarning() {
        host.meanwhile(() -> host.sys("class/net/eth1/statistics/rx_missed_errors", "5\n"));
        Finding drops = watched("adapter drops");
        assertEquals("eth1", drops.subject());
        assertTrue(drops.fix().contains("ethtool -G eth1"), drops.fix());
    }

    @Test
    void packetsThatACableDamagesAreAWarningAboutTheCable() {
        host.meanwhile(() -> host.sys("class/net/eth1/statistics/rx_crc_errors", "5\n"));
        assertTrue(watched("adapter drops").fix().contains("cables"));
    }

    // ---- Adapter and processors

    @Test
    void anInterruptForEachPacketIsAWarning() {
        host.tool("ethtool -c eth1", "Adaptive RX: off  TX: off\nrx-usecs: 0\nrx-frames: 1\n");
        warns("coalescing", "ethtool -C eth1 rx-usecs 50");
    }

    @Test
    void longGatheringIsAWarning() {
        host.tool("ethtool -c eth1", "Adaptive RX: off  TX: off\nrx-usecs: 3000\nrx-frames: n/a\n");
        warns("coalescing", "ethtool -C eth1 rx-usecs 50");
    }

    @Test
    void gatheringThatFollowsTheRatePasses() {
        host.tool("ethtool -c eth1", "Adaptive RX: on  TX: off\nrx-usecs: 0\n");
        assertEquals(Verdict.PASS, only("coalescing").verdict());
    }

    @Test
    void interruptsThatAllGoToOneProcessorAreAWarning() {
        host.interrupt(25, "eth1-TxRx-1", "0\n");
        warns("interrupts", "irqbalance");
        assertTrue(only("interrupts").evidence().startsWith("2 receive queues, 2 interrupts on CPU 0"));
    }

    @Test
    void interruptsOfTheDeviceCountWhateverTheirName() {
        host.delete(host.files().proc().resolve("irq"));
        host.interrupt(31, "mlx5_comp0@pci:0000:5e:00.0", "2\n");
        host.interrupt(32, "nvme0q1", "3\n");
        host.sys("class/net/eth1/device/msi_irqs/31", "msix\n");
        assertTrue(only("interrupts").evidence().contains("1 interrupt on CPU 2"));
    }

    @Test
    void interruptsFarFromTheAdapterAreAWarning() {
        twoNodes("0-1,4-5");
        host.sys("class/net/eth1/device/numa_node", "1\n");
        Finding interrupts = only("interrupts");
        assertEquals(Verdict.WARN, interrupts.verdict());
        assertEquals(
                List.of("echo 2 >/proc/irq/24/smp_affinity_list", "echo 3 >/proc/irq/25/smp_affinity_list"),
                interrupts.commands().stream().map(ShellCommand::text).toList());
    }

    private void twoNodes(String allowed) {
        host.sys("devices/system/node/online", "0-1\n");
        host.sys("devices/system/node/node0/cpulist", "0-1\n");
        host.sys("devices/system/node/node1/cpulist", "2-3\n");
        host.proc("self/status", "Cpus_allowed:\tf\nCpus_allowed_list:\t" + allowed + "\n");
    }

    @Test
    void aProgramThatMayRunFarFromTheAdapterIsAWarning() {
        twoNodes("0-3");
        warns("NUMA", "numactl --cpunodebind=0 --membind=0");
        assertEquals(
                "at node 0 with CPU 0-1, this program may run on 0-3",
                only("NUMA").evidence());
    }

    @Test
    void aProgramThatStaysNearTheAdapterPasses() {
        twoNodes("0-1");
        assertEquals(Verdict.PASS, only("NUMA").verdict());
    }

    @Test
    void anAdapterWhoseNodeIsNotToldIsNotJudged() {
        twoNodes("0-3");
        host.sys("class/net/eth1/device/numa_node", "-1\n");
        assertEquals(Verdict.SKIP, only("NUMA").verdict());
    }

    // ---- Groups

    @Test
    void membershipsAreTold() {
        assertEquals(
                "answers IGMP version 3, member of 1 groups: 224.0.0.1",
                only("multicast").evidence());
    }

    @Test
    void anInterfaceThatTakesNoGroupsIsAWarning() {
        host.sys("class/net/eth1/flags", "0x3\n");
        warns("multicast", "ip link set dev eth1 multicast on");
    }

    @Test
    void aBridgeThatSnoopsAndDoesNotAskIsAWarning() {
        host.sys("class/net/eth1/master/uevent", "DEVTYPE=bridge\nINTERFACE=br0\nIFINDEX=7\n");
        host.sys("class/net/br0/bridge/multicast_snooping", "1\n");
        host.sys("class/net/br0/bridge/multicast_querier", "0\n");
        warns("IGMP snooping", "ip link set dev br0 type bridge mcast_querier 1");
    }

    @Test
    void aBridgeThatAsksPasses() {
        host.sys("class/net/eth1/bridge/multicast_snooping", "1\n");
        host.sys("class/net/eth1/bridge/multicast_querier", "1\n");
        assertEquals(Verdict.PASS, only("IGMP snooping").verdict());
    }
}
