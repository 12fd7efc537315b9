package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Camera;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.cameras.OpenCamera;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.Confirmations;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import io.peregrine.device.AddressSettings;
import io.peregrine.device.AddressSettings.Method;
import io.peregrine.discovery.AddressConfiguration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Addresses of cameras: given until they restart (FORCEIP), and kept; each change is confirmed. */
public final class AddressResource {
    private static final String ADDRESS = "/api/cameras/{camera}/address";

    private final Cameras cameras;
    private final Confirmations<Change> confirmations = new Confirmations<>();

    /** What is confirmed. */
    private record Change(String camera, AddressConfiguration address, boolean persistent) {}

    /** Creates the resource. */
    public AddressResource(Cameras cameras) {
        this.cameras = cameras;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.get(ADDRESS, this::read));
        routes.add(Route.post(ADDRESS + "/suggest", this::suggest));
        routes.add(Route.post(ADDRESS + "/check", this::check));
        routes.add(Route.post(ADDRESS + "/apply", this::apply));
    }

    /** Of an open camera, also what it keeps and who controls it. */
    private Reply read(Call call) {
        Camera camera = cameras.camera(call.path("camera"));
        ObjectNode answer =
                Reply.object().put("present", camera.info().address().getHostAddress());
        if (camera.info().recording().isEmpty()) {
            camera.opened().ifPresent(open -> describe(open, answer));
        }
        return Reply.of(answer);
    }

    private static void describe(OpenCamera open, ObjectNode answer) {
        AddressSettings settings = open.device().network().addressSettings();
        answer.put("current", settings.current().toString());
        answer.put("persistent", settings.persistent().toString());
        ArrayNode enabled = answer.putArray("enabled");
        settings.enabled().forEach(method -> enabled.add(method.name()));
        open.device()
                .control()
                .primaryApplication()
                .ifPresent(who -> answer.put("controller", who.getAddress().getHostAddress() + ":" + who.getPort()));
    }

    private Reply suggest(Call call) {
        Camera camera = cameras.camera(call.path("camera"));
        return Reply.of(
                Reply.object().put("address", cameras.suggestAddress(camera).toString()));
    }

    /** Says what would be done, and changes nothing. */
    private Reply check(Call call) {
        ObjectNode body = call.body();
        Camera camera = cameras.camera(call.path("camera"));
        AddressConfiguration address;
        try {
            address = AddressConfiguration.parse(Call.text(body, "address"));
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest(String.valueOf(e.getMessage()));
        }
        boolean persistent = body.path("persistent").asBoolean();
        checkState(camera, persistent);
        String what = persistent
                ? camera.info().macAddress() + " will keep the address " + address + ", and use it when it starts next"
                : camera.info().macAddress() + " will be at " + address + " instead of "
                        + camera.info().address().getHostAddress() + " until it restarts";
        String token = confirmations.ask(call.session(), new Change(camera.id(), address, persistent));
        return Reply.of(Reply.object().put("what", what).put("confirmation", token));
    }

    private static void checkState(Camera camera, boolean persistent) {
        if (camera.info().recording().isPresent()) {
            throw HttpProblem.conflict("a recording has no address");
        }
        if (persistent && camera.opened().isEmpty()) {
            throw HttpProblem.conflict("open the camera to set the address that it keeps");
        }
        if (!persistent && camera.opened().isPresent()) {
            throw HttpProblem.conflict("close the camera to give it another address");
        }
    }

    private Reply apply(Call call) {
        Camera camera = cameras.camera(call.path("camera"));
        Change change = confirmations.take(call.session(), Call.text(call.body(), "confirmation"));
        if (!change.camera().equals(camera.id())) {
            throw HttpProblem.conflict("another camera was looked at: look at this one, then confirm");
        }
        checkState(camera, change.persistent());
        if (change.persistent()) {
            AddressSettings settings =
                    cameras.open(camera.id()).device().network().addressSettings();
            settings.persistent(change.address());
            Set<Method> methods = EnumSet.of(Method.PERSISTENT);
            methods.addAll(settings.enabled());
            settings.enable(methods);
        } else {
            cameras.forceAddress(camera, change.address());
        }
        return Reply.of(CamerasResource.json(camera));
    }
}
