package io.peregrine.device;

import io.peregrine.discovery.AddressConfiguration;
import io.peregrine.gvcp.StreamChannelRegister;
import io.peregrine.rdma.GvrspControl;
import io.peregrine.rdma.GvrspSession;
import io.peregrine.stream.RdmaMode;
import java.net.InetSocketAddress;

/**
 * The registers around an RDMA connection. Receiver threads have this: it must not lead to the device.
 *
 * @param control the control channel for as long as the receiver is there
 * @param index number of the stream channel
 */
record RdmaControl(RdmaLink link, ControlChannel control, int index) implements GvrspControl {
    @Override
    public GvrspSession open(RdmaMode mode) {
        long nonce = link.mapping().configure(link.registers(), index, mode);
        int registers = StreamChannelRegister.address(index, 0);
        control.writeRegister(
                registers + StreamChannelRegister.SCDA,
                AddressConfiguration.bits(link.transport().localAddress()));
        control.writeRegister(registers + StreamChannelRegister.SCP, 0);
        int port = link.mapping().endpoint(link.registers(), index);
        return new GvrspSession(
                index,
                mode,
                nonce,
                new InetSocketAddress(control.deviceAddress().getAddress(), port));
    }

    @Override
    public GvrspSession renew(GvrspSession session) {
        // A device that does not answer is not reached by RDMA either.
        return control.alive() ? session.withNonce(link.mapping().renew(link.registers(), index)) : session;
    }

    @Override
    public long blocksDropped() {
        return control.alive() ? link.mapping().blocksDropped(link.registers(), index) : 0;
    }

    @Override
    public void close() {
        if (control.alive()) {
            link.mapping().close(link.registers(), index);
        }
    }
}
