package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.cameras.EventLog;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import java.util.List;

/** The events of a camera: which are switched on, and what came. */
public final class EventsResource {
    private static final String EVENTS = "/api/cameras/{camera}/events";

    private final Cameras cameras;

    /** Creates the resource. */
    public EventsResource(Cameras cameras) {
        this.cameras = cameras;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.get(EVENTS, call -> Reply.of(all(log(call)))));
        routes.add(Route.put(EVENTS + "/{event}", this::set));
    }

    private EventLog log(Call call) {
        return cameras.open(call.path("camera")).eventLog();
    }

    private static ObjectNode all(EventLog log) {
        ObjectNode answer = switches(log);
        ArrayNode names = answer.putArray("names");
        log.names().forEach(names::add);
        answer.putArray("events").addAll(log.kept());
        return answer;
    }

    private static ObjectNode switches(EventLog log) {
        ObjectNode answer = Reply.object();
        ArrayNode enabled = answer.putArray("enabled");
        log.enabled().forEach(enabled::add);
        return answer;
    }

    /** A body with {@code on}. */
    private Reply set(Call call) {
        EventLog log = log(call);
        String name = call.path("event");
        if (!log.names().contains(name)) {
            throw HttpProblem.notFound("the camera has no event " + name);
        }
        if (call.body().path("on").asBoolean()) {
            log.enable(name);
        } else {
            log.disable(name);
        }
        cameras.open(call.path("camera")).publishEventSwitches();
        return Reply.of(switches(log));
    }
}
