package io.peregrine.device;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.genapi.Settings;
import io.peregrine.genapi.Settings.Failure;
import io.peregrine.genapi.Settings.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Settings of a device as JSON: an object with {@code device}, an array {@code settings} of objects with
 * {@code feature}, {@code value} and, where there is one, {@code selection}, and an array {@code failures} with
 * {@code feature} and {@code reason}.
 */
final class SettingsJson {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private SettingsJson() {}

    /** Settings as JSON. */
    static String of(Settings settings) {
        ObjectNode root = MAPPER.createObjectNode().put("device", settings.device());
        ArrayNode array = root.putArray("settings");
        for (Setting setting : settings.settings()) {
            ObjectNode object = array.addObject().put("feature", setting.feature());
            if (!setting.selection().isEmpty()) {
                ObjectNode selection = object.putObject("selection");
                setting.selection().forEach(entry -> selection.put(entry.getKey(), entry.getValue()));
            }
            object.put("value", setting.value());
        }
        ArrayNode failures = root.putArray("failures");
        for (Failure failure : settings.failures()) {
            failures.addObject().put("feature", failure.feature()).put("reason", failure.reason());
        }
        try {
            return MAPPER.writeValueAsString(root);
        } catch (JsonProcessingException e) {
            throw new DeviceException("JSON could not be written", e);
        }
    }

    /**
     * Settings from JSON.
     *
     * @throws DeviceException if it is not of the form that {@link #of} gives
     */
    static Settings parse(String json) {
        JsonNode root;
        try {
            root = MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new DeviceException(
                    "The settings are no JSON: look at line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr(),
                    e);
        }
        List<Setting> settings = new ArrayList<>();
        for (JsonNode object : root.path("settings")) {
            List<Map.Entry<String, String>> selection = new ArrayList<>();
            object.path("selection")
                    .properties()
                    .forEach(entry -> selection.add(
                            Map.entry(entry.getKey(), entry.getValue().asText())));
            settings.add(new Setting(text(object, "feature"), selection, text(object, "value")));
        }
        List<Failure> failures = new ArrayList<>();
        for (JsonNode object : root.path("failures")) {
            failures.add(new Failure(text(object, "feature"), text(object, "reason")));
        }
        return new Settings(root.path("device").asText(""), settings, failures);
    }

    private static String text(JsonNode object, String property) {
        JsonNode value = object.get(property);
        if (value == null || value.isNull()) {
            throw new DeviceException("The settings have an entry without " + property);
        }
        return value.asText();
    }
}
