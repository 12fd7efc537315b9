package io.peregrine.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.device.DeviceFactory;
import io.peregrine.device.PeregrineSettings;
import io.peregrine.testing.Await;
import io.peregrine.virtualcamera.VirtualCamera;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames as Motion JPEG, for clients that are no page of this server. */
@Timeout(60)
class MjpegTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private VirtualCamera camera;
    private CameraBrowser browser;
    private HttpClient client;
    private String cookie;

    @BeforeEach
    void stream() throws Exception {
        camera = VirtualCamera.start(Rig.scenario("127.60.0.15").build());
        browser = CameraBrowser.start(
                DeviceFactory.create(PeregrineSettings.load()
                        .with(
                                PeregrineSettings.DISCOVERY_ADDRESSES,
                                "127.60.0.15:" + camera.address().getPort())
                        .with(PeregrineSettings.DISCOVERY_BROADCAST, "false")),
                BrowserOptions.loopback());
        // It would ask for HTTP/2 by an upgrade, which only pages of the server may.
        client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        cookie = RawHttp.login(browser.newAddress(true));
        post("/api/search");
        post("/api/cameras/c1/open");
        post("/api/cameras/c1/stream/start");
    }

    @AfterEach
    void stop() {
        browser.close();
        camera.close();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(browser.origin() + path)).header("Cookie", cookie);
    }

    private void post(String path) throws Exception {
        HttpResponse<String> answer = client.send(
                request(path)
                        .header("Origin", browser.origin())
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());
    }

    private HttpResponse<InputStream> open(String path) throws Exception {
        return client.send(request(path).build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    private String viewers() throws Exception {
        return client.send(request("/api/cameras/c1/stream/diagnosis").build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the stream ended after " + line);
            }
            if (next == '\n') {
                return line.toString().strip();
            }
            line.append((char) next);
        }
    }

    /** As a client reads a part: RFC 2046, with the length that this server gives. */
    private static BufferedImage part(InputStream in) throws IOException {
        assertEquals("--frame", line(in));
        assertEquals("Content-Type: image/jpeg", line(in));
        int length = Integer.parseInt(line(in).substring("Content-Length: ".length()));
        assertEquals("", line(in));
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(in.readNBytes(length)));
        assertEquals("", line(in));
        return image;
    }

    @Test
    void eachPartIsAFrame() throws Exception {
        HttpResponse<InputStream> answer = open("/api/cameras/c1/mjpeg/0?quality=80");
        assertEquals(
                "multipart/x-mixed-replace; boundary=frame",
                answer.headers().firstValue("Content-Type").orElseThrow());
        try (InputStream in = answer.body()) {
            for (int frame = 0; frame < 5; frame++) {
                BufferedImage image = part(in);
                assertEquals(Rig.WIDTH + " x " + Rig.HEIGHT, image.getWidth() + " x " + image.getHeight());
            }
        }
    }

    @Test
    void aClientThatGoesAwayIsNoViewerAnyMore() throws Exception {
        try (InputStream in = open("/api/cameras/c1/mjpeg/0").body()) {
            part(in);
        }
        Await.until("no viewer", LONG, () -> {
            try {
                return viewers().contains("\"viewers\":0");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void aQualityThatIsNoNumberIsRefused() throws Exception {
        HttpResponse<InputStream> answer = open("/api/cameras/c1/mjpeg/0?quality=best");
        assertEquals(400, answer.statusCode());
        assertEquals(
                "{\"error\":\"best is no number\"}", new String(answer.body().readAllBytes(), StandardCharsets.UTF_8));
    }
}
