package io.peregrine.distribution.driver;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.SendChannelEndpointSupplier;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;

/** For media drivers that run apart: the value of {@code aeron.SendChannelEndpoint.supplier}. */
public final class RunSenderSupplier implements SendChannelEndpointSupplier {
    /** Aeron gives the status of a channel no reference. */
    private static final long MARK = 'P' | 'G' << 8 | 'R' << 16 | 'S' << 24;

    /** Called by Aeron. */
    public RunSenderSupplier() {}

    @Override
    public SendChannelEndpoint newInstance(UdpChannel channel, AtomicCounter status, MediaDriver.Context context) {
        context.countersManager().setCounterReferenceId(status.id(), MARK);
        return new RunSender(channel, status, context);
    }

    /**
     * Whether a publication is sent by what this supplies.
     *
     * @param counters of its media driver
     * @param channelStatusId counter with the status of its channel
     */
    public static boolean supplied(CountersReader counters, int channelStatusId) {
        return counters.getCounterReferenceId(channelStatusId) == MARK;
    }
}
