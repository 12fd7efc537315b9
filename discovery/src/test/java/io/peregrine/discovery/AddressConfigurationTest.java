package io.peregrine.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressConfigurationTest {
    @Test
    void theShortFormGivesAddressMaskAndGateway() {
        AddressConfiguration configuration = AddressConfiguration.parse("192.168.7.5/20,192.168.0.1");
        assertEquals("192.168.7.5", configuration.address().getHostAddress());
        assertEquals("255.255.240.0", configuration.subnetMask().getHostAddress());
        assertEquals("192.168.0.1", configuration.gateway().getHostAddress());
        assertEquals(20, configuration.prefixLength());
    }

    @Test
    void withoutAGatewayThereIsNone() {
        assertEquals(
                "0.0.0.0", AddressConfiguration.parse("10.0.0.1/8").gateway().getHostAddress());
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.168.7.5/20,192.168.0.1", "10.0.0.1/8", "1.2.3.4/32", "1.2.3.4/0"})
    void theTextIsWhatIsRead(String text) {
        assertEquals(text, AddressConfiguration.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.1",
                "10.0.0.1/",
                "10.0.0.1/33",
                "10.0.0.256/8",
                "camera/8",
                "10.0.0.1/8,",
                "1.2.3/8",
                "10.0.0.1,10.0.0.2/8"
            })
    void anythingElseIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> AddressConfiguration.parse(text));
    }

    @Test
    void aMaskWithAGapIsRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> new AddressConfiguration(
                        AddressConfiguration.ofBits(0x0A000001),
                        AddressConfiguration.ofBits(0xFF00FF00),
                        AddressConfiguration.ofBits(0)));
    }

    @Test
    void theSubnetContainsItsAddressesOnly() throws Exception {
        AddressConfiguration configuration = AddressConfiguration.parse("192.168.7.5/24");
        assertTrue(configuration.contains(InetAddress.getByName("192.168.7.200")));
        assertFalse(configuration.contains(InetAddress.getByName("192.168.8.5")));
    }
}
