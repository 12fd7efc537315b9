package io.peregrine.virtualcamera;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A GigE Vision device of one's own without streams, such as a lighting controller or a sensor: features are declared in
 * code, registers and GenICam XML follow from them. It answers discovery, FORCEIP and register access, has one controller
 * at a time, and takes control away from one whose heartbeat stops.
 *
 * <pre>{@code
 * try (VirtualDevice lamp = VirtualDevice.builder("Lumen", "LC4")
 *         .category("LightControl",
 *                 DeviceFeature.floating("LightBrightness").range(0, 100).unit("%").set(driver::brightness),
 *                 DeviceFeature.command("LightStrobe", driver::strobe))
 *         .start()) {
 *     ...
 * }
 * }</pre>
 */
public final class VirtualDevice implements AutoCloseable {
    /** The parts that stand at one address. */
    private record Unit(BuiltDevice device, ControlServer server) implements Standing.Unit {
        @Override
        public Location location() {
            return device.location();
        }

        @Override
        public int port() {
            return server.localAddress().getPort();
        }

        @Override
        public void start() {
            server.start();
        }

        @Override
        public void stop() {
            server.close();
        }
    }

    private final String xml;
    private final DeviceIdentity identity;
    private final List<DescriptionWriter.Placed> features;
    private final ByteBuffer values;
    private final boolean listenForBroadcast;
    private final PersistentMemory memory;
    private final Counters counters = new Counters();
    private final Faults faults = new Faults(FaultPlan.NONE);
    private final Standing<Unit> standing;

    private VirtualDevice(Builder builder) {
        List<DescriptionWriter.Placed> placed = builder.place();
        features = placed;
        values = initialValues(placed);
        xml = builder.describe(placed);
        Location location = GevDevice.locationOf(builder.bindAddress);
        byte[] ip = builder.bindAddress.getAddress();
        String serial = builder.serial.isEmpty()
                ? String.format("VD%02X%02X%02X%02X", ip[0], ip[1], ip[2], ip[3])
                : builder.serial;
        identity = new DeviceIdentity(
                DeviceIdentity.PERIPHERAL,
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
        memory = new PersistentMemory(location.ip(), builder.userName, location);
        standing = new Standing<>(serial, "", this::assemble);
    }

    private static ByteBuffer initialValues(List<DescriptionWriter.Placed> features) {
        ByteBuffer values = ByteBuffer.allocate(Reg.LOW_SPACE_BYTES - Reg.FEATURES);
        for (DescriptionWriter.Placed placed : features) {
            ByteBuffer value = ByteBuffer.allocate(placed.feature().bytes());
            placed.feature().initial(value);
            for (int i = 0; i < placed.instances(); i++) {
                values.put(placed.address(i) - Reg.FEATURES, value, 0, value.capacity());
            }
        }
        return values;
    }

    private Unit assemble(Location location, int port) throws IOException {
        BuiltDevice device = new BuiltDevice(identity, features, values, memory, location, standing::move, counters);
        InetSocketAddress at = new InetSocketAddress(location.address(), port);
        return new Unit(device, new ControlServer(at, listenForBroadcast, device, counters, faults));
    }

    /**
     * Begins a device.
     *
     * @param vendor who makes it, up to 31 bytes
     * @param model which device it is, up to 31 bytes
     * @return a builder
     */
    public static Builder builder(String vendor, String model) {
        return new Builder(vendor, model);
    }

    /**
     * Gives the GVCP address. It changes when an application gives the device another one.
     *
     * @return address and port
     */
    public InetSocketAddress address() {
        return standing.unit().server().localAddress();
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
        return standing.unit().device().controller();
    }

    /** Waits until the device has come to where it was told to stand, if it was. */
    void awaitMove() {
        standing.awaitMove();
    }

    @Override
    public void close() {
        standing.close();
    }

    /** Collects what a device is and can do. */
    public static final class Builder {
        /** What every device has. */
        private static final Set<String> TAKEN = Set.of(
                "Root",
                "Device",
                "DeviceControl",
                "DeviceVendorName",
                "DeviceModelName",
                "DeviceManufacturerInfo",
                "DeviceVersion",
                "DeviceSerialNumber",
                "DeviceUserID");

        private final String vendor;
        private final String model;
        private final Map<String, List<DeviceFeature<?>>> categories = new LinkedHashMap<>();
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
         * Adds features. A category named again gets more of them.
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
         * Starts the device; it answers from now on.
         *
         * @return the running device
         * @throws VirtualCameraException if the features do not fit each other, or the address cannot be taken
         */
        public VirtualDevice start() {
            VirtualDevice device = new VirtualDevice(this);
            try {
                device.standing.begin(device.assemble(device.memory.location, port));
                return device;
            } catch (IOException e) {
                throw new VirtualCameraException(
                        "Cannot start a device on " + bindAddress.getHostAddress() + ":" + port + ": " + e.getMessage(),
                        e);
            }
        }

        /** Gives every feature its registers, one behind the other. */
        private List<DescriptionWriter.Placed> place() {
            Map<String, DeviceFeature<?>> byName = new HashMap<>();
            Set<String> names = new HashSet<>(TAKEN);
            categories.keySet().forEach(name -> claim(name, names));
            for (List<DeviceFeature<?>> features : categories.values()) {
                for (DeviceFeature<?> feature : features) {
                    claim(feature.name(), names);
                    claim(DescriptionWriter.register(feature), names);
                    byName.put(feature.name(), feature);
                }
            }
            List<DescriptionWriter.Placed> placed = new ArrayList<>();
            int next = Reg.FEATURES;
            for (List<DeviceFeature<?>> features : categories.values()) {
                for (DeviceFeature<?> feature : features) {
                    int instances = instances(feature, byName);
                    placed.add(new DescriptionWriter.Placed(feature, next, instances));
                    long end = next + (long) instances * feature.bytes();
                    if (end > Reg.LOW_SPACE_BYTES) {
                        throw new VirtualCameraException("The device has too many features: there is no room for "
                                + feature.name() + " in " + (Reg.LOW_SPACE_BYTES - Reg.FEATURES)
                                + " bytes of registers");
                    }
                    next = (int) end;
                }
            }
            return placed;
        }

        private static void claim(String name, Set<String> names) {
            if (!names.add(name)) {
                throw new VirtualCameraException("The device has two nodes with the name " + name);
            }
        }

        private static int instances(DeviceFeature<?> feature, Map<String, DeviceFeature<?>> byName) {
            if (feature.selector().isEmpty()) {
                return 1;
            }
            if (byName.get(feature.selector()) instanceof DeviceFeature.OfEnumeration selector
                    && selector.selector().isEmpty()) {
                return selector.entries().size();
            }
            throw new VirtualCameraException(feature.name() + " is selected by " + feature.selector()
                    + ", which must be an enumeration of this device that is not selected itself");
        }

        private String describe(List<DescriptionWriter.Placed> placed) {
            Map<String, List<String>> members = new LinkedHashMap<>();
            categories.forEach((name, features) ->
                    members.put(name, features.stream().map(DeviceFeature::name).toList()));
            return DescriptionWriter.write(vendor, model, members, placed);
        }
    }
}
