package io.peregrine.conformance;

import io.peregrine.device.RdmaProviderStatus;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Prints whether raw packets can be received by verbs at an address, the only argument. */
final class RawPacketProbeMain {
    private RawPacketProbeMain() {}

    public static void main(String[] arguments) throws UnknownHostException {
        RdmaProviderStatus status =
                RdmaProviderStatus.probeRawPackets((Inet4Address) InetAddress.getByName(arguments[0]));
        System.out.println(status.provider() + (status.works() ? " works" : " does not work: " + status.problem()));
    }
}
