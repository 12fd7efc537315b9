package io.peregrine.virtualcamera;

import io.peregrine.rdma.RdmaTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A GigE Vision 2.2 device in software: control, GenICam XML, image and GenDC streams with resend, and faults on
 * demand. Several may run in one process, each on an address of its own.
 */
public final class VirtualCamera implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(VirtualCamera.class.getName());

    /** The parts that stand at one address. */
    private record Unit(CameraDevice device, ControlServer server, String rdmaState) {
        void start() {
            server.start();
            device.rdma().ifPresent(RdmaSender::start);
        }

        void stop() {
            server.close();
            device.shutDown();
            device.sender().close();
            device.events().close();
            device.rdma().ifPresent(RdmaSender::close);
        }
    }

    private final Scenario scenario;
    private final Counters counters = new Counters();
    private final Faults faults;
    private final PersistentMemory memory;
    private final Object lifeLock = new Object();
    private volatile Unit unit;
    private Thread moving = new Thread();
    private boolean closed;

    private VirtualCamera(Scenario scenario, RdmaEndpoint endpoint) throws IOException {
        this.scenario = scenario;
        this.faults = new Faults(scenario.faults());
        Location location = GevDevice.locationOf(scenario.bindAddress());
        this.memory = new PersistentMemory(location.ip(), scenario.userName(), location);
        this.unit = assemble(scenario, location, endpoint);
    }

    private Unit assemble(Scenario bound, Location location, RdmaEndpoint endpoint) throws IOException {
        CameraDevice device = new CameraDevice(bound, memory, location, this::move, counters, faults, endpoint);
        try {
            return new Unit(
                    device,
                    new ControlServer(
                            new InetSocketAddress(bound.bindAddress(), bound.port()),
                            bound.listenForBroadcast(),
                            device,
                            counters,
                            faults),
                    endpoint.state());
        } catch (IOException e) {
            device.sender().close();
            device.events().close();
            throw e;
        }
    }

    /** Leaves for another address as soon as the command is answered that wants it. */
    private void move(Location to) {
        synchronized (lifeLock) {
            if (closed || moving.isAlive()) {
                return;
            }
            moving = new Thread(() -> moveNow(to), "peregrine-camera-move-" + scenario.serial());
            moving.setDaemon(true);
            moving.start();
        }
    }

    private void moveNow(Location to) {
        Location before = unit.device().location();
        int port = address().getPort();
        unit.stop();
        try {
            unit = standAt(to, port);
        } catch (IOException | VirtualCameraException e) {
            LOG.log(System.Logger.Level.WARNING, "The camera cannot stand at " + to + " and stays at " + before, e);
            try {
                unit = standAt(before, port);
            } catch (IOException | VirtualCameraException again) {
                LOG.log(System.Logger.Level.ERROR, "The camera cannot stand at " + before + " any longer", again);
            }
        }
    }

    private Unit standAt(Location location, int port) throws IOException {
        if (!scenario.networkInterface().isEmpty()) {
            HostNetwork.move(scenario.networkInterface(), location);
        }
        Scenario bound = scenario.toBuilder()
                .bindAddress(location.address())
                .port(port)
                .serial(scenario.serial())
                .listenForBroadcast(scenario.listenForBroadcast() && scenario.port() != 0)
                .build();
        RdmaEndpoint endpoint = RdmaEndpoint.of(bound);
        Unit moved;
        try {
            moved = assemble(bound, location, endpoint);
        } catch (IOException e) {
            endpoint.close();
            throw e;
        }
        try {
            moved.start();
        } catch (VirtualCameraException e) {
            moved.stop();
            throw e;
        }
        return moved;
    }

    /**
     * Starts a camera; it answers from now on.
     *
     * @param scenario how it looks and behaves
     * @return the running camera
     */
    public static VirtualCamera start(Scenario scenario) {
        return start(scenario, RdmaEndpoint.of(scenario));
    }

    /**
     * Starts a camera that streams by RDMA over a given transport, whatever provider the scenario names.
     *
     * @param scenario how it looks and behaves
     * @param transport the transport, on the address of the camera; the camera closes it
     * @return the running camera
     */
    public static VirtualCamera start(Scenario scenario, RdmaTransport transport) {
        return start(scenario, RdmaEndpoint.of(transport, scenario.rdmaPort()));
    }

    private static VirtualCamera start(Scenario scenario, RdmaEndpoint endpoint) {
        try {
            VirtualCamera camera = new VirtualCamera(scenario, endpoint);
            try {
                camera.unit.start();
            } catch (VirtualCameraException e) {
                camera.close();
                throw e;
            }
            return camera;
        } catch (IOException e) {
            endpoint.close();
            throw new VirtualCameraException(
                    "Cannot start a camera on " + scenario.bindAddress().getHostAddress() + ":" + scenario.port() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    /**
     * Gives the GVCP address. It changes when an application gives the camera another one.
     *
     * @return address and port
     */
    public InetSocketAddress address() {
        return unit.server().localAddress();
    }

    /**
     * Gives the scenario the camera was started with.
     *
     * @return the scenario
     */
    public Scenario scenario() {
        return scenario;
    }

    /**
     * Gives the faults, which may be changed at any time.
     *
     * @return the faults in force
     */
    public Faults faults() {
        return faults;
    }

    /**
     * Gives the counters.
     *
     * @return a snapshot
     */
    public VirtualCameraStatistics statistics() {
        return counters.snapshot();
    }

    /**
     * Says where and how the camera streams by RDMA, or why it does not.
     *
     * @return a phrase for people to read, such as {@code off} or {@code on port 4791 by verbs (rxe0)}
     */
    public String rdmaState() {
        return unit.rdmaState();
    }

    /**
     * Gives the port where the camera awaits RDMA connections.
     *
     * @return the port; empty while there is none
     */
    public OptionalInt rdmaPort() {
        int port = unit.device().rdma().map(RdmaSender::port).orElse(0);
        return port == 0 ? OptionalInt.empty() : OptionalInt.of(port);
    }

    /**
     * Gives the application that controls the camera.
     *
     * @return its address, or empty
     */
    public Optional<InetSocketAddress> controller() {
        return unit.device().controller();
    }

    /**
     * Tells what a block has in it when it is sent as the camera is set now, for tests that compare every byte.
     *
     * @param blockId id of the block
     * @param timestamp time of the block, from its leader or descriptor
     * @return the block
     */
    public SentBlock sentBlock(long blockId, long timestamp) {
        return unit.device().sentBlock(blockId, timestamp);
    }

    /**
     * Says whether the camera is sending blocks or waiting for a trigger.
     *
     * @return true while an acquisition runs and the stream channel is open
     */
    public boolean streaming() {
        return unit.device().streaming();
    }

    /**
     * Waits for the stream to start or to end.
     *
     * @param streaming what to wait for
     * @param timeout how long at most
     * @return false when the time was over first
     * @throws InterruptedException when the thread was interrupted
     */
    public boolean awaitStreaming(boolean streaming, Duration timeout) throws InterruptedException {
        return unit.device().awaitStreaming(streaming, timeout.toNanos());
    }

    @Override
    public void close() {
        synchronized (lifeLock) {
            if (closed) {
                return;
            }
            closed = true;
        }
        awaitMove();
        unit.stop();
    }

    /** Waits until the camera has come to where it was told to stand, if it was. */
    void awaitMove() {
        Thread mover;
        synchronized (lifeLock) {
            mover = moving;
        }
        try {
            mover.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
