package io.peregrine.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.DeviceFactory;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.testing.Await;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** WebSockets without a browser: what a page may send, and what a slow one costs. */
@Timeout(60)
class SocketTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    /** More than there are flow sets and copies for pages. */
    private static final int FRAMES = 40;

    private VirtualCamera camera;
    private CameraBrowser browser;
    private RawHttp http;
    private String cookie;

    /** Reads frames, and answers each or not. */
    private static final class Frames implements WebSocket.Listener {
        final AtomicInteger messages = new AtomicInteger();
        final CompletableFuture<Integer> closed = new CompletableFuture<>();
        private final boolean draws;

        Frames(boolean draws) {
            this.draws = draws;
        }

        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            if (last) {
                messages.incrementAndGet();
                if (draws) {
                    return socket.sendText("1", true).thenAccept(sent -> sent.request(1));
                }
            }
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            closed.complete(status);
            return null;
        }
    }

    @BeforeEach
    void start() throws IOException {
        camera = VirtualCamera.start(Rig.scenario("127.60.0.3").frameRate(30).build());
        browser = CameraBrowser.start(
                DeviceFactory.create(PeregrineSettings.load()
                        .with(
                                PeregrineSettings.DISCOVERY_ADDRESSES,
                                "127.60.0.3:" + camera.address().getPort())
                        .with(PeregrineSettings.DISCOVERY_BROADCAST, "false")),
                BrowserOptions.loopback());
        http = new RawHttp(browser.origin());
        cookie = RawHttp.login(browser.newAddress(true));
    }

    @AfterEach
    void stop() {
        browser.close();
        camera.close();
    }

    private String post(String path) throws IOException {
        RawHttp.Answer answer = http.sendTo(
                http.host(),
                "POST",
                path,
                "{}",
                "Cookie: " + cookie,
                http.ownOrigin(),
                "Content-Type: application/json");
        assertEquals(200, answer.status(), answer.body());
        return answer.body();
    }

    private WebSocket connect(String path, WebSocket.Listener listener) {
        return HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .header("Cookie", cookie)
                .header("Origin", browser.origin())
                .buildAsync(URI.create(browser.origin().replace("http", "ws") + path), listener)
                .join();
    }

    private WebSocket watch(Frames frames) {
        WebSocket socket = connect("/ws/frames", frames);
        socket.sendText("{\"camera\":\"c1\"}", true).join();
        return socket;
    }

    private void stream() throws IOException {
        post("/api/search");
        post("/api/cameras/c1/open");
        post("/api/cameras/c1/stream/start");
    }

    @Test
    void aMessageThatIsTooLongClosesTheConnection() throws Exception {
        Frames frames = new Frames(true);
        connect("/ws/frames", frames).sendText("x".repeat(70_000), true).join();
        assertEquals(1009, frames.closed.get(20, TimeUnit.SECONDS));
    }

    @Test
    void aMessageThatIsNoJsonClosesTheConnection() throws Exception {
        Frames frames = new Frames(true);
        connect("/ws/frames", frames).sendText("{", true).join();
        assertEquals(1008, frames.closed.get(20, TimeUnit.SECONDS));
    }

    @Test
    void aPageThatDoesNotDrawSlowsOnlyItself() throws IOException {
        stream();
        Frames slow = new Frames(false);
        Frames fast = new Frames(true);
        watch(slow);
        watch(fast);
        Await.until("frames for the fast page", LONG, () -> fast.messages.get() >= FRAMES);
        assertEquals(1, slow.messages.get());
    }

    @Test
    void aPageThatAskedForTwoMessagesAheadGetsThemWithoutDrawing() throws IOException {
        stream();
        Frames slow = new Frames(false);
        watch(slow).sendText("{\"ahead\":2}", true).join();
        Await.until("messages that are not drawn", LONG, () -> slow.messages.get() >= 3);
        Frames fast = new Frames(true);
        watch(fast);
        Await.until("frames for the fast page", LONG, () -> fast.messages.get() >= FRAMES);
        assertEquals(3, slow.messages.get());
    }

    @Test
    void aPageThatDoesNotReadCostsTheAcquisitionNoFrame() throws IOException {
        stream();
        WebSocket silent = connect("/ws/frames", new WebSocket.Listener() {
            @Override
            public void onOpen(WebSocket socket) {
                // Asks for nothing.
            }
        });
        silent.sendText("{\"camera\":\"c1\"}", true).join();
        Frames fast = new Frames(true);
        watch(fast);
        Await.until("frames for the fast page", LONG, () -> fast.messages.get() >= FRAMES);
        String statistics = http.send("GET", "/api/cameras/c1/stream/diagnosis", "Cookie: " + cookie)
                .body();
        assertTrue(statistics.contains("\"FRAMES_DROPPED_NO_FLOW_SET\":\"0\""), statistics);
        assertTrue(statistics.contains("\"FRAMES_INCOMPLETE\":\"0\""), statistics);
    }
}
