package io.peregrine.browser.http;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.server.handler.ResourceHandler;
import org.eclipse.jetty.util.resource.Resource;
import org.eclipse.jetty.util.resource.ResourceFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.eclipse.jetty.websocket.server.WebSocketUpgradeHandler;

/** Jetty with the limits of this program: files of the page, resources and WebSockets, all behind the {@link Guard}. */
public final class WebServer implements AutoCloseable {
    /** Connections with a session at a time, of all browsers together. */
    public static final int MAX_CONNECTIONS = 128;

    /** Bytes of a message that a page may send. */
    public static final int MAX_MESSAGE_BYTES = 64 << 10;

    private static final int THREADS = 32;
    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final String FILES = "META-INF/web/";

    private final Server server;
    private final Sessions sessions;
    private final String origin;

    /**
     * Where and how to listen.
     *
     * @param address to bind
     * @param port to bind; 0 takes a free one
     * @param hosts further names by which pages may call the server, with port where it is not that of the scheme
     * @param keyStore PKCS #12 file for TLS; plain HTTP without
     * @param password of the key store
     */
    public record Endpoint(
            InetAddress address, int port, List<String> hosts, Optional<Path> keyStore, String password) {}

    /** A WebSocket of the server. */
    public interface SocketFactory {
        /** Creates the endpoint for a connection. */
        Object create(Sessions.Session session);
    }

    private WebServer(Server server, Sessions sessions, String origin) {
        this.server = server;
        this.sessions = sessions;
        this.origin = origin;
    }

    /**
     * Starts to listen.
     *
     * @param sockets by path
     * @throws IOException if the port cannot be bound
     */
    public static WebServer start(
            Endpoint endpoint, Sessions sessions, List<Route> routes, Map<String, SocketFactory> sockets)
            throws IOException {
        return start(endpoint, sessions, routes, sockets, Strangers.STAY);
    }

    /** The same with another time for connections without a session. */
    static WebServer start(
            Endpoint endpoint,
            Sessions sessions,
            List<Route> routes,
            Map<String, SocketFactory> sockets,
            Duration strangersStay)
            throws IOException {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS, 2);
        threads.setName("peregrine-browser");
        threads.setDaemon(true);
        Server server = new Server(threads);
        Strangers strangers = new Strangers(server.getScheduler(), strangersStay);
        ServerConnector connector = connector(server, endpoint, strangers);
        connector.setHost(endpoint.address().getHostAddress());
        connector.setPort(endpoint.port());
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(MAX_CONNECTIONS + Strangers.MAX_STRANGERS, server));
        connector.open();
        int port = connector.getLocalPort();
        openOnLoopback6(server, endpoint, strangers, port);
        String scheme = endpoint.keyStore().isPresent() ? "https" : "http";
        Set<String> hosts = hosts(endpoint, port);
        server.setHandler(new Guard(handlers(server, routes, sockets), hosts, scheme, port, sessions, strangers));
        try {
            server.start();
        } catch (Exception e) {
            stop(server);
            throw e instanceof IOException failed ? failed : new IOException("The web server does not start", e);
        }
        return new WebServer(server, sessions, scheme + "://" + host(endpoint.address()) + ":" + port);
    }

    private static ServerConnector connector(Server server, Endpoint endpoint, Strangers strangers) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        HttpConnectionFactory connections = new HttpConnectionFactory(http);
        connections.addEventListener(strangers);
        if (endpoint.keyStore().isEmpty()) {
            return new ServerConnector(server, 1, 1, connections);
        }
        SecureRequestCustomizer customizer = new SecureRequestCustomizer();
        customizer.setSniHostCheck(false);
        http.addCustomizer(customizer);
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStorePath(endpoint.keyStore().get().toString());
        tls.setKeyStoreType("PKCS12");
        tls.setKeyStorePassword(endpoint.password());
        return new ServerConnector(
                server, 1, 1, new SslConnectionFactory(tls, HttpVersion.HTTP_1_1.asString()), connections);
    }

    /** Browsers may take localhost for either address. Where there is no IPv6, that is no failure. */
    private static void openOnLoopback6(Server server, Endpoint endpoint, Strangers strangers, int port) {
        if (!endpoint.address().isLoopbackAddress() || endpoint.address() instanceof Inet6Address) {
            return;
        }
        ServerConnector second = connector(server, endpoint, strangers);
        second.setHost("::1");
        second.setPort(port);
        try {
            second.open();
            server.addConnector(second);
        } catch (IOException | RuntimeException e) {
            System.getLogger(WebServer.class.getName())
                    .log(System.Logger.Level.DEBUG, "Not listening on ::1: {0}", e.getMessage());
        }
    }

    private static Set<String> hosts(Endpoint endpoint, int port) {
        Set<String> hosts = new HashSet<>(endpoint.hosts());
        if (endpoint.address().isLoopbackAddress()) {
            hosts.add("localhost:" + port);
            hosts.add("[::1]:" + port);
        }
        hosts.add(host(endpoint.address()) + ":" + port);
        return hosts;
    }

    private static String host(InetAddress address) {
        return address instanceof Inet6Address ? "[" + address.getHostAddress() + "]" : address.getHostAddress();
    }

    private static Handler handlers(Server server, List<Route> routes, Map<String, SocketFactory> sockets) {
        ResourceHandler files = new ResourceHandler();
        Resource base = ResourceFactory.of(files).newClassLoaderResource(FILES, false);
        if (base == null) {
            throw new IllegalStateException(
                    "The files of the page are not in the jar, or the module jdk.zipfs is missing");
        }
        files.setBaseResource(base);
        files.setDirAllowed(false);
        files.setWelcomeFiles("index.html");
        files.setCacheControl("no-cache");
        ContextHandler context = new ContextHandler("/");
        WebSocketUpgradeHandler upgrades =
                WebSocketUpgradeHandler.from(server, context, container -> configure(container, sockets));
        upgrades.setHandler(new Handler.Sequence(new Routes(routes), files));
        context.setHandler(upgrades);
        return context;
    }

    private static void configure(ServerWebSocketContainer container, Map<String, SocketFactory> sockets) {
        container.setIdleTimeout(IDLE);
        container.setMaxTextMessageSize(MAX_MESSAGE_BYTES);
        container.setMaxBinaryMessageSize(MAX_MESSAGE_BYTES);
        // What arrives is passed on in pieces, so that a long frame is refused before there is memory for it; what is
        // sent
        // is one frame for each message, which costs a quarter less.
        container.setAutoFragment(true);
        container.setMaxFrameSize(0);
        container.setMaxOutgoingFrames(8);
        sockets.forEach((path, factory) -> container.addMapping(path, (request, response, callback) -> {
            // Compression of images takes five times the processor time of sending them.
            response.setExtensions(List.of());
            return request.getAttribute(Guard.SESSION) instanceof Sessions.Session session
                    ? factory.create(session)
                    : null;
        }));
    }

    /** Scheme, host and port, for example {@code http://127.0.0.1:8080}. */
    public String origin() {
        return origin;
    }

    /**
     * An address that logs a browser in once.
     *
     * @param role what it may do
     */
    public String newAddress(Role role) {
        return origin + "/#" + sessions.newToken(role);
    }

    @Override
    public void close() {
        stop(server);
    }

    private static void stop(Server server) {
        try {
            server.stop();
        } catch (Exception e) {
            System.getLogger(WebServer.class.getName())
                    .log(System.Logger.Level.DEBUG, "The web server did not stop in order", e);
        }
    }
}
