package io.peregrine.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Page;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.testing.Await;
import io.peregrine.testing.Needs;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a server that runs for long keeps: as much after many pages as after few. {@code -Dperegrine.pageLoads=10000}
 * and {@code -Dperegrine.stallSeconds=60} make it long, and the figures are printed then.
 */
@Timeout(3600)
class LongUseTest {
    private static final int LOADS = Integer.getInteger("peregrine.pageLoads", 150);
    private static final int STALL_SECONDS = Integer.getInteger("peregrine.stallSeconds", 3);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int WARM_UP = 50;
    private static final int REAL_PAGES = 12;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private VirtualCamera camera;
    private CameraBrowser browser;
    private Chromium chromium;
    private String cookie = "";

    /** What the process has. */
    private record Use(long heapBytes, long directBytes, int threads, long files) {
        static Use now() throws IOException {
            System.gc();
            try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
                return new Use(
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                                .filter(pool -> pool.getName().equals("direct"))
                                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                                .sum(),
                        ManagementFactory.getThreadMXBean().getThreadCount(),
                        files.count());
            }
        }
    }

    private static final class OneFrame implements WebSocket.Listener {
        final CompletableFuture<Boolean> arrived = new CompletableFuture<>();

        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            arrived.complete(true);
            socket.request(1);
            return null;
        }
    }

    private void start(String address) throws Exception {
        Needs.that(Files.isDirectory(Path.of("/proc/self/fd")), "/proc");
        camera = VirtualCamera.start(Rig.scenario(address).frameRate(100).build());
        browser = CameraBrowser.start(
                DeviceFactory.create(PeregrineSettings.load()
                        .with(
                                PeregrineSettings.DISCOVERY_ADDRESSES,
                                address + ":" + camera.address().getPort())
                        .with(PeregrineSettings.DISCOVERY_BROADCAST, "false")),
                BrowserOptions.loopback());
        cookie = RawHttp.login(browser.newAddress(true));
        ask("POST", "/api/search");
    }

    @AfterEach
    void stop() {
        Chromium.stop(chromium);
        browser.close();
        camera.close();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(browser.origin() + path))
                .header("Cookie", cookie)
                .header("Origin", browser.origin())
                .timeout(LONG);
    }

    private JsonNode ask(String method, String path) throws Exception {
        HttpRequest.Builder request = request(path).header("Content-Type", "application/json");
        HttpResponse<String> answer = client.send(
                method.equals("GET")
                        ? request.build()
                        : request.POST(HttpRequest.BodyPublishers.ofString("{}"))
                                .build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());
        return new ObjectMapper().readTree(answer.body());
    }

    private WebSocket connect(String path, WebSocket.Listener listener) throws Exception {
        return client.newWebSocketBuilder()
                .header("Cookie", cookie)
                .header("Origin", browser.origin())
                .buildAsync(URI.create(browser.origin().replace("http", "ws") + path), listener)
                .get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    /** What a page does: log in, load files, open the camera, see a frame, close the camera, and go. */
    private void loadPage(boolean openCamera) throws Exception {
        cookie = RawHttp.login(browser.newAddress(true));
        for (String file : List.of("/", "/app/main.js", "/app/frame-panel.js", "/lib/lit.js")) {
            assertEquals(
                    200,
                    client.send(request(file).build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode());
        }
        WebSocket events = connect("/ws/events", new WebSocket.Listener() {});
        if (openCamera) {
            ask("POST", "/api/cameras/c1/open");
            OneFrame frame = new OneFrame();
            WebSocket frames = connect("/ws/frames", frame);
            frames.sendText("{\"camera\":\"c1\"}", true).get(LONG.toSeconds(), TimeUnit.SECONDS);
            ask("POST", "/api/cameras/c1/stream/start");
            frame.arrived.get(LONG.toSeconds(), TimeUnit.SECONDS);
            frames.abort();
            ask("POST", "/api/cameras/c1/close");
        }
        events.abort();
    }

    /** Waits until what ends by itself has ended, and gives what is left. */
    private static Use settled(Use before, int threads, int files) throws IOException {
        Await.until("threads and files to go", LONG, () -> {
            try {
                Use now = Use.now();
                return now.threads() <= before.threads() + threads && now.files() <= before.files() + files;
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        return Use.now();
    }

    @Test
    void pagesThatCameAndWentLeaveNothingBehind() throws Exception {
        start("127.60.0.18");
        for (int i = 0; i < WARM_UP; i++) {
            loadPage(true);
        }
        Use before = Use.now();
        for (int i = 0; i < LOADS; i++) {
            loadPage(true);
        }
        Use after = settled(before, 8, 16);
        report(LOADS + " loads", before, after);
        long grown = after.heapBytes() + after.directBytes() - before.heapBytes() - before.directBytes();
        assertTrue(grown < 24 << 20, () -> grown + " bytes more after " + LOADS + " loads");
    }

    @Test
    void realPagesThatCameAndWentLeaveNothingBehind() throws Exception {
        chromium = Chromium.start();
        start("127.60.0.18");
        realPage();
        Use before = Use.now();
        for (int i = 0; i < REAL_PAGES; i++) {
            realPage();
        }
        Use after = settled(before, 8, 16);
        report(REAL_PAGES + " pages in Chromium", before, after);
        // What a page asked just before its camera was closed.
        chromium.expectComplaint("409");
        assertEquals(List.of(), chromium.complaints());
    }

    private void realPage() {
        Page page = chromium.newPage();
        page.navigate(browser.newAddress(true));
        Rig.click(page.locator("camera-list"), "Open");
        Rig.click(page.locator("frame-panel"), "Start");
        Textures.block(page, 0);
        Rig.click(page.locator("camera-list"), "Close");
        // The features are gone before the camera is closed.
        Rig.button(page.locator("camera-list"), "Open").waitFor();
        chromium.closePages();
    }

    @Test
    void aPageThatStopsReadingCostsTheAcquisitionNoFrame() throws Exception {
        chromium = Chromium.start();
        start("127.60.0.18");
        Page page = chromium.newPage();
        page.navigate(browser.newAddress(true));
        Rig.click(page.locator("camera-list"), "Open");
        Rig.click(page.locator("frame-panel"), "Start");
        long shown = Textures.block(page, 0);
        Use before = Use.now();
        JsonNode first = ask("GET", "/api/cameras/c1/stream/diagnosis").path("statistics");
        page.setDefaultTimeout(120_000 + 1000.0 * STALL_SECONDS);
        page.evaluate("s => { const e = performance.now() + 1000 * s; while (performance.now() < e); }", STALL_SECONDS);
        JsonNode last = ask("GET", "/api/cameras/c1/stream/diagnosis").path("statistics");
        Use after = Use.now();
        report("a page that did not read for " + STALL_SECONDS + " s", before, after);
        long arrived = last.path("FRAMES_COMPLETE").asLong()
                - first.path("FRAMES_COMPLETE").asLong();
        assertTrue(arrived > 10L * STALL_SECONDS, () -> arrived + " frames arrived");
        for (String lost : List.of("FRAMES_DROPPED_NO_FLOW_SET", "FRAMES_INCOMPLETE")) {
            assertEquals(first.path(lost).asLong(), last.path(lost).asLong(), lost);
        }
        long grown = after.heapBytes() + after.directBytes() - before.heapBytes() - before.directBytes();
        assertTrue(grown < 24 << 20, () -> grown + " bytes more");
        page.waitForCondition(() -> Textures.block(page, 0) > shown);
    }

    private static void report(String what, Use before, Use after) {
        if (Stream.of("peregrine.pageLoads", "peregrine.stallSeconds")
                .anyMatch(name -> System.getProperty(name) != null)) {
            System.out.println(what + ": before " + before + ", after " + after);
        }
    }
}
