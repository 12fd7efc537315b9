package io.peregrine.browser.socket;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.frames.JpegSender;
import io.peregrine.browser.frames.Viewer;
import io.peregrine.browser.frames.ViewerList;
import io.peregrine.browser.http.HttpProblem;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.StatusCode;
import org.jspecify.annotations.Nullable;

/**
 * Sends the frames of one camera to one page. The page sends {@code {"camera": id}} first, {@code {"items": [0, 1]}} or
 * {@code {"items": null}} to choose items, {@code {"jpeg": 75}} for JPEG of that quality or {@code {"jpeg": null}} for
 * values, {@code {"ahead": 2}} for messages before the last ones are drawn, and the text {@code 1} for each message
 * that it has drawn.
 */
public final class FrameSocket extends Session.Listener.AbstractAutoDemanding {
    private static final System.Logger LOGGER = System.getLogger(FrameSocket.class.getName());

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Cameras cameras;
    private final JpegSender sender;
    /** Quality of JPEG, or 0 for values. */
    private volatile int quality;

    private @Nullable Viewer viewer;
    private @Nullable ViewerList viewers;

    /** Creates the endpoint of one connection. */
    public FrameSocket(Cameras cameras, JpegSender sender) {
        this.cameras = cameras;
        this.sender = sender;
    }

    @Override
    public void onWebSocketText(String message) {
        if (message.equals("1")) {
            Viewer current = current();
            if (current != null) {
                current.drawn();
            }
            return;
        }
        try {
            JsonNode tree = MAPPER.readTree(message);
            if (tree.hasNonNull("camera")) {
                watch(tree.get("camera").asText());
            }
            if (tree.has("jpeg")) {
                quality = Math.max(0, Math.min(100, tree.get("jpeg").asInt()));
            }
            Viewer current = current();
            if (tree.has("items") && current != null) {
                current.want(items(tree.get("items")));
            }
            if (tree.has("ahead") && current != null) {
                current.ahead(tree.get("ahead").asInt());
            }
        } catch (JsonProcessingException | HttpProblem e) {
            close(StatusCode.POLICY_VIOLATION, String.valueOf(e.getMessage()));
        }
    }

    private synchronized @Nullable Viewer current() {
        return viewer;
    }

    private static Optional<Set<Integer>> items(JsonNode array) {
        if (!array.isArray()) {
            return Optional.empty();
        }
        Set<Integer> items = new HashSet<>();
        array.forEach(item -> items.add(item.asInt()));
        return Optional.of(items);
    }

    private synchronized void watch(String camera) {
        if (viewer != null) {
            throw HttpProblem.badRequest("this connection has a camera");
        }
        ViewerList list = cameras.open(camera).viewers();
        Viewer added = new Viewer(sink(new SocketSink(getSession())));
        if (!list.add(added)) {
            throw HttpProblem.conflict("more than " + ViewerList.MAX_VIEWERS + " pages watch the camera");
        }
        viewer = added;
        viewers = list;
    }

    /** Values or JPEG, as the page wants just now. */
    private Viewer.Sink sink(Viewer.Sink values) {
        Viewer.Sink jpeg = sender.messages(values, () -> Math.max(1, quality));
        return new Viewer.Sink() {
            @Override
            public void send(ByteBuffer message, Runnable done, Consumer<Throwable> failed) {
                (quality > 0 ? jpeg : values).send(message, done, failed);
            }

            @Override
            public void send(String text, Runnable done, Consumer<Throwable> failed) {
                values.send(text, done, failed);
            }
        };
    }

    private void close(int status, String reason) {
        Session session = getSession();
        if (session != null) {
            session.close(status, reason.substring(0, Math.min(reason.length(), 100)), Callback.NOOP);
        }
    }

    /** A page that went away; the connection is closed after this. */
    @Override
    public void onWebSocketError(Throwable cause) {
        LOGGER.log(System.Logger.Level.DEBUG, "The connection to a page failed", cause);
    }

    @Override
    public synchronized void onWebSocketClose(int statusCode, String reason, Callback callback) {
        if (viewer != null && viewers != null) {
            viewers.remove(viewer);
        }
        callback.succeed();
    }

    private record SocketSink(Session session) implements Viewer.Sink {
        @Override
        public void send(ByteBuffer message, Runnable done, Consumer<Throwable> failed) {
            session.sendBinary(message, Callback.from(done, failed));
        }

        @Override
        public void send(String text, Runnable done, Consumer<Throwable> failed) {
            session.sendText(text, Callback.from(done, failed));
        }
    }
}
