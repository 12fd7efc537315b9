package io.peregrine.distribution.driver;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.driver.status.SystemCounterDescriptor;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Sends a run of datagrams by one call, where the system can, and one by one elsewhere. Each begins with a frame, so
 * that any media driver of Aeron can receive them. For the thread of the sender.
 */
class RunSender extends SendChannelEndpoint {
    private static final System.Logger LOGGER = System.getLogger(RunSender.class.getName());

    private final AtomicCounter failures;
    private ChannelSocket socket = ChannelSocket.NONE;
    /** Bytes after which the socket cuts; 0 if it does not. */
    private int cut;

    RunSender(UdpChannel channel, AtomicCounter status, MediaDriver.Context context) {
        super(channel, status, context);
        failures = context.systemCounters().get(SystemCounterDescriptor.ERRORS);
    }

    @Override
    public final void openDatagramChannel(AtomicCounter status) {
        super.openDatagramChannel(status);
        socket = socket(sendDatagramChannel);
    }

    ChannelSocket socket(DatagramChannel channel) {
        return ChannelSocket.of(channel);
    }

    @Override
    public final int send(ByteBuffer frames) {
        int datagram = FrameRuns.datagramBytes(frames);
        if (datagram == 0) {
            if (frames.remaining() > cut) {
                cutAfter(0);
            }
            return super.send(frames);
        }
        return cutAfter(datagram) ? sendRun(frames, datagram) : sendOneByOne(frames, datagram);
    }

    private int sendRun(ByteBuffer frames, int datagram) {
        int begin = frames.position();
        int bytes = frames.remaining();
        long before = failures.get();
        int sent = super.send(frames);
        if (sent == bytes || failures.get() == before) {
            return sent;
        }
        // An adapter that does not compute checksums for example, or packets of the network that are smaller.
        sent = sendOneByOne(frames.limit(begin + bytes).position(begin), datagram);
        if (sent > 0) {
            socket = ChannelSocket.NONE;
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "Runs of datagrams are refused on {0}: datagrams go one by one from now on, which takes more"
                            + " processor time",
                    originalUriString());
        }
        return sent;
    }

    private int sendOneByOne(ByteBuffer frames, int datagram) {
        cutAfter(0);
        int end = frames.limit();
        int sent = 0;
        for (int at = frames.position(); at < end; at += datagram) {
            frames.limit(Math.min(end, at + datagram)).position(at);
            sent += super.send(frames);
        }
        return sent;
    }

    private boolean cutAfter(int bytes) {
        if (cut != bytes) {
            if (socket.cut(bytes)) {
                cut = bytes;
            } else {
                // It is not asked again for each run.
                socket = ChannelSocket.NONE;
            }
        }
        return cut == bytes;
    }
}
