package io.peregrine.device;

import io.peregrine.device.spi.PublishedStream;
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
    private final Optional<PublishedStream> published;
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private final List<FeatureSetting> featureSettings = new ArrayList<>();

    DiscoveryInformation(DiscoveredDevice device) {
        this(device, Optional.empty(), Optional.empty());
    }

    /** A recording, described as its camera was. */
    DiscoveryInformation(DiscoveredDevice device, Path recording) {
        this(device, Optional.of(recording), Optional.empty());
    }

    /** A stream that another program publishes, described as its camera was. */
    DiscoveryInformation(DiscoveredDevice device, PublishedStream published) {
        this(device, Optional.empty(), Optional.of(published));
    }

    private DiscoveryInformation(
            DiscoveredDevice device, Optional<Path> recording, Optional<PublishedStream> published) {
        this.device = device;
        this.recording = recording;
        this.published = published;
    }

    /**
     * A text that names this device for {@link DeviceFactory#open(String)}, now or later:
     * {@code gev://address:port/mac}, a file URI for a recording, or {@code aeron:} and a name for a stream that
     * another program publishes.
     */
    public String accessToken() {
        if (recording.isPresent()) {
            return recording.get().toUri().toString();
        }
        if (published.isPresent()) {
            return published.get().accessToken();
        }
        return "gev://" + address().getHostAddress() + ":" + port() + "/" + macAddress();
    }

    /** Where a recording is; empty for a device in the network. */
    public Optional<Path> recording() {
        return recording;
    }

    /** The stream that stands for the device; empty for a device itself, and for a recording. */
    Optional<PublishedStream> published() {
        return published;
    }

    /** Address of the device; 0.0.0.0 of a recording, and of a stream that another program publishes. */
    public InetAddress address() {
        return device.address();
    }

    /** UDP port of the control channel. */
    public int port() {
        return device.port();
    }

    /** MAC address, six hexadecimal pairs with colons. */
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

    /**
     * Whether a name means this device: its serial number, user-defined name or MAC address. An empty name means none.
     */
    public boolean isNamed(String name) {
        return !name.isBlank()
                && (name.equals(serialNumber()) || name.equals(userName()) || name.equalsIgnoreCase(macAddress()));
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
        properties.put(
                "DeviceTransportLayerType", recording.isPresent() ? "File" : published.isPresent() ? "Custom" : "GEV");
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
     * Sets a parameter for opening the device, by its name, whatever its case:
     *
     * <ul>
     *   <li>{@code UseRdma}: 0, 1 or require. Stream over RDMA: 1 prefers it and falls back to GVSP, require fails
     *       without it. When not set, 0, or 1 if RdmaInterface or RdmaCompletionVector come from the settings.
     *   <li>{@code AccessMode}: Control, Exclusive or ReadOnly (Control). Control channel privilege; ReadOnly monitors
     *       a device that another application may control.
     *   <li>{@code Payload}: Automatic, Image, MultiPart or GenDC (Automatic). Payload type to request; Automatic takes
     *       GenDC, then multi-part, then image, as the device supports them.
     *   <li>{@code OpenTimeout}: 1ms to 1440min (60s). Limit for all commands of one opening together.
     *   <li>{@code LargestDescription}: 1 to 67108864 (16777216). Maximum size of the GenICam XML, zipped or unzipped.
     *   <li>{@code HeartbeatTimeout}: auto, off, or 500ms to 1440min (auto). Silence after which the device releases
     *       its controller; auto keeps the device's own value, or sets 5 minutes when a debugger may stop this program;
     *       off asks the device to do without.
     *   <li>{@code Reconnect}: 0 or 1 (0). 1 finds a lost device again, restores it and continues its streams.
     *   <li>{@code ReconnectTimeout}: a time such as 10min, or 0s for no limit (0s). How long to search for a lost
     *       device.
     *   <li>{@code Restore}: settings or none (settings). What to write to a device that was found again: the settings
     *       written since it was opened, or only what events and streams need.
     *   <li>{@code SwitchoverKey}: 0 to 65535. Key with which to take control from an application that allows it.
     *   <li>{@code MessageHostPort}: 0 to 65535 (0). Local port of the message channel (events); 0 for any free one.
     *   <li>{@code AnnouncedAddress}: the one IPv4 address by which the device reaches this host. Address announced to
     *       the device, for hosts behind address translation; that of the interface when not set.
     *   <li>{@code ClassOfService}: 0 to 255 (0). Type of service of packets to the device, of GVCP and of RDMA, and by
     *       RDMA also of those from it: DSCP times 4, such as 104 for DSCP 26; 0 leaves it to the system.
     *   <li>{@code StreamInterface}: the name or IPv4 address of a local interface. Local interface on which stream
     *       packets arrive; the one with the route to the device when not set.
     *   <li>{@code StreamHostPort}: 0 to 65535 (0). Local port of stream 0, the next one for stream 1, and so on; 0 for
     *       any free ones.
     *   <li>{@code StreamDestination}: a group, with or without a port, such as 239.192.0.1:5000. Multicast group the
     *       device streams to; this host alone when not set.
     *   <li>{@code MulticastJoin}: 0 or 1 (1). Whether the controller receives the multicast stream itself.
     *   <li>{@code UnconditionalStreaming}: 0 or 1 (0). Whether the device continues to stream when it loses its
     *       controller.
     *   <li>{@code PacketSize}: negotiate, keep, or 576 to 16260 in steps of 4 (negotiate). Packet size with the
     *       headers of IP, UDP and GVSP; negotiate finds the largest that arrives, keep leaves the device's value.
     *   <li>{@code ResendEnabled}: 0 or 1 (1). Whether to request missing packets again; off by default with
     *       AccessMode=ReadOnly.
     *   <li>{@code ResendTries}: 1 to 100 (8). Requests for one packet before it counts as missing.
     *   <li>{@code FrameRetention}: 1ms to 10min (100ms). Time without a packet after which an incomplete frame is
     *       given up.
     *   <li>{@code InOrderDelivery}: 0 or 1. Whether a complete frame waits for an older incomplete one. When not set,
     *       1, or 0 with StreamBufferHandlingMode=NewestOnly.
     *   <li>{@code MissingBytes}: 0 to 255 (0). Fill value of the missing bytes of an incomplete frame.
     *   <li>{@code Latency}: low, balanced or throughput (balanced). Time of a frame against processor time: low keeps
     *       a processor busy for each receiver and each waiting thread, throughput lets the last packets of a frame
     *       gather, too.
     *   <li>{@code StreamBufferHandlingMode}: OldestFirst or NewestOnly (OldestFirst). Which frame a wait gets:
     *       OldestFirst each one in turn, NewestOnly the newest; older ones are skipped.
     *   <li>{@code WarmUpFrames}: 0 to 100000 (3000). Made-up frames that go through the code of a stream, the first
     *       while the device is opened, the others right after, so that it is compiled before frames come; 0 for none.
     *       The first start of the acquisition, and opening a published stream, wait for it, at most 0.25 s. Three
     *       times as many follow until the acquisition starts, and in a stream by UDP while the first frames come.
     *   <li>{@code FlowSetCount}: 2 to 4096 (10). Flow sets of the pool of each stream, that is frames in memory at a
     *       time.
     *   <li>{@code PacketReceiver}: auto, mmsg, ring, verbs or nio (auto). How packets are received: mmsg in batches
     *       from a UDP socket, ring from memory shared with the kernel, verbs past the kernel by an adapter that writes
     *       them to their place, nio packet by packet.
     *   <li>{@code ReceiveBufferBytes}: 65536 to 536870912, or 0 for the default (67108864). Socket buffer to request
     *       from the system; with PacketReceiver=verbs memory for packets to come, 16777216 when not set.
     *   <li>{@code MaxPacketBytes}: 576 to 65507 (9200). Largest packet that PacketReceiver=verbs receives, in bytes of
     *       UDP data; larger ones count as malformed.
     *   <li>{@code ReceiverCompletionVector}: a whole number. Completion vector (interrupt of the adapter) that
     *       PacketReceiver=verbs waits for, modulo those there are; negative polls without sleeping. When not set, 0.
     *   <li>{@code ReceiverMaxPoll}: 1 to 1000000 (10). Polls in a row without a packet before PacketReceiver=verbs
     *       arms the interrupt and sleeps.
     *   <li>{@code StreamEndpoints}: IPv4 addresses with ports, separated by commas. Further groups, or addresses of
     *       this host, that PacketReceiver=verbs receives the stream from.
     *   <li>{@code ReceiverCpus}: processor numbers separated by commas, 0 to 1023. Processors the receiver thread may
     *       run on; all when not set.
     *   <li>{@code ReceiverNice}: -20 to 19. Nice value of the receiver thread; unchanged when not set.
     *   <li>{@code ReceiverRealTimePriority}: 1 to 99. Priority of the receiver thread under SCHED_FIFO; no real-time
     *       thread when not set.
     *   <li>{@code ReceiverThread}: own, or any text (own). Streams with the same text share one receiver thread; own
     *       gives each stream its own.
     *   <li>{@code ReceiverPauseMicros}: 0 to 100000. Maximum time the receiver thread lets packets gather before it
     *       wakes; 0 wakes it for each. When not set, 2000, or 0 with Latency=low.
     *   <li>{@code ReceiverBusyPollMicros}: 0 to 100000 (0). Time the kernel polls the adapter before the receiver
     *       thread sleeps, with PacketReceiver=mmsg.
     *   <li>{@code RdmaProvider}: auto, verbs or software (auto). Implementation of RDMA: verbs uses an adapter by
     *       libibverbs, software speaks RoCEv2 over UDP.
     *   <li>{@code RdmaInterface}: the name or IPv4 address of a local interface. Local interface for RDMA; the one
     *       with the route to the device when not set.
     *   <li>{@code RdmaMode}: auto, send or write (auto). How flows are transferred: by RDMA send or RDMA write.
     *   <li>{@code RdmaCompletionVector}: a whole number. Completion vector (interrupt of the adapter) to wait for,
     *       modulo those it has; negative polls without sleeping. When not set, 0, or -1 with Latency=low.
     *   <li>{@code RdmaMaxPoll}: 1 to 4096 (16). Maximum number of completions handled at a time.
     *   <li>{@code RdmaShared}: 0 or 1 (0). 1 lets one thread serve all devices on an interface, with RDMA write.
     *   <li>{@code ReplayRate}: original, max, or frames a second (original). Pace of a recording: as recorded, as fast
     *       as frames are consumed, or a fixed frame rate.
     *   <li>{@code PlaybackMode}: Once or Loop (Once). Whether a recording starts again at its end.
     *   <li>{@code FeaturesKeyFile}: the path of a file. File with the key of a publisher that forwards features: they
     *       are read and set at the camera then; without it they cannot be set.
     * </ul>
     *
     * @return this
     * @throws DeviceException if there is no such parameter; a wrong value is refused when the device is opened
     * @see OpenOptions
     */
    public DiscoveryInformation setParameter(String name, String value) {
        parameters.put(OpenParameter.named(name).name(), value);
        return this;
    }

    /**
     * Sets several parameters for opening the device.
     *
     * @return this
     */
    public DiscoveryInformation setParameters(OpenOptions options) {
        parameters.putAll(options.parameters());
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

    DiscoveryInformation copy() {
        return movedTo(device);
    }

    /** The same device, as it answered somewhere else, with what the user has set. */
    DiscoveryInformation movedTo(DiscoveredDevice found) {
        DiscoveryInformation moved = new DiscoveryInformation(found, recording, published);
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
