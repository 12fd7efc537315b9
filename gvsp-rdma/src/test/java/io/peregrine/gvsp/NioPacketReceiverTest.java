package io.peregrine.gvsp;

import io.peregrine.stream.StreamStatistics;
import java.net.InetAddress;

class NioPacketReceiverTest extends PacketReceiverContract {
    @Override
    PacketReceiver open(InetAddress local, InetAddress device, int bufferBytes, StreamStatistics counters) {
        return NioPacketReceiver.open(local, device, bufferBytes, counters);
    }
}
