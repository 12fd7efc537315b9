package io.peregrine.device;

import io.peregrine.genapi.Port;
import io.peregrine.gvcp.GvcpEvent;
import io.peregrine.gvcp.MessageChannel;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What stands behind an open device: a camera in the network, or a recording of one. */
interface DeviceConnection extends AutoCloseable {

    /** Description of the features, unzipped. */
    byte[] xml();

    /** Registers that the description speaks of. */
    Port port();

    /** The control channel of a camera; a recording has none. */
    default Optional<ControlChannel> control() {
        return Optional.empty();
    }

    /** What is released when the device is no longer reachable. */
    Holdings holdings();

    /** What was written to registers that a device forgets. */
    default RegisterJournal registers() {
        return new RegisterJournal();
    }

    /**
     * Makes the streams, once, when the device has its node map, and chooses the transport of frames.
     *
     * @param device the device that they belong to
     */
    List<? extends StreamPort> connect(DeviceContext device);

    /**
     * Opens the channel on which events come.
     *
     * @param listener takes each event
     * @throws DeviceException if there are no events
     */
    MessageChannel openMessages(Consumer<GvcpEvent> listener);

    /** Whether RDMA is available; known when connected. */
    boolean rdmaPossible();

    /** Local address on which frames are received. */
    InetAddress localAddress();

    /** The device is open: what is asked from now on may take its time. */
    default void opened() {}

    /** Gives up what is left of a lost connection. Idempotent. */
    default void detach() {}

    /**
     * Finds the device again and takes it under control.
     *
     * @param last where it was
     * @return where it is
     * @throws RuntimeException if it is not found, or is held by somebody else
     */
    default DiscoveryInformation reconnect(DiscoveryInformation last) {
        throw new DeviceException("A recording cannot be lost");
    }

    /** Chooses the transport of frames. Once after each connection, when its features can be read. */
    default void connectStreams(DeviceContext device) {}

    /** Makes commands to the device that are under way fail soon, because the device is being closed. */
    default void abandon() {}

    /** The device is being closed: it no longer gets much time for an answer. Never waits. */
    default void hurry() {}

    /** Whether the other side still answers. */
    boolean alive();

    /** Calls a listener when it does not any longer. */
    void onLost(Consumer<Throwable> listener);

    @Override
    void close();
}
