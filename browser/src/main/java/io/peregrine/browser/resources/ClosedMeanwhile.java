package io.peregrine.browser.resources;

import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.cameras.OpenCamera;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import java.util.Optional;

/** Says what happened to a request whose camera another page closed before it was answered. */
public final class ClosedMeanwhile {
    private static final String OF_A_CAMERA = "/api/cameras/{camera}/";

    private final Cameras cameras;

    /** Creates it. */
    public ClosedMeanwhile(Cameras cameras) {
        this.cameras = cameras;
    }

    /** The same route, with this answer when it fails for that reason. */
    public Route around(Route route) {
        return route.pattern().startsWith(OF_A_CAMERA)
                ? new Route(route.method(), route.pattern(), route.role(), call -> answer(route, call))
                : route;
    }

    private Reply answer(Route route, Call call) throws Exception {
        Optional<OpenCamera> before = cameras.camera(call.path("camera")).opened();
        try {
            return route.resource().answer(call);
        } catch (HttpProblem e) {
            throw e;
        } catch (Exception e) {
            Optional<OpenCamera> now = cameras.camera(call.path("camera")).opened();
            if (before.isPresent() && !now.equals(before)) {
                throw HttpProblem.conflict("the camera was closed before this was done");
            }
            throw e;
        }
    }
}
