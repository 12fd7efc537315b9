package io.peregrine.device;

import io.peregrine.discovery.AddressConfiguration;
import io.peregrine.gvcp.Privilege;
import io.peregrine.gvcp.StreamChannelRegister;
import io.peregrine.gvsp.GvspSettings;
import io.peregrine.gvsp.GvspSource;
import io.peregrine.stream.engine.Failures;
import io.peregrine.stream.engine.FlowSetPool;
import java.util.Optional;

/** Has a stream channel that rests send test packets to a separate receiver, and leaves its registers as they were. */
final class PathProbe {
    private static final long POOL_BYTES = 4096;
    private static final long LIMIT_BYTES = 1 << 20;
    /** A few test packets: the kernel clears a packet ring of the usual size for tens of milliseconds. */
    private static final int BUFFER_BYTES = 1 << 20;

    private PathProbe() {}

    /**
     * Tries the path of a stream.
     *
     * @param device has the device under control
     * @param index number of the stream channel
     * @throws DeviceException if the stream runs, or the device is not under control
     */
    static DeviceNetwork.PacketPath run(DeviceContext device, ControlChannel control, int index) {
        if (device.parameters().privilege() == Privilege.MONITOR) {
            throw new DeviceException("The device was opened with AccessMode=ReadOnly, and only its controller may ask"
                    + " for test packets: open it with AccessMode=Control");
        }
        int registers = StreamChannelRegister.address(index, 0);
        int port = control.readRegister(registers + StreamChannelRegister.SCP);
        if ((port & StreamChannelRegister.SCP_HOST_PORT_MASK) != 0) {
            throw new DeviceException("Stream " + index + " is open: stop it before its path is tried");
        }
        int address = control.readRegister(registers + StreamChannelRegister.SCDA);
        HostEndpoint endpoint = device.parameters().endpoint();
        GvspSettings settings =
                forFewPackets(endpoint.settings(control, device.info().address(), index));
        FlowSetPool pool = FlowSetPool.allocate(2, new long[] {POOL_BYTES}, LIMIT_BYTES);
        Failures failures = new Failures();
        Optional<DeviceNetwork.PacketPath> found = Optional.empty();
        try (GvspSource receiver = GvspSource.open(
                settings,
                pool,
                (blockId, first, last, extended) -> {
                    // A test packet is no part of a block.
                },
                device.parameters().packetReceiver())) {
            control.writeRegister(
                    registers + StreamChannelRegister.SCDA, AddressConfiguration.bits(endpoint.told(receiver)));
            control.writeRegister(registers + StreamChannelRegister.SCP, receiver.localPort());
            found = Optional.of(new PacketSizeNegotiation(control, registers, receiver).explore());
        } catch (RuntimeException e) {
            failures.add(e);
        }
        failures.attempt(() -> control.writeRegister(registers + StreamChannelRegister.SCP, port));
        failures.attempt(() -> control.writeRegister(registers + StreamChannelRegister.SCDA, address));
        failures.throwIfAny();
        return found.orElseThrow();
    }

    /** Those of a stream, but for the memory that waiting frames need. */
    static GvspSettings forFewPackets(GvspSettings stream) {
        return stream.withReceiveBufferBytes(BUFFER_BYTES);
    }
}
