package io.peregrine.distribution.driver;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.RttMeasurementFlyweight;
import io.aeron.protocol.SetupFlyweight;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Receives by one call runs of datagrams that the system or the adapter joined: what belongs together goes into the log
 * at once. For the thread of the receiver.
 */
class RunReceiver extends ReceiveChannelEndpoint {
    private final UnsafeBuffer part = new UnsafeBuffer(0, 0);
    private final DataHeaderFlyweight data = new DataHeaderFlyweight();
    private final SetupFlyweight setup = new SetupFlyweight();
    private final RttMeasurementFlyweight roundTrip = new RttMeasurementFlyweight();

    RunReceiver(
            UdpChannel channel, DataPacketDispatcher dispatcher, AtomicCounter status, MediaDriver.Context context) {
        super(channel, dispatcher, status, context);
    }

    @Override
    public final void openDatagramChannel(AtomicCounter status) {
        super.openDatagramChannel(status);
        ChannelSocket.of(receiveDatagramChannel).join();
    }

    /** Of the first messages; those that follow are looked at when it is their turn. */
    @Override
    public boolean isValidFrame(UnsafeBuffer received, int bytes) {
        return super.isValidFrame(received, FrameRuns.end(received, 0, bytes));
    }

    @Override
    public int onDataPacket(
            DataHeaderFlyweight header, UnsafeBuffer received, int bytes, InetSocketAddress from, int transport) {
        int end = FrameRuns.end(received, 0, bytes);
        int taken = super.onDataPacket(header, received, end, from, transport);
        return taken + rest(received, end, bytes, from, transport);
    }

    @Override
    public void onSetupMessage(
            SetupFlyweight header, UnsafeBuffer received, int bytes, InetSocketAddress from, int transport) {
        int end = FrameRuns.end(received, 0, bytes);
        super.onSetupMessage(header, received, end, from, transport);
        rest(received, end, bytes, from, transport);
    }

    @Override
    public void onRttMeasurement(
            RttMeasurementFlyweight header, UnsafeBuffer received, int bytes, InetSocketAddress from, int transport) {
        int end = FrameRuns.end(received, 0, bytes);
        super.onRttMeasurement(header, received, end, from, transport);
        rest(received, end, bytes, from, transport);
    }

    private int rest(UnsafeBuffer received, int begin, int end, InetSocketAddress from, int transport) {
        int taken = 0;
        int next;
        for (int at = begin; at < end; at = next) {
            next = FrameRuns.end(received, at, end);
            part.wrap(received, at, next - at);
            if (!super.isValidFrame(part, next - at)) {
                continue;
            }
            switch (part.getShort(HeaderFlyweight.TYPE_FIELD_OFFSET, ByteOrder.LITTLE_ENDIAN)) {
                case HeaderFlyweight.HDR_TYPE_DATA, HeaderFlyweight.HDR_TYPE_PAD -> {
                    data.wrap(part);
                    taken += super.onDataPacket(data, part, next - at, from, transport);
                }
                case HeaderFlyweight.HDR_TYPE_SETUP -> {
                    setup.wrap(part);
                    super.onSetupMessage(setup, part, next - at, from, transport);
                }
                case HeaderFlyweight.HDR_TYPE_RTTM -> {
                    roundTrip.wrap(part);
                    super.onRttMeasurement(roundTrip, part, next - at, from, transport);
                }
                default -> {
                    // For senders only.
                }
            }
        }
        return taken;
    }
}
