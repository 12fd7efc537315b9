package io.peregrine.virtualcamera;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The events of a device declared in code, the features that switch them, and which of them the application enabled.
 */
final class CustomEvents {
    static final String CATEGORY = "EventControl";

    /** The first id of device-specific events. */
    private static final int FIRST_ID = 0x9000;

    private static final int MAX_EVENTS = 0x1000;
    /** As many as fit a packet. */
    private static final int MAX_DATA = 64;

    /**
     * An event.
     *
     * @param name name of the entry of EventSelector
     * @param id id on the wire
     * @param data names of the numbers in its data
     */
    record Declared(String name, int id, List<String> data) {
        /** Name of the feature with the id; those of the others begin with it. */
        String feature() {
            return "Event" + name;
        }

        String category() {
            return feature() + "Data";
        }

        String port() {
            return feature() + "Port";
        }

        String timestamp() {
            return feature() + "Timestamp";
        }

        /** Names of the features: id, time, and the data in its order. */
        List<String> features() {
            List<String> names = new ArrayList<>(List.of(feature(), timestamp()));
            data.forEach(datum -> names.add(feature() + datum));
            return names;
        }
    }

    private final Map<String, Declared> declared = new LinkedHashMap<>();
    private final Set<String> wanted = ConcurrentHashMap.newKeySet();

    /**
     * Takes the declarations.
     *
     * @param declarations names of events, and the names of the data of each
     */
    CustomEvents(Map<String, List<String>> declarations) {
        if (declarations.size() > MAX_EVENTS) {
            throw new VirtualCameraException("A device can have " + MAX_EVENTS + " events, not " + declarations.size());
        }
        declarations.forEach((name, data) -> {
            if (data.size() > MAX_DATA) {
                throw new VirtualCameraException(
                        "The event " + name + " can have " + MAX_DATA + " numbers, not " + data.size());
            }
            declared.put(name, new Declared(name, FIRST_ID + declared.size(), data));
        });
    }

    Collection<Declared> all() {
        return declared.values();
    }

    /** The features that an application switches events by. */
    List<DeviceFeature<?>> features() {
        String[] names = declared.keySet().toArray(String[]::new);
        return List.of(
                DeviceFeature.enumeration("EventSelector", names).toolTip("Event that EventNotification refers to."),
                DeviceFeature.enumeration("EventNotification", "Off", "On")
                        .toolTip("Whether the device sends the event.")
                        .selectedBy("EventSelector")
                        .set((event, value) -> want(names[event], value.equals("On"))));
    }

    private void want(String name, boolean on) {
        if (on) {
            wanted.add(name);
        } else {
            wanted.remove(name);
        }
    }

    boolean wanted(String name) {
        return wanted.contains(name);
    }

    /** The event as it is sent. */
    EventSender.Event event(String name, long timestamp, long... values) {
        Declared event = declared.get(name);
        if (event == null) {
            throw new VirtualCameraException(
                    "The device has no event " + name + ": declare it by event(), beside " + declared.keySet());
        }
        if (values.length != event.data.size()) {
            throw new VirtualCameraException("The event " + name + " needs a number for each of " + event.data
                    + ", not " + Arrays.toString(values));
        }
        return new EventSender.Event(
                event.id,
                EventSender.NO_STREAM_CHANNEL,
                0,
                timestamp,
                Arrays.stream(values).boxed().toList());
    }
}
