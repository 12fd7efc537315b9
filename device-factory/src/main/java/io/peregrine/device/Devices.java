package io.peregrine.device;

import io.peregrine.device.configured.ConfiguredDevice;
import io.peregrine.device.configured.ConfiguredDevices;
import io.peregrine.discovery.AddressConfiguration;
import io.peregrine.discovery.internal.DiscoveredDevice;
import io.peregrine.discovery.internal.Discovery;
import io.peregrine.discovery.internal.DiscoverySettings;
import io.peregrine.gvcp.MacAddress;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.stream.engine.Timeouts;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds devices and opens them, with given settings: what {@link DeviceFactory} does with those of the environment.
 * Immutable, for any number of threads.
 */
public final class Devices {
    private static final System.Logger LOGGER = System.getLogger(Devices.class.getName());
    private static final Pattern TOKEN =
            Pattern.compile("gev://(\\d{1,3}(?:\\.\\d{1,3}){3}):(\\d{1,5})/([0-9a-fA-F:]{17})");
    /** Longer than the parts of a MAC address. */
    private static final Pattern TOKEN_SCHEME = Pattern.compile("[a-z]{3,}:");

    private static final Pattern ADDRESS = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3}){3})(?::(\\d{1,5}))?");

    private static final Duration MOVE_LIMIT = Duration.ofSeconds(10);

    /** One object, since what devices share is found by it. */
    private static final RdmaLink.Opener PROVIDERS = RdmaProviders::open;

    private final PeregrineSettings settings;
    private final RdmaLink.Opener transports;

    private Devices(PeregrineSettings settings, RdmaLink.Opener transports) {
        this.settings = settings;
        this.transports = transports;
    }

    static Devices of(PeregrineSettings settings) {
        return of(settings, PROVIDERS);
    }

    static Devices of(PeregrineSettings settings, RdmaLink.Opener transports) {
        return new Devices(Objects.requireNonNull(settings, "settings"), transports);
    }

    /** Finds every device that can be reached, within the time window of the settings. */
    public List<DiscoveryInformation> discover() {
        return discover(DiscoverFlags.FIND_ALL, window());
    }

    /**
     * Finds devices.
     *
     * @param flags what to include
     * @param window how long answers are collected; later ones are missed
     * @throws DeviceException if no interface or address can be asked
     */
    public List<DiscoveryInformation> discover(DiscoverFlags flags, Duration window) {
        List<DiscoveryInformation> found =
                new ArrayList<>(included(flags, search(flags, window).run()));
        found.addAll(PublishedStreams.find());
        return List.copyOf(found);
    }

    /**
     * Finds a device within the time window of the settings, for programs that have only one: the first that answers.
     * When several answer, the log says so.
     *
     * @return the device, never null; parameters may be set before it is opened
     * @throws DeviceNotFoundException if none answers, with what was asked, and what to check
     */
    public DiscoveryInformation first() {
        return first(DiscoverFlags.FIND_ALL, window());
    }

    /**
     * Finds a device. See {@link #first()}.
     *
     * @param flags what to include
     * @param window how long answers are collected
     * @throws DeviceNotFoundException if none answers, or none that is included
     */
    public DiscoveryInformation first(DiscoverFlags flags, Duration window) {
        Search search = search(flags, window);
        List<DiscoveredDevice> answers = search.run();
        List<DiscoveryInformation> found = included(flags, answers);
        if (found.isEmpty()) {
            found = PublishedStreams.find();
        }
        if (found.isEmpty()) {
            throw answers.isEmpty() ? search.foundNothing("No camera") : Search.outOfReach(answers);
        }
        if (found.size() > 1) {
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "{0} devices answered, {1} is taken: open another by its name or address",
                    found.size(),
                    found.get(0));
        }
        return found.get(0);
    }

    private List<DiscoveryInformation> included(DiscoverFlags flags, List<DiscoveredDevice> answers) {
        List<InetSocketAddress> addresses = addresses();
        List<DiscoveryInformation> found = new ArrayList<>();
        for (DiscoveredDevice device : answers) {
            if (!device.foreignSubnet()
                    || addresses.contains(device.socketAddress())
                    || flags.contains(DiscoverFlags.INCLUDE_INACCESSIBLE)) {
                found.add(new DiscoveryInformation(device));
            }
        }
        if (flags.contains(DiscoverFlags.INCLUDE_FILES)) {
            found.addAll(RecordedDevices.find(settings.list(PeregrineSettings.FILES)));
        }
        return List.copyOf(found);
    }

    private List<InetSocketAddress> addresses() {
        return settings.list(PeregrineSettings.DISCOVERY_ADDRESSES).stream()
                .map(this::socketAddress)
                .toList();
    }

    private Search search(DiscoverFlags flags, Duration window) {
        return new Search(searchSettings(flags), window);
    }

    private Duration window() {
        return settings.duration(PeregrineSettings.DISCOVERY_WINDOW);
    }

    private DiscoverySettings searchSettings(DiscoverFlags flags) {
        return DiscoverySettings.defaults()
                .withPort(port())
                .withInterfaces(settings.list(PeregrineSettings.DISCOVERY_INTERFACES))
                .withUnicast(addresses())
                .withBroadcast(settings.flag(PeregrineSettings.DISCOVERY_BROADCAST)
                        && !flags.contains(DiscoverFlags.UNICAST_ONLY));
    }

    /** Finds the device that a name means, without opening it. See {@link #open(String)} for the forms of a name. */
    public DiscoveryInformation find(String name) {
        if (name.isBlank()) {
            throw new DeviceException("The name of the device is empty: give an address, a serial number, a"
                    + " user-defined name or a MAC address");
        }
        if (name.startsWith(RecordedDevices.TOKEN_PREFIX)) {
            return RecordedDevices.ofToken(name);
        }
        if (TOKEN_SCHEME.matcher(name).lookingAt()) {
            Optional<DiscoveryInformation> published = PublishedStreams.ofToken(name);
            if (published.isPresent()) {
                return published.get();
            }
        }
        Matcher token = TOKEN.matcher(name);
        if (token.matches()) {
            DiscoveryInformation info = ask(socketAddress(token.group(1) + ":" + token.group(2)));
            if (!info.macAddress().equalsIgnoreCase(token.group(3))) {
                throw new DeviceException("At " + info.address().getHostAddress() + " there is now another device, "
                        + info.macAddress() + " instead of " + token.group(3) + ": discover again");
            }
            return info;
        }
        if (ADDRESS.matcher(name).matches()) {
            return ask(socketAddress(name));
        }
        Optional<ConfiguredDevice> configured = ConfiguredSearch.named(configurationFile(), name);
        if (configured.isPresent()) {
            return find(configured.get());
        }
        Search search = search(DiscoverFlags.FIND_ALL, window());
        List<DiscoveryInformation> matching = included(DiscoverFlags.FIND_ALL, search.run()).stream()
                .filter(info -> info.isNamed(name))
                .toList();
        if (matching.isEmpty()) {
            matching = PublishedStreams.find().stream()
                    .filter(info -> info.isNamed(name))
                    .toList();
        }
        if (matching.isEmpty()) {
            throw search.foundNothing(
                    "No device with the serial number, user-defined name or MAC address '" + name + "'");
        }
        if (matching.size() > 1) {
            throw new DeviceException("Several devices are named '" + name + "': " + matching + "; use one of these");
        }
        return matching.get(0);
    }

    /** A configured device, where it was last or anywhere. */
    private DiscoveryInformation find(ConfiguredDevice configured) {
        DiscoveryInformation found =
                configured.byAddressOnly() ? ask(socketAddress(configured.address())) : search(configured);
        return ConfiguredSearch.prepare(found, configured, configurationFile());
    }

    private DiscoveryInformation search(ConfiguredDevice configured) {
        Optional<DiscoveryInformation> there = configured.address().isEmpty()
                ? Optional.empty()
                : answering(socketAddress(configured.address()))
                        .map(DiscoveryInformation::new)
                        .filter(info -> ConfiguredSearch.isMeant(configured, info));
        if (there.isPresent()) {
            return there.get();
        }
        Search search = search(DiscoverFlags.FIND_ALL, window());
        return included(DiscoverFlags.FIND_ALL, search.run()).stream()
                .filter(info -> ConfiguredSearch.isMeant(configured, info))
                .findFirst()
                .orElseThrow(() ->
                        search.foundNothing("No configured device " + ConfiguredSearch.describe(configured) + ","));
    }

    /**
     * The file of the devices that the user configured, which {@link #find} knows by their names; it need not be there.
     */
    public Path configurationFile() {
        return settings.value(PeregrineSettings.DEVICES)
                .filter(text -> !text.isEmpty())
                .map(Path::of)
                .orElseGet(() -> ConfiguredDevices.defaultFile(
                        System.getenv(), System.getProperty("user.home"), System.getProperty("os.name")));
    }

    /**
     * Finds the device that a name means as soon as it answers: one that starts or restarts is away for seconds.
     *
     * @param name what {@link #open(String)} takes
     * @param timeout how long to ask for it
     * @throws DeviceNotFoundException if it did not answer in time
     */
    public DiscoveryInformation await(String name, Duration timeout) {
        return attempts().find(() -> find(name), timeout);
    }

    private static Attempts attempts() {
        return new Attempts(System::nanoTime, Attempts::sleep);
    }

    /**
     * Opens a device that was found, with the parameters of its information.
     *
     * @throws DeviceAccessDeniedException if another application controls it
     * @throws DeviceTimeoutException if it does not answer, or not in time
     * @throws DeviceException if a parameter is wrong, or its description cannot be read
     */
    public Device open(DiscoveryInformation info) {
        OpenParameters parameters = OpenParameters.of(settings, info.parameters());
        OpenedAt openedAt = OpenedAt.outside(Devices.class, DeviceFactory.class);
        if (info.recording().isPresent()) {
            return Device.open(info, parameters, OriginConnection.open(info, parameters, openedAt), WarmUp.none());
        }
        WarmUp warmUp = WarmUp.begin(parameters, info.published().isPresent());
        boolean opened = false;
        try {
            DeviceConnection connection = info.published().isPresent()
                    ? OriginConnection.open(info, info.published().get(), parameters, openedAt)
                    : CameraConnection.open(info, parameters, transports, this::findAgain, openedAt);
            Device device = Device.open(info, parameters, connection, warmUp);
            opened = true;
            warmUp.opened();
            return device;
        } finally {
            if (!opened) {
                warmUp.end();
            }
        }
    }

    /**
     * Finds a lost device, wherever it is now: by its MAC address, or by model and serial number where no other device
     * has the same.
     *
     * @throws DeviceException if it does not answer, or not as the one that it was
     */
    private DiscoveryInformation findAgain(DiscoveryInformation lost) {
        List<InetSocketAddress> addresses = new ArrayList<>(addresses());
        // Broadcasts do not come everywhere, and mostly it is where it was.
        addresses.add(new InetSocketAddress(lost.address(), lost.port()));
        List<DiscoveredDevice> answers =
                new Search(searchSettings(DiscoverFlags.FIND_ALL).withUnicast(addresses), window()).run();
        DiscoveredDevice found = DeviceIdentity.same(lost.device(), answers)
                .orElseThrow(() -> new DeviceNotFoundException(lost.macAddress() + " does not answer"));
        if (found.foreignSubnet() && !addresses.contains(found.socketAddress())) {
            throw new DeviceException(lost.macAddress() + " came back at "
                    + found.address().getHostAddress() + ", which is outside the subnet of " + found.interfaceName()
                    + ": give it an address of that subnet");
        }
        return lost.movedTo(found);
    }

    /**
     * Opens only the registers of a device that was found, to read them: without control, and without its description.
     *
     * @throws DeviceException if it does not answer
     * @throws DeviceException if it is a recording
     */
    public DeviceRegisters openRegisters(DiscoveryInformation info) {
        if (info.recording().isPresent()) {
            throw new DeviceException(info + " is a recording and has no registers to ask");
        }
        if (info.published().isPresent()) {
            throw new DeviceException(info + " is published by another program and has no registers to ask");
        }
        return DeviceRegisters.open(info);
    }

    /**
     * Opens a device that was found, with options on top of the parameters of its information, which stays as it is.
     *
     * @see #open(DiscoveryInformation)
     */
    public Device open(DiscoveryInformation info, OpenOptions options) {
        return open(info.copy().setParameters(options));
    }

    /**
     * Opens a device by access token, IPv4 address (with or without port), the name that it has in the file of
     * configured devices, serial number, user-defined name (DeviceUserID) or MAC address, a recording by {@code file:}
     * and its path, or a stream that another program publishes by {@code aeron:} and its name. A configured device has
     * the parameters of the file.
     *
     * @throws DeviceException if no such device answers, or several do
     * @see #open(DiscoveryInformation)
     */
    public Device open(String name) {
        return open(find(name));
    }

    /**
     * Opens a device by name, with options.
     *
     * @see #open(String)
     */
    public Device open(String name, OpenOptions options) {
        return open(find(name).setParameters(options));
    }

    /**
     * Finds a free address for a device in the subnet of the interface on which it answered. Asks the network.
     *
     * @param info a device that was found, also one on a foreign subnet ({@link DiscoverFlags#INCLUDE_INACCESSIBLE})
     * @throws DeviceException if the interface is gone, or no free address was found in its subnet
     */
    public AddressConfiguration suggestAddress(DiscoveryInformation info) {
        List<DiscoveredDevice> others = search(DiscoverFlags.FIND_ALL, window()).run().stream()
                .filter(device -> !device.mac().toString().equals(info.macAddress()))
                .toList();
        return Search.asked(() ->
                        Discovery.create(searchSettings(DiscoverFlags.FIND_ALL)).suggestAddress(info.device(), others))
                .orElseThrow(() -> new DeviceException("No free address was found for " + info.macAddress() + " on "
                        + info.interfaceName() + ": give one yourself"));
    }

    /**
     * Gives a device another address (FORCEIP) and waits until it answers there. The device forgets the address when it
     * restarts; {@link DeviceNetwork#addressSettings()} has what it keeps. No application may control the device.
     *
     * @param info a device that was found, also one on a foreign subnet
     * @param wanted the address that it gets
     * @param timeout how long to wait for it; some devices take seconds
     * @return the device at its new address, with the parameters of the old information
     * @throws DeviceException if the device refuses the address, or does not answer there in time
     */
    public DiscoveryInformation forceAddress(DiscoveryInformation info, AddressConfiguration wanted, Duration timeout) {
        long start = System.nanoTime();
        Search.asked(() -> Discovery.create(searchSettings(DiscoverFlags.FIND_ALL))
                .forceIp(
                        MacAddress.parse(info.macAddress()),
                        wanted.address(),
                        wanted.subnetMask(),
                        wanted.gateway(),
                        window()));
        InetSocketAddress there = new InetSocketAddress(wanted.address(), info.port());
        long limit = Timeouts.nanos(timeout);
        return attempts()
                .find(
                        () -> answering(there)
                                .filter(device -> device.mac().toString().equals(info.macAddress()))
                                .map(info::movedTo)
                                .orElseThrow(() -> new DeviceNotFoundException(info.macAddress()
                                        + " does not answer at "
                                        + wanted.address().getHostAddress()
                                        + ": it may be controlled by an application, take longer than "
                                        + TimeUnit.NANOSECONDS.toMillis(limit)
                                        + " ms, or stand behind another interface")),
                        Duration.ofNanos(limit - (System.nanoTime() - start)));
    }

    /**
     * Makes sure that a device can be opened: one on a foreign subnet gets a free address of the right one, until it
     * restarts.
     *
     * @param info a device that was found
     * @return the same information if its device can be reached, else that of the moved device
     * @throws DeviceException if there is no free address, or the device does not take it within ten seconds
     */
    public DiscoveryInformation makeReachable(DiscoveryInformation info) {
        return info.foreignSubnet() ? forceAddress(info, suggestAddress(info), MOVE_LIMIT) : info;
    }

    /** Makes cameras act together. By broadcast, actions go to the port of the discovery settings. */
    public Actions actions() {
        return new Actions(port());
    }

    private DiscoveryInformation ask(InetSocketAddress address) {
        return new DiscoveryInformation(answering(address)
                .orElseThrow(() -> new DeviceNotFoundException("No GigE Vision device answered at "
                        + address.getAddress().getHostAddress() + ":" + address.getPort()
                        + ": check the address, its power, and that a firewall lets UDP from that port pass")));
    }

    /** The device at an address, asked directly. */
    private Optional<DiscoveredDevice> answering(InetSocketAddress address) {
        DiscoverySettings there =
                DiscoverySettings.defaults().withUnicast(List.of(address)).withBroadcast(false);
        return new Search(there, window()).run().stream().findFirst();
    }

    private InetSocketAddress socketAddress(String text) {
        Matcher matcher = ADDRESS.matcher(text);
        if (!matcher.matches()) {
            throw new DeviceException("'" + text + "' is not an IPv4 address, with or without a port");
        }
        int port = matcher.group(2) == null ? port() : Integer.parseInt(matcher.group(2));
        if (port < 1 || port > 65535) {
            throw new DeviceException("Port " + port + " is not possible: give 1 to 65535");
        }
        return new InetSocketAddress(LocalInterface.ipv4(matcher.group(1)), port);
    }

    private int port() {
        long port = settings.number(PeregrineSettings.DISCOVERY_PORT);
        if (port < 1 || port > 65535) {
            throw new DeviceException(PeregrineSettings.DISCOVERY_PORT + " is " + port + ": give 1 to 65535");
        }
        return (int) port;
    }
}
