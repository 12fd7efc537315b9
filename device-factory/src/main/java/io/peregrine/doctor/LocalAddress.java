package io.peregrine.doctor;

import io.peregrine.device.DeviceException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * An IPv4 address of this host.
 *
 * @param networkInterface name of its network interface
 * @param address the address
 */
public record LocalAddress(String networkInterface, Inet4Address address) {

    /** Those of the interfaces that are up. */
    public static List<LocalAddress> all() {
        List<LocalAddress> found = new ArrayList<>();
        try {
            for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                if (!network.isUp()) {
                    continue;
                }
                for (InetAddress address : Collections.list(network.getInetAddresses())) {
                    if (address instanceof Inet4Address ipv4) {
                        found.add(new LocalAddress(network.getName(), ipv4));
                    }
                }
            }
        } catch (SocketException e) {
            throw new DeviceException("The network interfaces cannot be listed: " + e.getMessage(), e);
        }
        return found;
    }

    @Override
    public String toString() {
        return address.getHostAddress() + " (" + networkInterface + ")";
    }
}
