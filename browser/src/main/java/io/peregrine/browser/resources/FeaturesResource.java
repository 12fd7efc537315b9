package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.cameras.OpenCamera;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import io.peregrine.genapi.CategoryNode;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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

    private static Node feature(NodeMap map, String name) {
        return map.find(name).orElseThrow(() -> HttpProblem.notFound("there is no feature " + name));
    }

    private Reply tree(Call call) {
        NodeMap map = camera(call).nodes(call.path("map"));
        ObjectNode answer = Reply.object().put("model", map.modelName()).put("vendor", map.vendorName());
        map.find("Root", CategoryNode.class).ifPresent(root -> answer.set("root", category(root, new HashSet<>())));
        ArrayNode problems = answer.putArray("problems");
        map.problems()
                .forEach(problem ->
                        problems.addObject().put("node", problem.node()).put("message", problem.message()));
        map.warnings()
                .forEach(problem -> problems.addObject()
                        .put("node", problem.node())
                        .put("message", problem.message())
                        .put("warning", true));
        return Reply.of(answer);
    }

    /** A category, once on each path. */
    private static ObjectNode category(CategoryNode category, Set<String> above) {
        ObjectNode json = FeatureJson.describe(category);
        ArrayNode children = json.putArray("children");
        above.add(category.name());
        for (Node feature : category.features()) {
            if (feature instanceof CategoryNode below) {
                if (!above.contains(below.name())) {
                    children.add(category(below, above));
                }
            } else {
                children.add(FeatureJson.describe(feature));
            }
        }
        above.remove(category.name());
        return json;
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
