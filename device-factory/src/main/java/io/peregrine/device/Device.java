package io.peregrine.device;

import io.peregrine.composite.ChunkItem;
import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.ImageStream;
import io.peregrine.composite.PointCloudStream;
import io.peregrine.genapi.Features;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Registration;
import io.peregrine.gvcp.Privilege;
import io.peregrine.recording.Camera;
import io.peregrine.stream.End;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * An open device, or the recording of one: its features and its streams. Closing it stops what runs, gives up control,
 * and ends every thread that it started.
 *
 * <p>A device that was never closed is released some time after the program has lost it and all of its parts (nodes,
 * streams, clock, events), and the log says where it was opened. Listeners do not keep it.
 */
public final class Device implements AutoCloseable {
    /** Name of the node map of the device's own features. */
    public static final String DEVICE = "Device";
    /** Name of the node map of the host's view of the device. */
    public static final String TL_DEVICE = "TLDevice";
    /** Name of the node map of the host's view of the first stream. */
    public static final String TL_DATASTREAM = "TLDatastream";

    private volatile DiscoveryInformation info;
    private final OpenParameters parameters;
    private final DeviceConnection connection;
    private final Map<String, NodeMap> nodeMaps = new TreeMap<>();
    private final List<? extends StreamPort> streams;
    private final Features features;
    private final ChunkNodesPool chunkNodes;
    private final ConnectionLife life;
    private volatile StreamingMode streamingMode = StreamingMode.gvsp();
    private Optional<DeviceEvents> events = Optional.empty();
    private Optional<DeviceClock> clock = Optional.empty();
    private boolean closed;

    private Device(DiscoveryInformation info, OpenParameters parameters, DeviceConnection connection) {
        this.info = info;
        this.parameters = parameters;
        this.connection = connection;
        nodeMaps.put(DEVICE, NodeMap.load(connection.xml(), connection.port()));
        features = new Features(nodes());
        chunkNodes = new ChunkNodesPool(nodes(), connection.port());
        Optional<SettingsJournal> journal = parameters.control().restoresSettings()
                ? Optional.of(SettingsJournal.begin(nodes(), connection.registers()))
                : Optional.empty();
        life = new ConnectionLife(
                info.serialNumber() + "-" + info.address().getHostAddress(),
                parameters.control(),
                new Recovery(this, connection, this::streams, journal),
                connection.holdings());
        streams = connection.connect(this);
        nodeMaps.put(TL_DEVICE, TransportNodeMaps.device(this::info, connection.rdmaPossible(), this::streamingMode));
        if (!streams.isEmpty()) {
            nodeMaps.put(TL_DATASTREAM, TransportNodeMaps.stream(streams.get(0)));
        }
        connection.onLost(life::lost);
    }

    /** Opens a device over a connection, which it takes over. */
    static Device open(DiscoveryInformation info, OpenParameters parameters, DeviceConnection connection) {
        Optional<Device> made = Optional.empty();
        try {
            Device device = new Device(info, parameters, connection);
            made = Optional.of(device);
            if (info.recording().isEmpty()) {
                OpenDevices.opened(device, connection.holdings());
            }
            for (DiscoveryInformation.FeatureSetting setting : info.featureSettings()) {
                device.nodeMap(setting.nodeMap()).node(setting.feature()).setFromText(setting.value());
            }
            connection.opened();
            return device;
        } catch (RuntimeException | Error e) {
            Failures failures = new Failures();
            failures.add(e);
            failures.attempt(made.isPresent() ? made.get()::close : connection::close);
            failures.throwIfAny();
            throw e;
        }
    }

    /**
     * What discovery found, and the parameters with which the device was opened. Of a device that was found again, what
     * was found then: its address may be another.
     */
    public DiscoveryInformation info() {
        return info;
    }

    /** The device's own features; the same as {@code nodeMap("Device")}. */
    public NodeMap nodes() {
        return nodeMap(DEVICE);
    }

    /** The common features of the device, by name and type. */
    public Features features() {
        return features;
    }

    /**
     * A node map by name: {@link #DEVICE}, {@link #TL_DEVICE} or {@link #TL_DATASTREAM}.
     *
     * @throws DeviceException if there is none of this name
     */
    public NodeMap nodeMap(String name) {
        NodeMap map = nodeMaps.get(name);
        if (map == null) {
            throw new DeviceException("There is no node map " + name + ": there are " + nodeMaps.keySet());
        }
        return map;
    }

    /** Names of all node maps. */
    public List<String> nodeMapNames() {
        return List.copyOf(nodeMaps.keySet());
    }

    /**
     * The features that came with a frame as chunks, in a node map of the frame's own. Several frames can be looked at
     * at once; node maps are used again.
     *
     * @param composite a frame of this device
     * @return the features of its first {@link ChunkItem}; empty when it has none. To be closed before the composite
     * @throws IllegalStateException if the composite is closed
     */
    public Optional<ChunkNodes> chunks(Composite composite) {
        List<ChunkItem> items = composite.chunks();
        return items.isEmpty() ? Optional.empty() : Optional.of(chunkNodes.attach(composite, items.get(0)));
    }

    /**
     * The features of one of several chunk items of a frame, for example of another group.
     *
     * @param composite a frame of this device
     * @param item one of its items
     * @throws IllegalStateException if the composite is closed
     */
    public ChunkNodes chunks(Composite composite, ChunkItem item) {
        return chunkNodes.attach(composite, item);
    }

    /**
     * The events of the device. The first call opens a socket for them and tells the device of it; closing the device
     * closes it.
     *
     * @throws DeviceException if it is a recording, or was opened with AccessMode=ReadOnly, or is closed
     * @throws DeviceException if the device has no message channel, or the socket cannot be opened
     */
    public synchronized DeviceEvents events() {
        requireOpen();
        if (events.isEmpty()) {
            events = Optional.of(new DeviceEvents(nodes(), connection::openMessages));
        }
        return events.get();
    }

    /** Holds the lock of this object. */
    private void requireOpen() {
        if (closed) {
            throw new DeviceClosedException();
        }
    }

    /** The camera description as the device gave it, unzipped. */
    public byte[] xml() {
        return connection.xml().clone();
    }

    /**
     * What a recorder stores beside the frames: properties, description, settings, and the registers that the values of
     * the features come from. Reads every feature that can be read, and moves selectors on the way: do it before
     * streaming.
     */
    public Camera snapshot() {
        return CameraSnapshot.of(this, connection.port());
    }

    /**
     * How the camera comes to its address, and its name.
     *
     * @throws DeviceException if this is a recording
     */
    public AddressSettings addressSettings() {
        if (connection.control().isEmpty()) {
            throw new DeviceException("A recording has no address: open the camera itself");
        }
        return new AddressSettings(() -> connection.control().orElseThrow());
    }

    /** The settings of the device, for saving and loading them. */
    public DeviceSettings settings() {
        boolean readOnly = parameters.privilege() == Privilege.MONITOR;
        return new DeviceSettings(nodes(), readOnly ? Optional.of(connection.port()) : Optional.empty());
    }

    /** The sets of settings that the device keeps by itself. */
    public UserSets userSets() {
        return new UserSets(nodes());
    }

    /** The files in the device. */
    public DeviceFiles files() {
        return new DeviceFiles(nodes());
    }

    /**
     * To which actions the camera listens.
     *
     * @throws DeviceException if this is a recording
     */
    public ActionSettings actionSettings() {
        if (connection.control().isEmpty()) {
            throw new DeviceException("A recording takes no actions: open the camera itself");
        }
        return new ActionSettings(() -> connection.control().orElseThrow(), nodes());
    }

    /**
     * The clock of the camera: its ticks, IEEE 1588, and what its times are by the clock of this host.
     *
     * @throws DeviceException if this is a recording
     */
    public synchronized DeviceClock clock() {
        if (connection.control().isEmpty()) {
            throw new DeviceException("A recording has no clock: open the camera itself");
        }
        if (clock.isEmpty()) {
            boolean readOnly = parameters.privilege() == Privilege.MONITOR;
            clock = Optional.of(
                    new DeviceClock(() -> connection.control().orElseThrow(), nodes(), readOnly, HostClock.SYSTEM));
        }
        return clock.get();
    }

    /** Number of stream channels; 0 for a device that does not stream. */
    public int streamCount() {
        return streams.size();
    }

    /**
     * Makes a stream of the device. It is the caller's to close; one at a time for each index. With AccessMode=ReadOnly
     * it receives what the controller has the device send to a group (StreamDestination), and cannot be started before.
     *
     * @param type what the stream gives: {@link CompositeStream}, {@link ImageStream} or {@link PointCloudStream}
     * @param index number of the stream channel, from 0
     * @throws DeviceException if the device is closed, or does not have the stream channel
     * @throws io.peregrine.composite.CompositeException if there are no streams of the type
     */
    public synchronized <T> T stream(Class<T> type, int index) {
        requireOpen();
        if (index < 0 || index >= streams.size()) {
            throw new DeviceException(
                    "There is no stream " + index + ": the device has " + streams.size() + " stream channels");
        }
        return streams.get(index).open(type);
    }

    /**
     * How frames travel, and why not as requested when that is so. Decided when the device is opened; a stream that
     * cannot be connected by RDMA when it starts changes it, and so does the next one that can.
     */
    public StreamingMode streamingMode() {
        return streamingMode;
    }

    /**
     * What a stream of this device needs of its link, for {@link Bandwidth#plan}.
     *
     * @param index number of the stream channel, from 0
     * @param framesPerSecond frame rate; that of the feature AcquisitionFrameRate if there is one and this is 0
     * @throws DeviceException if the device is a recording, or the rate is not known
     */
    public Bandwidth.Stream bandwidth(int index, double framesPerSecond) {
        double rate = framesPerSecond;
        if (rate == 0) {
            rate = nodes().find("AcquisitionFrameRate").filter(Node::readable).isPresent()
                    ? nodes().floating("AcquisitionFrameRate").value()
                    : 0;
        }
        return liveStream(index).bandwidth(rate);
    }

    /**
     * Sets the delay that the device makes after each packet of a stream (register SCPD, feature GevSCPD), as
     * {@link Bandwidth#plan} gives it.
     *
     * @param index number of the stream channel, from 0
     * @param ticks delay in ticks of the device's clock
     */
    public void packetDelay(int index, long ticks) {
        liveStream(index).packetDelay(ticks);
    }

    /**
     * Finds out how large the packets of a stream may be to arrive here: the device sends test packets, of which those
     * that get lost take half a second each. The stream must not run; its registers are as they were afterwards.
     *
     * @param index number of the stream channel, from 0
     * @throws DeviceException if the device is a recording or not under control, or the stream runs
     */
    public PacketPath probePath(int index) {
        liveStream(index);
        return PathProbe.run(this, connection.control().orElseThrow(), index);
    }

    private DeviceStream liveStream(int index) {
        if (index < 0 || index >= streams.size()) {
            throw new DeviceException(
                    "There is no stream " + index + ": the device has " + streams.size() + " stream channels");
        }
        if (streams.get(index) instanceof DeviceStream stream) {
            return stream;
        }
        throw new DeviceException("A recording takes nothing of a link");
    }

    /** The local address that the route to the device uses, on which streams are received. */
    public InetAddress localAddress() {
        return connection.localAddress();
    }

    /** Whether the device is connected and still answers. */
    public boolean connected() {
        return life.state() == ConnectionState.CONNECTED && connection.alive();
    }

    /**
     * Which application controls the device; the address of its end of the control channel.
     *
     * @return empty if nobody does, or the device does not tell
     * @throws DeviceException if the device does not answer
     */
    public Optional<InetSocketAddress> primaryApplication() {
        return connection.control().flatMap(ControlChannel::primaryApplication);
    }

    /**
     * Lets another application that knows a key take control over (parameter SwitchoverKey); this device is lost then.
     *
     * @param key 0 to 65535
     * @throws DeviceException if the device cannot do this, or this application does not control it
     */
    public void allowSwitchover(int key) {
        connection
                .control()
                .orElseThrow(() -> new DeviceException("Nobody controls a recording"))
                .allowSwitchover(key);
    }

    /**
     * Lets nobody take control over any longer.
     *
     * @throws DeviceException if this application does not control the device
     */
    public void denySwitchover() {
        connection
                .control()
                .orElseThrow(() -> new DeviceException("Nobody controls a recording"))
                .denySwitchover();
    }

    /** How the connection to the device ended for good; empty while it is there or may come back. */
    public Optional<End> end() {
        return life.end();
    }

    /** Where the connection is in its life. */
    public ConnectionState connectionState() {
        return life.state();
    }

    /**
     * Calls a listener whenever the connection moves from one {@linkplain ConnectionState state} to the next, and when
     * there is a new reason why a lost device cannot be connected yet. Calls come one after another, on a thread for
     * this alone: a listener may take its time, and may close the device. What it throws is logged.
     *
     * @return closes when the listener is to be called no longer
     */
    public Registration onConnectionState(Consumer<ConnectionEvent> listener) {
        return life.onEvent(listener);
    }

    /** Calls a listener with the cause when the device is lost, also if it is lost already; on the same thread. */
    public void onConnectionLost(Consumer<Throwable> listener) {
        life.onLost(listener);
    }

    Throwable lostCause() {
        return life.cause().orElse(null);
    }

    private List<? extends StreamPort> streams() {
        return streams;
    }

    /** The device was found somewhere else. */
    void moved(DiscoveryInformation found) {
        info = found;
    }

    /** The events, if the user wanted them. */
    synchronized Optional<DeviceEvents> openedEvents() {
        return events;
    }

    void streamingMode(StreamingMode mode) {
        streamingMode = mode;
    }

    OpenParameters parameters() {
        return parameters;
    }

    /**
     * Stops the streams, gives up control and closes the connection. Idempotent. Every step is attempted, and all that
     * was opened is closed, also when the device does not answer any longer: that takes a few seconds.
     *
     * @throws RuntimeException if the device could not be told to stop, or something else went wrong on the way
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        Failures failures = new Failures();
        failures.attempt(life::stop);
        events.ifPresent(open -> failures.attempt(open::close));
        for (StreamPort stream : streams) {
            failures.attempt(stream::close);
        }
        for (StreamPort stream : streams) {
            failures.attempt(stream::giveBack);
        }
        failures.attempt(connection::close);
        failures.attempt(life::close);
        OpenDevices.closed(connection.holdings());
        failures.throwIfAny();
    }

    @Override
    public String toString() {
        return info.vendor() + " " + info.model() + " " + info.serialNumber() + " at "
                + info.recording().map(Object::toString).orElseGet(info.address()::getHostAddress);
    }
}
