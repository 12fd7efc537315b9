package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peregrine.nativeio.Libc;
import io.peregrine.stream.StreamStatistics;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class PacketReceiversTest {

    private static PacketReceiverKind chosen(PacketReceiverKind wanted) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (PacketReceiver receiver = PacketReceivers.open(
                wanted,
                GvspSettings.defaults(loopback, loopback).withReceiveBufferBytes(1 << 20),
                new StreamStatistics())) {
            return receiver.kind();
        }
    }

    @Test
    void loopbackWithItsRunsOfPacketsIsReceivedByASocketInBatches() {
        assumeTrue(Libc.problem().isEmpty(), Libc::problem);
        assertEquals(PacketReceiverKind.MMSG, chosen(PacketReceiverKind.AUTO));
    }

    @Test
    void whatIsAskedForByNameIsOpened() {
        assertEquals(PacketReceiverKind.NIO, chosen(PacketReceiverKind.NIO));
    }
}
