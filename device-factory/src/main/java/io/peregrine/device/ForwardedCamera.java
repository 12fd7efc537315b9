package io.peregrine.device;

import io.peregrine.device.spi.CameraLink;
import io.peregrine.device.spi.PublishedStream;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Port;
import io.peregrine.recording.Camera;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The registers of a camera that another program controls and publishes, by the way that it offers to those who have
 * its key. What others change there shows here soon after.
 */
final class ForwardedCamera implements Port, AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ForwardedCamera.class.getName());
    private static final Duration LOOK_EACH = Duration.ofMillis(500);
    private static final String LOCK = "TLParamsLocked";

    private final CameraLink link;
    private final CountDownLatch closed = new CountDownLatch(1);
    /** Guarded by the lock of the node map. */
    private long foreignChanges;

    private ForwardedCamera(CameraLink link) {
        this.link = link;
    }

    /**
     * Opens a way to the camera of a stream.
     *
     * @throws DeviceException if the publisher forwards no features, or does not accept the key
     */
    static ForwardedCamera open(PublishedStream stream, Camera camera, Path keyFile) {
        if (camera.xml().isEmpty()) {
            throw new DeviceException("Features of " + stream.accessToken() + " cannot be set: its publisher knows no"
                    + " GenICam XML of it. Open the stream without " + OpenParameter.FEATURES_KEY_FILE.name());
        }
        Optional<CameraLink> link;
        try {
            link = stream.link(keyFile);
        } catch (RuntimeException e) {
            throw DeviceException.of("Features of " + stream.accessToken() + " cannot be set: " + e.getMessage(), e);
        }
        return new ForwardedCamera(link.orElseThrow(() -> new DeviceException("The publisher of "
                + stream.accessToken() + " forwards no features, as an archive never does: start the publisher"
                + " with --features-key, or open the stream without " + OpenParameter.FEATURES_KEY_FILE.name())));
    }

    /** Keeps a node map to what the camera is now. It is not held. */
    void follow(NodeMap nodes, String name) {
        nodes.guardWrites(node -> {
            lock(nodes, link.state());
            return node.name().equals(LOCK) || node.writable()
                    ? Optional.empty()
                    : Optional.of("its publisher has the camera stream now, which locks this feature");
        });
        WeakReference<NodeMap> followed = new WeakReference<>(nodes);
        Thread thread = new Thread(() -> look(followed), "peregrine-forwarded-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void look(WeakReference<NodeMap> followed) {
        boolean answered = true;
        try {
            while (!closed.await(LOOK_EACH.toMillis(), TimeUnit.MILLISECONDS)) {
                try {
                    // Not under the lock of the node map: it may take long.
                    CameraLink.State state = link.state();
                    NodeMap nodes = followed.get();
                    if (nodes != null) {
                        nodes.together(() -> take(nodes, state));
                    }
                    answered = true;
                } catch (RuntimeException | Error e) {
                    if (answered && closed.getCount() > 0) {
                        LOGGER.log(System.Logger.Level.WARNING, "The features may be out of date: " + e.getMessage());
                    }
                    answered = false;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Holds the lock of the node map. */
    private void take(NodeMap nodes, CameraLink.State state) {
        lock(nodes, state);
        if (state.foreignChanges() != foreignChanges) {
            foreignChanges = state.foreignChanges();
            nodes.invalidateAll();
        }
    }

    /** The camera's own is a variable of its program. */
    private static void lock(NodeMap nodes, CameraLink.State state) {
        Optional<IntegerNode> locked = nodes.find(LOCK, IntegerNode.class).filter(Node::writable);
        int value = state.locked() ? 1 : 0;
        if (locked.isPresent() && locked.get().value() != value) {
            locked.get().set(value);
        }
    }

    @Override
    public void read(long address, ByteBuffer destination) {
        link.read(List.of(new Request(address, destination)));
    }

    @Override
    public void read(List<Request> requests) {
        link.read(requests);
    }

    @Override
    public void write(long address, ByteBuffer source) {
        link.write(address, source);
    }

    /** As of the camera itself. */
    @Override
    public RuntimeException failure(String message, RuntimeException cause) {
        return ControlPort.failed(message, cause);
    }

    @Override
    public void close() {
        closed.countDown();
        link.close();
    }
}
