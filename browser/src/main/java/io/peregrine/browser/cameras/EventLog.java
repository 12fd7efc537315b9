package io.peregrine.browser.cameras;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceEvent;
import io.peregrine.device.DeviceEvents;
import io.peregrine.device.DeviceException;
import io.peregrine.genapi.EnumerationNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.Registration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The events of an open camera that pages switched on, the newest of them. Safe for use by several threads. */
public final class EventLog implements AutoCloseable {
    /** Events kept for pages that come later. */
    static final int MAX_EVENTS = 200;

    /** Events that pages get at a time; a camera can have thousands a second. */
    private static final int MAX_NEWS = 50;

    private static final System.Logger LOGGER = System.getLogger(EventLog.class.getName());

    private final Device device;
    /** By name of the event; its lock is held while the camera is asked, which can take long. */
    private final Map<String, Registration> enabled = new LinkedHashMap<>();

    private boolean listening;

    /** Its lock guards what events change. */
    private final Deque<ObjectNode> kept = new ArrayDeque<>();

    private List<ObjectNode> fresh = new ArrayList<>();
    private long count;
    private long skipped;

    /**
     * What happened since the last call.
     *
     * @param events the events, the oldest first
     * @param skipped how many more there were
     */
    public record News(List<ObjectNode> events, long skipped) {}

    EventLog(Device device) {
        this.device = device;
    }

    /** Names of the events that the camera supports. */
    public List<String> names() {
        return device.nodes()
                .find("EventSelector", EnumerationNode.class)
                .map(EnumerationNode::symbols)
                .orElseGet(List::of);
    }

    /** Names of the events that are switched on here. */
    public List<String> enabled() {
        synchronized (enabled) {
            return List.copyOf(enabled.keySet());
        }
    }

    /** Switches an event on; does nothing if it is. */
    public void enable(String name) {
        synchronized (enabled) {
            if (!enabled.containsKey(name)) {
                DeviceEvents events = device.events();
                if (!listening) {
                    Registration unused = events.onEvent(this::add);
                    listening = true;
                }
                enabled.put(name, events.enable(name));
            }
        }
    }

    /** Switches an event off; does nothing if it is not on here. */
    public void disable(String name) {
        synchronized (enabled) {
            Registration registration = enabled.remove(name);
            if (registration != null) {
                registration.close();
            }
        }
    }

    /** The newest events, the oldest of them first. */
    public List<ObjectNode> kept() {
        synchronized (kept) {
            return List.copyOf(kept);
        }
    }

    News take() {
        synchronized (kept) {
            News news = new News(fresh, skipped);
            fresh = new ArrayList<>();
            skipped = 0;
            return news;
        }
    }

    /** On the thread of the message channel: values are those of this event until the next one. */
    private void add(DeviceEvent event) {
        ObjectNode json = json(event);
        synchronized (kept) {
            count++;
            json.put("number", count);
            kept.add(json);
            if (kept.size() > MAX_EVENTS) {
                kept.remove();
            }
            if (fresh.size() < MAX_NEWS) {
                fresh.add(json);
            } else {
                skipped++;
            }
        }
    }

    private static ObjectNode json(DeviceEvent event) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", event.name().orElseGet(() -> String.format(Locale.ROOT, "0x%04X", event.id())));
        json.put("timestamp", Long.toUnsignedString(event.timestampTicks()));
        json.put("block", Long.toUnsignedString(event.blockId()));
        ObjectNode values = json.putObject("values");
        for (Node feature : event.features()) {
            try {
                values.put(feature.name(), feature.valueAsText());
            } catch (GenApiException | DeviceException e) {
                values.put(feature.name(), "error: " + e.getMessage());
            }
        }
        return json;
    }

    /** Leaves the camera as it was found, if it is still there. */
    @Override
    public void close() {
        for (String name : enabled()) {
            try {
                disable(name);
            } catch (GenApiException | DeviceException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "The event " + name + " stays switched on", e);
            }
        }
    }
}
