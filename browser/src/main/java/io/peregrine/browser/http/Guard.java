package io.peregrine.browser.http;

import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Refuses what does not come from the page of this server: names of hosts that are not listed (DNS rebinding), other
 * origins (pages of others in the same browser), and requests without a session.
 */
final class Guard extends Handler.Wrapper {
    /** Where the session of a request is kept. */
    static final String SESSION = "peregrine.session";

    private static final String LOGIN = "/login";
    private static final String POLICY = "default-src 'self'; img-src 'self' blob:; object-src 'none'; base-uri 'none';"
            + " form-action 'none'; frame-ancestors 'none'";

    private final Set<String> hosts;
    private final String scheme;
    private final String cookieName;
    private final Sessions sessions;
    private final Strangers strangers;

    /**
     * Creates the guard.
     *
     * @param next what answers requests that pass
     * @param hosts allowed values of the header Host
     * @param scheme http or https
     * @param port of the server; part of the cookie's name, since cookies of all ports of a host are sent to each
     * @param strangers the connections to take those from on which a session is used
     */
    Guard(Handler next, Set<String> hosts, String scheme, int port, Sessions sessions, Strangers strangers) {
        super(next);
        this.hosts = Set.copyOf(hosts);
        this.scheme = scheme;
        this.cookieName = "peregrine-" + port;
        this.sessions = sessions;
        this.strangers = strangers;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        addHeaders(response.getHeaders());
        String host = request.getHeaders().get(HttpHeader.HOST);
        if (host == null || !hosts.contains(host)) {
            return refuse(request, response, callback, 421, "This server does not answer to the name in the request");
        }
        boolean upgrade = upgrades(request);
        boolean reading = HttpMethod.GET.is(request.getMethod()) || HttpMethod.HEAD.is(request.getMethod());
        String origin = request.getHeaders().get(HttpHeader.ORIGIN);
        String own = scheme + "://" + host;
        if ((origin == null && (upgrade || !reading)) || (origin != null && !origin.equals(own))) {
            return refuse(request, response, callback, 403, "The request does not come from a page of this server");
        }
        String path = Request.getPathInContext(request);
        if (path.equals(LOGIN)) {
            return login(request, response, callback);
        }
        Optional<Sessions.Session> session = session(request);
        session.ifPresent(found -> {
            request.setAttribute(SESSION, found);
            known(request);
        });
        if (session.isEmpty() && (upgrade || !reading || path.startsWith("/api/"))) {
            return refuse(request, response, callback, 401, "Open the address that the program printed");
        }
        return super.handle(request, response, callback);
    }

    /** Whether it asks for another protocol than HTTP. Clients that offer HTTP/2 get an answer by HTTP/1.1. */
    private static boolean upgrades(Request request) {
        return request.getHeaders().getCSV(HttpHeader.UPGRADE, false).stream()
                .anyMatch(protocol -> !protocol.equalsIgnoreCase("h2c"));
    }

    private static void addHeaders(HttpFields.Mutable headers) {
        headers.put("Content-Security-Policy", POLICY);
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("X-Frame-Options", "DENY");
        headers.put("Referrer-Policy", "no-referrer");
        headers.put("Cross-Origin-Opener-Policy", "same-origin");
        headers.put("Cross-Origin-Embedder-Policy", "require-corp");
        headers.put("Cross-Origin-Resource-Policy", "same-origin");
    }

    private boolean login(Request request, Response response, Callback callback) {
        if (!HttpMethod.POST.is(request.getMethod())) {
            return refuse(request, response, callback, 405, "Log in by POST");
        }
        String token = request.getHeaders().get("X-Token");
        Optional<String> secret = token == null ? Optional.empty() : sessions.login(token);
        if (secret.isEmpty()) {
            return refuse(request, response, callback, 403, "The token is unknown, or was used");
        }
        known(request);
        Response.addCookie(
                response,
                HttpCookie.build(cookieName, secret.get())
                        .path("/")
                        .httpOnly(true)
                        .secure(scheme.equals("https"))
                        .sameSite(HttpCookie.SameSite.STRICT)
                        .build());
        response.setStatus(204);
        callback.succeeded();
        return true;
    }

    private void known(Request request) {
        strangers.known(request.getConnectionMetaData().getConnection());
    }

    private Optional<Sessions.Session> session(Request request) {
        for (HttpCookie cookie : Request.getCookies(request)) {
            if (cookie.getName().equals(cookieName)) {
                return sessions.session(cookie.getValue());
            }
        }
        return Optional.empty();
    }

    private static boolean refuse(Request request, Response response, Callback callback, int status, String reason) {
        Reply.problem(status, reason).send(request, response, callback);
        return true;
    }
}
