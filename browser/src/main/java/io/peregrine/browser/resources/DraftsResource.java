package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.cameras.OpenCamera;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Values that a page collected and sets in one go. Each has the selection that it was typed under, and what hangs on
 * another value is set after it, whatever the order in which they come.
 */
public final class DraftsResource {
    private static final String MAP = "/api/cameras/{camera}/maps/{map}";

    /** Values set by one request. */
    private static final int MAX_VALUES = 500;

    private final Cameras cameras;

    /** Creates the resource. */
    public DraftsResource(Cameras cameras) {
        this.cameras = cameras;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.get(MAP + "/features/{feature}/selection", this::selection));
        routes.add(Route.post(MAP + "/apply", this::apply));
    }

    /** What the selectors of a feature are set to, outermost first: pairs of name and value. */
    private Reply selection(Call call) {
        Node feature = FeaturesResource.feature(
                cameras.open(call.path("camera")).nodes(call.path("map")), call.path("feature"));
        ObjectNode answer = Reply.object();
        ArrayNode pairs = answer.putArray("selection");
        Settings.Setting.selectionOf(feature)
                .forEach(selected -> pairs.addArray().add(selected.getKey()).add(selected.getValue()));
        return Reply.of(answer);
    }

    /** Sets the {@code values} of the body; the answer has what could not be set, with the reason. */
    private Reply apply(Call call) {
        OpenCamera camera = cameras.open(call.path("camera"));
        List<Settings.Setting> values = values(call.body().path("values"));
        List<Settings.Failure> failures =
                new Settings("", values, List.of()).load(camera.nodes(call.path("map")), true);
        camera.publishChanges();
        ObjectNode answer = Reply.object();
        answer.set("failures", SettingsResource.failures(failures));
        return Reply.of(answer);
    }

    private static List<Settings.Setting> values(JsonNode array) {
        if (!array.isArray() || array.size() > MAX_VALUES) {
            throw HttpProblem.badRequest("\"values\" has to be an array of at most " + MAX_VALUES + " values");
        }
        List<Settings.Setting> values = new ArrayList<>();
        for (JsonNode value : array) {
            List<Map.Entry<String, String>> selection = new ArrayList<>();
            value.path("selection")
                    .forEach(pair -> selection.add(
                            Map.entry(pair.path(0).asText(), pair.path(1).asText())));
            if (!(value instanceof ObjectNode draft)) {
                throw HttpProblem.badRequest("a value has to be an object");
            }
            values.add(new Settings.Setting(Call.text(draft, "feature"), selection, Call.text(draft, "value")));
        }
        return values;
    }
}
