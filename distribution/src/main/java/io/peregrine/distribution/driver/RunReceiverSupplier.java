package io.peregrine.distribution.driver;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ReceiveChannelEndpointSupplier;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import org.agrona.concurrent.status.AtomicCounter;

/** For media drivers that run apart: the value of {@code aeron.ReceiveChannelEndpoint.supplier}. */
public final class RunReceiverSupplier implements ReceiveChannelEndpointSupplier {
    /** Called by Aeron. */
    public RunReceiverSupplier() {}

    @Override
    public ReceiveChannelEndpoint newInstance(
            UdpChannel channel, DataPacketDispatcher dispatcher, AtomicCounter status, MediaDriver.Context context) {
        return new RunReceiver(channel, dispatcher, status, context);
    }
}
