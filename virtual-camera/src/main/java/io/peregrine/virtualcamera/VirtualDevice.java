package io.peregrine.virtualcamera;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A custom GigE Vision device, such as a lighting controller or a sensor: features, events and frames are declared in
 * code, registers and GenICam XML follow from them. It answers discovery, FORCEIP and register access, has one
 * controller at a time, and takes control away from one whose heartbeat stops. Any thread may call any method.
 *
 * <pre>{@code
 * try (VirtualDevice lamp = VirtualDevice.builder("Lumen", "LC4")
 *         .category("LightControl",
 *                 DeviceFeature.floating("LightBrightness").range(0, 100).unit("%").set(driver::brightness),
 *                 DeviceFeature.command("LightStrobe", driver::strobe))
 *         .event("LightFailure", "Lamp")
 *         .frames(64, 48, "Mono8", 10, (blockId, frame) -> driver.readInto(frame))
 *         .start()) {
 *     lamp.fire("LightFailure", 2);
 * }
 * }</pre>
 */
public final class VirtualDevice implements AutoCloseable {
    /** The parts of a device at one address. */
    private record Unit(BuiltDevice device, ControlServer server) implements DeviceHost.Unit {
        @Override
        public void start() {
            device.start();
            server.start();
        }

        @Override
        public void stop() {
            server.close();
            device.close();
        }
    }

    private final String xml;
    private final DeviceIdentity identity;
    private final List<PlacedFeature> features;
    private final Optional<CustomEvents> events;
    private final Optional<CustomFrames> frames;
    private final ByteBuffer values;
    private final boolean listenForBroadcast;
    private final PersistentMemory memory;
    private final Counters counters = new Counters();
    private final Faults faults = new Faults(FaultPlan.NONE);
    private final DeviceHost<Unit> host;

    private VirtualDevice(Builder builder) {
        events = builder.events.isEmpty() ? Optional.empty() : Optional.of(new CustomEvents(builder.events));
        frames = builder.frames.map(Supplier::get);
        frames.ifPresent(own -> own.sending(builder.sending));
        Map<String, List<DeviceFeature<?>>> categories = builder.all(events, frames);
        features = FeaturePlacement.place(categories, events, frames.isPresent());
        values = FeaturePlacement.initialValues(features);
        xml = builder.describe(categories, features, events, frames.isPresent());
        Location location = HostNetwork.locationOf(builder.bindAddress);
        byte[] ip = builder.bindAddress.getAddress();
        String serial = builder.serial.isEmpty()
                ? String.format(Locale.ROOT, "VD%02X%02X%02X%02X", ip[0], ip[1], ip[2], ip[3])
                : builder.serial;
        identity = new DeviceIdentity(
                frames.isPresent() ? DeviceIdentity.TRANSMITTER : DeviceIdentity.PERIPHERAL,
                builder.vendor,
                builder.model,
                builder.version,
                "GigE Vision device in software",
                serial,
                1000,
                "device",
                xml,
                true);
        listenForBroadcast = builder.listenForBroadcast && builder.port != 0;
        memory = new PersistentMemory(PersistentMemory.ownMac(location), builder.userName, location);
        host = new DeviceHost<>(serial, "", this::assemble);
    }

    private Unit assemble(Location location, int port) throws IOException {
        BuiltDevice device = new BuiltDevice(
                identity, features, values, events, frames, memory, location, host::move, counters, faults);
        InetSocketAddress at = new InetSocketAddress(location.address(), port);
        try {
            return new Unit(device, new ControlServer(at, listenForBroadcast, device, counters, faults));
        } catch (IOException e) {
            device.close();
            throw e;
        }
    }

    /**
     * Begins a device.
     *
     * @param vendor name of the vendor, up to 31 bytes
     * @param model name of the model, up to 31 bytes
     * @return a builder
     */
    public static Builder builder(String vendor, String model) {
        return new Builder(vendor, model);
    }

    /**
     * The GVCP address. It changes when an application assigns another one.
     *
     * @return address and port
     */
    public InetSocketAddress address() {
        return host.unit().server().localAddress();
    }

    /**
     * Gives the GenICam XML that follows from the features.
     *
     * @return the text
     */
    public String description() {
        return xml;
    }

    /**
     * Gives the application that controls the device.
     *
     * @return its address, or empty
     */
    public Optional<InetSocketAddress> controller() {
        return host.unit().device().controller();
    }

    /**
     * Says how the device sends its frames, and what is the reason where that is not as asked for.
     *
     * @return a phrase for people to read, such as {@code by a socket}; {@code off} without frames
     */
    public String sendState() {
        return host.unit().device().sendState();
    }

    /**
     * Sends an event to the application that controls the device, if that enabled it by the feature EventNotification.
     * Never blocks; may be called from any thread.
     *
     * @param event name of the event, as declared
     * @param values a number for each name that was declared with it, in their order
     * @throws VirtualCameraException if there is no such event, or it has another count of numbers
     */
    public void fire(String event, long... values) {
        host.unit().device().fire(event, values);
    }

    /** Waits for the end of a change of address, if there is one. */
    void awaitMove() {
        host.awaitMove();
    }

    @Override
    public void close() {
        host.close();
    }

    /** Collects the identity and the features of a device. Not thread-safe. */
    public static final class Builder {
        private final String vendor;
        private final String model;
        private final Map<String, List<DeviceFeature<?>>> categories = new LinkedHashMap<>();
        private final Map<String, List<String>> events = new LinkedHashMap<>();
        private Optional<Supplier<CustomFrames>> frames = Optional.empty();
        private Scenario.Sending sending = Scenario.Sending.SOCKET;
        private InetAddress bindAddress = address("127.0.0.1");
        private int port = Scenario.GVCP_PORT;
        private String version = "1.0";
        private String serial = "";
        private String userName = "";
        private boolean listenForBroadcast = true;

        private Builder(String vendor, String model) {
            this.vendor = checkText("vendor", vendor, 31);
            this.model = checkText("model", model, 31);
        }

        private static InetAddress address(String text) {
            try {
                return InetAddress.getByName(text);
            } catch (UnknownHostException e) {
                throw new VirtualCameraException("bindAddress is no address: " + text, e);
            }
        }

        private static String checkText(String what, String value, int maxBytes) {
            if (value.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
                throw new VirtualCameraException(what + " must have at most " + maxBytes + " bytes, not: " + value);
            }
            return value;
        }

        /**
         * Sets the address of the device; the default is 127.0.0.1.
         *
         * @param value IPv4 address of this host
         * @return this
         */
        public Builder bindAddress(InetAddress value) {
            if (value.getAddress().length != 4 || value.isAnyLocalAddress()) {
                throw new VirtualCameraException("bindAddress must be one IPv4 address, not " + value);
            }
            bindAddress = value;
            return this;
        }

        /**
         * Sets the address of the device.
         *
         * @param value IPv4 address of this host as text
         * @return this
         */
        public Builder bindAddress(String value) {
            return bindAddress(address(value));
        }

        /**
         * Sets the GVCP port; the default is the well-known one.
         *
         * @param value port; 0 takes a free one
         * @return this
         */
        public Builder port(int value) {
            if (value < 0 || value > 65535) {
                throw new VirtualCameraException("port must be between 0 and 65535, not " + value);
            }
            port = value;
            return this;
        }

        /**
         * Sets the version of the device; the default is 1.0.
         *
         * @param value up to 31 bytes
         * @return this
         */
        public Builder version(String value) {
            version = checkText("version", value, 31);
            return this;
        }

        /**
         * Sets the serial number; the default is made from the address.
         *
         * @param value up to 15 bytes
         * @return this
         */
        public Builder serial(String value) {
            serial = checkText("serial", value, 15);
            return this;
        }

        /**
         * Sets the user defined name.
         *
         * @param value up to 15 bytes
         * @return this
         */
        public Builder userName(String value) {
            userName = checkText("userName", value, 15);
            return this;
        }

        /**
         * Lets the device answer broadcast discovery, for which it must have the well-known port; the default.
         *
         * @param value true to answer
         * @return this
         */
        public Builder listenForBroadcast(boolean value) {
            listenForBroadcast = value;
            return this;
        }

        /**
         * Adds features. Features of a category that is named again are added to it.
         *
         * @param name name of the category, such as {@code LightControl}
         * @param features the features
         * @return this
         */
        public Builder category(String name, DeviceFeature<?>... features) {
            DeviceFeature.checkName(name);
            categories.computeIfAbsent(name, n -> new ArrayList<>()).addAll(Arrays.asList(features));
            return this;
        }

        /**
         * Adds an event, which {@link VirtualDevice#fire} sends. The features {@code EventSelector} and
         * {@code EventNotification} switch it; its id, time and numbers are in the features {@code Event<name>},
         * {@code Event<name>Timestamp} and {@code Event<name><number>}.
         *
         * @param name name of the event, such as {@code LightFailure}
         * @param numbers names of the 64-bit numbers in its data
         * @return this
         */
        public Builder event(String name, String... numbers) {
            DeviceFeature.checkName(name);
            List.of(numbers).forEach(DeviceFeature::checkName);
            if (events.putIfAbsent(name, List.of(numbers)) != null) {
                throw new VirtualCameraException("The device has two events with the name " + name);
            }
            return this;
        }

        /**
         * Lets the device send frames: images of one size and format, by GVSP, in an acquisition that the application
         * starts. The features for that ({@code Width}, {@code Height}, {@code PixelFormat}, {@code AcquisitionStart},
         * {@code AcquisitionStop}, {@code AcquisitionFrameRate}, {@code PayloadSize} and others) are made with it.
         *
         * @param width pixels in a line, 1 to 16384
         * @param height lines, 1 to 16384
         * @param pixelFormat name of the format in the pixel format naming convention, such as {@code Mono8}
         * @param framesPerSecond how many at most at start, 0.1 to 10000
         * @param source fills each frame
         * @return this
         */
        public Builder frames(int width, int height, String pixelFormat, double framesPerSecond, FrameSource source) {
            frames = Optional.of(() -> new CustomFrames(width, height, pixelFormat, framesPerSecond, source));
            return this;
        }

        /**
         * Sets how the packets of frames are sent; by a socket if this is not called.
         *
         * @param value by a socket or by verbs
         * @return this
         */
        public Builder sending(Scenario.Sending value) {
            sending = value;
            return this;
        }

        /**
         * Starts the device; it answers from now on.
         *
         * @return the running device
         * @throws VirtualCameraException if features and events do not fit each other, if there are no frames of the
         *     size, format or rate, or if the address cannot be taken
         */
        public VirtualDevice start() {
            VirtualDevice device = new VirtualDevice(this);
            try {
                device.host.begin(device.assemble(device.memory.location, port));
                return device;
            } catch (IOException e) {
                throw new VirtualCameraException(
                        "Cannot start a device on " + bindAddress.getHostAddress() + ":" + port + ": " + e.getMessage(),
                        e);
            }
        }

        /** The features that were declared, and those that follow from events and frames. */
        private Map<String, List<DeviceFeature<?>>> all(
                Optional<CustomEvents> ownEvents, Optional<CustomFrames> ownFrames) {
            Map<String, List<DeviceFeature<?>>> all = new LinkedHashMap<>();
            categories.forEach((name, features) -> all.put(name, new ArrayList<>(features)));
            ownFrames.ifPresent(own -> own.features()
                    .forEach((name, features) ->
                            all.computeIfAbsent(name, n -> new ArrayList<>()).addAll(features)));
            ownEvents.ifPresent(own -> all.computeIfAbsent(CustomEvents.CATEGORY, n -> new ArrayList<>())
                    .addAll(own.features()));
            return all;
        }

        private String describe(
                Map<String, List<DeviceFeature<?>>> all,
                List<PlacedFeature> placed,
                Optional<CustomEvents> ownEvents,
                boolean streams) {
            Map<String, List<String>> members = new LinkedHashMap<>();
            all.forEach((name, features) ->
                    members.put(name, features.stream().map(DeviceFeature::name).toList()));
            return new DescriptionWriter(placed, ownEvents, streams).write(vendor, model, members);
        }
    }

    /** Fills the frames of a custom device, see {@link VirtualDevice.Builder#frames}. */
    @FunctionalInterface
    public interface FrameSource {
        /**
         * Fills a frame. Called on the thread that sends, during an acquisition, at most as often as the feature
         * {@code AcquisitionFrameRate} sets: it may wait for a sensor, but not for longer than a second or two, or else
         * the device cannot be stopped in time. An exception ends the acquisition.
         *
         * @param blockId id of the frame, from 1 on in each acquisition
         * @param frame little-endian buffer of exactly one frame, line after line without padding; bytes that are not
         *     written have any value
         */
        void fill(long blockId, ByteBuffer frame);
    }
}
