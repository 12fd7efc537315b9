package io.peregrine.virtualcamera;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a virtual camera is and how it behaves. Immutable; made by {@link #builder()} or read from a JSON file.
 *
 * @param bindAddress IPv4 address of the camera
 * @param port GVCP port; 0 takes a free one
 * @param networkInterface network interface of this host that is dedicated to the camera: a new address (FORCEIP) is
 *     given to it, for which the process must be root; empty when the camera takes addresses that the host has, such as
 *     those of loopback
 * @param vendor name of the vendor, up to 31 bytes
 * @param model name of the model, up to 31 bytes
 * @param macAddress MAC address that the camera reports, such as 02:00:0A:4D:00:01; empty for one made of its address
 * @param serial serial number, up to 15 bytes
 * @param userName user defined name, up to 15 bytes
 * @param sensorWidth pixels
 * @param sensorHeight lines
 * @param width pixels at start
 * @param height lines at start
 * @param frameRate frames a second at start, 0.1 to 10000
 * @param pixelFormat PFNC code of the intensity at start
 * @param components components switched on at start
 * @param content what the blocks contain
 * @param payload as which GVSP payload it is sent
 * @param flows how a GenDC container is spread over flows
 * @param descriptorWithData whether data follows a final GenDC descriptor in its last packet
 * @param genDcMode GenDCStreamingMode at start
 * @param packetSizeBytes packet size at start, IP and UDP header included
 * @param firstBlockId block id of the first block of each acquisition
 * @param linkSpeedMegabits speed at which the camera puts packets on the wire; 0 is as fast as it can
 * @param streamChannels number of stream channels, 1 to 8; each sends the same blocks to its own destination
 * @param multicastTtl time to live of packets to a group: routers that they may pass, and one more; 1 to 255
 * @param resendBlocks number of blocks that the camera keeps for resends; 0 for those of a quarter of a second, at
 *     least 8
 * @param markResentPackets whether packets with 16-bit block ids that are sent again have the status 0x0100, as GigE
 *     Vision has it; drivers differ in whether they need it
 * @param distinctImages number of distinct images, after which they repeat, so that a camera at full speed need not
 *     draw them again; 0 for never
 * @param segmentationOffload whether runs of packets are passed to the network to be cut (UDP_SEGMENT), where the
 *     system supports it: fast, but a capture before they are cut, as on loopback, shows each run in one piece
 * @param sending how stream packets are sent
 * @param zippedXml whether the first URL names the zipped XML
 * @param pendingTimeout longest time that a command takes, as the camera reports it; drivers wait that long for each
 *     acknowledgement
 * @param listenForBroadcast whether the camera answers broadcast discovery
 * @param rdmaProvider provider of RDMA for the camera: none, auto, verbs or software
 * @param rdmaPort port on which the camera accepts RDMA connections; 0 takes a free one
 * @param clock its clock, and the state that its PTP port reaches
 * @param faults injected faults
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
        Flows flows,
        boolean descriptorWithData,
        GenDcMode genDcMode,
        int packetSizeBytes,
        long firstBlockId,
        int linkSpeedMegabits,
        int streamChannels,
        int multicastTtl,
        int resendBlocks,
        boolean markResentPackets,
        int distinctImages,
        boolean segmentationOffload,
        Sending sending,
        boolean zippedXml,
        Duration pendingTimeout,
        boolean listenForBroadcast,
        String rdmaProvider,
        int rdmaPort,
        Clock clock,
        FaultPlan faults) {
    /** Well-known GVCP port. */
    public static final int GVCP_PORT = 3956;

    static final int MAX_RESEND_BLOCKS = 64;

    private static final Pattern MAC_ADDRESS = Pattern.compile("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}");
    private static final Duration MAX_PENDING_TIMEOUT = Duration.ofMinutes(1);

    /** Name of the RDMA provider of a camera that streams by GVSP only. */
    public static final String NO_RDMA = "none";

    /** Checks the ranges. */
    public Scenario {
        Objects.requireNonNull(bindAddress, "bindAddress");
        Objects.requireNonNull(networkInterface, "networkInterface");
        Objects.requireNonNull(content, "content");
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(flows, "flows");
        Objects.requireNonNull(sending, "sending");
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
        check("resendBlocks", resendBlocks, 0, MAX_RESEND_BLOCKS);
        check("distinctImages", distinctImages, 0, 64);
        if (pendingTimeout.toMillis() < 1 || pendingTimeout.compareTo(MAX_PENDING_TIMEOUT) > 0) {
            throw new VirtualCameraException("pendingTimeout must be between 1 and " + MAX_PENDING_TIMEOUT.toMillis()
                    + " ms, not " + pendingTimeout.toMillis() + " ms");
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
    public static ScenarioBuilder builder() {
        return new ScenarioBuilder();
    }

    /**
     * Continues from this scenario.
     *
     * @return a builder
     */
    public ScenarioBuilder toBuilder() {
        return new ScenarioBuilder()
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
                .distinctImages(distinctImages)
                .segmentationOffload(segmentationOffload)
                .sending(sending)
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

    /**
     * How stream packets are sent by GVSP. Immutable.
     *
     * @param way by a socket, or past the kernel
     * @param bufferBytes {@link Way#VERBS}: memory for packets that wait for the adapter, each of the size of the
     *     largest that the interface takes
     * @param completionVector {@link Way#VERBS}: interrupt of the adapter that reports packets as sent, taken modulo
     *     those that there are; negative never sleeps
     * @param maxPoll {@link Way#VERBS}: polls in a row before the interrupt is armed, at least 1
     */
    public record Sending(Way way, int bufferBytes, int completionVector, int maxPoll) {
        /** Ways to send. */
        public enum Way {
            /** A UDP socket. */
            SOCKET,
            /**
             * The verbs of an adapter with raw packets, which reads packets from memory of this process. Where that is
             * not possible, the socket; see {@link VirtualCamera#sendState}.
             */
            VERBS
        }

        /** By a socket. */
        public static final Sending SOCKET = new Sending(Way.SOCKET, 512 << 10, 0, 10);
        /** By verbs, with 512 KiB for packets that wait, and the first interrupt after 10 polls. */
        public static final Sending VERBS = SOCKET.by(Way.VERBS);

        private static final int MIN_BYTES = 4096;

        /** Checks the ranges. */
        public Sending {
            Objects.requireNonNull(way, "way");
            if (bufferBytes < MIN_BYTES) {
                throw new VirtualCameraException(
                        "sendBufferBytes must be at least " + MIN_BYTES + ", not " + bufferBytes);
            }
            if (maxPoll < 1) {
                throw new VirtualCameraException("sendMaxPoll must be at least 1, not " + maxPoll);
            }
        }

        /**
         * Gives the same with another way.
         *
         * @param value the way
         * @return the copy
         */
        public Sending by(Way value) {
            return new Sending(value, bufferBytes, completionVector, maxPoll);
        }

        /**
         * Gives the same with another buffer.
         *
         * @param value bytes, at least 4096
         * @return the copy
         */
        public Sending withBufferBytes(int value) {
            return new Sending(way, value, completionVector, maxPoll);
        }

        /**
         * Gives the same with another interrupt.
         *
         * @param value number of the completion vector; negative never sleeps
         * @return the copy
         */
        public Sending withCompletionVector(int value) {
            return new Sending(way, bufferBytes, value, maxPoll);
        }

        /**
         * Gives the same with another number of polls before the interrupt is armed.
         *
         * @param value polls, at least 1
         * @return the copy
         */
        public Sending withMaxPoll(int value) {
            return new Sending(way, bufferBytes, completionVector, value);
        }
    }

    /** How the components of a GenDC container are spread over flows. */
    public enum Flows {
        /** Everything in flow 0. */
        SINGLE,
        /** One flow for each component; the descriptor is in the first. */
        PER_COMPONENT
    }

    /** The SFNC feature GenDCStreamingMode. */
    public enum GenDcMode {
        /** Never GenDC. */
        OFF(0),
        /** Always GenDC. */
        ON(1),
        /** GenDC when the application sets bit 0x80 of the stream channel configuration. */
        AUTOMATIC(2);

        private final int registerValue;

        GenDcMode(int registerValue) {
            this.registerValue = registerValue;
        }

        int registerValue() {
            return registerValue;
        }
    }

    /**
     * The clock of a camera, and what it finds in the network when its PTP port is switched on. Immutable.
     *
     * @param driftPartsPerMillion how much faster than the host the oscillator runs, -1000 to 1000
     * @param port the state that the PTP port reaches
     */
    public record Clock(double driftPartsPerMillion, PtpPort port) {
        /** The state that a PTP port reaches. */
        public enum PtpPort {
            /** It finds a master, which has the time of day of the host, and follows it. */
            SLAVE,
            /** It finds no better clock and distributes its own time. */
            MASTER,
            /** It receives no master, may not be master itself, and keeps listening. */
            LISTENER
        }

        /** A clock that runs like the host's, on a network with a master. */
        public static final Clock EXACT = new Clock(0, PtpPort.SLAVE);

        private static final double MAX_DRIFT = 1000;

        /** Checks the range. */
        public Clock {
            Objects.requireNonNull(port, "port");
            if (!(Math.abs(driftPartsPerMillion) <= MAX_DRIFT)) {
                throw new VirtualCameraException(
                        "driftPartsPerMillion must be between -1000 and 1000, not " + driftPartsPerMillion);
            }
        }
    }
}
