package io.peregrine.device;

import io.peregrine.discovery.AddressConfiguration;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.stream.Collectors;

/** A network interface of this host as users name it: by its name or by its IPv4 address. */
final class LocalInterface {
    private LocalInterface() {}

    /**
     * The address of an interface.
     *
     * @param parameter what the user has set, for errors
     * @param text name such as {@code eth0}, or IPv4 address
     * @throws DeviceException if there is no such interface, or it has no or several IPv4 addresses
     */
    static Inet4Address address(String parameter, String text) {
        if (text.matches("[0-9.]+")) {
            try {
                return ipv4(text);
            } catch (DeviceException e) {
                throw new DeviceException(parameter + ": " + e.getMessage(), e);
            }
        }
        try {
            NetworkInterface found = NetworkInterface.getByName(text);
            if (found == null) {
                throw new DeviceException(
                        parameter + " is '" + text + "', but this host has no interface of this name, only "
                                + NetworkInterface.networkInterfaces()
                                        .map(NetworkInterface::getName)
                                        .sorted()
                                        .collect(Collectors.joining(", "))
                                + ": give one of them, or an IPv4 address");
            }
            List<Inet4Address> addresses = found.inetAddresses()
                    .filter(Inet4Address.class::isInstance)
                    .map(Inet4Address.class::cast)
                    .toList();
            if (addresses.size() != 1) {
                throw new DeviceException(parameter + " is '" + text + "', which has "
                        + (addresses.isEmpty()
                                ? "no IPv4 address: give it one, or name another interface"
                                : "the addresses "
                                        + addresses.stream()
                                                .map(Inet4Address::getHostAddress)
                                                .collect(Collectors.joining(", "))
                                        + ": give one of them"));
            }
            return addresses.get(0);
        } catch (SocketException e) {
            throw new DeviceException(
                    parameter + " is '" + text + "', but the interfaces cannot be listed: " + e.getMessage(), e);
        }
    }

    /** Four decimal numbers, never a name to look up. */
    static Inet4Address ipv4(String text) {
        try {
            return AddressConfiguration.address(text);
        } catch (IllegalArgumentException e) {
            throw new DeviceException(e.getMessage(), e);
        }
    }
}
