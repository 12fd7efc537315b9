package io.peregrine.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.peregrine.browser.BrowserOptions;
import io.peregrine.browser.CameraBrowser;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.virtualcamera.ComponentKind;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The camera browser with a page in Chromium, and a virtual camera in a separate process. Arguments: {@code draw},
 * {@code receive} or {@code stall}, then seconds. Draws 12-bit frames of 1280 x 960 at 60 a second; receives frames of
 * 4 MiB at 100 a second and draws none; draws as before and then keeps the page from reading.
 */
public final class BrowserMain {
    private static final String ADDRESS = "127.0.0.1";
    private static final int WARM_UP_SECONDS = 6;

    /** The panel with frames. */
    private static final String PANEL =
            "document.querySelector('peregrine-app').shadowRoot.querySelector('frame-panel')";

    /** Counts frames when they are drawn. */
    private static final String COUNT_DRAWN = "(() => { const h = " + PANEL
            + ".client.handler; const f = h.onFrame; window.n = 0; window.b = 0;"
            + " h.onFrame = () => { window.n++; f(); }; })()";

    /** Takes the page away and receives frames, with a separate connection. */
    private static final String RECEIVE_ONLY = """
            (() => {
              document.querySelector('peregrine-app').remove();
              window.n = 0; window.b = 0;
              const s = new WebSocket(location.origin.replace(/^http/, 'ws') + '/ws/frames');
              s.binaryType = 'arraybuffer';
              s.onopen = () => s.send('{"camera":"c1","ahead":2}');
              s.onmessage = (m) => {
                if (typeof m.data === 'string') return;
                window.n++; window.b += m.data.byteLength; s.send('1');
              };
            })()""";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final CameraBrowser browser;
    private final String cookie;

    private BrowserMain(CameraBrowser browser) throws IOException, InterruptedException {
        this.browser = browser;
        String address = browser.newAddress(true);
        HttpRequest login = HttpRequest.newBuilder(URI.create(browser.origin() + "/login"))
                .header("X-Token", address.substring(address.indexOf('#') + 1))
                .header("Origin", browser.origin())
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        cookie = client.send(login, HttpResponse.BodyHandlers.discarding())
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow()
                .split(";", 2)[0];
    }

    /** Runs one measurement. */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("camera")) {
            camera(arguments[1], Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]), arguments[4]);
            return;
        }
        boolean large = arguments[0].equals("receive");
        String[] size = large ? new String[] {"2048", "2048", "100"} : new String[] {"1280", "960", "60"};
        String format = large ? "Mono8" : "Mono12p";
        List<String> command = new ArrayList<>(Runs.java(BrowserMain.class, List.of()));
        command.addAll(List.of("camera", format, size[0], size[1], size[2]));
        Process camera = Runs.start(command);
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(camera.getInputStream(), StandardCharsets.UTF_8))) {
            String port = out.readLine();
            try (CameraBrowser browser = CameraBrowser.start(
                    DeviceFactory.create(PeregrineSettings.load()
                            .with(PeregrineSettings.DISCOVERY_ADDRESSES, ADDRESS + ":" + port)
                            .with(PeregrineSettings.DISCOVERY_BROADCAST, "false")),
                    BrowserOptions.loopback())) {
                new BrowserMain(browser).measure(arguments[0], Integer.parseInt(arguments[1]), camera.toHandle());
            }
        } finally {
            camera.destroy();
        }
    }

    /** The process of the camera; it ends with its input. */
    private static void camera(String format, int width, int height, String rate) throws IOException {
        try (VirtualCamera camera = VirtualCamera.start(Scenario.builder()
                .bindAddress(ADDRESS)
                .port(0)
                .serial("BENCH")
                .components(Set.of(ComponentKind.INTENSITY))
                .sensorSize(width, height)
                .size(width, height)
                .pixelFormat(format)
                .frameRate(Double.parseDouble(rate))
                .distinctImages(16)
                .linkSpeedMegabits(10_000)
                .segmentationOffload(true)
                .build())) {
            System.out.println(camera.address().getPort());
            while (System.in.read() >= 0) {
                // Nothing is sent; the end counts.
            }
        }
    }

    private JsonNode ask(String method, String path) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(browser.origin() + path))
                .header("Cookie", cookie)
                .header("Origin", browser.origin())
                .header("Content-Type", "application/json");
        request = method.equals("GET") ? request.GET() : request.POST(HttpRequest.BodyPublishers.ofString("{}"));
        HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(answer.body());
        }
        return new ObjectMapper().readTree(answer.body());
    }

    private void measure(String what, int seconds, ProcessHandle camera) throws Exception {
        ask("POST", "/api/search");
        ask("POST", "/api/cameras/c1/open");
        ask("POST", "/api/cameras/c1/stream/start");
        try (BrowserPage page = new BrowserPage(browser.newAddress(false))) {
            page.await(PANEL + "?.client?.handler");
            page.run(what.equals("receive") ? RECEIVE_ONLY : COUNT_DRAWN);
            page.await("window.n > 10");
            TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
            if (what.equals("draw")) {
                System.out.printf(
                        Locale.ROOT,
                        "canvas %.0f x %.0f%n",
                        page.run(PANEL + ".shadowRoot.querySelector('frame-tile').canvas.width"),
                        page.run(PANEL + ".shadowRoot.querySelector('frame-tile').canvas.height"));
            }
            Sample before = sample(page, camera);
            CompletableFuture<JsonNode> stalled = what.equals("stall")
                    ? page.begin("(() => { const e = performance.now() + " + 1000 * seconds
                            + "; while (performance.now() < e); return 1; })()")
                    : CompletableFuture.completedFuture(null);
            double highest = 0;
            for (int second = 0; second < seconds; second++) {
                TimeUnit.SECONDS.sleep(1);
                highest = Math.max(highest, directMegabytes());
            }
            stalled.join();
            Sample after = sample(page, camera);
            after.print(before, highest);
        }
    }

    private static double directMegabytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                        .filter(pool -> pool.getName().equals("direct"))
                        .mapToLong(BufferPoolMXBean::getMemoryUsed)
                        .sum()
                / 1e6;
    }

    private static double heapMegabytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6;
    }

    private Sample sample(BrowserPage page, ProcessHandle camera) throws Exception {
        JsonNode counters = ask("GET", "/api/cameras/c1/stream/diagnosis").path("statistics");
        return new Sample(
                System.nanoTime() / 1e9,
                page.run("window.n"),
                page.run("window.b"),
                counters.path("FRAMES_COMPLETE").asLong(),
                counters.path("FRAMES_INCOMPLETE").asLong()
                        + counters.path("FRAMES_DROPPED_NO_FLOW_SET").asLong()
                        + counters.path("BLOCK_ID_GAPS").asLong(),
                ProcessorTime.processSeconds(),
                page.processorSeconds(),
                camera.info().totalCpuDuration().orElseThrow().toMillis() / 1e3,
                directMegabytes(),
                heapMegabytes(),
                page.residentMegabytes());
    }

    private record Sample(
            double at,
            double pageFrames,
            double pageBytes,
            long complete,
            long bad,
            double server,
            double page,
            double camera,
            double direct,
            double heap,
            double resident) {
        void print(Sample before, double highestDirect) {
            double seconds = at - before.at;
            System.out.printf(
                    Locale.ROOT,
                    "page: %.1f frames/s%s, %.2f processors%n",
                    (pageFrames - before.pageFrames) / seconds,
                    pageBytes > 0
                            ? String.format(Locale.ROOT, ", %.0f MB/s", (pageBytes - before.pageBytes) / seconds / 1e6)
                            : "",
                    (page - before.page) / seconds);
            System.out.printf(
                    Locale.ROOT,
                    "acquisition: %.1f frames/s complete, %d bad%n",
                    (complete - before.complete) / seconds,
                    bad - before.bad);
            System.out.printf(
                    Locale.ROOT,
                    "server: %.2f processors; camera: %.2f%n",
                    (server - before.server) / seconds,
                    (camera - before.camera) / seconds);
            System.out.printf(
                    Locale.ROOT,
                    "memory, MB: direct %.1f to %.1f (highest %.1f), heap after collection %.1f to %.1f,"
                            + " resident of the page %.0f to %.0f%n",
                    before.direct,
                    direct,
                    highestDirect,
                    before.heap,
                    heap,
                    before.resident,
                    resident);
        }
    }
}
