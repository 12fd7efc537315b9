package io.peregrine.distribution.driver;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.SendChannelEndpointSupplier;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import org.agrona.concurrent.status.AtomicCounter;

/** For media drivers that run apart: the value of {@code aeron.SendChannelEndpoint.supplier}. */
public final class RunSenderSupplier implements SendChannelEndpointSupplier {
    /** Called by Aeron. */
    public RunSenderSupplier() {}

    @Override
    public SendChannelEndpoint newInstance(UdpChannel channel, AtomicCounter status, MediaDriver.Context context) {
        return new RunSender(channel, status, context);
    }
}
