package io.peregrine.virtualcamera;

import io.peregrine.rdma.RdmaTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A GigE Vision 2.2 device in software: control, GenICam XML, image and GenDC streams with resend, and faults on
 * demand. Several may run in one process, each on an address of its own.
 */
public final class VirtualCamera implements AutoCloseable {
    private final Scenario scenario;
    private final Counters counters = new Counters();
    private final Faults faults;
    private final CameraDevice device;
    private final ControlServer server;
    private final String rdmaState;
    private final AtomicBoolean closed = new AtomicBoolean();

    private VirtualCamera(Scenario scenario, RdmaEndpoint endpoint) throws IOException {
        this.scenario = scenario;
        this.faults = new Faults(scenario.faults());
        this.rdmaState = endpoint.state();
        this.device = new CameraDevice(scenario, counters, faults, endpoint);
        try {
            this.server = new ControlServer(scenario, device, counters, faults);
        } catch (IOException e) {
            device.sender().close();
            device.events().close();
            throw e;
        }
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
            camera.server.start();
            try {
                camera.device.rdma().ifPresent(RdmaSender::start);
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
     * Gives the GVCP address.
     *
     * @return address and port
     */
    public InetSocketAddress address() {
        return server.localAddress();
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
        return rdmaState;
    }

    /**
     * Gives the port where the camera awaits RDMA connections.
     *
     * @return the port; empty while there is none
     */
    public OptionalInt rdmaPort() {
        int port = device.rdma().map(RdmaSender::port).orElse(0);
        return port == 0 ? OptionalInt.empty() : OptionalInt.of(port);
    }

    /**
     * Gives the application that controls the camera.
     *
     * @return its address, or empty
     */
    public Optional<InetSocketAddress> controller() {
        return device.controller();
    }

    /**
     * Tells what a block has in it when it is sent as the camera is set now, for tests that compare every byte.
     *
     * @param blockId id of the block
     * @param timestamp time of the block, from its leader or descriptor
     * @return the block
     */
    public SentBlock sentBlock(long blockId, long timestamp) {
        return device.sentBlock(blockId, timestamp);
    }

    /**
     * Says whether the camera is sending blocks or waiting for a trigger.
     *
     * @return true while an acquisition runs and the stream channel is open
     */
    public boolean streaming() {
        return device.streaming();
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
        return device.awaitStreaming(streaming, timeout.toNanos());
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            server.close();
            device.shutDown();
            device.sender().close();
            device.events().close();
            device.rdma().ifPresent(RdmaSender::close);
        }
    }
}
