package io.peregrine.device;

import io.peregrine.genapi.EnumEntryNode;
import io.peregrine.genapi.EnumerationNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Registration;
import io.peregrine.genapi.internal.NearNames;
import io.peregrine.gvcp.GvcpEvent;
import io.peregrine.gvcp.MessageChannel;
import io.peregrine.gvcp.MessageStatistics;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The events of a device. Each is answered and comes once, however often the device repeats it: first its data goes to
 * the features of the event (GenICam standard 2.1.1, 2.8.1: event ports), whose own listeners are notified, then the
 * listeners here are called. All of that happens on one thread of the library, in the order of the events: a listener
 * that is slow makes events be dropped, which is counted.
 *
 * <p>A device sends no events until they are enabled: see {@link #enable}. A listener on the node
 * {@code EventExposureEnd} is the same as one for {@code ExposureEnd} here.
 */
public final class DeviceEvents {
    private static final System.Logger LOGGER = System.getLogger(DeviceEvents.class.getName());
    private static final String SELECTOR = "EventSelector";
    private static final String NOTIFICATION = "EventNotification";
    private static final String OFF = "Off";
    /** The newer names first; GigEVisionEvent is of the naming convention before 2.0. */
    private static final List<String> ON = List.of("On", "GigEVisionEvent", "GenICamEvent");

    private static final int NO_STREAM_CHANNEL = 0xFFFF;

    /** What the GenICam XML says of one event id. */
    private record Known(Optional<String> name, List<Node> features) {}

    private record Listener(Optional<String> event, Consumer<DeviceEvent> consumer) {}

    private final NodeMap nodes;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    /** A listener that does not return may keep the thread of an earlier message channel here. */
    private final Map<Integer, Known> known = new ConcurrentHashMap<>();

    private final Function<Consumer<GvcpEvent>, MessageChannel> opener;
    private volatile MessageChannel channel;
    /** Of the channels before. */
    private volatile Statistics earlier = new Statistics(0, 0, 0, 0, 0, 0);

    DeviceEvents(NodeMap nodes, Function<Consumer<GvcpEvent>, MessageChannel> opener) {
        this.nodes = nodes;
        this.opener = opener;
        channel = opener.apply(deliveredTo(new WeakReference<>(this)));
    }

    /**
     * Names of the events that the device supports: the available entries of its feature EventSelector; empty where it
     * has none.
     */
    public List<String> names() {
        return nodes.find(SELECTOR, EnumerationNode.class)
                .map(EnumerationNode::symbols)
                .orElseGet(List::of);
    }

    /**
     * Enables an event, by the features EventSelector and EventNotification. EventSelector is left where it is.
     *
     * @param event name of the event, an entry of EventSelector
     * @return closing it leaves EventNotification as it was before
     * @throws GenApiException if there is no such event, or the device refuses
     */
    public Registration enable(String event) {
        AtomicReference<String> before = new AtomicReference<>(OFF);
        selecting(event, notification -> {
            if (notification.readable()) {
                before.set(notification.value());
            }
            List<String> symbols = notification.symbols();
            set(notification, ON.stream().filter(symbols::contains).findFirst().orElse(ON.get(0)));
        });
        return () -> selecting(event, notification -> set(notification, before.get()));
    }

    /**
     * Disables an event. EventSelector is left where it is.
     *
     * @param event name of the event, an entry of EventSelector
     * @throws GenApiException if there is no such event, or the device refuses
     */
    public void disable(String event) {
        selecting(event, notification -> set(notification, OFF));
    }

    private void selecting(String event, Consumer<EnumerationNode> step) {
        nodes.together(() -> {
            EnumerationNode selector = nodes.enumeration(SELECTOR);
            Optional<String> before = selector.readable() ? Optional.of(selector.value()) : Optional.empty();
            selector.set(event);
            try {
                step.accept(nodes.enumeration(NOTIFICATION));
            } finally {
                before.ifPresent(selector::set);
            }
        });
    }

    private static void set(EnumerationNode notification, String symbol) {
        if (!notification.readable() || !notification.value().equals(symbol)) {
            notification.set(symbol);
        }
    }

    /**
     * Calls a listener for every event, also for those that the GenICam XML does not know.
     *
     * @return closes when the listener is to be called no longer
     */
    public Registration onEvent(Consumer<DeviceEvent> listener) {
        return add(new Listener(Optional.empty(), listener));
    }

    /**
     * Calls a listener for the events of a name.
     *
     * @param event name of the event, an entry of EventSelector
     * @return closes when the listener is to be called no longer
     * @throws GenApiException if the device has no event of this name
     */
    public Registration onEvent(String event, Consumer<DeviceEvent> listener) {
        List<String> known = entries().stream().map(EnumEntryNode::symbol).toList();
        if (!known.contains(event)) {
            String question = NearNames.question(event, known);
            throw new GenApiException("The device has no event " + event
                    + (question.isEmpty() ? ": it has " : ". " + question + " It has ") + known);
        }
        return add(new Listener(Optional.of(event), listener));
    }

    private Registration add(Listener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /**
     * What happened on the message channel so far.
     *
     * @param events events that were delivered
     * @param repetitions commands that came again because the device missed the answer; answered, not delivered again
     * @param dropped events that were dropped because listeners were too slow
     * @param malformed datagrams from the device that are no events
     * @param foreign datagrams from other addresses than the device's
     * @param foreignPort datagrams from the device's address, but from another port than its events
     */
    public record Statistics(
            long events, long repetitions, long dropped, long malformed, long foreign, long foreignPort) {}

    /** What happened so far. */
    public Statistics statistics() {
        MessageStatistics counted = channel.statistics();
        Statistics before = earlier;
        return new Statistics(
                before.events + counted.events(),
                before.repetitions + counted.repetitions(),
                before.dropped + counted.dropped(),
                before.malformed + counted.malformed(),
                before.foreign + counted.foreign(),
                before.foreignPort + counted.foreignPort());
    }

    /** The threads of the message channel must not hold the device. */
    private static Consumer<GvcpEvent> deliveredTo(WeakReference<DeviceEvents> events) {
        return event -> {
            DeviceEvents present = events.get();
            if (present != null) {
                present.deliver(event);
            }
        };
    }

    private void deliver(GvcpEvent event) {
        nodes.deliverEvent(event.eventId(), ByteBuffer.wrap(event.item()));
        Known about = known.computeIfAbsent(event.eventId(), this::about);
        int stream = event.streamChannel();
        DeviceEvent told = new DeviceEvent(
                about.name,
                event.eventId(),
                stream == NO_STREAM_CHANNEL ? OptionalInt.empty() : OptionalInt.of(stream),
                event.blockId(),
                event.timestampTicks(),
                ByteBuffer.wrap(event.data()),
                about.features);
        for (Listener listener : listeners) {
            if (listener.event.isEmpty() || listener.event.equals(about.name)) {
                try {
                    listener.consumer.accept(told);
                } catch (RuntimeException | Error e) {
                    LOGGER.log(System.Logger.Level.WARNING, "A listener for events failed", e);
                }
            }
        }
    }

    /** By the naming convention, the entry X of the selector has the feature EventX. */
    private Known about(int eventId) {
        List<Node> features = nodes.eventFeatures(eventId);
        Optional<String> name = entries().stream()
                .map(EnumEntryNode::symbol)
                .filter(symbol ->
                        features.stream().anyMatch(feature -> feature.name().equals("Event" + symbol)))
                .findFirst();
        return new Known(name, features);
    }

    /** All that the description knows, also those that are not available at present. */
    private List<EnumEntryNode> entries() {
        return nodes.find(SELECTOR, EnumerationNode.class)
                .map(EnumerationNode::entries)
                .orElseGet(List::of);
    }

    /** The connection to the device is new: the destination of events has to be set again. */
    void reopen() {
        channel.close();
        MessageChannel opened = opener.apply(deliveredTo(new WeakReference<>(this)));
        earlier = statistics();
        channel = opened;
    }

    boolean listenersRunOn(Thread thread) {
        return channel.listenersRunOn(thread);
    }

    void close() {
        channel.close();
    }

    @Override
    public String toString() {
        return "events by " + channel;
    }
}
