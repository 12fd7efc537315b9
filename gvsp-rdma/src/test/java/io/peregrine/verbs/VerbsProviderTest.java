package io.peregrine.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.nativeio.LibIbverbs;
import io.peregrine.nativeio.LibRdmaCm;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaUnavailableException;
import io.peregrine.testing.Needs;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerbsProviderTest {
    private static final Inet4Address LOOPBACK = (Inet4Address) InetAddress.getLoopbackAddress();

    @Test
    void theProviderIsFound() {
        assertTrue(RdmaProviders.all().stream()
                .anyMatch(provider -> provider.name().equals("verbs")));
    }

    @Test
    void aHostWithoutDeviceGetsTheReason(@TempDir Path noDevices) {
        Needs.noProblem(librariesProblem(), "libibverbs and librdmacm");

        assertEquals(
                "there is no RDMA device (" + noDevices + " is empty or missing)",
                refusal(new VerbsProvider(new RdmaDevices(noDevices))));
    }

    @Test
    void aHostWithoutLibrariesGetsTheReason() {
        Needs.that(!librariesProblem().isEmpty(), "a host without libibverbs and librdmacm");

        assertEquals(librariesProblem(), refusal(new VerbsProvider()));
    }

    @Test
    void aDeviceThatTheLibraryDoesNotKnowGetsTheReason(@TempDir Path root) throws Exception {
        Needs.noProblem(librariesProblem(), "libibverbs and librdmacm");
        Path port = root.resolve("nosuch0/ports/1");
        Files.createDirectories(port.resolve("gids"));
        Files.createDirectories(port.resolve("gid_attrs/types"));
        Files.writeString(port.resolve("gids/0"), "0000:0000:0000:0000:0000:ffff:7f00:0001");
        Files.writeString(port.resolve("gid_attrs/types/0"), "RoCE v2");
        Files.writeString(port.resolve("state"), "4: ACTIVE");

        assertEquals(
                "the kernel has device nosuch0 but libibverbs.so.1 has no driver for it: install ibverbs-providers"
                        + " (Debian, Ubuntu) or rdma-core",
                refusal(new VerbsProvider(new RdmaDevices(root))));
    }

    @Test
    void onlyExecutableMemoryHoldsCode() {
        String code = "7f0000001000-7f0000003000 r-xp 00000000 08:01 42 /usr/lib/libibverbs.so.1";

        assertTrue(VerbsTransport.holdsCode(code, 0x7f0000001000L));
        assertTrue(VerbsTransport.holdsCode(code, 0x7f0000002fffL));
        assertEquals(false, VerbsTransport.holdsCode(code, 0x7f0000003000L));
        assertEquals(false, VerbsTransport.holdsCode(code.replace("r-xp", "rw-p"), 0x7f0000001000L));
        assertEquals(false, VerbsTransport.holdsCode("", 0x7f0000001000L));
    }

    private static String librariesProblem() {
        return LibIbverbs.problem().isEmpty() ? LibRdmaCm.problem() : LibIbverbs.problem();
    }

    private static String refusal(VerbsProvider provider) {
        return assertThrows(RdmaUnavailableException.class, () -> provider.open(LOOPBACK))
                .getMessage();
    }
}
