package io.peregrine.gvsp;

import io.peregrine.nativeio.NativeUnavailableException;
import io.peregrine.nativeio.PortInUseException;
import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.engine.StreamCounters;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ServiceLoader;

/** Chooses how packets are received. */
final class PacketReceivers {
    private static final Logger LOGGER = System.getLogger(PacketReceivers.class.getName());

    private PacketReceivers() {}

    /**
     * Opens a receiver. By itself it takes batches where the system can, and logs why when it cannot; a ring where
     * packets come one by one and this process may have one.
     *
     * @throws StreamException if the kind that was asked for is not possible, with the reason
     */
    static PacketReceiver open(PacketReceiverKind kind, GvspSettings settings, StreamCounters statistics) {
        try {
            return switch (kind) {
                case NIO -> nio(settings, statistics);
                case RING -> ring(settings, statistics).waiting(settings.waiting());
                case MMSG -> mmsg(settings, statistics).waiting(settings.waiting());
                case VERBS ->
                    VerbsPacketReceiver.open(settings, statistics, rawPackets()).waiting(settings.waiting());
                case AUTO -> best(settings, statistics);
            };
        } catch (NativeUnavailableException e) {
            if (e instanceof PortInUseException && settings.group().isEmpty()) {
                throw new StreamException(
                        "Stream packets cannot be received at "
                                + settings.localAddress().getHostAddress() + ": " + e.getMessage()
                                + ", by this program or another: give another StreamHostPort",
                        e);
            }
            if (kind != PacketReceiverKind.AUTO) {
                throw new StreamException(
                        "Stream packets cannot be received by " + kind + ": " + e.getMessage()
                                + ". AUTO takes what works",
                        e);
            }
            LOGGER.log(Level.INFO, "Stream packets are received one by one, not in batches: {0}", e.getMessage());
            return nio(settings, statistics);
        }
    }

    /**
     * A call of the system for each packet costs twice as much as a ring, one for a run of joined packets about as
     * much. For a group the socket is better in any case: the kernel keeps strangers from it.
     */
    private static PacketReceiver best(GvspSettings settings, StreamCounters statistics) {
        MmsgPacketReceiver socket = mmsg(settings, statistics);
        boolean ringSuits;
        try {
            ringSuits = settings.group().isEmpty()
                    && settings.waiting().busyPoll().isZero()
                    && !socket.getsRunsFrom(
                            PacketRingReceiver.interfaceOf(settings.localAddress(), settings.deviceAddress()));
        } catch (RuntimeException e) {
            socket.close();
            throw e;
        }
        if (!ringSuits) {
            return socket.waiting(settings.waiting());
        }
        // Before the ring is opened: only one of them can have a port that was asked for.
        socket.close();
        try {
            PacketReceiver ring = ring(settings, statistics).waiting(settings.waiting());
            LOGGER.log(
                    Level.DEBUG,
                    "Packets come one by one at {0} (generic receive offload is off): received by a packet ring",
                    settings.localAddress());
            return ring;
        } catch (NativeUnavailableException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "Packets come one by one (generic receive offload is off), and a packet ring is unavailable: {0}",
                    e.getMessage());
            return mmsg(settings, statistics).waiting(settings.waiting());
        }
    }

    private static PacketReceiver nio(GvspSettings settings, StreamCounters statistics) {
        InetAddress local = settings.localAddress();
        InetAddress device = settings.deviceAddress();
        int bufferBytes = settings.receiveBufferBytes();
        return settings.group()
                .map(group -> NioPacketReceiver.join(local, device, group, bufferBytes, statistics))
                .orElseGet(() -> NioPacketReceiver.open(at(settings), device, bufferBytes, statistics));
    }

    private static MmsgPacketReceiver mmsg(GvspSettings settings, StreamCounters statistics) {
        InetAddress local = settings.localAddress();
        InetAddress device = settings.deviceAddress();
        int bufferBytes = settings.receiveBufferBytes();
        return settings.group()
                .map(group -> MmsgPacketReceiver.join(local, device, group, bufferBytes, statistics))
                .orElseGet(() -> MmsgPacketReceiver.open(at(settings), device, bufferBytes, statistics));
    }

    private static PacketRingReceiver ring(GvspSettings settings, StreamCounters statistics) {
        InetAddress local = settings.localAddress();
        InetAddress device = settings.deviceAddress();
        long ringBytes = settings.receiveBufferBytes();
        int packetBytes = settings.packetSizeBytes();
        return settings.group()
                .map(group -> PacketRingReceiver.join(local, device, group, ringBytes, packetBytes, statistics))
                .orElseGet(() -> PacketRingReceiver.open(at(settings), device, ringBytes, packetBytes, statistics));
    }

    private static RawPacketProvider rawPackets() {
        return ServiceLoader.load(RawPacketProvider.class)
                .findFirst()
                .orElseThrow(() -> new NativeUnavailableException("nothing here opens raw packet queues", null));
    }

    private static InetSocketAddress at(GvspSettings settings) {
        return new InetSocketAddress(settings.localAddress(), settings.localPort());
    }
}
