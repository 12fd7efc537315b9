package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.nativeio.Libc;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.testing.Needs;
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
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        assertEquals(PacketReceiverKind.MMSG, chosen(PacketReceiverKind.AUTO));
    }

    @Test
    void whatIsAskedForByNameIsOpened() {
        assertEquals(PacketReceiverKind.NIO, chosen(PacketReceiverKind.NIO));
    }
}
