package io.peregrine.browser.http;

import io.peregrine.composite.CompositeException;
import io.peregrine.device.DeviceException;
import io.peregrine.genapi.GenApiException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Finds the resource of a request, checks the role, and turns exceptions into answers. */
final class Routes extends Handler.Abstract {
    private static final System.Logger LOGGER = System.getLogger(Routes.class.getName());

    private final List<Route> routes;

    Routes(List<Route> routes) {
        this.routes = List.copyOf(routes);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = Request.getPathInContext(request);
        if (!path.startsWith("/api/")) {
            return false;
        }
        answer(request, path).send(request, response, callback);
        return true;
    }

    private Reply answer(Request request, String path) {
        boolean known = false;
        for (Route route : routes) {
            Optional<Map<String, String>> names = route.match(path);
            known |= names.isPresent();
            if (names.isPresent() && route.method().equals(request.getMethod())) {
                return answer(request, route, names.get());
            }
        }
        return known
                ? Reply.problem(405, request.getMethod() + " is not possible here")
                : Reply.problem(404, "there is nothing at this path");
    }

    private static Reply answer(Request request, Route route, Map<String, String> names) {
        if (!(request.getAttribute(Guard.SESSION) instanceof Sessions.Session session)) {
            return Reply.problem(401, "there is no session");
        }
        if (!session.role().includes(route.role())) {
            return Reply.problem(403, "this session may only view");
        }
        try {
            return route.resource().answer(new Call(request, names, session));
        } catch (HttpProblem e) {
            return Reply.problem(e.status(), String.valueOf(e.getMessage()));
        } catch (GenApiException | DeviceException | CompositeException e) {
            return Reply.problem(422, String.valueOf(e.getMessage()));
        } catch (Exception e) {
            LOGGER.log(System.Logger.Level.WARNING, request.getMethod() + " " + route.pattern() + " failed", e);
            return Reply.problem(500, "the server failed: " + e);
        }
    }
}
