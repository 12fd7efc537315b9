package io.peregrine.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A page in a Chromium without window, which runs scripts by the DevTools protocol. Of that protocol only the domain
 * Runtime is on: the domain Network, which drivers for tests use, copies every message of a WebSocket.
 */
final class BrowserPage implements AutoCloseable, WebSocket.Listener {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int SECONDS = 60;

    private final Process process;
    private final Path profile;
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
    private final StringBuilder received = new StringBuilder();

    BrowserPage(String address) throws IOException, InterruptedException {
        profile = Files.createTempDirectory("peregrine-benchmark");
        process = new ProcessBuilder(
                        "chromium",
                        "--headless",
                        "--no-sandbox",
                        "--no-first-run",
                        "--disable-quic",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--enable-unsafe-swiftshader",
                        "--window-size=1280,940",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        address)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        HttpClient client = HttpClient.newHttpClient();
        String page = page(client);
        socket = client.newWebSocketBuilder().buildAsync(URI.create(page), this).join();
    }

    private String page(HttpClient client) throws IOException, InterruptedException {
        Path port = profile.resolve("DevToolsActivePort");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (System.nanoTime() < end) {
            if (Files.exists(port) && !Files.readAllLines(port).isEmpty()) {
                HttpRequest request = HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + Files.readAllLines(port).get(0) + "/json"))
                        .build();
                for (JsonNode target : MAPPER.readTree(client.send(request, HttpResponse.BodyHandlers.ofString())
                        .body())) {
                    if (target.path("type").asText().equals("page")) {
                        return target.path("webSocketDebuggerUrl").asText();
                    }
                }
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new IOException("Chromium opens no page");
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        received.append(data);
        if (last) {
            try {
                JsonNode answer = MAPPER.readTree(received.toString());
                CompletableFuture<JsonNode> asked =
                        waiting.remove(answer.path("id").asInt());
                if (asked != null) {
                    asked.complete(answer.path("result").path("result").path("value"));
                }
            } catch (IOException e) {
                waiting.values().forEach(asked -> asked.completeExceptionally(e));
            }
            received.setLength(0);
        }
        from.request(1);
        return null;
    }

    /** Begins a script; what it gives, as soon as it gives it. */
    CompletableFuture<JsonNode> begin(String script) {
        int id = ids.incrementAndGet();
        ObjectNode message = MAPPER.createObjectNode().put("id", id).put("method", "Runtime.evaluate");
        message.putObject("params").put("expression", script).put("returnByValue", true);
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        socket.sendText(message.toString(), true).join();
        return answer.orTimeout(2 * SECONDS, TimeUnit.SECONDS);
    }

    /** Runs a script and gives its number. */
    double run(String script) {
        return begin(script).join().asDouble();
    }

    /** Waits until a condition holds. */
    void await(String condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (run("Number(Boolean(" + condition + "))") != 1) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("Not within " + SECONDS + " s: " + condition);
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** Processor time of all its processes. */
    double processorSeconds() {
        return sum(process.toHandle(), 14) / ProcessorTime.TICKS_PER_SECOND;
    }

    /** Resident memory of all its processes, which share some of it. */
    double residentMegabytes() {
        return sum(process.toHandle(), 24) * 4096 / 1e6;
    }

    /**
     * Sums a field of {@code /proc/PID/stat}, counted from 1, over all processes; user and system time are two fields.
     */
    private static double sum(ProcessHandle root, int field) {
        double sum = 0;
        for (ProcessHandle one :
                Stream.concat(Stream.of(root), root.descendants()).toList()) {
            try {
                String stat = Files.readString(Path.of("/proc/" + one.pid() + "/stat"));
                String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
                sum += Double.parseDouble(fields[field - 3]);
                sum += field == 14 ? Double.parseDouble(fields[field - 2]) : 0;
            } catch (IOException e) {
                // It ended just now.
            }
        }
        return sum;
    }

    @Override
    public void close() throws IOException {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
        try (Stream<Path> files = Files.walk(profile)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
