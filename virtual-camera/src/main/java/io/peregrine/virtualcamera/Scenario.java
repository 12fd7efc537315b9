package io.peregrine.virtualcamera;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How a virtual camera looks and behaves. Immutable; made by {@link #builder()} or read from a JSON file.
 *
 * @param bindAddress IPv4 address of the camera
 * @param port GVCP port; 0 takes a free one
 * @param networkInterface network interface of this host that belongs to the camera alone: a new address (FORCEIP) is
 *     given to it, for which the process must be root; empty when the camera takes addresses that the host has, such as
 *     those of loopback
 * @param vendor name of the vendor, up to 31 bytes
 * @param model name of the model, up to 31 bytes
 * @param macAddress MAC address that the camera tells, such as 02:00:0A:4D:00:01; empty for one made of its address
 * @param serial serial number, up to 15 bytes
 * @param userName user defined name, up to 15 bytes
 * @param sensorWidth pixels
 * @param sensorHeight lines
 * @param width pixels at start
 * @param height lines at start
 * @param frameRate frames a second at start, 0.1 to 10000
 * @param pixelFormat PFNC code of the intensity at start
 * @param components components switched on at start
 * @param content what the blocks hold
 * @param payload as which GVSP payload it is sent
 * @param flows how a GenDC container is spread over flows
 * @param descriptorWithData whether data follows a final GenDC descriptor in its last packet
 * @param genDcMode GenDCStreamingMode at start
 * @param packetSizeBytes packet size at start, IP and UDP header included
 * @param firstBlockId block id of the first block of each acquisition
 * @param linkSpeedMegabits speed at which the camera puts packets on the wire; 0 is as fast as it can
 * @param streamChannels number of stream channels, 1 to 8; each sends the same blocks where it is told to
 * @param multicastTtl time to live of packets to a group: routers that they may pass, and one more; 1 to 255
 * @param resendBlocks how many blocks the camera keeps for resends; 0 for those of a quarter of a second, at least 8
 * @param markResentPackets whether packets with 16-bit block ids that are sent again have the status 0x0100, as GigE
 *     Vision has it; drivers differ in whether they want it
 * @param pictures after how many blocks the pictures repeat, so that a camera at full speed need not draw them again; 0
 *     for never
 * @param segmentationOffload whether the network gets runs of packets to cut (UDP_SEGMENT), where the system can: fast,
 *     but who listens before they are cut, as on loopback, sees each run in one piece
 * @param zippedXml whether the first URL names the zipped XML
 * @param pendingTimeout longest time that a command takes, as the camera says; drivers wait as long for each
 *     acknowledgement
 * @param listenForBroadcast whether the camera answers broadcast discovery
 * @param rdmaProvider who speaks RDMA for the camera: none, auto, verbs or software
 * @param rdmaPort port on which the camera awaits RDMA connections; 0 takes a free one
 * @param clock its clock, and what the PTP port of it comes to
 * @param faults what goes wrong
 */
public record Scenario(
        InetAddress bindAddress,
        int port,
        String networkInterface,
        String vendor,
        String model,
        String macAddress,
        String serial,
        String userName,
        int sensorWidth,
        int sensorHeight,
        int width,
        int height,
        double frameRate,
        int pixelFormat,
        Set<ComponentKind> components,
        Content content,
        StreamPayload payload,
        FlowLayout flows,
        boolean descriptorWithData,
        GenDcMode genDcMode,
        int packetSizeBytes,
        long firstBlockId,
        int linkSpeedMegabits,
        int streamChannels,
        int multicastTtl,
        int resendBlocks,
        boolean markResentPackets,
        int pictures,
        boolean segmentationOffload,
        boolean zippedXml,
        Duration pendingTimeout,
        boolean listenForBroadcast,
        String rdmaProvider,
        int rdmaPort,
        ClockModel clock,
        FaultPlan faults) {
    /** Well-known GVCP port. */
    public static final int GVCP_PORT = 3956;

    static final int MOST_RESEND_BLOCKS = 64;

    private static final Pattern MAC_ADDRESS = Pattern.compile("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}");
    private static final Duration LONGEST_PENDING_TIMEOUT = Duration.ofMinutes(1);

    /** Name of the RDMA provider of a camera that streams by GVSP only. */
    public static final String NO_RDMA = "none";

    /** Checks the ranges. */
    public Scenario {
        Objects.requireNonNull(bindAddress, "bindAddress");
        Objects.requireNonNull(networkInterface, "networkInterface");
        Objects.requireNonNull(content, "content");
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(flows, "flows");
        Objects.requireNonNull(genDcMode, "genDcMode");
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(faults, "faults");
        components = Set.copyOf(components);
        if (bindAddress.getAddress().length != 4 || bindAddress.isAnyLocalAddress()) {
            throw new VirtualCameraException("bindAddress must be one IPv4 address, not " + bindAddress);
        }
        check("port", port, 0, 65535);
        check("rdmaPort", rdmaPort, 0, 65535);
        if (rdmaProvider.isBlank()) {
            throw new VirtualCameraException("rdmaProvider must be none, auto, verbs or software");
        }
        check("sensorWidth", sensorWidth, CameraLimits.MIN_WIDTH, CameraLimits.MAX_SENSOR);
        check("sensorHeight", sensorHeight, CameraLimits.MIN_HEIGHT, CameraLimits.MAX_SENSOR);
        check("width", width, CameraLimits.MIN_WIDTH, sensorWidth);
        check("height", height, CameraLimits.MIN_HEIGHT, sensorHeight);
        check("packetSizeBytes", packetSizeBytes, CameraLimits.MIN_PACKET, CameraLimits.MAX_PACKET);
        check("linkSpeedMegabits", linkSpeedMegabits, 0, 400_000);
        check("streamChannels", streamChannels, 1, 8);
        check("multicastTtl", multicastTtl, 1, 255);
        check("resendBlocks", resendBlocks, 0, MOST_RESEND_BLOCKS);
        check("pictures", pictures, 0, 64);
        if (pendingTimeout.toMillis() < 1 || pendingTimeout.compareTo(LONGEST_PENDING_TIMEOUT) > 0) {
            throw new VirtualCameraException("pendingTimeout must be between 1 and "
                    + LONGEST_PENDING_TIMEOUT.toMillis() + " ms, not " + pendingTimeout.toMillis() + " ms");
        }
        checkText("vendor", vendor, 31);
        checkText("model", model, 31);
        checkText("serial", serial, 15);
        checkText("userName", userName, 15);
        if (!macAddress.isEmpty() && !MAC_ADDRESS.matcher(macAddress).matches()) {
            throw new VirtualCameraException(
                    "macAddress must be six bytes such as 02:00:0A:4D:00:01, not " + macAddress);
        }
        if (width % CameraLimits.WIDTH_STEP != 0 || sensorWidth % CameraLimits.WIDTH_STEP != 0) {
            throw new VirtualCameraException("width and sensorWidth must be multiples of " + CameraLimits.WIDTH_STEP);
        }
        if (packetSizeBytes % 4 != 0) {
            throw new VirtualCameraException("packetSizeBytes must be a multiple of 4, not " + packetSizeBytes);
        }
        if (!CameraLimits.frameRateValid(frameRate)) {
            throw new VirtualCameraException("frameRate must be between 0.1 and 10000, not " + frameRate);
        }
        if (!Formats.BY_NAME.containsValue(pixelFormat)) {
            throw new VirtualCameraException("pixelFormat must be one of " + Formats.BY_NAME.keySet());
        }
        if (components.isEmpty()) {
            throw new VirtualCameraException("components must not be empty");
        }
        if (firstBlockId < 1) {
            throw new VirtualCameraException("firstBlockId must be at least 1, not " + firstBlockId);
        }
        long bytesAPixel = content == Content.COMPONENTS ? 6 : 16;
        if (bytesAPixel * sensorWidth * sensorHeight > CameraLimits.MAX_BLOCK_BYTES) {
            throw new VirtualCameraException("the sensor is too large: " + sensorWidth + " x " + sensorHeight);
        }
    }

    private static void check(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new VirtualCameraException(name + " must be between " + min + " and " + max + ", not " + value);
        }
    }

    private static void checkText(String name, String value, int mostBytes) {
        if (value.getBytes(StandardCharsets.UTF_8).length > mostBytes) {
            throw new VirtualCameraException(name + " must have at most " + mostBytes + " bytes, not: " + value);
        }
    }

    /** The MAC address as a number of 48 bits. */
    long mac(Location location) {
        return macAddress.isEmpty()
                ? PersistentMemory.ownMac(location)
                : Long.parseLong(macAddress.replace(":", ""), 16);
    }

    /**
     * Starts with the defaults: 127.0.0.1, 640 x 480 Mono8 at 25 frames a second, three components in one flow.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Continues from this scenario.
     *
     * @return a builder
     */
    public Builder toBuilder() {
        return new Builder()
                .bindAddress(bindAddress)
                .port(port)
                .networkInterface(networkInterface)
                .vendor(vendor)
                .model(model)
                .macAddress(macAddress)
                .serial(serial)
                .userName(userName)
                .sensorSize(sensorWidth, sensorHeight)
                .size(width, height)
                .frameRate(frameRate)
                .pixelFormatCode(pixelFormat)
                .components(components)
                .content(content)
                .payload(payload)
                .flows(flows)
                .descriptorWithData(descriptorWithData)
                .genDcMode(genDcMode)
                .packetSizeBytes(packetSizeBytes)
                .firstBlockId(firstBlockId)
                .linkSpeedMegabits(linkSpeedMegabits)
                .streamChannels(streamChannels)
                .multicastTtl(multicastTtl)
                .resendBlocks(resendBlocks)
                .markResentPackets(markResentPackets)
                .pictures(pictures)
                .segmentationOffload(segmentationOffload)
                .zippedXml(zippedXml)
                .pendingTimeout(pendingTimeout)
                .listenForBroadcast(listenForBroadcast)
                .rdmaProvider(rdmaProvider)
                .rdmaPort(rdmaPort)
                .clock(clock)
                .faults(faults);
    }

    /**
     * Reads a scenario file.
     *
     * @param file JSON
     * @return the scenario
     */
    public static Scenario read(Path file) {
        try {
            return ScenarioJson.parse(Files.readString(file), file.toString());
        } catch (NoSuchFileException e) {
            throw new VirtualCameraException("There is no scenario " + file + ": check the name", e);
        } catch (AccessDeniedException e) {
            throw new VirtualCameraException("Cannot read the scenario " + file + ": permission denied", e);
        } catch (CharacterCodingException e) {
            throw new VirtualCameraException("The scenario " + file + " is no text in UTF-8", e);
        } catch (IOException e) {
            throw new VirtualCameraException("Cannot read the scenario " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Parses a scenario.
     *
     * @param json JSON text
     * @return the scenario
     */
    public static Scenario parse(String json) {
        return ScenarioJson.parse(json, "scenario");
    }

    /** Collects the values of a scenario. */
    public static final class Builder {
        private InetAddress bindAddress = loopback();
        private int port = GVCP_PORT;
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
        private FlowLayout flows = FlowLayout.SINGLE;
        private boolean descriptorWithData;
        private GenDcMode genDcMode = GenDcMode.AUTOMATIC;
        private int packetSizeBytes = 1500;
        private long firstBlockId = 1;
        private int linkSpeedMegabits = 1000;
        private int streamChannels = 1;
        private int multicastTtl = 1;
        private int resendBlocks;
        private boolean markResentPackets = true;
        private int pictures;
        private boolean segmentationOffload;
        private boolean zippedXml;
        private Duration pendingTimeout = Duration.ofMillis(GevDevice.DEFAULT_PENDING_TIMEOUT_MS);
        private boolean listenForBroadcast = true;
        private String rdmaProvider = NO_RDMA;
        private int rdmaPort;
        private ClockModel clock = ClockModel.EXACT;
        private FaultPlan faults = FaultPlan.NONE;

        private Builder() {}

        private static String defaultSerial(InetAddress address) {
            byte[] ip = address.getAddress();
            return String.format("VC%02X%02X%02X%02X", ip[0], ip[1], ip[2], ip[3]);
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
        public Builder bindAddress(InetAddress value) {
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
        public Builder bindAddress(String value) {
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
        public Builder port(int value) {
            port = value;
            return this;
        }

        /**
         * Gives the camera a network interface of this host for its own.
         *
         * @param value name of the interface, empty for none
         * @return this
         */
        public Builder networkInterface(String value) {
            networkInterface = value;
            return this;
        }

        /**
         * Sets the name of the vendor.
         *
         * @param value up to 31 bytes
         * @return this
         */
        public Builder vendor(String value) {
            vendor = value;
            return this;
        }

        /**
         * Sets the name of the model.
         *
         * @param value up to 31 bytes
         * @return this
         */
        public Builder model(String value) {
            model = value;
            return this;
        }

        /**
         * Sets the MAC address that the camera tells; on the wire it has that of the host.
         *
         * @param value such as 02:00:0A:4D:00:01; empty for one made of the camera's IP address
         * @return this
         */
        public Builder macAddress(String value) {
            macAddress = value;
            return this;
        }

        /**
         * Sets the serial number; the default is made from the address.
         *
         * @param value up to 15 bytes
         * @return this
         */
        public Builder serial(String value) {
            serial = value;
            return this;
        }

        /**
         * Sets the user defined name.
         *
         * @param value up to 15 bytes
         * @return this
         */
        public Builder userName(String value) {
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
        public Builder sensorSize(int newWidth, int newHeight) {
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
        public Builder size(int newWidth, int newHeight) {
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
        public Builder frameRate(double value) {
            frameRate = value;
            return this;
        }

        /**
         * Sets the pixel format of the intensity.
         *
         * @param name PFNC name, such as Mono8
         * @return this
         */
        public Builder pixelFormat(String name) {
            Integer code = Formats.BY_NAME.get(name);
            if (code == null) {
                throw new VirtualCameraException(
                        "pixelFormat must be one of " + Formats.BY_NAME.keySet() + ", not " + name);
            }
            pixelFormat = code;
            return this;
        }

        private Builder pixelFormatCode(int code) {
            pixelFormat = code;
            return this;
        }

        /**
         * Sets the components switched on at start.
         *
         * @param value at least one
         * @return this
         */
        public Builder components(Set<ComponentKind> value) {
            components = Set.copyOf(value);
            return this;
        }

        /**
         * Sets what the blocks hold. Contents with a pixel format of their own overrule {@link #pixelFormat}; all but
         * {@link Content#COMPONENTS} and {@link Content#METADATA} overrule {@link #components}.
         *
         * @param value the content
         * @return this
         */
        public Builder content(Content value) {
            content = value;
            return this;
        }

        /**
         * Sets as which GVSP payload the content is sent. All but {@link StreamPayload#AUTOMATIC} do not offer GenDC
         * over GVSP. A payload that does not fit the content is replaced by {@link StreamPayload#IMAGE}.
         *
         * @param value the payload
         * @return this
         */
        public Builder payload(StreamPayload value) {
            payload = value;
            return this;
        }

        /**
         * Sets how GenDC containers are spread over flows.
         *
         * @param value the layout
         * @return this
         */
        public Builder flows(FlowLayout value) {
            flows = value;
            return this;
        }

        /**
         * Sets whether data follows a final GenDC descriptor in its last packet (descriptor code 2 of GVSP), unless a
         * preliminary one goes before.
         *
         * @param value whether they share a packet
         * @return this
         */
        public Builder descriptorWithData(boolean value) {
            descriptorWithData = value;
            return this;
        }

        /**
         * Sets GenDCStreamingMode.
         *
         * @param value the mode at start
         * @return this
         */
        public Builder genDcMode(GenDcMode value) {
            genDcMode = value;
            return this;
        }

        /**
         * Sets the packet size at start.
         *
         * @param value bytes, IP and UDP header included, a multiple of 4
         * @return this
         */
        public Builder packetSizeBytes(int value) {
            packetSizeBytes = value;
            return this;
        }

        /**
         * Sets the id of the first block, to reach the wrap from 65535 to 1 soon.
         *
         * @param value from 1 on
         * @return this
         */
        public Builder firstBlockId(long value) {
            firstBlockId = value;
            return this;
        }

        /**
         * Sets the speed at which packets go out.
         *
         * @param value Mbit/s; 0 for no limit
         * @return this
         */
        public Builder linkSpeedMegabits(int value) {
            linkSpeedMegabits = value;
            return this;
        }

        /**
         * Sets how many stream channels the camera has. Each sends the same blocks to a destination of its own; RDMA
         * has the first only.
         *
         * @param value 1 to 8
         * @return this
         */
        public Builder streamChannels(int value) {
            streamChannels = value;
            return this;
        }

        /** See {@link Scenario}. */
        public Builder multicastTtl(int value) {
            multicastTtl = value;
            return this;
        }

        /**
         * Sets how many blocks are kept for resends.
         *
         * @param value 1 to 64; 0 for the blocks of a quarter of a second, at least 8
         * @return this
         */
        public Builder resendBlocks(int value) {
            resendBlocks = value;
            return this;
        }

        /**
         * Sets whether packets with 16-bit block ids that are sent again say so in their status.
         *
         * @param value true for status 0x0100
         * @return this
         */
        public Builder markResentPackets(boolean value) {
            markResentPackets = value;
            return this;
        }

        /**
         * Sets after how many blocks the pictures repeat: block n shows the picture of block (n - 1) mod this + 1.
         *
         * @param value 1 to 64; 0 for never
         * @return this
         */
        public Builder pictures(int value) {
            pictures = value;
            return this;
        }

        /**
         * Lets the network cut runs of packets, where the system can.
         *
         * @param value true to send runs
         * @return this
         */
        public Builder segmentationOffload(boolean value) {
            segmentationOffload = value;
            return this;
        }

        /**
         * Lets the first URL name the zipped XML.
         *
         * @param value true for zipped
         * @return this
         */
        public Builder zippedXml(boolean value) {
            zippedXml = value;
            return this;
        }

        /**
         * Sets the longest time that a command takes, as the camera says in its register 0x0958. Drivers wait as long
         * for each acknowledgement.
         *
         * @param value 1 ms to 1 minute
         * @return this
         */
        public Builder pendingTimeout(Duration value) {
            pendingTimeout = value;
            return this;
        }

        /**
         * Lets the camera answer broadcast discovery.
         *
         * @param value true to answer
         * @return this
         */
        public Builder listenForBroadcast(boolean value) {
            listenForBroadcast = value;
            return this;
        }

        /**
         * Sets who speaks RDMA for the camera. If nobody can, the camera runs without.
         *
         * @param value none, auto, verbs or software
         * @return this
         */
        public Builder rdmaProvider(String value) {
            rdmaProvider = value;
            return this;
        }

        /**
         * Sets the port on which the camera awaits RDMA connections.
         *
         * @param value port; 0 takes a free one
         * @return this
         */
        public Builder rdmaPort(int value) {
            rdmaPort = value;
            return this;
        }

        /**
         * Sets the clock.
         *
         * @param value how it drifts, and what its PTP port comes to
         * @return this
         */
        public Builder clock(ClockModel value) {
            clock = value;
            return this;
        }

        /**
         * Sets the faults at start.
         *
         * @param value what goes wrong
         * @return this
         */
        public Builder faults(FaultPlan value) {
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
                    pictures,
                    segmentationOffload,
                    zippedXml,
                    pendingTimeout,
                    listenForBroadcast,
                    rdmaProvider,
                    rdmaPort,
                    clock,
                    faults);
        }
    }
}
