package io.peregrine.virtualcamera;

import java.io.IOException;

/** Runs a device at one address after the other: from its start to its end, and through each change of address. */
final class DeviceHost<U extends DeviceHost.Unit> implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(DeviceHost.class.getName());

    /** The parts of a device at one address. */
    interface Unit {
        GevDevice device();

        ControlServer server();

        void start();

        void stop();

        default Location location() {
            return device().location();
        }

        default int port() {
            return server().localAddress().getPort();
        }
    }

    /** Puts the parts together at an address; they are not started yet. */
    @FunctionalInterface
    interface Assembly<U> {
        U at(Location location, int port) throws IOException;
    }

    private final String name;
    private final String networkInterface;
    private final Assembly<U> assembly;
    private final Object lifeLock = new Object();
    private volatile U unit;
    private Thread moving = new Thread();
    private boolean closed;

    /**
     * Prepares a device.
     *
     * @param name serial number, for the names of threads
     * @param networkInterface interface that is given each new address; empty when the host has the addresses
     * @param assembly makes the parts again at each address
     */
    DeviceHost(String name, String networkInterface, Assembly<U> assembly) {
        this.name = name;
        this.networkInterface = networkInterface;
        this.assembly = assembly;
    }

    /** Starts the first unit. */
    void begin(U first) {
        unit = first;
        try {
            first.start();
        } catch (VirtualCameraException e) {
            close();
            throw e;
        }
    }

    U unit() {
        return unit;
    }

    /** Changes to another address as soon as the command for it is answered. */
    void move(Location to) {
        synchronized (lifeLock) {
            if (closed || moving.isAlive()) {
                return;
            }
            moving = new Thread(() -> moveNow(to), "peregrine-camera-move-" + name);
            moving.setDaemon(true);
            moving.start();
        }
    }

    private void moveNow(Location to) {
        Location before = unit.location();
        int port = unit.port();
        unit.stop();
        try {
            unit = assembleAt(to, port);
        } catch (IOException | VirtualCameraException e) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "The camera cannot take the address " + to + " and keeps " + before,
                    e);
            try {
                unit = assembleAt(before, port);
            } catch (IOException | VirtualCameraException again) {
                LOGGER.log(System.Logger.Level.ERROR, "The camera lost its address " + before, again);
            }
        }
    }

    private U assembleAt(Location location, int port) throws IOException {
        if (!networkInterface.isEmpty()) {
            HostNetwork.move(networkInterface, location);
        }
        U moved = assembly.at(location, port);
        try {
            moved.start();
        } catch (VirtualCameraException e) {
            moved.stop();
            throw e;
        }
        return moved;
    }

    /** Waits for the end of a change of address, if there is one. */
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
}
