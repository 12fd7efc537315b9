package io.peregrine.device;

import io.peregrine.genapi.NodeMap;
import java.util.Optional;

/** What the parts of an open device know of it. */
final class DeviceContext {
    private final OpenParameters parameters;
    private final NodeMap nodes;
    private final WarmUp warmUp;
    private volatile DiscoveryInformation info;
    private volatile StreamingMode streamingMode = StreamingMode.gvsp();
    private volatile Optional<ConnectionLifecycle> lifecycle = Optional.empty();

    DeviceContext(DiscoveryInformation info, OpenParameters parameters, NodeMap nodes, WarmUp warmUp) {
        this.info = info;
        this.parameters = parameters;
        this.nodes = nodes;
        this.warmUp = warmUp;
    }

    OpenParameters parameters() {
        return parameters;
    }

    /** The device's own features. */
    NodeMap nodes() {
        return nodes;
    }

    /**
     * Refuses a thread that keeps others from the nodes, but wants to start, stop or change a stream: one of the others
     * may be about it and need the nodes.
     */
    void requireNoOperation() {
        if (nodes.inOperation()) {
            throw new IllegalStateException(
                    "Streams cannot be started, stopped, changed or closed within NodeMap.together"
                            + " or a listener of NodeMap.onWrite, since other threads that do so may wait for the"
                            + " nodes: do it before or after that");
        }
    }

    /** What runs for the first frames until the acquisition starts. */
    WarmUp warmUp() {
        return warmUp;
    }

    DiscoveryInformation info() {
        return info;
    }

    /** The device was found somewhere else. */
    void moved(DiscoveryInformation found) {
        info = found;
    }

    StreamingMode streamingMode() {
        return streamingMode;
    }

    void streamingMode(StreamingMode mode) {
        streamingMode = mode;
    }

    void lifecycle(ConnectionLifecycle present) {
        lifecycle = Optional.of(present);
    }

    /** Whether the connection is established and not about to be made again. */
    boolean connected() {
        return lifecycle
                .filter(life -> life.state() == Connection.State.CONNECTED)
                .isPresent();
    }

    /** Why the device was lost; empty when it was not. */
    Optional<Throwable> lossCause() {
        return lifecycle.flatMap(ConnectionLifecycle::cause);
    }

    @Override
    public String toString() {
        return info.vendor() + " " + info.model() + " " + info.serialNumber() + " at "
                + info.recording()
                        .map(Object::toString)
                        .or(() -> info.published().map(stream -> stream.accessToken()))
                        .orElseGet(info.address()::getHostAddress);
    }
}
