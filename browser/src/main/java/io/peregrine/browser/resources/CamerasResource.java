package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Camera;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import io.peregrine.device.OpenParameter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The list of cameras; opening, closing, and the parameters for it. */
public final class CamerasResource {
    private static final String CAMERA = "/api/cameras/{camera}";

    private final Cameras cameras;

    /** Creates the resource. */
    public CamerasResource(Cameras cameras) {
        this.cameras = cameras;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.get("/api/cameras", call -> list()));
        routes.add(Route.post("/api/search", call -> search()));
        routes.add(Route.get("/api/parameters", call -> registry()));
        routes.add(Route.get(CAMERA, call -> Reply.of(json(camera(call)))));
        routes.add(Route.post(CAMERA + "/open", this::open));
        routes.add(Route.post(CAMERA + "/close", this::close));
        routes.add(Route.put(CAMERA + "/parameters", this::setParameters));
    }

    private Camera camera(Call call) {
        return cameras.camera(call.path("camera"));
    }

    private Reply list() {
        ObjectNode answer = Reply.object();
        ArrayNode array = answer.putArray("cameras");
        cameras.list().forEach(camera -> array.add(json(camera)));
        return Reply.of(answer);
    }

    private Reply search() {
        cameras.search();
        cameras.publishList();
        return list();
    }

    /** A body may have an object {@code parameters} that counts for this time only. */
    private Reply open(Call call) {
        Camera camera = camera(call);
        Map<String, String> parameters = new LinkedHashMap<>(camera.parameters());
        if (call.body().get("parameters") instanceof ObjectNode given) {
            given.fieldNames().forEachRemaining(name -> {
                Camera.check(name, Call.text(given, name));
                parameters.put(name, Call.text(given, name));
            });
        }
        cameras.connect(camera.id(), parameters);
        return Reply.of(json(camera));
    }

    private Reply close(Call call) {
        Camera camera = camera(call);
        cameras.disconnect(camera.id());
        return Reply.of(json(camera));
    }

    /** A body with the property {@code parameters}, an object of texts; empty text is the default. */
    private Reply setParameters(Call call) {
        Camera camera = camera(call);
        if (!(call.body().get("parameters") instanceof ObjectNode given)) {
            throw HttpProblem.badRequest("the object \"parameters\" is missing");
        }
        given.fieldNames().forEachRemaining(name -> camera.setParameter(name, Call.text(given, name)));
        cameras.configuration().update(camera);
        cameras.publishList();
        return Reply.of(json(camera));
    }

    private static Reply registry() {
        ObjectNode answer = Reply.object();
        ArrayNode array = answer.putArray("parameters");
        for (OpenParameter parameter : OpenParameter.all()) {
            ObjectNode object = array.addObject()
                    .put("name", parameter.name())
                    .put("values", parameter.values())
                    .put("default", parameter.defaultValue())
                    .put("unit", parameter.unit())
                    .put("description", parameter.description());
            ArrayNode transports = object.putArray("transports");
            parameter.transports().forEach(transport -> transports.add(transport.name()));
        }
        return Reply.of(answer);
    }

    static ObjectNode json(Camera camera) {
        ObjectNode object = Reply.object();
        object.put("id", camera.id());
        object.put("vendor", camera.info().vendor());
        object.put("model", camera.info().model());
        object.put("serial", camera.info().serialNumber());
        object.put("name", camera.info().userName());
        object.put("interface", camera.info().interfaceName());
        object.put("recording", camera.info().recording().isPresent());
        camera.info().recording().ifPresent(file -> object.put("file", String.valueOf(file.getFileName())));
        object.put("reachable", !camera.info().foreignSubnet());
        object.put("present", camera.present());
        object.put("configured", camera.configured());
        ObjectNode properties = object.putObject("properties");
        camera.info().properties().forEach(properties::put);
        ObjectNode parameters = object.putObject("parameters");
        camera.parameters().forEach(parameters::put);
        camera.opened().ifPresent(open -> object.set("open", open.state()));
        return object;
    }
}
