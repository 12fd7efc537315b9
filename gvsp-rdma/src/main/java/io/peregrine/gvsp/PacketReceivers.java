package io.peregrine.gvsp;

import io.peregrine.nativeio.NativeUnavailableException;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.StreamStatistics;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Chooses how packets are received. */
final class PacketReceivers {
    private static final Logger LOG = System.getLogger(PacketReceivers.class.getName());

    private PacketReceivers() {}

    /**
     * Opens a receiver. By itself it takes batches where the system can, and logs why when it cannot; a ring only when told
     * to, since that shows packets a millisecond late and past the host's firewall.
     *
     * @throws StreamException if the kind that was asked for is not possible, with the reason
     */
    static PacketReceiver open(PacketReceiverKind kind, GvspSettings settings, StreamStatistics statistics) {
        try {
            return switch (kind) {
                case NIO -> nio(settings, statistics);
                case RING ->
                    PacketRingReceiver.open(
                                    settings.localAddress(),
                                    settings.deviceAddress(),
                                    settings.receiveBufferBytes(),
                                    statistics)
                            .waiting(settings.waiting());
                case AUTO, MMSG ->
                    MmsgPacketReceiver.open(
                                    settings.localAddress(),
                                    settings.deviceAddress(),
                                    settings.receiveBufferBytes(),
                                    statistics)
                            .waiting(settings.waiting());
            };
        } catch (NativeUnavailableException e) {
            if (kind != PacketReceiverKind.AUTO) {
                throw new StreamException(
                        "Stream packets cannot be received by " + kind + ": " + e.getMessage()
                                + ". AUTO takes what works",
                        e);
            }
            LOG.log(Level.INFO, "Stream packets are received one by one, not in batches: {0}", e.getMessage());
            return nio(settings, statistics);
        }
    }

    private static PacketReceiver nio(GvspSettings settings, StreamStatistics statistics) {
        return NioPacketReceiver.open(
                settings.localAddress(), settings.deviceAddress(), settings.receiveBufferBytes(), statistics);
    }
}
