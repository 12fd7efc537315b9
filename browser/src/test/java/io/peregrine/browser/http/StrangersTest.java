package io.peregrine.browser.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.testing.TlsKey;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections without a session take no place of one with a session, and do not stay. */
@Timeout(60)
class StrangersTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final int PATIENCE_MILLIS = 20_000;
    private static final String ANSWERED = "HTTP/1.1 204 No Content";

    private final Sessions sessions = new Sessions();
    private final List<Socket> sockets = new ArrayList<>();
    private WebServer server;
    private URI origin;

    private void start(Duration stay) throws IOException {
        start(stay, Optional.empty(), "");
    }

    private void start(Duration stay, Optional<Path> keyStore, String password) throws IOException {
        server = WebServer.start(
                new WebServer.Endpoint(InetAddress.getLoopbackAddress(), 0, List.of(), keyStore, password),
                sessions,
                List.of(Route.get("/api/nothing", call -> Reply.done())),
                Map.of(),
                stay);
        origin = URI.create(server.origin());
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(origin.getHost(), origin.getPort());
        sockets.add(socket);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private String cookie() {
        String secret = sessions.login(sessions.newToken(Role.CONTROL)).orElseThrow();
        return "Cookie: peregrine-" + origin.getPort() + "=" + secret;
    }

    /** Sends a request without a body, and gives the first line of the answer. */
    private String ask(Socket socket, String request, String header) throws IOException {
        String own = "Host: " + origin.getAuthority() + "\r\nOrigin: " + origin + "\r\n";
        String text = request + " HTTP/1.1\r\n" + own + header + "\r\nContent-Length: 0\r\n\r\n";
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        int next = in.read();
        while (next >= 0) {
            head.append((char) next);
            next = head.indexOf("\r\n\r\n") < 0 ? in.read() : -1;
        }
        return head.toString().lines().findFirst().orElse("");
    }

    private String askAsOwner(Socket socket) throws IOException {
        return ask(socket, "GET /api/nothing", cookie());
    }

    /** Waits for the end of a connection on which nothing comes. */
    private static void ends(Socket socket) throws IOException {
        assertEquals(-1, socket.getInputStream().read());
    }

    private void connectSilently(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            connect();
        }
    }

    @Test
    void silentConnectionsLeaveRoomForTheOwner() throws IOException {
        start(LONG);
        connectSilently(WebServer.MAX_CONNECTIONS + Strangers.MAX_STRANGERS);
        assertEquals(ANSWERED, askAsOwner(connect()));
    }

    /** Takes all places for strangers, so that those before have none. */
    private void pushOutOthers() throws IOException {
        Socket oldest = connect();
        // An answer shows that it has its place: connections may be accepted in another order.
        refuse(oldest);
        connectSilently(Strangers.MAX_STRANGERS);
        readToEnd(oldest);
    }

    private void refuse(Socket socket) throws IOException {
        assertEquals("HTTP/1.1 401 Unauthorized", ask(socket, "GET /api/nothing", "X-None: 1"));
    }

    /** Waits for the end of a connection. */
    private static void readToEnd(Socket socket) throws IOException {
        while (socket.getInputStream().read() >= 0) {
            // The rest of an answer.
        }
    }

    @Test
    void aConnectionWithASessionIsNotPushedOut() throws IOException {
        start(LONG);
        Socket owner = connect();
        askAsOwner(owner);
        pushOutOthers();
        assertEquals(ANSWERED, askAsOwner(owner));
    }

    @Test
    void aConnectionThatLoggedInIsNotPushedOut() throws IOException {
        start(LONG);
        Socket owner = connect();
        ask(owner, "POST /login", "X-Token: " + sessions.newToken(Role.CONTROL));
        pushOutOthers();
        assertEquals(ANSWERED, askAsOwner(owner));
    }

    @Test
    void aConnectionWithARefusedRequestIsPushedOut() throws IOException {
        start(LONG);
        Socket socket = connect();
        refuse(socket);
        pushOutOthers();
        readToEnd(socket);
    }

    @Test
    void aSilentConnectionIsClosed() throws IOException {
        start(SHORT);
        ends(connect());
    }

    @Test
    void aConnectionThatNeverBeginsTlsIsClosed(@TempDir Path folder) throws IOException {
        String password = "secret-of-the-test";
        start(SHORT, Optional.of(TlsKey.make(folder, "127.0.0.1", password)), password);
        ends(connect());
    }

    @Test
    void aRequestThatTricklesInIsClosed() throws IOException {
        start(SHORT);
        Socket socket = connect();
        socket.setSoTimeout(20);
        String end = "";
        while (end.isEmpty()) {
            try {
                socket.getOutputStream().write('a');
                end = socket.getInputStream().read() < 0 ? "closed" : "answered";
            } catch (SocketTimeoutException e) {
                // Nothing yet.
            } catch (SocketException e) {
                end = "closed";
            }
        }
        assertEquals("closed", end);
    }
}
