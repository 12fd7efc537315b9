package io.peregrine.device;

import io.peregrine.genapi.NodeMap;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * Control of a device: which application has it, who may take it over, which action commands it obeys. For any number
 * of threads.
 *
 * @see Device#control()
 */
public final class DeviceControl {
    private final DeviceConnection connection;
    private final NodeMap nodes;

    DeviceControl(DeviceConnection connection, NodeMap nodes) {
        this.connection = connection;
        this.nodes = nodes;
    }

    /**
     * Which application controls the device; the address of its end of the control channel.
     *
     * @return empty if none does, or the device does not report it
     * @throws DeviceException if the device does not answer
     */
    public Optional<InetSocketAddress> primaryApplication() {
        return connection.control().flatMap(ControlChannel::primaryApplication);
    }

    /**
     * Allows another application that knows a key to take control over (parameter SwitchoverKey); this device is lost
     * then.
     *
     * @param key 0 to 65535
     * @throws DeviceException if the device does not support this, or this application does not control it
     */
    public void allowSwitchover(int key) {
        channel("A recording has no controller").allowSwitchover(key);
    }

    /**
     * Ends the permission to take control over.
     *
     * @throws DeviceException if this application does not control the device
     */
    public void denySwitchover() {
        channel("A recording has no controller").denySwitchover();
    }

    /**
     * Which action commands the device obeys.
     *
     * @throws DeviceException if this is a recording
     */
    public ActionSettings actionSettings() {
        channel("A recording takes no actions: open the camera itself");
        return new ActionSettings(() -> connection.control().orElseThrow(), nodes);
    }

    private ControlChannel channel(String otherwise) {
        return connection.control().orElseThrow(() -> new DeviceException(otherwise));
    }
}
