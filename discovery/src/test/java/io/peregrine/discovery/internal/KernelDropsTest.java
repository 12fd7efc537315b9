package io.peregrine.discovery.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KernelDropsTest {
    private static final String HEAD = "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt"
            + "   uid  timeout inode ref pointer drops             ";

    private static String line(String local, String drops) {
        return " 4711: " + local + " 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 321 2"
                + " 0000000000000000 " + drops + "         ";
    }

    @Test
    void areSummedOverTheSocketsOfAPort() {
        List<String> table = List.of(HEAD, line("0100007F:C001", "12"), line("00000000:C001", "30"));
        assertEquals(42, KernelDrops.in(table, Set.of(0xC001)));
    }

    @Test
    void ofOtherPortsDoNotCount() {
        assertEquals(0, KernelDrops.in(List.of(HEAD, line("0100007F:C002", "12")), Set.of(0xC001)));
    }

    @Test
    void thatCannotBeReadAreNone() {
        assertEquals(0, KernelDrops.in(List.of("", "x", line("0100007F:C001", "many")), Set.of(0xC001)));
    }
}
