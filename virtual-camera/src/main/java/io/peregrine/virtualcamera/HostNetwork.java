package io.peregrine.virtualcamera;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Changes the address of a network interface of this host that is dedicated to the camera (Linux, root). */
final class HostNetwork {
    private static final long COMMAND_SECONDS = 10;

    private HostNetwork() {}

    /**
     * Puts the location in the place of all addresses that the interface has; what else leads nowhere goes out there.
     */
    static void move(String networkInterface, Location to) throws IOException {
        ip("addr", "flush", "dev", networkInterface);
        ip("addr", "add", to.toString(), "brd", "+", "dev", networkInterface);
        if (to.gateway() == 0) {
            ip("route", "replace", "default", "dev", networkInterface);
        } else {
            String gateway = Location.address(to.gateway()).getHostAddress();
            ip("route", "replace", "default", "via", gateway, "dev", networkInterface);
        }
    }

    private static void ip(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip", "-4"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(command + " does not end");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException(command + " was interrupted", e);
        }
        if (process.exitValue() != 0) {
            throw new IOException(command + ": " + output.trim());
        }
    }

    /** The location of a device that is bound to an address of this host. */
    static Location locationOf(InetAddress address) {
        int prefix = interfaceAddress(address)
                .map(InterfaceAddress::getNetworkPrefixLength)
                .orElse((short) (address.isLoopbackAddress() ? 8 : 24));
        return new Location(Location.bits(address), prefix == 0 ? 0 : -1 << (32 - prefix), 0);
    }

    static Optional<InterfaceAddress> interfaceAddress(InetAddress address) {
        try {
            NetworkInterface network = NetworkInterface.getByInetAddress(address);
            if (network == null) {
                return Optional.empty();
            }
            return network.getInterfaceAddresses().stream()
                    .filter(a -> a.getAddress() instanceof Inet4Address
                            && a.getAddress().equals(address))
                    .findFirst();
        } catch (SocketException e) {
            return Optional.empty();
        }
    }
}
