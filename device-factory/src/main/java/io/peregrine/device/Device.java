package io.peregrine.device;

import io.peregrine.composite.ChunkItem;
import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.ImageStream;
import io.peregrine.composite.PointCloudStream;
import io.peregrine.genapi.Features;
import io.peregrine.genapi.NodeMap;
import io.peregrine.gvcp.Privilege;
import io.peregrine.recording.Camera;
import io.peregrine.stream.engine.Failures;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An open device, or the recording of one: its features and its streams. Closing it stops what runs, gives up control,
 * and ends every thread that it started.
 *
 * <p>A device that was never closed is released some time after the program has lost it and all of its parts (nodes,
 * streams, clock, events), and the log says where it was opened. Listeners do not keep it.
 *
 * <p>Methods may be called from any thread.
 */
public final class Device implements AutoCloseable {
    /** Name of the node map of the device's own features. */
    public static final String DEVICE = "Device";
    /** Name of the node map of the host's view of the device. */
    public static final String TL_DEVICE = "TLDevice";
    /** Name of the node map of the host's view of the first stream. */
    public static final String TL_DATASTREAM = "TLDatastream";

    private final DeviceContext context;
    private final DeviceConnection connection;
    private final Map<String, NodeMap> nodeMaps = new TreeMap<>();
    private final List<? extends StreamPort> streams;
    private final Features features;
    private final ChunkNodesPool chunkNodes;
    private final ConnectionLifecycle life;
    private final Connection lifeView;
    private final DeviceNetwork network;
    private final DeviceControl control;
    private Optional<DeviceEvents> events = Optional.empty();
    private Optional<DeviceClock> clock = Optional.empty();
    private final Closing closing = new Closing();

    private Device(DiscoveryInformation info, OpenParameters parameters, DeviceConnection connection, WarmUp warmUp) {
        this.connection = connection;
        nodeMaps.put(DEVICE, NodeMap.load(connection.xml(), connection.port()));
        context = new DeviceContext(info, parameters, nodes(), warmUp);
        features = new Features(nodes());
        chunkNodes = new ChunkNodesPool(nodes(), connection.port());
        Optional<SettingsJournal> journal = parameters.control().restoresSettings()
                ? Optional.of(SettingsJournal.begin(nodes(), connection.registers()))
                : Optional.empty();
        life = new ConnectionLifecycle(
                info.serialNumber() + "-" + info.address().getHostAddress(),
                parameters.control(),
                new Recovery(context, connection, this::streams, this::openedEvents, journal),
                connection.holdings());
        context.lifecycle(life);
        streams = connection.connect(context);
        nodeMaps.put(TL_DEVICE, TransportNodeMaps.device(context, connection.rdmaPossible()));
        if (!streams.isEmpty()) {
            nodeMaps.put(TL_DATASTREAM, TransportNodeMaps.stream(streams.get(0)));
        }
        lifeView = new Connection(life, connection::alive);
        network = new DeviceNetwork(context, connection, streams);
        control = new DeviceControl(connection, nodes());
        connection.onLost(life::lost);
    }

    /** Opens a device over a connection, which it takes over. */
    static Device open(
            DiscoveryInformation info, OpenParameters parameters, DeviceConnection connection, WarmUp warmUp) {
        Optional<Device> made = Optional.empty();
        try {
            Device device = new Device(info, parameters, connection, warmUp);
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
            OpenDevices.closed(connection.holdings());
            failures.throwIfAny();
            throw e;
        }
    }

    /**
     * What discovery found, and the parameters with which the device was opened. Of a device that was found again, what
     * was found then: its address may be another.
     */
    public DiscoveryInformation info() {
        return context.info();
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
     * The features that came with a frame as chunks, in a separate node map for that frame. Several frames can be
     * looked at at once; node maps are used again.
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
     * The events of the device. The first call opens a socket for them and sets its address in the device; closing the
     * device closes it.
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

    private void requireOpen() {
        if (closing.begun()) {
            throw new DeviceClosedException();
        }
    }

    /** The GenICam XML as the device gave it, unzipped. */
    public byte[] xml() {
        return connection.xml().clone();
    }

    /**
     * What a recorder stores beside the frames: properties, description, settings, and the registers that the values of
     * the features come from. Reads every feature that can be read, and moves selectors on the way: do it before
     * streaming.
     */
    public Camera snapshot() {
        return CameraSnapshot.of(context, connection.xml(), connection.port());
    }

    /** The settings of the device, for saving and loading them. */
    public DeviceSettings settings() {
        boolean readOnly = context.parameters().privilege() == Privilege.MONITOR;
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
     * The clock of the camera: its ticks, IEEE 1588, and what its times are by the clock of this host.
     *
     * @throws DeviceException if this is a recording
     */
    public synchronized DeviceClock clock() {
        if (connection.control().isEmpty()) {
            throw new DeviceException("A recording or a published stream has no clock: open the camera itself");
        }
        if (clock.isEmpty()) {
            boolean readOnly = context.parameters().privilege() == Privilege.MONITOR;
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
        return context.streamingMode();
    }

    /** The host's link to the device: addresses, bandwidth and packet size. */
    public DeviceNetwork network() {
        return network;
    }

    /** Who controls the device, and what it does on command. */
    public DeviceControl control() {
        return control;
    }

    /** Whether the device is there: states, losses and how it ended. */
    public Connection connection() {
        return lifeView;
    }

    private List<? extends StreamPort> streams() {
        return streams;
    }

    /** The events, if the user wanted them. */
    private synchronized Optional<DeviceEvents> openedEvents() {
        return events;
    }

    /**
     * Stops the streams, gives up control and closes the connection. Idempotent. Every step is attempted, and all that
     * was opened is closed, also when the device does not answer any longer: that takes a few seconds. While another
     * thread closes the device, this waits until that is done. It returns at once where the other would wait for it: in
     * a listener, and in the midst of {@link NodeMap#together} or of a change of a stream.
     *
     * @throws IllegalStateException within {@link NodeMap#together}, if no thread closes the device yet
     * @throws RuntimeException if the device could not be stopped, or another step failed
     */
    @Override
    public void close() {
        if (!closing.begun()) {
            context.requireNoOperation();
        }
        boolean first;
        synchronized (this) {
            first = closing.begin();
        }
        if (first) {
            try {
                closeParts();
            } finally {
                closing.end();
            }
        } else if (!neededForClosing()) {
            closing.await();
        }
    }

    /** Whether the thread that closes may wait for the one that calls. */
    private boolean neededForClosing() {
        Thread caller = Thread.currentThread();
        return closing.byThisThread()
                || life.uses(caller)
                || events.filter(open -> open.listenersRunOn(caller)).isPresent()
                || nodes().inOperation()
                || streams.stream().anyMatch(Thread::holdsLock);
    }

    private void closeParts() {
        Failures failures = new Failures();
        failures.attempt(life::stop);
        connection.hurry();
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
        context.warmUp().end();
        failures.throwIfAny();
    }

    @Override
    public String toString() {
        return context.toString();
    }
}
