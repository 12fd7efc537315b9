package io.peregrine.browser.resources;

import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.frames.Jpeg;
import io.peregrine.browser.frames.JpegSender;
import io.peregrine.browser.frames.Viewer;
import io.peregrine.browser.frames.ViewerList;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.http.PartWriter;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Frames as Motion JPEG, for what shows an image of an address: other pages of this server, players, home automation.
 */
public final class MjpegResource {
    private static final String BOUNDARY = "frame";

    private final Cameras cameras;
    private final JpegSender jpeg;

    /** Creates the resource. */
    public MjpegResource(Cameras cameras, JpegSender jpeg) {
        this.cameras = cameras;
        this.jpeg = jpeg;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.get("/api/cameras/{camera}/mjpeg/{item}", this::stream));
    }

    /** The query {@code quality} is 1 to 100. A slow client gets fewer frames. */
    private Reply stream(Call call) {
        ViewerList viewers = cameras.open(call.path("camera")).viewers();
        int item = number(call.path("item"));
        int quality = call.query("quality").stream()
                .findFirst()
                .map(MjpegResource::number)
                .orElse(Jpeg.DEFAULT_QUALITY);
        if (viewers.size() >= ViewerList.MAX_VIEWERS) {
            throw HttpProblem.conflict("more than " + ViewerList.MAX_VIEWERS + " viewers watch the camera");
        }
        return Reply.endless("multipart/x-mixed-replace; boundary=" + BOUNDARY, writer -> {
            Client client = new Client(writer, viewers);
            client.begin(jpeg, quality, item);
        });
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw HttpProblem.badRequest(text + " is no number");
        }
    }

    /** One client: a viewer that has drawn a frame when it is written. */
    private static final class Client implements Viewer.Sink {
        private final PartWriter writer;
        private final ViewerList viewers;
        private Optional<Viewer> viewer = Optional.empty();

        Client(PartWriter writer, ViewerList viewers) {
            this.writer = writer;
            this.viewers = viewers;
        }

        synchronized void begin(JpegSender jpeg, int quality, int item) {
            Viewer added = new Viewer(jpeg.files(this, quality));
            viewer = Optional.of(added);
            added.want(Optional.of(Set.of(item)));
            writer.onEnd(this::end);
            viewers.add(added);
        }

        private synchronized Viewer viewer() {
            return viewer.orElseThrow();
        }

        private void end() {
            viewers.remove(viewer());
        }

        @Override
        public void send(ByteBuffer file, Runnable done, Consumer<Throwable> failed) {
            byte[] head = ("--" + BOUNDARY + "\r\nContent-Type: image/jpeg\r\nContent-Length: " + file.remaining()
                            + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
            ByteBuffer part = ByteBuffer.allocate(head.length + file.remaining() + 2);
            part.put(head).put(file).put((byte) '\r').put((byte) '\n').flip();
            writer.write(
                    part,
                    () -> {
                        done.run();
                        viewer().drawn();
                    },
                    failure -> {
                        failed.accept(failure);
                        end();
                    });
        }

        @Override
        public void send(String text, Runnable done, Consumer<Throwable> failed) {
            done.run();
        }
    }
}
