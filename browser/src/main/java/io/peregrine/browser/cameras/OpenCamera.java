package io.peregrine.browser.cameras;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.frames.ViewerList;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.recording.CameraRecording;
import io.peregrine.browser.recording.RecordingFolder;
import io.peregrine.device.Connection;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFiles;
import io.peregrine.device.DeviceNetwork;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** A camera that is open, shared by all pages. Safe for use by several threads. */
public final class OpenCamera implements AutoCloseable {
    private final String id;
    private final Device device;
    private final Events events;
    private final FeatureWatch watch;
    private final ViewerList viewers = new ViewerList();
    private final Acquisition acquisition;
    private final CameraRecording recording;
    private final EventLog eventLog;

    OpenCamera(String id, Device device, Events events, RecordingFolder folder) {
        this.id = id;
        this.device = device;
        this.events = events;
        watch = new FeatureWatch(device);
        eventLog = new EventLog(device);
        acquisition = new Acquisition(id, device, viewers, this::publishState);
        recording = new CameraRecording(
                acquisition::addTaker, acquisition::running, device::snapshot, folder, this::publishRecording);
        device.connection().onState(this::publish);
    }

    /** The device. */
    public Device device() {
        return device;
    }

    /** Start, stop and state of its stream. */
    public Acquisition acquisition() {
        return acquisition;
    }

    /** Recording of its frames. */
    public CameraRecording recording() {
        return recording;
    }

    /** The events that the camera sends. */
    public EventLog eventLog() {
        return eventLog;
    }

    /** Who watches its frames. */
    public ViewerList viewers() {
        return viewers;
    }

    /**
     * A node map.
     *
     * @throws HttpProblem if there is none of that name
     */
    public NodeMap nodes(String name) {
        if (!device.nodeMapNames().contains(name)) {
            throw HttpProblem.notFound("there is no node map " + name);
        }
        return device.nodeMap(name);
    }

    /**
     * Sets the region of the sensor that the camera sends; a running stream is stopped for it and started again.
     *
     * @return the region that the camera accepted, which holds the wanted one
     */
    public Region setRegion(Region wanted) {
        return acquisition.whileStopped(() -> wanted.writeTo(nodes("Device")));
    }

    /** Sets the region to the whole sensor, as {@link #setRegion} does. */
    public Region setWholeRegion() {
        return acquisition.whileStopped(() -> Region.writeWhole(nodes("Device")));
    }

    /** The value of an integer feature, read from the device; empty when there is none to be read. */
    public OptionalLong number(String feature) {
        return device.nodes()
                .find(feature, IntegerNode.class)
                .filter(Node::readable)
                .map(node -> {
                    node.refresh();
                    return OptionalLong.of(node.value());
                })
                .orElseGet(OptionalLong::empty);
    }

    /** Sets the delay after each packet of the stream, in ticks of the camera's clock. */
    public void setPacketDelay(long ticks) {
        device.network().packetDelay(0, ticks);
        device.nodes().find("GevSCPD", IntegerNode.class).ifPresent(Node::refresh);
        publishChanges();
    }

    /** Finds the largest packets that arrive; a running stream is stopped for it and started again. */
    public DeviceNetwork.PacketPath probePath() {
        return acquisition.whileStopped(() -> device.network().probePath(0));
    }

    /** Notifies pages of what changed since the last call. */
    void tick(Duration elapsed) {
        watch.poll(elapsed);
        publishChanges();
        publishEvents(eventLog.take());
        recording.tick();
    }

    /** Notifies pages of changed features. */
    public void publishChanges() {
        watch.take().forEach((map, features) -> {
            ObjectNode event = event("features").put("map", map);
            ArrayNode names = event.putArray("features");
            features.forEach(names::add);
            events.publish(event);
        });
    }

    private void publishEvents(EventLog.News news) {
        if (!news.events().isEmpty()) {
            publish(news);
        }
    }

    /** Notifies pages of which events are switched on. */
    public void publishEventSwitches() {
        publish(eventLog.take());
    }

    private void publish(EventLog.News news) {
        ObjectNode event = event("device-events").put("skipped", news.skipped());
        event.putArray("events").addAll(news.events());
        ArrayNode enabled = event.putArray("enabled");
        eventLog.enabled().forEach(enabled::add);
        events.publish(event);
    }

    /** Notifies pages of how much of a file is through, at each percent. */
    public DeviceFiles.Progress fileProgress(String file) {
        AtomicLong last = new AtomicLong(-1);
        return (done, total) -> {
            long percent = total == 0 ? 100 : 100 * done / total;
            if (last.getAndSet(percent) != percent) {
                events.publish(event("file-progress").put("file", file).put("percent", percent));
            }
        };
    }

    /** Notifies pages of counters. */
    void publishStatistics() {
        if (acquisition.running()) {
            events.publish(event("statistics").set("statistics", acquisition.statistics()));
        }
    }

    private void publish(Connection.Event change) {
        ObjectNode event = event("connection").put("state", change.state().name());
        change.cause().ifPresent(cause -> event.put("reason", String.valueOf(cause.getMessage())));
        ArrayNode problems = event.putArray("problems");
        change.problems().forEach(problems::add);
        events.publish(event);
    }

    private void publishState() {
        events.publish(event("stream").set("stream", acquisition.state()));
    }

    private void publishRecording() {
        events.publish(event("recording"));
    }

    private ObjectNode event(String type) {
        return JsonNodeFactory.instance.objectNode().put("type", type).put("camera", id);
    }

    private String accessMode() {
        return device.info().parameters().getOrDefault("AccessMode", "Control");
    }

    /** Whether it is controlled from here now. */
    boolean controls() {
        return device.connection().state() == Connection.State.CONNECTED
                && !accessMode().equals("ReadOnly");
    }

    /** What a page shows of it. */
    public ObjectNode state() {
        ObjectNode state = JsonNodeFactory.instance.objectNode();
        state.put("connection", device.connection().state().name());
        state.put("accessMode", accessMode());
        ArrayNode maps = state.putArray("nodeMaps");
        device.nodeMapNames().forEach(maps::add);
        ObjectNode parameters = state.putObject("parameters");
        for (Map.Entry<String, String> parameter : device.info().parameters().entrySet()) {
            parameters.put(parameter.getKey(), parameter.getValue());
        }
        state.set("stream", acquisition.state());
        return state;
    }

    @Override
    public void close() {
        watch.close();
        eventLog.close();
        try {
            recording.close();
        } finally {
            closeDevice();
        }
    }

    private void closeDevice() {
        try {
            acquisition.close();
        } finally {
            device.close();
        }
    }
}
