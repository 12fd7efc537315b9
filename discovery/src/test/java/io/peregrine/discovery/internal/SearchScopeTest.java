package io.peregrine.discovery.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a search asks, in words. */
class SearchScopeTest {
    private static final List<InetSocketAddress> TWO =
            List.of(new InetSocketAddress("127.10.4.1", 3956), new InetSocketAddress("127.10.4.2", 4000));
    private static final DiscoverySettings LOOPBACK =
            DiscoverySettings.defaults().withInterfaces(List.of("127.0.0.1")).withPort(3957);

    private static String scope(DiscoverySettings settings) {
        return Discovery.create(settings).scope();
    }

    @Test
    void namesInterfacesWithTheirAddresses() {
        assertEquals("by broadcast to port 3957 on lo (127.0.0.1)", scope(LOOPBACK));
    }

    @Test
    void namesInterfacesAndAddresses() {
        assertEquals(
                "by broadcast to port 3957 on lo (127.0.0.1) and directly at 127.10.4.1:3956, 127.10.4.2:4000",
                scope(LOOPBACK.withUnicast(TWO)));
    }

    @Test
    void saysThatBroadcastIsOff() {
        assertEquals(
                "directly at 127.10.4.1:3956, 127.10.4.2:4000 (broadcast is off)",
                scope(LOOPBACK.withUnicast(TWO).withBroadcast(false)));
        assertEquals("nowhere, since broadcast is off", scope(LOOPBACK.withBroadcast(false)));
    }

    @Test
    void failsForAnInterfaceThatIsNotThere() {
        assertThrows(
                DiscoveryException.class,
                () -> scope(DiscoverySettings.defaults().withInterfaces(List.of("nowhere0"))));
    }
}
