package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Camera;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import io.peregrine.device.Action;
import io.peregrine.device.ActionSettings;
import io.peregrine.device.Actions;
import io.peregrine.device.DeviceClock;
import java.util.ArrayList;
import java.util.List;

/** Actions: the keys that cameras listen to, and commands that make several cameras act together. */
public final class ActionsResource {
    private static final int MAX_CAMERAS = 256;
    private static final long MAX_DELAY_MILLIS = 3_600_000;

    private final Cameras cameras;

    /** Creates the resource. */
    public ActionsResource(Cameras cameras) {
        this.cameras = cameras;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.post("/api/actions/keys", this::setKeys));
        routes.add(Route.post("/api/actions/send", this::send));
    }

    /** Lets a signal of each camera listen to the keys of the body. */
    private Reply setKeys(Call call) {
        ObjectNode body = call.body();
        int deviceKey = word(body, "deviceKey");
        int groupKey = word(body, "groupKey");
        int groupMask = word(body, "groupMask");
        int signal = word(body, "signal");
        for (Camera camera : targets(body)) {
            ActionSettings settings =
                    cameras.open(camera.id()).device().control().actionSettings();
            settings.deviceKey(deviceKey);
            settings.group(signal, groupKey, groupMask);
        }
        return Reply.done();
    }

    /**
     * Sends an action once: at once, at the text {@code ticks}, or after {@code delayMillis} by the first camera's
     * clock.
     */
    private Reply send(Call call) {
        ObjectNode body = call.body();
        List<Camera> targets = targets(body);
        Action action = Action.of(word(body, "deviceKey"), word(body, "groupKey"), word(body, "groupMask"));
        if (body.path("delayMillis").isNumber()) {
            action = action.at(in(targets.get(0), body.get("delayMillis").asLong()));
        } else if (body.path("ticks").isTextual()) {
            action = action.at(unsigned(Call.text(body, "ticks"), "ticks"));
        }
        ObjectNode answer = Reply.object();
        action.timeTicks().ifPresent(ticks -> answer.put("ticks", Long.toUnsignedString(ticks)));
        ArrayNode results = answer.putArray("cameras");
        List<Actions.Answer> answers = cameras.act(action, targets);
        for (Camera camera : targets) {
            ObjectNode result = results.addObject().put("id", camera.id()).put("name", camera.label());
            answers.stream()
                    .filter(one -> isOf(one, camera))
                    .findFirst()
                    .ifPresent(one -> result.put("status", one.status())
                            .put("description", one.description())
                            .put("accepted", one.accepted())
                            .put("late", one.late()));
        }
        return Reply.of(answer);
    }

    private long in(Camera camera, long millis) {
        if (millis < 0 || millis > MAX_DELAY_MILLIS) {
            throw HttpProblem.badRequest("a delay is 0 to " + MAX_DELAY_MILLIS + " ms");
        }
        DeviceClock clock = cameras.open(camera.id()).device().clock();
        return clock.latch() + clock.rate().toTicks(millis * 1_000_000);
    }

    private static boolean isOf(Actions.Answer answer, Camera camera) {
        return answer.camera().getAddress().equals(camera.info().address())
                && answer.camera().getPort() == camera.info().port();
    }

    private List<Camera> targets(ObjectNode body) {
        List<Camera> targets = new ArrayList<>();
        for (JsonNode id : body.path("cameras")) {
            targets.add(cameras.camera(id.asText()));
        }
        if (targets.isEmpty() || targets.size() > MAX_CAMERAS) {
            throw HttpProblem.badRequest("an action goes to 1 to " + MAX_CAMERAS + " cameras");
        }
        if (targets.stream().anyMatch(camera -> camera.info().recording().isPresent())) {
            throw HttpProblem.conflict("a recording does not act");
        }
        return targets;
    }

    /** 32 bits, decimal or after 0x hexadecimal. */
    private static int word(ObjectNode body, String property) {
        long number = unsigned(Call.text(body, property), property);
        if (number >>> 32 != 0) {
            throw HttpProblem.badRequest(property + " has more than 32 bits");
        }
        return (int) number;
    }

    private static long unsigned(String text, String property) {
        try {
            return text.startsWith("0x") || text.startsWith("0X")
                    ? Long.parseUnsignedLong(text.substring(2), 16)
                    : Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw HttpProblem.badRequest(property + " is no number: " + text);
        }
    }
}
