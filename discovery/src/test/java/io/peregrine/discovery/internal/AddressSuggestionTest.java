package io.peregrine.discovery.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.discovery.AddressConfiguration;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AddressSuggestionTest {
    private final Set<String> used = new HashSet<>();

    private String suggestion(String own, int prefixLength, String now) throws UnknownHostException {
        HostInterface there = new HostInterface("eth7", InetAddress.getByName(own), prefixLength, false);
        Optional<AddressConfiguration> found =
                AddressSuggestion.find(there, InetAddress.getByName(now), a -> used.contains(a.getHostAddress()));
        return found.map(AddressConfiguration::toString).orElse("none");
    }

    @Test
    void aDeviceKeepsItsNumberInTheNewSubnet() throws Exception {
        assertEquals("192.168.7.5/24", suggestion("192.168.7.1", 24, "10.1.1.5"));
    }

    @Test
    void theNextOneIsTakenWhenItIsSomebodys() throws Exception {
        used.add("192.168.7.5");
        used.add("192.168.7.6");
        assertEquals("192.168.7.7/24", suggestion("192.168.7.1", 24, "10.1.1.5"));
    }

    @Test
    void theHostsOwnAddressIsLeftOut() throws Exception {
        assertEquals("192.168.7.2/24", suggestion("192.168.7.1", 24, "10.1.1.1"));
    }

    @Test
    void networkAndBroadcastAddressAreLeftOut() throws Exception {
        assertEquals("192.168.7.254/24", suggestion("192.168.7.1", 24, "10.1.1.255"));
        assertEquals("192.168.7.2/24", suggestion("192.168.7.1", 24, "10.1.1.0"));
    }

    @Test
    void theSearchGoesRoundTheEndOfTheSubnet() throws Exception {
        used.add("192.168.7.6");
        assertEquals("192.168.7.2/29", suggestion("192.168.7.1", 29, "10.1.1.6"));
    }

    @Test
    void reservedLinkLocalAddressesAreLeftOut() throws Exception {
        assertEquals("169.254.1.0/16", suggestion("169.254.9.9", 16, "10.1.0.5"));
        assertEquals("169.254.254.255/16", suggestion("169.254.9.9", 16, "10.1.255.3"));
    }

    @Test
    void aFullSubnetHasNone() throws Exception {
        used.add("192.168.7.2");
        assertEquals("none", suggestion("192.168.7.1", 30, "10.1.1.5"));
    }

    @Test
    void aSubnetOfOneAddressHasNone() throws Exception {
        assertEquals("none", suggestion("192.168.7.1", 32, "10.1.1.5"));
    }

    @Test
    void aNeighbourIsSomebodyWhenItsHardwareAddressIsKnown() throws Exception {
        List<String> table = List.of(
                "IP address       HW type     Flags       HW address            Mask     Device",
                "192.168.7.5      0x1         0x2         02:00:7f:00:00:01     *        eth7",
                "192.168.7.6      0x1         0x0         00:00:00:00:00:00     *        eth7");
        assertEquals(true, Neighbours.resolved(table, InetAddress.getByName("192.168.7.5")));
        assertEquals(false, Neighbours.resolved(table, InetAddress.getByName("192.168.7.6")));
        assertEquals(false, Neighbours.resolved(table, InetAddress.getByName("192.168.7.7")));
    }
}
