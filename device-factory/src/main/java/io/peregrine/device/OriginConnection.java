package io.peregrine.device;

import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.internal.AcquisitionControl;
import io.peregrine.device.spi.PublishedStream;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Port;
import io.peregrine.genapi.Settings;
import io.peregrine.gvcp.GvcpEvent;
import io.peregrine.gvcp.MessageChannel;
import io.peregrine.recording.Camera;
import io.peregrine.recording.Recording;
import io.peregrine.stream.End;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.engine.Failures;
import io.peregrine.stream.engine.HandOff;
import io.peregrine.stream.engine.StreamEngine;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A recording, or a stream that another program publishes, in the place of its camera. Features have the values that
 * they had when the camera was saved, and refuse to be set, but for selectors: what these select has the values that
 * were saved for each selection. With the key of a publisher, they are those of its camera.
 */
final class OriginConnection implements DeviceConnection {
    private static final System.Logger LOGGER = System.getLogger(OriginConnection.class.getName());

    /** What begins and ends the saving of settings. */
    private static final Set<String> HARMLESS = Set.of("DeviceFeaturePersistenceStart", "DeviceFeaturePersistenceEnd");

    private final FrameOrigin origin;
    private final HandOff handOff;
    private final byte[] xml;
    private final Port port;
    private final boolean registersKnown;
    /** Guarded by the lock of the node map. */
    private boolean selecting;

    private final Holdings holdings;
    private final Optional<ForwardedCamera> forwarded;

    private OriginConnection(
            DiscoveryInformation info,
            OpenParameters parameters,
            FrameOrigin origin,
            Optional<ForwardedCamera> forwarded,
            OpenedAt openedAt) {
        this.forwarded = forwarded;
        this.origin = origin;
        holdings = new Holdings(info, false, openedAt);
        forwarded.ifPresent(camera -> holdings.put("features", camera));
        handOff = origin.handOff(parameters);
        Camera camera = origin.camera();
        if (camera.xml().isPresent()) {
            xml = camera.xml().get();
            registersKnown = forwarded.isPresent() || camera.registers().isPresent();
            if (forwarded.isPresent()) {
                port = forwarded.get();
            } else {
                port = camera.registers().map(RegisterImage::parse).orElseGet(RegisterImage::new);
            }
        } else {
            TransportNodeMaps.Host minimal = origin.features(info);
            xml = minimal.xml().getBytes(StandardCharsets.UTF_8);
            port = minimal.port();
            registersKnown = true;
        }
    }

    static OriginConnection open(DiscoveryInformation info, OpenParameters parameters, OpenedAt openedAt) {
        Recording recording = Recording.open(info.recording().orElseThrow());
        try {
            recording
                    .tornTail()
                    .ifPresent(tail -> LOGGER.log(
                            System.Logger.Level.WARNING,
                            "{0}: {1} bytes at its end are skipped, because {2}",
                            recording.path(),
                            tail.lengthBytes(),
                            tail.reason()));
            FrameOrigin origin = new FrameOrigin.Recorded(recording, parameters.replay());
            return new OriginConnection(info, parameters, origin, Optional.empty(), openedAt);
        } catch (RuntimeException | Error e) {
            Failures failures = new Failures();
            failures.add(e);
            failures.attempt(recording::close);
            failures.throwIfAny();
            throw e;
        }
    }

    static OriginConnection open(
            DiscoveryInformation info, PublishedStream stream, OpenParameters parameters, OpenedAt openedAt) {
        Camera camera;
        try {
            camera = stream.camera();
        } catch (RuntimeException e) {
            throw new DeviceException(stream.accessToken() + " cannot be opened: " + e.getMessage(), e);
        }
        FrameOrigin origin =
                new FrameOrigin.Published(stream, camera, parameters.flowSetCount(), parameters.memoryLimitBytes());
        Optional<ForwardedCamera> forwarded =
                parameters.featuresKeyFile().map(file -> ForwardedCamera.open(stream, camera, file));
        try {
            return new OriginConnection(info, parameters, origin, forwarded, openedAt);
        } catch (RuntimeException | Error e) {
            forwarded.ifPresent(ForwardedCamera::close);
            throw e;
        }
    }

    @Override
    public Holdings holdings() {
        return holdings;
    }

    @Override
    public byte[] xml() {
        return xml;
    }

    @Override
    public Port port() {
        return port;
    }

    @Override
    public List<StreamPort> connect(DeviceContext device) {
        device.streamingMode(origin.mode());
        NodeMap nodes = device.nodes();
        if (forwarded.isPresent()) {
            forwarded.get().follow(nodes, device.info().serialNumber());
        } else {
            refuse(nodes);
        }
        return List.of(new ReplayStream(device.warmUp()));
    }

    /** All but selectors, with the values that were saved. */
    private void refuse(NodeMap nodes) {
        Settings recorded = recordedSettings();
        if (!registersKnown) {
            for (Settings.Failure failure : recorded.load(nodes, false)) {
                LOGGER.log(System.Logger.Level.DEBUG, "Not restored: {0}", failure);
            }
        }
        nodes.guardWrites(node -> selecting || !node.selected().isEmpty() || HARMLESS.contains(node.name())
                ? Optional.empty()
                : Optional.of(origin.refusal()));
        nodes.onWrite(selector -> select(nodes, selector, recorded));
    }

    private Settings recordedSettings() {
        try {
            return Settings.parse(origin.camera().settings());
        } catch (GenApiException e) {
            LOGGER.log(System.Logger.Level.WARNING, "The recorded settings cannot be read", e);
            return new Settings("", List.of(), List.of());
        }
    }

    /**
     * Gives what a selector selects the values that were saved for what is selected now. Holds the lock of the node
     * map.
     */
    private void select(NodeMap nodes, Node selector, Settings recorded) {
        if (selecting || selector.selected().isEmpty()) {
            return;
        }
        selecting = true;
        try {
            for (Settings.Setting setting : recorded.settings()) {
                if (setting.selection().stream().anyMatch(one -> one.getKey().equals(selector.name()))) {
                    restore(nodes, setting);
                }
            }
        } finally {
            selecting = false;
        }
    }

    private static void restore(NodeMap nodes, Settings.Setting setting) {
        try {
            boolean selected = setting.selection().stream()
                    .allMatch(one -> nodes.node(one.getKey()).valueAsText().equals(one.getValue()));
            if (selected) {
                nodes.node(setting.feature()).setFromText(setting.value());
            }
        } catch (GenApiException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "Not restored: " + setting, e);
        }
    }

    @Override
    public MessageChannel openMessages(Consumer<GvcpEvent> listener) {
        throw new DeviceException("Only a camera itself has events: this is " + origin.mode());
    }

    @Override
    public boolean rdmaPossible() {
        return false;
    }

    @Override
    public InetAddress localAddress() {
        return InetAddress.getLoopbackAddress();
    }

    @Override
    public boolean alive() {
        return true;
    }

    @Override
    public void onLost(Consumer<Throwable> listener) {
        // The stream of frames says when it is lost.
    }

    @Override
    public void close() {
        forwarded.ifPresent(ForwardedCamera::close);
        origin.close();
        holdings.settled();
    }

    /** The only stream. A run begins with the first frame. */
    private final class ReplayStream implements StreamPort, AcquisitionControl.NoDevice {
        private final WarmUp warmUp;
        private Optional<CompositeStream> stream = Optional.empty();
        private Supplier<StreamStatistics> statistics = StreamStatistics::zero;
        private Supplier<List<String>> diagnosis = List::of;

        ReplayStream(WarmUp warmUp) {
            this.warmUp = warmUp;
        }

        @Override
        public int index() {
            return 0;
        }

        @Override
        public synchronized <T> T open(Class<T> type) {
            if (stream.isPresent() && !stream.get().closed()) {
                throw new DeviceException("Stream 0 is open already: close it first");
            }
            warmUp.finish();
            StreamEngine channel = new StreamEngine(origin.source(), handOff);
            holdings.put("stream", channel);
            boolean opened = false;
            try {
                T made = CompositeStream.create(type, channel, this);
                stream = Optional.of((CompositeStream) made);
                statistics = channel::statistics;
                diagnosis = channel::diagnosis;
                opened = true;
                return made;
            } finally {
                if (!opened) {
                    channel.close();
                }
            }
        }

        @Override
        public int packetSizeBytes() {
            return 0;
        }

        @Override
        public synchronized StreamStatistics statistics() {
            return statistics.get();
        }

        @Override
        public synchronized List<String> diagnosis() {
            return diagnosis.get();
        }

        @Override
        public void endWith(End how) {
            // Nothing can be lost.
        }

        @Override
        public void close() {
            Optional<CompositeStream> open;
            synchronized (this) {
                open = stream;
                stream = Optional.empty();
            }
            open.ifPresent(CompositeStream::close);
        }

        @Override
        public Optional<RuntimeException> failure(String message, Throwable cause) {
            return Optional.of(DeviceException.of(message, cause));
        }
    }
}
