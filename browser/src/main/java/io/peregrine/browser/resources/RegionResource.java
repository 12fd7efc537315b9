package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.cameras.OpenCamera;
import io.peregrine.browser.cameras.Region;
import io.peregrine.browser.cameras.Span;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import java.util.List;

/** The region of the sensor that a camera sends. */
public final class RegionResource {
    private static final String REGION = "/api/cameras/{camera}/region";

    private final Cameras cameras;

    /** Creates the resource. */
    public RegionResource(Cameras cameras) {
        this.cameras = cameras;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.put(REGION, this::write));
        routes.add(Route.delete(REGION, this::writeWhole));
    }

    /** A body with x, y, width and height in pixels of the sensor. */
    private Reply write(Call call) {
        OpenCamera camera = cameras.open(call.path("camera"));
        ObjectNode body = call.body();
        Region wanted = new Region(
                new Span(number(body, "x"), number(body, "width")),
                new Span(number(body, "y"), number(body, "height")));
        return Reply.of(json(camera.setRegion(wanted)));
    }

    private Reply writeWhole(Call call) {
        return Reply.of(json(cameras.open(call.path("camera")).setWholeRegion()));
    }

    private static long number(ObjectNode body, String property) {
        if (!body.path(property).isIntegralNumber() || !body.path(property).canConvertToInt()) {
            throw HttpProblem.badRequest("the whole number \"" + property + "\" is missing");
        }
        return body.path(property).intValue();
    }

    private static ObjectNode json(Region region) {
        return Reply.object()
                .put("x", region.columns().offset())
                .put("y", region.lines().offset())
                .put("width", region.columns().size())
                .put("height", region.lines().size());
    }
}
