package io.peregrine.device;

import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.stream.End;
import io.peregrine.stream.engine.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Makes an open device as it was before it was lost: settings, events, streams. */
final class Recovery implements ConnectionLifecycle.Steps {
    private static final System.Logger LOGGER = System.getLogger(Recovery.class.getName());
    private static final List<String> STOP = List.of("AcquisitionStop", "AcquisitionAbort");

    private final DeviceContext device;
    private final DeviceConnection connection;
    private final Supplier<List<? extends StreamPort>> streams;
    private final Supplier<Optional<DeviceEvents>> events;
    private final Optional<SettingsJournal> journal;

    Recovery(
            DeviceContext device,
            DeviceConnection connection,
            Supplier<List<? extends StreamPort>> streams,
            Supplier<Optional<DeviceEvents>> events,
            Optional<SettingsJournal> journal) {
        this.device = device;
        this.connection = connection;
        this.streams = streams;
        this.events = events;
        this.journal = journal;
    }

    @Override
    public void suspend() {
        streams.get().forEach(StreamPort::suspend);
    }

    @Override
    public void detach() {
        // Also those that went on already when the device was lost once more.
        suspend();
        Failures failures = new Failures();
        streams.get().forEach(stream -> failures.attempt(stream::detach));
        failures.attempt(connection::detach);
        failures.throwIfAny();
    }

    @Override
    public List<String> connect() {
        device.moved(connection.reconnect(device.info()));
        List<String> problems = new ArrayList<>();
        NodeMap nodes = device.nodes();
        // No other thread may set anything before it is restored.
        nodes.together(() -> {
            nodes.invalidateAll();
            unlock(nodes);
            journal.ifPresent(settings -> problems.addAll(settings.restore(connection.control())));
        });
        connection.connectStreams(device);
        events.get().ifPresent(DeviceEvents::reopen);
        // All of them receive before one begins: the device does not let itself be set up while it acquires.
        streams.get().forEach(StreamPort::resume);
        streams.get().forEach(StreamPort::resumeAcquisition);
        return problems;
    }

    /** A device that only lost its host may still be acquiring, and TLParamsLocked may be known to the host alone. */
    private static void unlock(NodeMap nodes) {
        STOP.stream()
                .map(nodes::find)
                .flatMap(Optional::stream)
                .filter(Node::writable)
                .findFirst()
                .ifPresent(node -> attempt(() -> nodes.command(node.name()).execute()));
        nodes.find("TLParamsLocked")
                .filter(Node::writable)
                .ifPresent(node -> attempt(() -> nodes.integer(node.name()).set(0)));
    }

    private static void attempt(Runnable step) {
        try {
            step.run();
        } catch (GenApiException | DeviceException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "Not needed before settings are restored", e);
        }
    }

    @Override
    public void abandon() {
        connection.abandon();
    }

    @Override
    public boolean alive() {
        return connection.alive();
    }

    @Override
    public void endWith(End how) {
        streams.get().forEach(stream -> stream.endWith(how));
    }
}
