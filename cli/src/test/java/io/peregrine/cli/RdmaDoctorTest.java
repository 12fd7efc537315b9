package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.doctor.Finding;
import io.peregrine.doctor.Finding.Verdict;
import io.peregrine.doctor.RdmaAddressChecks;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RdmaDoctorTest {
    private static final String GID = "RoCE v2 GID";

    @TempDir
    Path root;

    @Test
    void aHostInGoodHealthHasNeitherFailuresNorWarningsButForTheSocketBuffer() {
        assertEquals(
                Set.of("receive buffer"),
                with(Verdict.WARN, FakeHost.withAdapter(root).examine()));
    }

    @Test
    void aHostInGoodHealthHasNoFailures() {
        assertEquals(Set.of(), failures(FakeHost.withAdapter(root)));
    }

    @Test
    void theFindingsNameDeviceInterfaceAndFirmware() {
        Finding device = only(FakeHost.withAdapter(root), "device");
        assertEquals("mlx5_0 port 1 (ens1f0; firmware 22.36.1010)", device.evidence());
    }

    @Test
    void aHostWithSoftRoceHasNoFailures() {
        assertEquals(Set.of(), failures(FakeHost.withSoftRoce(root)));
    }

    @Test
    void softRoceOwnsThePort() {
        Finding port = only(FakeHost.withSoftRoce(root), "UDP port");
        assertEquals("belongs to the kernel's Soft-RoCE: provider verbs", port.evidence());
    }

    @Test
    void theModuleWithoutADeviceBlocksThePort() {
        FakeHost host = FakeHost.withoutRdma(root);
        host.sys("module/rdma_rxe/refcnt", "0\n");
        assertEquals(Verdict.WARN, only(host, "UDP port").verdict());
    }

    @Test
    void aHostWithoutRdmaHasNoFailuresWhileSoftwareWorks() {
        assertEquals(Set.of(), failures(FakeHost.withoutRdma(root)));
    }

    @Test
    void aHostWithoutRdmaIsToldWhatToLoad() {
        Finding device = only(FakeHost.withoutRdma(root), "device");
        assertTrue(device.verdict() == Verdict.WARN && device.fix().contains("rdma link add rxe0"), device.toString());
    }

    @Test
    void aHostWithoutAnyProviderFails() {
        FakeHost host = FakeHost.withoutRdma(root);
        host.software("JNA cannot load its native part: noexec", 0);
        assertEquals(Set.of("provider"), failures(host));
    }

    @Test
    void aPortThatIsDownFails() {
        FakeHost host = FakeHost.withAdapter(root);
        host.sys("class/infiniband/mlx5_0/ports/1/state", "1: DOWN\n");
        assertEquals(Set.of("port state"), failures(host));
    }

    @Test
    void aSecondPortThatIsDownIsAWarning() {
        FakeHost host = FakeHost.withAdapter(root);
        host.device("mlx5_1", "ens1f1", "192.168.11.1", "RoCE v2");
        host.sys("class/infiniband/mlx5_1/ports/1/state", "1: DOWN\n");
        assertEquals(Set.of(), failures(host));
    }

    @Test
    void onlyThePortOfTheInterfaceIsLookedAtWhenOneIsNamed() {
        FakeHost host = FakeHost.withAdapter(root);
        host.device("mlx5_1", "ens1f1", "192.168.11.1", "RoCE v2");
        host.sys("class/infiniband/mlx5_1/ports/1/state", "1: DOWN\n");
        List<String> subjects = host.examine(FakeHost.ADDRESS).stream()
                .filter(finding -> finding.check().equals("port state"))
                .map(Finding::subject)
                .toList();
        assertEquals(List.of("mlx5_0 port 1"), subjects);
    }

    @Test
    void anInfiniBandPortFails() {
        FakeHost host = FakeHost.withAdapter(root);
        host.sys("class/infiniband/mlx5_0/ports/1/link_layer", "InfiniBand\n");
        assertEquals(Set.of("link layer"), failures(host));
    }

    @Test
    void theFirstVersionOfRoceFails() {
        FakeHost host = FakeHost.withAdapter(root);
        host.gid("mlx5_0", 3, FakeHost.mapped(FakeHost.ADDRESS), "IB/RoCE v1", "ens1f0");
        assertEquals(
                "the address is there, but only as IB/RoCE v1 at index 3 of mlx5_0 port 1",
                only(host, GID).evidence());
    }

    @Test
    void ofTwoEntriesOfAnAddressTheSecondVersionCounts() {
        FakeHost host = FakeHost.withAdapter(root);
        host.gid("mlx5_0", 2, FakeHost.mapped(FakeHost.ADDRESS), "IB/RoCE v1", "ens1f0");
        assertEquals("index 3 of mlx5_0 port 1, RoCE v2", only(host, GID).evidence());
    }

    @Test
    void anAddressThatTheTableLacksFails() {
        FakeHost host = FakeHost.withAdapter(root);
        host.gid("mlx5_0", 3, FakeHost.mapped("10.0.0.1"), "RoCE v2", "ens1f0");
        assertEquals(Set.of(GID), failures(host));
    }

    @Test
    void anInterfaceWithoutDeviceIsToldWhereTheDeviceIs() {
        FakeHost host = FakeHost.withAdapter(root);
        host.address("eth1", "10.1.1.1", 1500);
        host.verbs("no RDMA device has the address 10.1.1.1", "", 0);
        Finding gid = host.examine("10.1.1.1").stream()
                .filter(finding -> finding.check().equals(GID))
                .findFirst()
                .orElseThrow();
        assertTrue(gid.evidence().endsWith("there is mlx5_0 (ens1f0)"), gid.toString());
    }

    @Test
    void theConnectionManagerMustNotPreferTheFirstVersion() {
        FakeHost host = FakeHost.withAdapter(root);
        host.sys("kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_mode", "IB/RoCE v1\n");
        assertEquals(Set.of("RoCE mode"), failures(host));
    }

    @Test
    void theTrafficClassIsToldAsDscpAndEcn() {
        FakeHost host = FakeHost.withAdapter(root);
        host.sys("kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos", "106\n");
        assertEquals(
                "type of service 106: DSCP 26, ECN", only(host, "DSCP, ECN").evidence());
    }

    @ParameterizedTest
    @CsvSource({
        "65536, FAIL",
        "8388608, WARN",
        "4294967296, PASS",
        "unlimited, PASS",
    })
    void lockedMemoryIsJudgedByWhatAStreamLocks(String limit, Verdict verdict) {
        FakeHost host = FakeHost.withAdapter(root);
        host.memlock(limit);
        assertEquals(verdict, only(host, "locked memory").verdict());
    }

    @Test
    void theCapabilityLiftsTheLimitOfLockedMemory() {
        FakeHost host = FakeHost.withAdapter(root);
        host.memlock("65536");
        host.capabilities("0000000000004000");
        assertEquals(Verdict.PASS, only(host, "locked memory").verdict());
    }

    @Test
    void aCapabilityInAUserNamespaceLiftsNoLimit() {
        FakeHost host = FakeHost.withAdapter(root);
        host.memlock("65536");
        host.capabilities("000001ffffffffff");
        host.proc("self/uid_map", "         0       1000          1\n");
        assertEquals(
                List.of(Verdict.FAIL, Verdict.WARN),
                List.of(
                        only(host, "locked memory").verdict(),
                        only(host, "receive buffer").verdict()));
    }

    @Test
    void withoutDeviceLockedMemoryMeansNothing() {
        FakeHost host = FakeHost.withoutRdma(root);
        host.memlock("65536");
        assertEquals(Verdict.SKIP, only(host, "locked memory").verdict());
    }

    @ParameterizedTest
    @CsvSource({
        "9000, 4096",
        "4192, 4096",
        "4191, 2048",
        "2144, 2048",
        "1500, 1024",
        "352, 256",
        "351, 0",
        "65536, 4096",
    })
    void thePathMtuIsTheLargestThatLeavesRoomForHeaders(long interfaceMtu, int pathMtu) {
        assertEquals(pathMtu, RdmaAddressChecks.pathMtuBytes(interfaceMtu));
    }

    @Test
    void anInterfaceWithoutJumboFramesIsAWarning() {
        FakeHost host = FakeHost.withAdapter(root);
        host.mtu("ens1f0", 1500);
        host.verbs("", "mlx5_0", 1024);
        Finding mtu = only(host, "MTU");
        assertTrue(mtu.verdict() == Verdict.WARN && mtu.fix().contains("ens1f0 mtu 9000"), mtu.toString());
    }

    @Test
    void aPortThatIsBehindItsInterfaceIsAWarning() {
        FakeHost host = FakeHost.withAdapter(root);
        host.verbs("", "mlx5_0", 1024);
        assertEquals(
                "MTU 9000 allows RoCE packets of 4096, the port is set to 1024",
                only(host, "MTU").evidence());
    }

    @Test
    void aMissingLibraryFailsWhereThereIsADevice() {
        FakeHost host = FakeHost.withAdapter(root);
        host.verbs("librdmacm.so.1 was not found: install librdmacm1 (Debian, Ubuntu)", "", 0);
        assertEquals(
                List.of(Verdict.PASS, Verdict.FAIL),
                host.examine().stream()
                        .filter(finding -> finding.check().equals("library"))
                        .map(Finding::verdict)
                        .toList());
    }

    @Test
    void aMissingLibraryIsAWarningWhereThereIsNoDevice() {
        FakeHost host = FakeHost.withoutRdma(root);
        host.verbs("libibverbs.so.1 was not found: install libibverbs1 (Debian, Ubuntu)", "", 0);
        assertEquals(
                List.of(Verdict.WARN, Verdict.SKIP),
                host.examine().stream()
                        .filter(finding -> finding.check().equals("library"))
                        .map(Finding::verdict)
                        .toList());
    }

    @Test
    void anAdapterThatVerbsRefusesFailsEvenWhenSoftwareWorks() {
        FakeHost host = FakeHost.withAdapter(root);
        host.verbs("the kernel has device mlx5_0 but libibverbs.so.1 has no driver for it", "", 0);
        assertEquals(Set.of("provider"), failures(host));
    }

    @Test
    void anAdapterThatVerbsRefusesMayTakePacketsFromSoftware() {
        FakeHost host = FakeHost.withAdapter(root);
        host.verbs("the kernel has device mlx5_0 but libibverbs.so.1 has no driver for it", "", 0);
        assertEquals(Verdict.WARN, only(host, "port offload").verdict());
    }

    @Test
    void missingDeviceFilesFail() {
        FakeHost host = FakeHost.withAdapter(root);
        host.delete(host.files().dev());
        assertEquals(Set.of("device file"), failures(host));
    }

    @Test
    void anotherProgramAtThePortIsNamedByItsAddress() {
        FakeHost host = FakeHost.withAdapter(root);
        host.udpSocket("010AA8C0", 4791);
        assertEquals(
                "in use at 192.168.10.1: the provider software cannot have these addresses",
                only(host, "UDP port").evidence());
    }

    @Test
    void otherPortsDoNotMatter() {
        FakeHost host = FakeHost.withAdapter(root);
        host.udpSocket("010AA8C0", 3956);
        assertEquals(Verdict.PASS, only(host, "UDP port").verdict());
    }

    @Test
    void theCapabilityLiftsTheLimitOfSocketBuffers() {
        FakeHost host = FakeHost.withAdapter(root);
        host.capabilities("0000000000001000");
        assertEquals(Verdict.PASS, only(host, "receive buffer").verdict());
    }

    @Test
    void countersOfLossAreAWarningWithTheirValues() {
        FakeHost host = FakeHost.withAdapter(root);
        host.sys("class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence", "5\n");
        assertEquals(
                "since the driver was loaded {out_of_sequence=5}",
                only(host, "hardware counters").evidence());
    }

    @Test
    void aSlotWithTooFewLanesIsAWarning() {
        FakeHost host = FakeHost.withAdapter(root);
        host.sys("class/infiniband/mlx5_0/device/current_link_width", "4\n");
        assertEquals(Verdict.WARN, only(host, "PCIe link").verdict());
    }

    @Test
    void priorityFlowControlIsRead() {
        FakeHost host = FakeHost.withAdapter(root);
        host.tool("dcb pfc show dev ens1f0", "pfc-cap 8 macsec-bypass off delay 0\nprio-pfc 0:off 3:on 4:on 7:off\n");
        assertEquals("PFC on for priority 3, 4", only(host, "pause, PFC").evidence());
    }

    @Test
    void flowControlThatIsOffIsAWarning() {
        FakeHost host = FakeHost.withAdapter(root);
        host.tool("ethtool -a ens1f0", "Pause parameters for ens1f0:\nRX:\t\toff\nTX:\t\ton\n");
        assertEquals(Verdict.WARN, only(host, "pause, PFC").verdict());
    }

    @Test
    void flowControlIsSkippedWhereNothingTellsIt() {
        FakeHost host = FakeHost.withSoftRoce(root);
        assertEquals(Verdict.SKIP, only(host, "pause, PFC").verdict());
    }

    @Test
    void aContainerWithLittleMemoryIsAWarning() {
        FakeHost host = FakeHost.withoutRdma(root);
        host.proc("self/cgroup", "0::/system.slice/docker-0123.scope\n");
        host.sys("fs/cgroup/system.slice/docker-0123.scope/memory.max", "268435456\n");
        assertTrue(only(host, "container").evidence().contains("256 MiB"));
    }

    @ParameterizedTest
    @ValueSource(strings = {".dockerenv", "run/.containerenv"})
    void aContainerIsKnownByTheFileItsEngineLeaves(String file) {
        FakeHost host = FakeHost.withoutRdma(root);
        host.proc("self/root/" + file, "");
        assertTrue(only(host, "container").evidence().startsWith("runs in a container"));
    }

    @Test
    void theFirstVersionOfControlGroupsIsRead() {
        FakeHost host = FakeHost.withoutRdma(root);
        host.proc("self/cgroup", "5:devices:/\n4:memory:/docker/0123\n0::/\n");
        host.sys("fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n");
        assertEquals(
                "runs in a container; limit of the control group 1024 MiB",
                only(host, "container").evidence());
    }

    @Test
    void anAddressThatTheHostDoesNotHaveFails() {
        FakeHost host = FakeHost.withAdapter(root);
        assertEquals(Set.of("interface"), failures(host.examine("10.9.9.9")));
    }

    @Test
    void everyLoopbackAddressIsTheHosts() {
        FakeHost host = FakeHost.withoutRdma(root);
        assertEquals(Set.of(), failures(host.examine("127.0.0.9")));
    }

    @Test
    void filesThatMakeNoSenseAreSkipped() {
        FakeHost host = FakeHost.withAdapter(root);
        host.mtu("ens1f0", -1);
        host.memlock("lots");
        host.capabilities("zz");
        host.proc("net/udp", "4791");
        host.sys("class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence", "99999999999999999999999\n");
        host.sys("class/infiniband/mlx5_0/device/max_link_width", "wide\n");
        assertEquals(
                Set.of("MTU", "locked memory", "hardware counters", "PCIe link"),
                host.examine().stream()
                        .filter(finding -> finding.verdict() == Verdict.SKIP)
                        .map(Finding::check)
                        .filter(check -> !Set.of("RoCE mode", "DSCP, ECN").contains(check))
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void everyWarningAndFailureSaysWhatToDo() {
        FakeHost host = FakeHost.withAdapter(root);
        host.sys("class/infiniband/mlx5_0/ports/1/state", "1: DOWN\n");
        host.verbs("libibverbs.so.1 was not found: install libibverbs1", "", 0);
        host.software("no", 0);
        host.memlock("65536");
        host.delete(host.files().dev());
        assertEquals(
                Optional.empty(),
                host.examine().stream()
                        .filter(finding -> finding.fix().isEmpty()
                                == (finding.verdict() == Verdict.WARN || finding.verdict() == Verdict.FAIL))
                        .findFirst());
    }

    private static Finding only(FakeHost host, String check) {
        List<Finding> findings = host.examine().stream()
                .filter(finding -> finding.check().equals(check))
                .toList();
        assertEquals(1, findings.size(), () -> check + ": " + host.examine());
        return findings.get(0);
    }

    private static Set<String> failures(FakeHost host) {
        return failures(host.examine());
    }

    private static Set<String> failures(List<Finding> findings) {
        return with(Verdict.FAIL, findings);
    }

    private static Set<String> with(Verdict verdict, List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.verdict() == verdict)
                .map(Finding::check)
                .collect(Collectors.toSet());
    }
}
