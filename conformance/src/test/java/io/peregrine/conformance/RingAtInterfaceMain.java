package io.peregrine.conformance;

import io.peregrine.nativeio.NumberField;
import io.peregrine.nativeio.PacketRing;
import io.peregrine.testing.ChildProcess;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;

/**
 * Opens a packet ring at the interface that is the argument, switches the interface off, and tells what the ring says.
 */
final class RingAtInterfaceMain {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int NOBODY = 0x7F000001;
    private static final int PORT = 4000;

    private RingAtInterfaceMain() {}

    public static void main(String[] arguments) throws SocketException {
        NetworkInterface at = NetworkInterface.getByName(arguments[0]);
        try (PacketRing ring =
                PacketRing.open(at.getIndex(), NOBODY, PORT, 1 << 20, 1500, new NumberField(0, 0, 0, 0))) {
            ChildProcess.run(LIMIT, "ip", "link", "set", at.getName(), "down");
            boolean told = ring.await(LIMIT.toNanos());
            System.out.println("told " + told + ", told again " + ring.await(1));
        }
    }
}
