package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.testing.Needs;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelDropsTest {
    private static final String HEADER =
            "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref"
                    + " pointer drops\n";

    @TempDir
    Path directory;

    private static String row(String address, int inode, int drops) {
        return "  512: " + address + " 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 " + inode
                + " 2 00 " + drops + "   \n";
    }

    private OptionalLong read(String before, String table, String address, int port) throws IOException {
        Needs.that(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "a little-endian processor");
        Path file = directory.resolve("udp");
        Files.writeString(file, before);
        KernelDrops drops = new KernelDrops(file);
        Files.writeString(file, table);
        drops.watch(InetAddress.getByName(address), port);
        return drops.read();
    }

    @Test
    void lastColumnOfTheLineWithTheLocalAddressIsTheCount() throws IOException {
        String table = HEADER + row("0101147F:2EE0", 1, 5) + row("0201147F:2EE0", 2, 1234);
        assertEquals(OptionalLong.of(1234), read(HEADER, table, "127.20.1.2", 12000));
        assertEquals(OptionalLong.of(5), read(HEADER, table, "127.20.1.1", 12000));
        assertEquals(OptionalLong.empty(), read(HEADER, table, "127.20.1.1", 12001));
    }

    @Test
    void aSocketThatHadTheAddressBeforeIsNotCounted() throws IOException {
        String other = HEADER + row("0314C0EF:2EE0", 1, 5);
        assertEquals(OptionalLong.of(7), read(other, other + row("0314C0EF:2EE0", 2, 7), "239.192.20.3", 12000));
    }

    @Test
    void socketsThatTookTheAddressAtTheSameTimeTellNothing() throws IOException {
        String table = HEADER + row("0314C0EF:2EE0", 1, 5) + row("0314C0EF:2EE0", 2, 7);
        assertEquals(OptionalLong.empty(), read(HEADER, table, "239.192.20.3", 12000));
    }

    @Test
    void aTableThatTheSocketIsNotInAnyMoreTellsNothing() throws IOException {
        Path file = directory.resolve("udp");
        Files.writeString(file, HEADER);
        KernelDrops drops = new KernelDrops(file);
        Files.writeString(file, HEADER + row("0100007F:2EE0", 1, 5));
        drops.watch(InetAddress.getLoopbackAddress(), 12000);
        Files.writeString(file, HEADER + row("0100007F:2EE0", 2, 7));
        assertEquals(OptionalLong.empty(), drops.read());
    }

    @Test
    void unknownTablesTellNothing() throws IOException {
        assertEquals(OptionalLong.empty(), read("", HEADER + "  1: 0101147F:2EE0 00\n", "127.20.1.1", 12000));
        KernelDrops none = new KernelDrops(directory.resolve("missing"));
        none.watch(InetAddress.getLoopbackAddress(), 1);
        assertEquals(OptionalLong.empty(), none.read());
    }
}
