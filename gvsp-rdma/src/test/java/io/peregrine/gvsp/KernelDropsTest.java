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

    private OptionalLong read(String table, String address, int port) throws IOException {
        Needs.that(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "a little-endian processor");
        Path file = directory.resolve("udp");
        Files.writeString(file, table);
        return new KernelDrops(InetAddress.getByName(address), port, file).read();
    }

    @Test
    void lastColumnOfTheLineWithTheLocalAddressIsTheCount() throws IOException {
        String table = HEADER
                + "  512: 0101147F:2EE0 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 1 2 00"
                + " 5   \n  513: 0201147F:2EE0 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0"
                + " 1 2 00 1234   \n";
        assertEquals(OptionalLong.of(1234), read(table, "127.20.1.2", 12000));
        assertEquals(OptionalLong.of(5), read(table, "127.20.1.1", 12000));
        assertEquals(OptionalLong.empty(), read(table, "127.20.1.1", 12001));
    }

    @Test
    void unknownTablesTellNothing() throws IOException {
        assertEquals(OptionalLong.empty(), read(HEADER + "  1: 0101147F:2EE0 00\n", "127.20.1.1", 12000));
        KernelDrops none = new KernelDrops(InetAddress.getLoopbackAddress(), 1, directory.resolve("missing"));
        assertEquals(OptionalLong.empty(), none.read());
    }
}
