package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.doctor.Finding;
import io.peregrine.doctor.Finding.Verdict;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the doctor says about adapters: transport, firmware, PCIe, classes of traffic, raw packets. */
class AdapterDoctorTest {
    private static final String DEVICE = "class/infiniband/mlx5_0/";
    private static final String ETS = """
            willing off ets-cap 8 cbs off
            tc-bw 0:0 1:0 2:0 3:50 4:0 5:0 6:0 7:0
            pg-bw 0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0
            tc-tsa 0:strict 1:strict 2:strict 3:ets 4:ets 5:strict 6:strict 7:strict
            prio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7
            reco-tc-bw 0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0
            """;
    private static final String PFC = """
            pfc-cap 8 macsec-bypass off delay 0
            prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off
            """;

    @TempDir
    Path root;

    private FakeHost host;

    @BeforeEach
    void start() {
        host = FakeHost.withAdapter(root);
    }

    private Finding only(String check) {
        List<Finding> found = host.examine().stream()
                .filter(finding -> finding.check().equals(check))
                .toList();
        assertEquals(1, found.size(), () -> check + ": " + host.examine());
        return found.get(0);
    }

    private void assertFinding(Verdict verdict, String evidence, String check) {
        Finding finding = only(check);
        assertEquals(verdict + ": " + evidence, finding.verdict() + ": " + finding.evidence());
    }

    // ---- Adapter

    @Test
    void anIwarpAdapterIsNamedAsSuch() {
        host.sys(DEVICE + "node_type", "4: RNIC\n");
        assertFinding(Verdict.WARN, "iWARP, RDMA over TCP: cameras speak RoCEv2 only", "RDMA transport");
    }

    @ParameterizedTest
    @CsvSource({
        "22.36.1010, PASS, 'ConnectX-6 Dx, 22.36.1010'",
        "16.26.1040, WARN, 'ConnectX-5, 16.26.1040: older than 16.35'",
        "2.42.5000, PASS, 'ConnectX-3, 2.42.5000'",
        "2.36.5000, WARN, 'ConnectX-3, 2.36.5000: older than 2.42'",
        "9.9.9, SKIP, 9.9.9: not known what is new enough",
        "not a version, SKIP, not a version: not known what is new enough"
    })
    void oldFirmwareIsNoticed(String version, Verdict verdict, String evidence) {
        host.sys(DEVICE + "fw_ver", version + "\n");
        assertFinding(verdict, evidence, "firmware");
    }

    @Test
    void theFirmwareOfOtherMakersIsNotJudged() {
        host.sys(DEVICE + "device/vendor", "0x14e4\n");
        assertEquals(Verdict.SKIP, only("firmware").verdict());
    }

    @ParameterizedTest
    @CsvSource({
        "8.0 GT/s PCIe, 8, 25 Gb/sec (1X EDR), PASS, 'slot 63.0 Gbit/s, port 25 Gbit/s'",
        "8.0 GT/s PCIe, 8, 100 Gb/sec (4X EDR), WARN, 'slot 63.0 Gbit/s, port 100 Gbit/s'",
        "16.0 GT/s PCIe, 16, 100 Gb/sec (4X EDR), PASS, 'slot 252.1 Gbit/s, port 100 Gbit/s'",
        "5.0 GT/s PCIe, 4, 10 Gb/sec (1X QDR), PASS, 'slot 16.0 Gbit/s, port 10 Gbit/s'",
        "Unknown, 4, 10 Gb/sec (1X QDR), SKIP, speed of the slot or of the port is not reported"
    })
    void aSlotThatIsSlowerThanThePortIsNoticed(
            String speed, String width, String rate, Verdict verdict, String evidence) {
        host.sys(DEVICE + "device/current_link_speed", speed + "\n");
        host.sys(DEVICE + "device/current_link_width", width + "\n");
        host.sys(DEVICE + "ports/1/rate", rate + "\n");
        assertFinding(verdict, evidence, "PCIe capacity");
    }

    // ---- Raw packets

    @Test
    void rawPacketsThatWorkPass() {
        assertFinding(Verdict.PASS, "a queue with a flow rule was opened: PacketReceiver=verbs works", "raw packets");
    }

    @Test
    void rawPacketsThatDoNotWorkAreAWarningWithTheReason() {
        host.rawPackets("mlx5_0 makes no raw packet queue");
        assertFinding(
                Verdict.WARN, "PacketReceiver=verbs does not work: mlx5_0 makes no raw packet queue", "raw packets");
    }

    @Test
    void missingRightsForRawPacketsAreAWarning() {
        host.capabilities("0000000000000000");
        assertEquals(Verdict.WARN, only("raw packet rights").verdict());
    }

    @ParameterizedTest
    @CsvSource({
        "-1, PASS, mlx4_core has log_num_mgm_entry_size=-1",
        "10, WARN, 'mlx4_core has log_num_mgm_entry_size=10: no flow steering, so PacketReceiver=verbs does not work'"
    })
    void theOptionOfConnectX3IsLookedAt(String option, Verdict verdict, String evidence) {
        host.sys(DEVICE + "device/uevent", "DRIVER=mlx4_core\n");
        host.sys("module/mlx4_core/parameters/log_num_mgm_entry_size", option + "\n");
        assertFinding(verdict, evidence, "flow steering");
    }

    @Test
    void withoutAnAdapterRawPacketsAreSkipped() {
        host = FakeHost.withoutRdma(root.resolve("other"));
        assertEquals(Verdict.SKIP, only("raw packets").verdict());
    }

    @Test
    void softRoceHasNoRawPackets() {
        host = FakeHost.withSoftRoce(root.resolve("other"));
        assertEquals(Verdict.SKIP, only("raw packets").verdict());
    }

    // ---- Classes of traffic

    private void typeOfService(int tos) {
        host.sys("kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos", tos + "\n");
    }

    @Test
    void withoutAClassOfServiceThereIsNothingToSayOfTrafficClasses() {
        host.tool("dcb ets show dev ens1f0", ETS);
        assertTrue(host.examine().stream().noneMatch(finding -> finding.check().equals("ETS")));
    }

    @Test
    void theTrafficClassOfRoceIsNamed() {
        typeOfService(26 << 2);
        host.tool("dcb ets show dev ens1f0", ETS);
        assertFinding(Verdict.PASS, "priority 3 has traffic class 3, ets, 50 %", "ETS");
    }

    @Test
    void aTrafficClassWithoutShareIsAWarning() {
        typeOfService(34 << 2);
        host.tool("dcb ets show dev ens1f0", ETS);
        assertFinding(Verdict.WARN, "priority 4 has traffic class 4, ets, 0 %: it is sent when nothing else is", "ETS");
    }

    @Test
    void theClassOfAllConnectionsCountsToo() {
        host.sys(DEVICE + "tc/1/traffic_class", "Global tclass=104\n");
        host.tool("dcb ets show dev ens1f0", ETS);
        assertFinding(Verdict.PASS, "priority 3 has traffic class 3, ets, 50 %", "ETS");
    }

    @Test
    void theTableOfTheAdapterSaysWhichPriorityADscpHas() {
        typeOfService(26 << 2);
        host.tool("dcb app show dev ens1f0 dscp-prio", "dscp-prio 26:5\n");
        host.tool("dcb ets show dev ens1f0", ETS);
        assertFinding(Verdict.PASS, "priority 5 has traffic class 5, strict", "ETS");
    }

    @Test
    void anAdapterThatTrustsVlanPrioritiesIsAWarning() {
        typeOfService(26 << 2);
        host.tool("mlnx_qos -i ens1f0", "DCBX mode: OS controlled\nPriority trust state: pcp\n");
        assertFinding(Verdict.WARN, "the adapter sorts packets by pcp, so that DSCP 26 has no effect", "trust of DSCP");
    }

    @ParameterizedTest
    @CsvSource({"26, PASS, on for priority 3", "34, WARN, 'RoCE has priority 4, and PFC is on for [3]'"})
    void flowControlOfAnotherPriorityIsAWarning(int dscp, Verdict verdict, String evidence) {
        typeOfService(dscp << 2);
        host.tool("dcb pfc show dev ens1f0", PFC);
        assertFinding(verdict, evidence, "PFC of the class");
    }
}
