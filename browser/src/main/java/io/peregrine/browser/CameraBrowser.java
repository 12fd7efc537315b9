package io.peregrine.browser;

import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.cameras.Events;
import io.peregrine.browser.frames.JpegSender;
import io.peregrine.browser.http.Role;
import io.peregrine.browser.http.Route;
import io.peregrine.browser.http.Sessions;
import io.peregrine.browser.http.WebServer;
import io.peregrine.browser.recording.RecordingFolder;
import io.peregrine.browser.resources.ActionsResource;
import io.peregrine.browser.resources.AddressResource;
import io.peregrine.browser.resources.BandwidthResource;
import io.peregrine.browser.resources.CamerasResource;
import io.peregrine.browser.resources.ChunksResource;
import io.peregrine.browser.resources.ClocksResource;
import io.peregrine.browser.resources.ClosedMeanwhile;
import io.peregrine.browser.resources.ConfiguredResource;
import io.peregrine.browser.resources.DescriptionResource;
import io.peregrine.browser.resources.DoctorResource;
import io.peregrine.browser.resources.DraftsResource;
import io.peregrine.browser.resources.EventsResource;
import io.peregrine.browser.resources.FeaturesResource;
import io.peregrine.browser.resources.FilesResource;
import io.peregrine.browser.resources.MjpegResource;
import io.peregrine.browser.resources.RecordingsResource;
import io.peregrine.browser.resources.RegionResource;
import io.peregrine.browser.resources.SessionResource;
import io.peregrine.browser.resources.SettingsResource;
import io.peregrine.browser.resources.SnapshotResource;
import io.peregrine.browser.resources.StreamResource;
import io.peregrine.browser.socket.EventSocket;
import io.peregrine.browser.socket.FrameSocket;
import io.peregrine.device.Devices;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A web server with a page that finds cameras, sets them up and shows their frames. Starting it starts threads of the
 * server; {@link #close} ends them and closes the cameras that pages opened. Safe for use by several threads.
 */
public final class CameraBrowser implements AutoCloseable {
    /** How long answers to a search are collected. */
    private static final Duration SEARCH = Duration.ofMillis(500);

    private final WebServer server;
    private final Cameras cameras;
    private final JpegSender jpeg;

    private CameraBrowser(WebServer server, Cameras cameras, JpegSender jpeg) {
        this.server = server;
        this.cameras = cameras;
        this.jpeg = jpeg;
    }

    /**
     * Starts the server.
     *
     * @param devices finds and opens cameras
     * @throws IOException if the port cannot be bound or the key store cannot be read
     */
    public static CameraBrowser start(Devices devices, BrowserOptions options) throws IOException {
        Sessions sessions = new Sessions();
        Events events = new Events();
        RecordingFolder folder = new RecordingFolder(options.recordings());
        Cameras cameras = new Cameras(devices, SEARCH, events, folder);
        JpegSender jpeg = new JpegSender();
        List<Route> routes = new ArrayList<>();
        new SessionResource(sessions).addTo(routes);
        new CamerasResource(cameras).addTo(routes);
        new FeaturesResource(cameras).addTo(routes);
        new DraftsResource(cameras).addTo(routes);
        new DescriptionResource().addTo(routes);
        new StreamResource(cameras).addTo(routes);
        new SnapshotResource(cameras).addTo(routes);
        new RegionResource(cameras).addTo(routes);
        new ChunksResource(cameras).addTo(routes);
        new MjpegResource(cameras, jpeg).addTo(routes);
        new ConfiguredResource(cameras).addTo(routes);
        new SettingsResource(cameras).addTo(routes);
        new AddressResource(cameras).addTo(routes);
        new FilesResource(cameras).addTo(routes);
        new EventsResource(cameras).addTo(routes);
        new ActionsResource(cameras).addTo(routes);
        new ClocksResource(cameras).addTo(routes);
        new BandwidthResource(cameras).addTo(routes);
        new DoctorResource(cameras).addTo(routes);
        new RecordingsResource(cameras, folder).addTo(routes);
        routes.replaceAll(new ClosedMeanwhile(cameras)::around);
        Map<String, WebServer.SocketFactory> sockets = Map.of(
                "/ws/events",
                session -> new EventSocket(events),
                "/ws/frames",
                session -> new FrameSocket(cameras, jpeg));
        WebServer.Endpoint endpoint = new WebServer.Endpoint(
                options.address(),
                options.port(),
                options.hosts(),
                options.tls().map(BrowserOptions.KeyStore::file),
                options.tls().map(BrowserOptions.KeyStore::password).orElse(""));
        try {
            return new CameraBrowser(WebServer.start(endpoint, sessions, routes, sockets), cameras, jpeg);
        } catch (IOException | RuntimeException e) {
            cameras.close();
            throw e;
        }
    }

    /**
     * An address for a browser, with a token in its fragment that is good for one login. Each call gives a new one.
     *
     * @param control whether the browser may change things, or only view them
     */
    public String newAddress(boolean control) {
        return server.newAddress(control ? Role.CONTROL : Role.VIEW);
    }

    /** Scheme, host and port, for example {@code http://127.0.0.1:8080}. */
    public String origin() {
        return server.origin();
    }

    @Override
    public void close() {
        server.close();
        jpeg.close();
        cameras.close();
    }
}
