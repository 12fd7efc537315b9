package io.peregrine.device;

import io.peregrine.gvcp.CameraXml;
import io.peregrine.gvcp.GvcpSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The registers of a device, read without control of it and without its description: for programs that examine a device
 * which cannot be opened. Addresses of bootstrap registers are those of GigE Vision 2.2.
 *
 * <p>Methods may be called from any thread.
 */
public final class DeviceRegisters implements AutoCloseable {
    private final ControlChannel channel;

    private DeviceRegisters(ControlChannel channel) {
        this.channel = channel;
    }

    static DeviceRegisters open(DiscoveryInformation info) {
        return new DeviceRegisters(
                ControlChannel.open(new InetSocketAddress(info.address(), info.port()), GvcpSettings.defaults()));
    }

    /** Address of this host from which the device is asked. */
    public InetAddress localAddress() {
        return channel.localAddress();
    }

    /** The GVCP capability register; 0 if the device does not have it. */
    public int capability() {
        return channel.capability();
    }

    /**
     * Reads a register.
     *
     * @param address a multiple of four
     * @throws DeviceException if the device refuses or does not answer
     */
    public int read(int address) {
        return channel.readRegister(address);
    }

    /**
     * Reads memory.
     *
     * @param address a multiple of four
     * @param lengthBytes how much, a multiple of four
     * @throws DeviceException if the device refuses or does not answer
     */
    public byte[] read(int address, int lengthBytes) {
        return channel.readMemory(address, lengthBytes);
    }

    /**
     * Fetches the description of the features: GenICam XML, unpacked, unchecked.
     *
     * @throws DeviceException if the device has none, refuses or does not answer
     */
    public byte[] description() {
        return channel.description(CameraXml.Limit.DEFAULT_BYTES);
    }

    @Override
    public void close() {
        channel.close();
    }
}
