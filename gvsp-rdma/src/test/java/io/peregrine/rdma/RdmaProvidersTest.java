package io.peregrine.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RdmaProvidersTest {
    private static final Inet4Address LOCAL = (Inet4Address) InetAddress.getLoopbackAddress();

    private final RdmaTransport first = transport();
    private final RdmaTransport second = transport();

    private static RdmaTransport transport() {
        return (RdmaTransport) Proxy.newProxyInstance(
                RdmaTransport.class.getClassLoader(),
                new Class<?>[] {RdmaTransport.class},
                (proxy, method, arguments) -> method.getName().equals("toString") ? "transport" : null);
    }

    private record Working(String name, int preference, RdmaTransport transport) implements RdmaProvider {
        @Override
        public RdmaTransport open(Inet4Address localAddress) {
            return transport;
        }
    }

    private record Failing(String name, int preference, String reason) implements RdmaProvider {
        @Override
        public RdmaTransport open(Inet4Address localAddress) {
            throw new RdmaUnavailableException(reason);
        }
    }

    @Test
    void bothProvidersAreFoundAndVerbsComeFirst() {
        assertEquals(
                List.of("verbs", "software"),
                RdmaProviders.all().stream().map(RdmaProvider::name).collect(Collectors.toList()));
    }

    @Test
    void theFirstThatWorksIsTaken() {
        RdmaSelection selection = RdmaProviders.open(
                List.of(new Working("a", 1, first), new Working("b", 2, second)), RdmaProviders.AUTO, LOCAL);

        assertSame(first, selection.transport());
    }

    @Test
    void theReasonTellsWhyTheOthersWereNot() {
        RdmaSelection selection = RdmaProviders.open(
                List.of(new Failing("a", 1, "there is no device"), new Working("b", 2, second)), "auto", LOCAL);

        assertEquals("no a: there is no device", selection.reason());
    }

    @Test
    void aReasonThatProvidersShareIsToldOnce() {
        RdmaUnavailableException why = assertThrows(
                RdmaUnavailableException.class,
                () -> RdmaProviders.open(
                        List.of(
                                new Failing("a", 1, "nothing native works"),
                                new Failing("b", 2, "there is no device"),
                                new Failing("c", 3, "nothing native works")),
                        RdmaProviders.AUTO,
                        LOCAL));

        assertEquals("no a, no c: nothing native works; no b: there is no device", why.getMessage());
    }

    @Test
    void aProviderAskedForByNameIsNotReplaced() {
        RdmaUnavailableException why = assertThrows(
                RdmaUnavailableException.class,
                () -> RdmaProviders.open(
                        List.of(new Failing("a", 1, "there is no device"), new Working("b", 2, second)), "A", LOCAL));

        assertTrue(why.getMessage().contains("there is no device"), why::getMessage);
    }

    @Test
    void anUnknownNameIsToldWithTheKnownOnes() {
        RdmaUnavailableException why = assertThrows(
                RdmaUnavailableException.class,
                () -> RdmaProviders.open(List.of(new Working("b", 2, second)), "magic", LOCAL));

        assertEquals("there is no RDMA provider 'magic': give auto or b", why.getMessage());
    }
}
