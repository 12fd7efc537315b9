package io.peregrine.gvcp;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The application that controls a device, as the device's registers report it. */
final class PrimaryApplication {
    private PrimaryApplication() {}

    /** Reads the registers; empty if no application controls the device, or the device does not have them. */
    static Optional<InetSocketAddress> read(RegisterAccess registers) {
        if (!registers.has(BootstrapRegister.GVCP_CAPABILITY_APPLICATION_REGISTERS)) {
            return Optional.empty();
        }
        int[] values = registers.readRegisters(
                BootstrapRegister.PRIMARY_APPLICATION_PORT, BootstrapRegister.PRIMARY_APPLICATION_IP_ADDRESS);
        return of(values[0], values[1]);
    }

    /** Decodes the registers; empty if the port is 0. */
    static Optional<InetSocketAddress> of(int port, int address) {
        int number = port & BootstrapRegister.PRIMARY_APPLICATION_PORT_MASK;
        if (number == 0) {
            return Optional.empty();
        }
        byte[] octets = ByteBuffer.allocate(Integer.BYTES).putInt(0, address).array();
        try {
            return Optional.of(new InetSocketAddress(InetAddress.getByAddress(octets), number));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
