package io.peregrine.virtualcamera;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
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
    private final AtomicBoolean closed = new AtomicBoolean();

    private VirtualCamera(Scenario scenario) throws IOException {
        this.scenario = scenario;
        this.faults = new Faults(scenario.faults());
        this.device = new CameraDevice(scenario, counters, faults);
        try {
            this.server = new ControlServer(scenario, device, counters, faults);
        } catch (IOException e) {
            device.sender().close();
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
        try {
            VirtualCamera camera = new VirtualCamera(scenario);
            camera.server.start();
            return camera;
        } catch (IOException e) {
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
     * Gives the application that controls the camera.
     *
     * @return its address, or empty
     */
    public Optional<InetSocketAddress> controller() {
        return device.controller();
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
        }
    }
}
