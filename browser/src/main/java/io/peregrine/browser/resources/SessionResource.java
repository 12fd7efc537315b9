package io.peregrine.browser.resources;

import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Role;
import io.peregrine.browser.http.Route;
import io.peregrine.browser.http.Sessions;
import java.util.List;

/** Who the page is to the server, and invitations of others. */
public final class SessionResource {
    private final Sessions sessions;

    /** Creates the resource. */
    public SessionResource(Sessions sessions) {
        this.sessions = sessions;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.get("/api/session", SessionResource::read));
        routes.add(Route.post("/api/invitations", this::invite));
    }

    private static Reply read(Call call) {
        return Reply.of(Reply.object()
                .put("session", call.session().number())
                .put("role", call.session().role().text()));
    }

    /** A token that logs another browser in once. */
    private Reply invite(Call call) {
        Role role = Role.of(Call.text(call.body(), "role"));
        return Reply.of(Reply.object().put("token", sessions.newToken(role)));
    }
}
