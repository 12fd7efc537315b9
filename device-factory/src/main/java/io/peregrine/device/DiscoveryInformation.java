package io.peregrine.device;

import io.peregrine.discovery.internal.DiscoveredDevice;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One device that answered, with the parameters for opening it. What the device said is fixed; the parameters are the
 * user's. Not thread-safe.
 */
public final class DiscoveryInformation {

    /** A feature to set right after the device was opened. */
    record FeatureSetting(String nodeMap, String feature, String value) {}

    private final DiscoveredDevice device;
    private final Optional<Path> recording;
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private final List<FeatureSetting> featureSettings = new ArrayList<>();

    DiscoveryInformation(DiscoveredDevice device) {
        this(device, Optional.empty());
    }

    /** A recording, described as its camera was. */
    DiscoveryInformation(DiscoveredDevice device, Path recording) {
        this(device, Optional.of(recording));
    }

    private DiscoveryInformation(DiscoveredDevice device, Optional<Path> recording) {
        this.device = device;
        this.recording = recording;
    }

    /**
     * A text that names this device for {@link DeviceFactory#open(String)}, now or later:
     * {@code gev://address:port/mac}, or a file URI for a recording.
     */
    public String accessToken() {
        if (recording.isPresent()) {
            return recording.get().toUri().toString();
        }
        return "gev://" + address().getHostAddress() + ":" + port() + "/" + macAddress();
    }

    /** Where a recording is; empty for a device in the network. */
    public Optional<Path> recording() {
        return recording;
    }

    /** Address of the device; 0.0.0.0 of a recording. */
    public InetAddress address() {
        return device.address();
    }

    /** UDP port of the control channel. */
    public int port() {
        return device.port();
    }

    /** Hardware address, six hexadecimal pairs with colons. */
    public String macAddress() {
        return device.mac().toString();
    }

    /** Serial number, empty text when the device has none. */
    public String serialNumber() {
        return device.serial();
    }

    /** Name that a user gave the device, empty text when there is none. */
    public String userName() {
        return device.userName();
    }

    /** Model name. */
    public String model() {
        return device.model();
    }

    /** Name of the manufacturer. */
    public String vendor() {
        return device.manufacturer();
    }

    /** Version of the device, in the words of its manufacturer. */
    public String deviceVersion() {
        return device.deviceVersion();
    }

    /** Whether a name means this device: its serial number, user name or hardware address. */
    public boolean isNamed(String name) {
        return name.equals(serialNumber()) || name.equals(userName()) || name.equalsIgnoreCase(macAddress());
    }

    /** Name of the local interface that leads to the device. */
    public String interfaceName() {
        return device.interfaceName();
    }

    /** Whether the device's address lies outside the subnet of the interface on which it answered. */
    public boolean foreignSubnet() {
        return device.foreignSubnet();
    }

    /** Everything the device said, by name, for listings. */
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("DeviceVendor", vendor());
        properties.put("DeviceModel", model());
        properties.put("DeviceSerialNumber", serialNumber());
        properties.put("DeviceUsername", userName());
        properties.put("DeviceVersion", deviceVersion());
        properties.put("DeviceManufacturerInfo", device.manufacturerInfo());
        properties.put("DeviceIP", address().getHostAddress());
        properties.put("DevicePort", Integer.toString(port()));
        properties.put("DeviceSubnetMask", device.subnetMask().getHostAddress());
        properties.put("DeviceGateway", device.gateway().getHostAddress());
        properties.put("DeviceMac", macAddress());
        properties.put("DeviceTransportLayerType", recording.isPresent() ? "File" : "GEV");
        properties.put("DeviceTLVersion", device.specVersionMajor() + "." + device.specVersionMinor());
        properties.put("InterfaceDisplayName", interfaceName());
        properties.put("ForeignSubnet", Boolean.toString(foreignSubnet()));
        properties.put("AccessToken", accessToken());
        return properties;
    }

    /** One of {@link #properties()}. */
    public Optional<String> property(String name) {
        return Optional.ofNullable(properties().get(name));
    }

    /**
     * Sets a parameter for opening the device: {@code UseRdma} (0, 1 or require), {@code PacketSize} (negotiate, keep,
     * or bytes), {@code FlowSetCount}, {@code ResendEnabled} (0 or 1), {@code ResendTries} (1 to 100),
     * {@code FrameRetention} (how long a frame may stay without news, such as 500ms), {@code InOrderDelivery} (0 or 1:
     * with 0 a whole frame does not wait for an older one), {@code PacketReceiver} (auto, mmsg, ring, nio: how stream
     * packets are received), {@code ReceiverCpus} (numbers separated by commas), {@code ReceiverNice} (-20 to 19) and
     * {@code ReceiverRealTimePriority} (1 to 99) of the receiver thread, {@code AccessMode} (Control, Exclusive,
     * ReadOnly), {@code Reconnect} (1 gets a lost device back, with its settings and running streams),
     * {@code LargestDescription} (bytes of GenICam XML at most), {@code OpenTimeout} (how long opening may take at
     * most), {@code ReconnectTimeout} (how long that is tried, 0s for ever), {@code HeartbeatTimeout} (silence after
     * which the device drops this application: 500ms to 1440min, off, or auto, which leaves it to the device unless a
     * debugger may stop this program), {@code SwitchoverKey} (0 to 65535, to take control over from an application that
     * allows it), {@code Payload} (Automatic, Image, GenDC), {@code RdmaProvider} (auto, verbs, software),
     * {@code RdmaInterface} (IPv4 address of the local interface; by default the one that leads to the device),
     * {@code RdmaCompletionVector} (negative polls without sleeping), {@code RdmaMaxPoll}, {@code RdmaMode} (auto,
     * send, write), {@code RdmaShared} (1 lets one thread serve all devices on the interface, by write); for recordings
     * {@code ReplayRate} (original, max or frames a second) and {@code PlaybackMode} (Once, Loop).
     *
     * @return this
     * @throws DeviceException if there is no such parameter; a wrong value is refused when the device is opened
     */
    public DiscoveryInformation setParameter(String name, String value) {
        parameters.put(OpenParameters.checkedName(name), value);
        return this;
    }

    /** Parameters set so far. */
    public Map<String, String> parameters() {
        return Map.copyOf(parameters);
    }

    /**
     * Sets a feature as soon as the device is open.
     *
     * @param nodeMap name of the node map, for example {@code Device}
     * @param feature name of the feature
     * @param value its value as text
     * @return this
     */
    public DiscoveryInformation setGenApiFeature(String nodeMap, String feature, String value) {
        featureSettings.add(new FeatureSetting(nodeMap, feature, value));
        return this;
    }

    DiscoveredDevice device() {
        return device;
    }

    /** The same device, as it answered somewhere else, with what the user has set. */
    DiscoveryInformation movedTo(DiscoveredDevice found) {
        DiscoveryInformation moved = new DiscoveryInformation(found, recording);
        moved.parameters.putAll(parameters);
        moved.featureSettings.addAll(featureSettings);
        return moved;
    }

    List<FeatureSetting> featureSettings() {
        return List.copyOf(featureSettings);
    }

    /** Same as {@link #accessToken()}. */
    @Override
    public String toString() {
        return accessToken();
    }
}
