package io.peregrine.browser.resources;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.browser.cameras.Cameras;
import io.peregrine.browser.cameras.OpenCamera;
import io.peregrine.browser.http.Call;
import io.peregrine.browser.http.HttpProblem;
import io.peregrine.browser.http.Reply;
import io.peregrine.browser.http.Route;
import io.peregrine.device.Device;
import io.peregrine.device.UserSets;
import io.peregrine.genapi.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Settings of a camera, saved, loaded and compared, and its user sets. */
public final class SettingsResource {
    private static final String SETTINGS = "/api/cameras/{camera}/settings";
    private static final String SETS = "/api/cameras/{camera}/usersets";

    private final Cameras cameras;

    /** Creates the resource. */
    public SettingsResource(Cameras cameras) {
        this.cameras = cameras;
    }

    /** Adds what it answers. */
    public void addTo(List<Route> routes) {
        routes.add(Route.post(SETTINGS + "/save", this::save));
        routes.add(Route.post(SETTINGS + "/load", this::load));
        routes.add(Route.post(SETTINGS + "/compare", this::compare));
        routes.add(Route.post(SETTINGS + "/compare-set", this::compareSet));
        routes.add(Route.get(SETS, this::sets));
        routes.add(Route.post(SETS + "/load", this::loadSet));
        routes.add(Route.post(SETS + "/save", this::saveSet));
        routes.add(Route.post(SETS + "/start", this::startSet));
    }

    private OpenCamera camera(Call call) {
        return cameras.open(call.path("camera"));
    }

    /** The text that GenICam tools exchange. */
    private Reply save(Call call) {
        Settings settings = camera(call).device().settings().read();
        ObjectNode answer = Reply.object().put("text", settings.toText());
        answer.set("failures", failures(settings.failures()));
        return Reply.of(answer);
    }

    private Reply load(Call call) throws IOException {
        OpenCamera camera = camera(call);
        Settings settings = given(call, camera.device());
        List<Settings.Failure> failures = camera.device().settings().apply(settings);
        camera.publishChanges();
        ObjectNode answer = Reply.object().put("values", settings.settings().size());
        answer.set("failures", failures(failures));
        return Reply.of(answer);
    }

    /** The settings in the body, in either form; the file is made and named here. */
    private static Settings given(Call call, Device device) throws IOException {
        Path file = Files.createTempFile("peregrine-settings", ".txt");
        try {
            Files.write(file, Call.text(call.body(), "text").getBytes(StandardCharsets.UTF_8));
            return device.settings().readFile(file);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private Reply compare(Call call) throws IOException {
        Device device = camera(call).device();
        Settings other = given(call, device);
        return Reply.of(differences(device.settings().read(), other, List.of()));
    }

    /**
     * Compares with a user set, such as that of the manufacturer: it is loaded, read, and the present settings are put
     * back.
     */
    private Reply compareSet(Call call) {
        OpenCamera camera = camera(call);
        Device device = camera.device();
        if (camera.acquisition().running()) {
            throw HttpProblem.conflict("a user set is loaded to be compared: stop the stream first");
        }
        Settings now = device.settings().read();
        Settings other;
        List<Settings.Failure> failures;
        try {
            device.userSets().load(Call.text(call.body(), "set"));
            other = device.settings().read();
        } finally {
            failures = device.settings().apply(now);
            camera.publishChanges();
        }
        return Reply.of(differences(now, other, failures));
    }

    private static ObjectNode differences(Settings now, Settings other, List<Settings.Failure> failures) {
        Map<String, String> present = values(now);
        Map<String, String> others = values(other);
        ObjectNode answer = Reply.object();
        ArrayNode array = answer.putArray("differences");
        others.forEach((feature, value) -> {
            String mine = present.get(feature);
            if (!value.equals(mine)) {
                ObjectNode difference =
                        array.addObject().put("feature", feature).put("other", value);
                if (mine != null) {
                    difference.put("now", mine);
                }
            }
        });
        present.forEach((feature, value) -> {
            if (!others.containsKey(feature)) {
                array.addObject().put("feature", feature).put("now", value);
            }
        });
        answer.set("failures", failures(failures));
        return answer;
    }

    /** Values by their feature and its selection. */
    private static Map<String, String> values(Settings settings) {
        Map<String, String> values = new LinkedHashMap<>();
        for (Settings.Setting setting : settings.settings()) {
            List<String> selection = new ArrayList<>();
            setting.selection().forEach(entry -> selection.add(entry.getKey() + "=" + entry.getValue()));
            String suffix = selection.isEmpty() ? "" : " {" + String.join(", ", selection) + "}";
            values.put(setting.feature() + suffix, setting.value());
        }
        return values;
    }

    static ArrayNode failures(List<Settings.Failure> failures) {
        ArrayNode array = Reply.object().putArray("failures");
        failures.forEach(
                failure -> array.addObject().put("feature", failure.feature()).put("reason", failure.reason()));
        return array;
    }

    private Reply sets(Call call) {
        UserSets sets = camera(call).device().userSets();
        ObjectNode answer = Reply.object().put("start", sets.atStart().orElse(""));
        ArrayNode names = answer.putArray("names");
        sets.names().forEach(names::add);
        return Reply.of(answer);
    }

    private Reply loadSet(Call call) {
        OpenCamera camera = camera(call);
        camera.device().userSets().load(Call.text(call.body(), "set"));
        camera.publishChanges();
        return Reply.done();
    }

    private Reply saveSet(Call call) {
        camera(call).device().userSets().save(Call.text(call.body(), "set"));
        return Reply.done();
    }

    private Reply startSet(Call call) {
        camera(call).device().userSets().atStart(Call.text(call.body(), "set"));
        return Reply.done();
    }
}
