package io.peregrine.rocev2;

import io.peregrine.rdma.RdmaProvider;
import io.peregrine.rdma.RdmaTransport;
import java.net.Inet4Address;

/** RoCEv2 in software over an ordinary UDP socket: works on every interface, without RDMA hardware. */
public final class SoftwareRoceProvider implements RdmaProvider {
    /** Name of this provider. */
    public static final String NAME = "software";

    /** Creates the provider. */
    public SoftwareRoceProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int preference() {
        return 100;
    }

    @Override
    public RdmaTransport open(Inet4Address localAddress) {
        return new SoftwareTransport(localAddress, RocePort.acquire(localAddress));
    }
}
