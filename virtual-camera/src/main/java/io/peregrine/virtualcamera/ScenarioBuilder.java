package io.peregrine.virtualcamera;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Collects the values of a {@link Scenario}, which it explains. Not thread-safe. */
public final class ScenarioBuilder {
    private InetAddress bindAddress = loopback();
    private int port = Scenario.GVCP_PORT;
    private String networkInterface = "";
    private String vendor = "Peregrine";
    private String model = "VirtualCamera";
    private String macAddress = "";
    private String serial = "";
    private String userName = "";
    private int sensorWidth;
    private int sensorHeight;
    private int width = 640;
    private int height = 480;
    private double frameRate = 25;
    private int pixelFormat = Formats.BY_NAME.get("Mono8");
    private Set<ComponentKind> components = EnumSet.allOf(ComponentKind.class);
    private Content content = Content.COMPONENTS;
    private StreamPayload payload = StreamPayload.AUTOMATIC;
    private Scenario.Flows flows = Scenario.Flows.SINGLE;
    private boolean descriptorWithData;
    private Scenario.GenDcMode genDcMode = Scenario.GenDcMode.AUTOMATIC;
    private int packetSizeBytes = 1500;
    private long firstBlockId = 1;
    private int linkSpeedMegabits = 1000;
    private int streamChannels = 1;
    private int multicastTtl = 1;
    private int resendBlocks;
    private boolean markResentPackets = true;
    private int distinctImages;
    private boolean segmentationOffload;
    private Scenario.Sending sending = Scenario.Sending.SOCKET;
    private boolean zippedXml;
    private Duration pendingTimeout = Duration.ofMillis(GevDevice.DEFAULT_PENDING_TIMEOUT_MS);
    private boolean listenForBroadcast = true;
    private String rdmaProvider = Scenario.NO_RDMA;
    private int rdmaPort;
    private Scenario.Clock clock = Scenario.Clock.EXACT;
    private FaultPlan faults = FaultPlan.NONE;

    ScenarioBuilder() {}

    private static String defaultSerial(InetAddress address) {
        byte[] ip = address.getAddress();
        return String.format(Locale.ROOT, "VC%02X%02X%02X%02X", ip[0], ip[1], ip[2], ip[3]);
    }

    private static InetAddress loopback() {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Sets the address of the camera.
     *
     * @param value IPv4 address of this host
     * @return this
     */
    public ScenarioBuilder bindAddress(InetAddress value) {
        if (serial.equals(defaultSerial(bindAddress))) {
            serial = "";
        }
        bindAddress = value;
        return this;
    }

    /**
     * Sets the address of the camera.
     *
     * @param value IPv4 address of this host as text
     * @return this
     */
    public ScenarioBuilder bindAddress(String value) {
        try {
            return bindAddress(InetAddress.getByName(value));
        } catch (UnknownHostException e) {
            throw new VirtualCameraException("bindAddress is no address: " + value, e);
        }
    }

    /**
     * Sets the GVCP port.
     *
     * @param value port; 0 takes a free one
     * @return this
     */
    public ScenarioBuilder port(int value) {
        port = value;
        return this;
    }

    /**
     * Dedicates a network interface of this host to the camera.
     *
     * @param value name of the interface, empty for none
     * @return this
     */
    public ScenarioBuilder networkInterface(String value) {
        networkInterface = value;
        return this;
    }

    /**
     * Sets the name of the vendor.
     *
     * @param value up to 31 bytes
     * @return this
     */
    public ScenarioBuilder vendor(String value) {
        vendor = value;
        return this;
    }

    /**
     * Sets the name of the model.
     *
     * @param value up to 31 bytes
     * @return this
     */
    public ScenarioBuilder model(String value) {
        model = value;
        return this;
    }

    /**
     * Sets the MAC address that the camera reports; on the wire it has that of the host.
     *
     * @param value such as 02:00:0A:4D:00:01; empty for one made of the camera's IP address
     * @return this
     */
    public ScenarioBuilder macAddress(String value) {
        macAddress = value;
        return this;
    }

    /**
     * Sets the serial number; the default is made from the address.
     *
     * @param value up to 15 bytes
     * @return this
     */
    public ScenarioBuilder serial(String value) {
        serial = value;
        return this;
    }

    /**
     * Sets the user defined name.
     *
     * @param value up to 15 bytes
     * @return this
     */
    public ScenarioBuilder userName(String value) {
        userName = value;
        return this;
    }

    /**
     * Sets the size of the sensor; the default is 1280 x 960 or the image size if that is larger.
     *
     * @param newWidth pixels
     * @param newHeight lines
     * @return this
     */
    public ScenarioBuilder sensorSize(int newWidth, int newHeight) {
        sensorWidth = newWidth;
        sensorHeight = newHeight;
        return this;
    }

    /**
     * Sets the size of the image.
     *
     * @param newWidth pixels, a multiple of 2
     * @param newHeight lines
     * @return this
     */
    public ScenarioBuilder size(int newWidth, int newHeight) {
        width = newWidth;
        height = newHeight;
        return this;
    }

    /**
     * Sets the frame rate.
     *
     * @param value frames a second
     * @return this
     */
    public ScenarioBuilder frameRate(double value) {
        frameRate = value;
        return this;
    }

    /**
     * Sets the pixel format of the intensity.
     *
     * @param name PFNC name, such as Mono8
     * @return this
     */
    public ScenarioBuilder pixelFormat(String name) {
        Integer code = Formats.BY_NAME.get(name);
        if (code == null) {
            throw new VirtualCameraException(
                    "pixelFormat must be one of " + Formats.BY_NAME.keySet() + ", not " + name);
        }
        pixelFormat = code;
        return this;
    }

    ScenarioBuilder pixelFormatCode(int code) {
        pixelFormat = code;
        return this;
    }

    /**
     * Sets the components switched on at start.
     *
     * @param value at least one
     * @return this
     */
    public ScenarioBuilder components(Set<ComponentKind> value) {
        components = Set.copyOf(value);
        return this;
    }

    /**
     * Sets what the blocks hold. Contents with a fixed pixel format overrule {@link #pixelFormat}; all but
     * {@link Content#COMPONENTS} and {@link Content#METADATA} overrule {@link #components}.
     *
     * @param value the content
     * @return this
     */
    public ScenarioBuilder content(Content value) {
        content = value;
        return this;
    }

    /**
     * Sets as which GVSP payload the content is sent. All but {@link StreamPayload#AUTOMATIC} do not offer GenDC over
     * GVSP. A payload that does not fit the content is replaced by {@link StreamPayload#IMAGE}.
     *
     * @param value the payload
     * @return this
     */
    public ScenarioBuilder payload(StreamPayload value) {
        payload = value;
        return this;
    }

    /**
     * Sets how GenDC containers are spread over flows.
     *
     * @param value the layout
     * @return this
     */
    public ScenarioBuilder flows(Scenario.Flows value) {
        flows = value;
        return this;
    }

    /**
     * Sets whether data follows a final GenDC descriptor in its last packet (descriptor code 2 of GVSP), unless a
     * preliminary one precedes it.
     *
     * @param value whether they share a packet
     * @return this
     */
    public ScenarioBuilder descriptorWithData(boolean value) {
        descriptorWithData = value;
        return this;
    }

    /**
     * Sets GenDCStreamingMode.
     *
     * @param value the mode at start
     * @return this
     */
    public ScenarioBuilder genDcMode(Scenario.GenDcMode value) {
        genDcMode = value;
        return this;
    }

    /**
     * Sets the packet size at start.
     *
     * @param value bytes, IP and UDP header included, a multiple of 4
     * @return this
     */
    public ScenarioBuilder packetSizeBytes(int value) {
        packetSizeBytes = value;
        return this;
    }

    /**
     * Sets the id of the first block, to reach the wrap from 65535 to 1 soon.
     *
     * @param value from 1 on
     * @return this
     */
    public ScenarioBuilder firstBlockId(long value) {
        firstBlockId = value;
        return this;
    }

    /**
     * Sets the speed at which packets are sent.
     *
     * @param value Mbit/s; 0 for no limit
     * @return this
     */
    public ScenarioBuilder linkSpeedMegabits(int value) {
        linkSpeedMegabits = value;
        return this;
    }

    /**
     * Sets how many stream channels the camera has. Each sends the same blocks to its own destination; RDMA has the
     * first only.
     *
     * @param value 1 to 8
     * @return this
     */
    public ScenarioBuilder streamChannels(int value) {
        streamChannels = value;
        return this;
    }

    /** See {@link Scenario}. */
    public ScenarioBuilder multicastTtl(int value) {
        multicastTtl = value;
        return this;
    }

    /**
     * Sets how many blocks are kept for resends.
     *
     * @param value 1 to 64; 0 for the blocks of a quarter of a second, at least 8
     * @return this
     */
    public ScenarioBuilder resendBlocks(int value) {
        resendBlocks = value;
        return this;
    }

    /**
     * Sets whether packets with 16-bit block ids that are sent again say so in their status.
     *
     * @param value true for status 0x0100
     * @return this
     */
    public ScenarioBuilder markResentPackets(boolean value) {
        markResentPackets = value;
        return this;
    }

    /**
     * Sets the number of distinct images: block n shows the image of block (n - 1) mod this + 1.
     *
     * @param value 1 to 64; 0 for never
     * @return this
     */
    public ScenarioBuilder distinctImages(int value) {
        distinctImages = value;
        return this;
    }

    /**
     * Lets the network cut runs of packets, where the system supports it.
     *
     * @param value true to send runs
     * @return this
     */
    public ScenarioBuilder segmentationOffload(boolean value) {
        segmentationOffload = value;
        return this;
    }

    /**
     * Sets how stream packets are sent, and leaves the rest of {@link #sending} as it is.
     *
     * @param value by a socket or by verbs
     * @return this
     */
    public ScenarioBuilder sendBy(Scenario.Sending.Way value) {
        return sending(sending.by(value));
    }

    /**
     * Sets how stream packets are sent.
     *
     * @param value by a socket or by verbs
     * @return this
     */
    public ScenarioBuilder sending(Scenario.Sending value) {
        sending = value;
        return this;
    }

    /**
     * Lets the first URL name the zipped XML.
     *
     * @param value true for zipped
     * @return this
     */
    public ScenarioBuilder zippedXml(boolean value) {
        zippedXml = value;
        return this;
    }

    /**
     * Sets the longest time that a command takes, as the camera reports it in its register 0x0958. Drivers wait that
     * long for each acknowledgement.
     *
     * @param value 1 ms to 1 minute
     * @return this
     */
    public ScenarioBuilder pendingTimeout(Duration value) {
        pendingTimeout = value;
        return this;
    }

    /**
     * Lets the camera answer broadcast discovery.
     *
     * @param value true to answer
     * @return this
     */
    public ScenarioBuilder listenForBroadcast(boolean value) {
        listenForBroadcast = value;
        return this;
    }

    /**
     * Sets the provider of RDMA for the camera. If none works, the camera runs without.
     *
     * @param value none, auto, verbs or software
     * @return this
     */
    public ScenarioBuilder rdmaProvider(String value) {
        rdmaProvider = value;
        return this;
    }

    /**
     * Sets the port on which the camera accepts RDMA connections.
     *
     * @param value port; 0 takes a free one
     * @return this
     */
    public ScenarioBuilder rdmaPort(int value) {
        rdmaPort = value;
        return this;
    }

    /**
     * Sets the clock.
     *
     * @param value how it drifts, and the state that its PTP port reaches
     * @return this
     */
    public ScenarioBuilder clock(Scenario.Clock value) {
        clock = value;
        return this;
    }

    /**
     * Sets the faults at start.
     *
     * @param value the faults
     * @return this
     */
    public ScenarioBuilder faults(FaultPlan value) {
        faults = value;
        return this;
    }

    /**
     * Checks and makes the scenario.
     *
     * @return the scenario
     */
    public Scenario build() {
        String serialOrDefault = serial.isEmpty() ? defaultSerial(bindAddress) : serial;
        return new Scenario(
                bindAddress,
                port,
                networkInterface,
                vendor,
                model,
                macAddress,
                serialOrDefault,
                userName,
                sensorWidth > 0 ? sensorWidth : Math.max(1280, width),
                sensorHeight > 0 ? sensorHeight : Math.max(960, height),
                width,
                height,
                frameRate,
                pixelFormat,
                components,
                content,
                payload,
                flows,
                descriptorWithData,
                genDcMode,
                packetSizeBytes,
                firstBlockId,
                linkSpeedMegabits,
                streamChannels,
                multicastTtl,
                resendBlocks,
                markResentPackets,
                distinctImages,
                segmentationOffload,
                sending,
                zippedXml,
                pendingTimeout,
                listenForBroadcast,
                rdmaProvider,
                rdmaPort,
                clock,
                faults);
    }
}
