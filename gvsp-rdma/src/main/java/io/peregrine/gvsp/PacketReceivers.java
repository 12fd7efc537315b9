package io.peregrine.gvsp;

import io.peregrine.nativeio.NativeUnavailableException;
import io.peregrine.stream.StreamStatistics;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Chooses how packets are received: in batches where the system can, one by one elsewhere. */
final class PacketReceivers {
    private static final Logger LOG = System.getLogger(PacketReceivers.class.getName());

    private PacketReceivers() {}

    static PacketReceiver open(GvspSettings settings, StreamStatistics statistics) {
        try {
            return MmsgPacketReceiver.open(
                    settings.localAddress(), settings.deviceAddress(), settings.receiveBufferBytes(), statistics);
        } catch (NativeUnavailableException e) {
            LOG.log(Level.INFO, "Stream packets are received one by one, not in batches: {0}", e.getMessage());
            return NioPacketReceiver.open(
                    settings.localAddress(), settings.deviceAddress(), settings.receiveBufferBytes(), statistics);
        }
    }
}
