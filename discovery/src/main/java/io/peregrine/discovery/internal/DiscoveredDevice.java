package io.peregrine.discovery.internal;

import io.peregrine.gvcp.MacAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * A device that answered.
 *
 * @param address IPv4 address
 * @param port UDP port of its control channel
 * @param mac MAC address
 * @param subnetMask its subnet mask
 * @param gateway its default gateway
 * @param manufacturer manufacturer's name
 * @param model model name
 * @param deviceVersion version of the device
 * @param manufacturerInfo further information of the manufacturer
 * @param serial serial number
 * @param userName user-defined name (DeviceUserID)
 * @param specVersionMajor major version of GigE Vision
 * @param specVersionMinor minor version of GigE Vision
 * @param interfaceName network interface of this host that leads to the device, or where its answer came in
 * @param interfaceAddress this host's address on that interface
 * @param foreignSubnet the device's address belongs to no subnet of that interface: it is found, but cannot be
 *     controlled unless a router connects the subnets
 */
public record DiscoveredDevice(
        InetAddress address,
        int port,
        MacAddress mac,
        InetAddress subnetMask,
        InetAddress gateway,
        String manufacturer,
        String model,
        String deviceVersion,
        String manufacturerInfo,
        String serial,
        String userName,
        int specVersionMajor,
        int specVersionMinor,
        String interfaceName,
        InetAddress interfaceAddress,
        boolean foreignSubnet) {

    /**
     * Where to open a control channel.
     *
     * @return address and port
     */
    public InetSocketAddress socketAddress() {
        return new InetSocketAddress(address, port);
    }

    @Override
    public String toString() {
        return manufacturer + " " + model + " (" + serial + ") at " + address.getHostAddress() + ":" + port + ", MAC "
                + mac + ", on " + interfaceName + (foreignSubnet ? ", foreign subnet" : "");
    }
}
