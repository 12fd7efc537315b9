package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.cameras.OpenCamera;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import io.peregrine.browser.recording.CameraRecording;
import io.peregrine.browser.recording.RecordingFolder;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Recording of a camera, also of what came before a trigger, and recordings as devices. */
public final class RecordingsResource {
    private static final String RECORDING = "/api/cameras/{camera}/recording";
    private static final double MAX_SECONDS = 7 * 86_400;

    private final Cameras cameras;
    private final RecordingFolder folder;

    /** Creates the resource. */
    public RecordingsResource(Cameras cameras, RecordingFolder folder) {
        this.cameras = cameras;
        this.folder = folder;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.get(RECORDING, call -> Reply.of(state(camera(call)))));
        routes.add(Route.post(RECORDING + "/start", this::start));
        routes.add(Route.post(RECORDING + "/arm", this::arm));
        routes.add(Route.post(RECORDING + "/trigger", this::trigger));
        routes.add(Route.post(RECORDING + "/stop", this::stop));
        routes.add(Route.get("/api/recordings", call -> list()));
        routes.add(Route.post("/api/recordings/{recording}/replay", this::replay));
    }

    private OpenCamera camera(Call call) {
        return cameras.open(call.path("camera"));
    }

    private Reply start(Call call) {
        ObjectNode body = call.body();
        OpenCamera camera = camera(call);
        camera.recording().start(body.path("label").asText(""), seconds(body, "seconds"));
        return Reply.of(state(camera));
    }

    private Reply arm(Call call) {
        OpenCamera camera = camera(call);
        camera.recording().arm(seconds(call.body(), "before"));
        return Reply.of(state(camera));
    }

    private Reply trigger(Call call) {
        ObjectNode body = call.body();
        OpenCamera camera = camera(call);
        camera.recording().trigger(body.path("label").asText(""), seconds(body, "seconds"));
        return Reply.of(state(camera));
    }

    private Reply stop(Call call) {
        OpenCamera camera = camera(call);
        camera.recording().stop();
        return Reply.of(state(camera));
    }

    private static Duration seconds(ObjectNode body, String property) {
        JsonNode value = body.path(property);
        double seconds = value.asDouble(0);
        if ((!value.isMissingNode() && !value.isNumber()) || !(seconds >= 0 && seconds <= MAX_SECONDS)) {
            throw HttpProblem.badRequest("\"" + property + "\" is a number of seconds, 0 to " + (long) MAX_SECONDS);
        }
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    private ObjectNode state(OpenCamera camera) {
        CameraRecording.Progress progress = camera.recording().progress();
        ObjectNode state = Reply.object()
                .put("state", progress.state().name().toLowerCase(Locale.ROOT))
                .put("streaming", camera.acquisition().running())
                .put("target", progress.target())
                .put("problem", progress.problem())
                .put("folder", folder.path().toString())
                .put("freeBytes", Long.toString(folder.freeBytes()))
                .put("keptFrames", progress.keptFrames())
                .put("keptSeconds", progress.keptSpan().toMillis() / 1000.0)
                .put("keptBytes", Long.toString(progress.keptBytes()))
                .put("limited", progress.limited());
        progress.statistics()
                .ifPresent(counts -> state.putObject("counts")
                        .put("frames", Long.toString(counts.framesWritten()))
                        .put("waiting", Integer.toString(counts.framesQueued()))
                        .put("dropped", Long.toString(counts.framesDropped()))
                        .put("incomplete", Long.toString(counts.framesSkippedIncomplete()))
                        .put("bytes", Long.toString(counts.bytesWritten())));
        return state;
    }

    private Reply list() {
        ObjectNode answer = Reply.object()
                .put("folder", folder.path().toString())
                .put("freeBytes", Long.toString(folder.freeBytes()));
        ArrayNode array = answer.putArray("recordings");
        for (RecordingFolder.Entry entry : folder.list()) {
            array.addObject()
                    .put("name", entry.name())
                    .put("bytes", Long.toString(entry.bytes()))
                    .put("modifiedMillis", entry.modifiedMillis());
        }
        return Reply.of(answer);
    }

    /** Makes a recording a device of the list. */
    private Reply replay(Call call) {
        return Reply.of(CamerasResource.json(cameras.addRecording(folder.find(call.path("recording")))));
    }
}
