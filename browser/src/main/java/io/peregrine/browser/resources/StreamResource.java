package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.cameras.OpenCamera;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import java.util.List;

/** Start and stop of a camera's stream, its counters, and what is wrong with it. */
public final class StreamResource {
    private static final String STREAM = "/api/cameras/{camera}/stream";

    private final Cameras cameras;

    /** Creates the resource. */
    public StreamResource(Cameras cameras) {
        this.cameras = cameras;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.get(STREAM, this::state));
        routes.add(Route.post(STREAM + "/start", this::start));
        routes.add(Route.post(STREAM + "/stop", this::stop));
        routes.add(Route.get(STREAM + "/diagnosis", this::diagnosis));
    }

    private OpenCamera camera(Call call) {
        return cameras.open(call.path("camera"));
    }

    private Reply state(Call call) {
        return Reply.of(camera(call).acquisition().state());
    }

    private Reply start(Call call) {
        OpenCamera camera = camera(call);
        camera.acquisition().start();
        return Reply.of(camera.acquisition().state());
    }

    private Reply stop(Call call) {
        OpenCamera camera = camera(call);
        camera.acquisition().stop();
        return Reply.of(camera.acquisition().state());
    }

    private Reply diagnosis(Call call) {
        OpenCamera camera = camera(call);
        ObjectNode answer = Reply.object().put("viewers", camera.viewers().size());
        answer.set("diagnosis", camera.acquisition().diagnosis());
        answer.set("statistics", camera.acquisition().statistics());
        return Reply.of(answer);
    }
}
