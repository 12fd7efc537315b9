package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Camera;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import io.peregrine.device.configured.ConfiguredDevice;
import java.util.List;

/** Configured devices: names with parameters that programs open, too. */
public final class ConfiguredResource {
    private static final String CONFIGURED = "/api/configured";

    private final Cameras cameras;

    /** Creates the resource. */
    public ConfiguredResource(Cameras cameras) {
        this.cameras = cameras;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.get(CONFIGURED, call -> list()));
        routes.add(Route.post(CONFIGURED + "/remove", this::remove));
        routes.add(Route.post(CONFIGURED + "/find", this::find));
        routes.add(Route.put("/api/cameras/{camera}/configured", this::configure));
        routes.add(Route.post("/api/devices", this::add));
    }

    private Reply list() {
        ObjectNode answer = Reply.object().put("file", cameras.configuration().file());
        ArrayNode array = answer.putArray("devices");
        for (ConfiguredDevice device : cameras.configuration().list()) {
            ObjectNode object = array.addObject()
                    .put("name", device.name())
                    .put("mac", device.mac())
                    .put("serial", device.serial())
                    .put("address", device.address());
            ObjectNode parameters = object.putObject("parameters");
            device.parameters().forEach(parameters::put);
        }
        return Reply.of(answer);
    }

    private Reply configure(Call call) {
        Camera camera = cameras.camera(call.path("camera"));
        cameras.configuration().configure(camera, Call.text(call.body(), "name"));
        cameras.publishList();
        return Reply.of(CamerasResource.json(camera));
    }

    private Reply remove(Call call) {
        cameras.configuration().remove(Call.text(call.body(), "name"), cameras.list());
        cameras.publishList();
        return Reply.done();
    }

    /** Looks for a configured device that did not answer a search. */
    private Reply find(Call call) {
        String name = Call.text(call.body(), "name");
        if (cameras.configuration().list().stream()
                .noneMatch(device -> device.name().equals(name))) {
            throw HttpProblem.notFound("no device of that name is configured");
        }
        return Reply.of(CamerasResource.json(cameras.addNamed(name)));
    }

    /** Adds a device that a search does not find, by access token, address or name. */
    private Reply add(Call call) {
        return Reply.of(CamerasResource.json(cameras.addNamed(Call.text(call.body(), "device"))));
    }
}
