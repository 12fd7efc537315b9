package io.peregrine.virtualcamera;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The frames of a device declared in code: what is sent, the features that describe it, and the channel that sends it.
 * Used by the holder of the monitor of the device, but for start and close.
 */
final class CustomFrames implements GvspChannel.Source {
    /** SCSP, legacy block ids, SCMBS. */
    private static final int STREAM_CAPABILITY = 0xE0000000;
    /** SCMPC. */
    private static final int CHANNEL_CAPABILITY = 0x100;

    private static final int PACKET_SIZE_BYTES = 1500;

    /** What a source fills. */
    private record Data(int maxBytes, int lines, VirtualDevice.FrameSource source) implements PartData {
        @Override
        public int count(Stamp stamp) {
            return lines;
        }

        @Override
        public void fill(Stamp stamp, ByteBuffer target) {
            int at = target.position();
            source.fill(stamp.blockId(), target.slice(at, maxBytes).order(ByteOrder.LITTLE_ENDIAN));
            target.position(at + maxBytes);
        }
    }

    private final int width;
    private final int height;
    private final String formatName;
    private final int format;
    private final BlockLayout layout;
    private double framesPerSecond;
    private Scenario.Sending sending = Scenario.Sending.SOCKET;
    private boolean locked;
    private boolean acquiring;
    private GevDevice device;
    private StreamSender sender;
    private GvspChannel channel;

    CustomFrames(int width, int height, String formatName, double framesPerSecond, VirtualDevice.FrameSource source) {
        this.width = width;
        this.height = height;
        this.formatName = formatName;
        this.framesPerSecond = framesPerSecond;
        if (!Formats.BY_NAME.containsKey(formatName)) {
            throw new VirtualCameraException(
                    "The pixel format of frames must be one of " + Formats.BY_NAME.keySet() + ", not " + formatName);
        }
        format = Formats.BY_NAME.get(formatName);
        if (!CameraLimits.frameRateValid(framesPerSecond)) {
            throw new VirtualCameraException("The frame rate must be " + CameraLimits.MIN_FRAME_RATE + " to "
                    + CameraLimits.MAX_FRAME_RATE + " frames a second, not " + framesPerSecond);
        }
        Data data = new Data(frameBytes(), height, source);
        Part image = new Part(Part.IMAGE, 0, format, width, 0, 0, 0, data);
        Component component = new Component(TestPattern.INTENSITY, format, 0, 0, 0, 0, 0, 0, false, List.of(image));
        layout = new PayloadLayout(
                new Composition(List.of(component), 0, false, 0),
                PayloadLayout.IMAGE,
                false,
                List.of(),
                new ChunkData.Values());
    }

    private int frameBytes() {
        if (width < 1 || width > CameraLimits.MAX_SENSOR || height < 1 || height > CameraLimits.MAX_SENSOR) {
            throw new VirtualCameraException("Frames can have 1 to " + CameraLimits.MAX_SENSOR
                    + " pixels a line, and as many lines, not " + width + "x" + height);
        }
        long lineBytes = TestPattern.lineBytes(format, width);
        if (lineBytes * 8 != (long) width * (format >>> 16 & 0xFF)) {
            throw new VirtualCameraException("A line of " + width + " pixels of " + formatName
                    + " does not end with a byte: take another width");
        }
        long bytes = lineBytes * height;
        if (bytes > CameraLimits.MAX_BLOCK_BYTES) {
            throw new VirtualCameraException(
                    "A frame can have " + CameraLimits.MAX_BLOCK_BYTES + " bytes, not " + bytes);
        }
        return (int) bytes;
    }

    /** The features by category. */
    Map<String, List<DeviceFeature<?>>> features() {
        Map<String, List<DeviceFeature<?>>> features = new LinkedHashMap<>();
        features.put(
                "ImageFormatControl",
                List.of(
                        DeviceFeature.integer("Width").initial(width).readOnly(),
                        DeviceFeature.integer("Height").initial(height).readOnly(),
                        DeviceFeature.enumeration("PixelFormat", formatName).numberedFrom(format)));
        features.put(
                "AcquisitionControl",
                List.of(
                        DeviceFeature.enumeration("AcquisitionMode", "Continuous"),
                        DeviceFeature.command("AcquisitionStart", this::startAcquisition),
                        DeviceFeature.command("AcquisitionStop", this::stopAcquisition),
                        DeviceFeature.floating("AcquisitionFrameRate")
                                .range(CameraLimits.MIN_FRAME_RATE, CameraLimits.MAX_FRAME_RATE)
                                .unit("Hz")
                                .initial(framesPerSecond)
                                .set(this::frameRate)));
        features.put(
                "TransportLayerControl",
                List.of(
                        DeviceFeature.integer("PayloadSize")
                                .unit("B")
                                .initial(layout.blockBytes())
                                .readOnly(),
                        DeviceFeature.integer("TLParamsLocked")
                                .range(0, 1)
                                .get(() -> locked ? 1 : 0)
                                .set(value -> locked = value == 1)));
        return features;
    }

    // ---- at one address ----------------------------------------------------------------------------------------

    /** Sets how packets are sent by the senders that are opened from now on. */
    void sending(Scenario.Sending value) {
        sending = value;
    }

    /** Opens the sender at an address. */
    StreamSender open(InetAddress address, GevDevice opener, Counters counters, Faults faults) throws IOException {
        return new StreamSender(
                address,
                Scenario.builder().bindAddress(address).sending(sending).build(),
                counters,
                faults,
                opener::timestamp,
                (kind, blockId, timestamp) -> {},
                () -> {});
    }

    /** Gives the frames the registers of a device and their sender. */
    void attach(GevDevice newDevice, StreamSender newSender) {
        device = newDevice;
        sender = newSender;
        acquiring = false;
        locked = false;
        device.space.constant(Reg.STREAM_CHANNEL_COUNT, 1);
        device.space.constant(Reg.STREAM_CAPABILITY, STREAM_CAPABILITY);
        channel = new GvspChannel(0, device, this, sender);
        channel.map(PACKET_SIZE_BYTES, 0);
        device.space.set(Reg.SCC, CHANNEL_CAPABILITY);
        device.space.set(Reg.SCMBS_LOW, layout.blockBytes());
        rebuild();
    }

    StreamSender sender() {
        return sender;
    }

    boolean locked() {
        return locked || acquisitionActive();
    }

    /** Ends the acquisition, and forgets its destination. */
    void release() {
        acquiring = false;
        locked = false;
        channel.release();
        rebuild();
    }

    void stopAtOnce() {
        acquiring = false;
        channel.stop(true);
    }

    private boolean acquisitionActive() {
        return acquiring && channel.streaming();
    }

    private void startAcquisition() {
        if (!acquisitionActive()) {
            acquiring = true;
            channel.reopen();
        }
    }

    private void stopAcquisition() {
        acquiring = false;
        channel.stop(false);
    }

    private void frameRate(double value) {
        framesPerSecond = value;
        channel.pace();
    }

    // ---- for the channel ---------------------------------------------------------------------------------------

    @Override
    public boolean sendsByGvsp() {
        return acquiring;
    }

    @Override
    public BlockLayout layout() {
        return layout;
    }

    @Override
    public boolean triggered() {
        return false;
    }

    @Override
    public long framePeriodNanos() {
        return Math.round(1e9 / framesPerSecond);
    }

    @Override
    public StreamSender.Job job(InetSocketAddress to, int scps, StreamSession session) {
        return new StreamSender.Job(
                new PacketPlan(layout, scps & GvspChannel.SCPS_SIZE, device.extendedIds()),
                to,
                (scps & GvspChannel.SCPS_DO_NOT_FRAGMENT) != 0,
                1,
                Long.MAX_VALUE,
                session);
    }

    @Override
    public void rebuild() {
        channel.follow();
    }
}
