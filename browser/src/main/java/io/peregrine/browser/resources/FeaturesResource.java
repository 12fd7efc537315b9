package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.cameras.OpenCamera;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import java.util.ArrayList;
import java.util.List;

/** The node maps of an open camera: the tree, and reading, writing and executing features. */
public final class FeaturesResource {
    private static final String MAP = "/api/cameras/{camera}/maps/{map}";

    /** Features read by one request. */
    private static final int MAX_FEATURES = 500;

    private final Cameras cameras;

    /** Creates the resource. */
    public FeaturesResource(Cameras cameras) {
        this.cameras = cameras;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.get(MAP, this::tree));
        routes.add(Route.get(MAP + "/values", this::values));
        routes.add(Route.put(MAP + "/features/{feature}", this::write));
        routes.add(Route.post(MAP + "/features/{feature}/execute", this::execute));
    }

    private OpenCamera camera(Call call) {
        return cameras.open(call.path("camera"));
    }

    /** A feature of a map that is there. */
    static Node feature(NodeMap map, String name) {
        return map.find(name).orElseThrow(() -> HttpProblem.notFound("there is no feature " + name));
    }

    private Reply tree(Call call) {
        return Reply.of(FeatureJson.tree(camera(call).nodes(call.path("map"))));
    }

    /** The query {@code names} has the features; with {@code fresh} the device is asked for what is known, too. */
    private Reply values(Call call) {
        NodeMap map = camera(call).nodes(call.path("map"));
        List<String> names = call.query("names");
        if (names.size() > MAX_FEATURES) {
            throw HttpProblem.badRequest("more than " + MAX_FEATURES + " features at a time");
        }
        List<Node> features = new ArrayList<>();
        names.forEach(name -> map.find(name).ifPresent(features::add));
        if (!call.query("fresh").isEmpty()) {
            features.forEach(Node::refresh);
        }
        map.prefetch(features);
        ObjectNode answer = Reply.object();
        ObjectNode values = answer.putObject("values");
        features.forEach(feature -> values.set(feature.name(), FeatureJson.read(feature)));
        return Reply.of(answer);
    }

    private Reply write(Call call) {
        OpenCamera camera = camera(call);
        Node feature = feature(camera.nodes(call.path("map")), call.path("feature"));
        feature.setFromText(Call.text(call.body(), "value"));
        camera.publishChanges();
        return Reply.of(FeatureJson.read(feature));
    }

    private Reply execute(Call call) {
        OpenCamera camera = camera(call);
        Node feature = feature(camera.nodes(call.path("map")), call.path("feature"));
        if (!(feature instanceof CommandNode command)) {
            throw HttpProblem.badRequest(feature.name() + " is no command");
        }
        command.execute();
        camera.publishChanges();
        return Reply.of(FeatureJson.read(feature));
    }
}
