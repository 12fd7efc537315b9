package io.peregrine.gvsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.nativeio.Libc;
import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.StreamException;
import io.peregrine.stream.engine.StreamCounters;
import io.peregrine.testing.Needs;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PacketReceiversTest {

    private static PacketReceiverKind chosen(PacketReceiverKind wanted) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (PacketReceiver receiver = PacketReceivers.open(
                wanted,
                GvspSettings.defaults(loopback, loopback).withReceiveBufferBytes(1 << 20),
                new StreamCounters())) {
            return receiver.kind();
        }
    }

    @Test
    void loopbackWithItsRunsOfPacketsIsReceivedByASocketInBatches() {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        assertEquals(PacketReceiverKind.MMSG, chosen(PacketReceiverKind.AUTO));
    }

    @ParameterizedTest
    @EnumSource(
            value = PacketReceiverKind.class,
            names = {"AUTO", "NIO"})
    void portThatIsAskedForIsTakenAndMissedWhenItIsInUse(PacketReceiverKind kind) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        GvspSettings settings = GvspSettings.defaults(loopback, loopback)
                .withReceiveBufferBytes(1 << 20)
                .withLocalPort(29_711);
        try (PacketReceiver receiver = PacketReceivers.open(kind, settings, new StreamCounters())) {
            assertEquals(29_711, receiver.localPort());
            String told = assertThrows(
                            StreamException.class, () -> PacketReceivers.open(kind, settings, new StreamCounters()))
                    .getMessage();
            assertTrue(told.contains("port 29711"), told);
        }
    }

    @Test
    void whatIsAskedForByNameIsOpened() {
        assertEquals(PacketReceiverKind.NIO, chosen(PacketReceiverKind.NIO));
    }
}
