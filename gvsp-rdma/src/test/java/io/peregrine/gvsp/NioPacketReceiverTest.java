package io.peregrine.gvsp;

import io.peregrine.stream.engine.StreamCounters;
import java.net.InetAddress;

class NioPacketReceiverTest extends PacketReceiverContract {
    @Override
    PacketReceiver open(InetAddress local, InetAddress device, int bufferBytes, StreamCounters counters) {
        return NioPacketReceiver.open(local, device, bufferBytes, counters);
    }
}
