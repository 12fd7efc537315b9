package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.doctor.Finding;
import io.peregrine.doctor.FixScript;
import io.peregrine.doctor.ShellCommand;
import io.peregrine.doctor.ShellCommand.Template;
import io.peregrine.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FixScriptTest {
    @TempDir
    Path root;

    private static Finding warning(String check) {
        return Finding.warn(check, "eth1", "seen", "mend it");
    }

    private static List<String> commands(String script) {
        return script.lines()
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }

    @Test
    void commandsStandBelowTheirCheck() {
        String script = FixScript.of(List.of(warning("MTU").by(Template.MTU, "eth1", 9000)));
        assertTrue(script.startsWith("#!/bin/sh\n"), script);
        assertTrue(script.contains("\n# MTU\nip link set dev eth1 mtu 9000\n"), script);
    }

    @Test
    void ofTwoValuesForOneThingTheLargerServesBoth() {
        Finding small = warning("receive buffer").by(Template.SYSCTL, "net/core/rmem_max", 8388608);
        Finding large = warning("receive buffer").by(Template.SYSCTL, "net/core/rmem_max", 33554432);
        assertEquals(
                List.of("sysctl -w net/core/rmem_max=33554432"), commands(FixScript.of(List.of(small, large, small))));
    }

    @Test
    void whatNoCommandMendsIsNamed() {
        String script = FixScript.of(List.of(warning("subnets"), Finding.pass("MTU", "", "9000 bytes")));
        assertEquals(List.of(), commands(script));
        assertTrue(script.endsWith("# Not for a script, see './peregrine doctor': subnets\n"), script);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eth0;reboot",
                "$(reboot)",
                "`id`",
                "a b",
                "-G",
                "eth0\nreboot",
                "",
                "..",
                "a/b",
                "longer-than-15-chars",
                "eth0>x"
            })
    void namesThatAShellCouldMisunderstandGoNowhere(String name) {
        for (Template template : Template.values()) {
            assertTrue(ShellCommand.of(template, name, 1).isEmpty(), template + " " + name);
            assertThrows(IllegalArgumentException.class, () -> new ShellCommand(template, name, 1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"net/ipv4/conf/../x", "net/ipv4/conf/eth0;id/rp_filter", "net/core/ x", "/etc/passwd"})
    void keysThatAreNoneOfTheKernelGoNowhere(String key) {
        assertTrue(ShellCommand.of(Template.SYSCTL, key, 1).isEmpty());
    }

    @Test
    void aHostileInterfaceNameLeavesNothingInTheScript() {
        FakeHost host = FakeHost.withNetwork(root);
        host.address("x;reboot", "192.168.11.1", 1500);
        host.proc("sys/net/ipv4/conf/x;reboot/rp_filter", "1\n");
        host.sys("class/net/x;reboot/operstate", "down\n");
        assertFalse(FixScript.of(host.networkDoctor().examine(Duration.ZERO)).contains("reboot"));
    }

    @Test
    void theScriptOfASickHostIsOneThatAShellReads() throws IOException, InterruptedException {
        Needs.that(Files.isExecutable(Path.of("/bin/sh")), "/bin/sh");
        FakeHost host = FakeHost.withNetwork(root.resolve("host"));
        host.mtu("eth1", 1500);
        host.ring(256);
        host.interrupt(25, "eth1-TxRx-1", "0\n");
        host.sys("class/net/eth1/flags", "0x3\n");
        host.sys("class/net/eth1/operstate", "down\n");
        host.sys("class/net/eth1/bridge/multicast_snooping", "1\n");
        host.sys("devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
        host.proc("sys/net/core/rmem_max", "212992\n");
        host.proc("sys/net/ipv4/conf/eth1/rp_filter", "1\n");
        host.tool("ethtool -c eth1", "rx-usecs: 0\n");
        List<Finding> findings = new ArrayList<>(host.networkDoctor().examine(Duration.ZERO));
        findings.addAll(host.examine());
        String script = FixScript.of(findings);
        assertEquals(
                List.of(
                        "ip link set dev eth1 up",
                        "ip link set dev eth1 mtu 9000",
                        "ethtool -G eth1 rx 4096",
                        "ethtool -C eth1 rx-usecs 50",
                        "echo 0 >/proc/irq/24/smp_affinity_list",
                        "echo 1 >/proc/irq/25/smp_affinity_list",
                        "sysctl -w net/ipv4/conf/eth1/rp_filter=2",
                        "ip link set dev eth1 multicast on",
                        "ip link set dev eth1 type bridge mcast_querier 1",
                        "sysctl -w net/core/rmem_max=67108864",
                        "cpupower frequency-set --governor performance"),
                commands(script));
        Path file = Files.writeString(root.resolve("fix.sh"), script);
        // Only read: -n runs nothing.
        Process shell =
                new ProcessBuilder("/bin/sh", "-n", file.toString()).inheritIO().start();
        assertEquals(0, shell.waitFor(), script);
    }
}
