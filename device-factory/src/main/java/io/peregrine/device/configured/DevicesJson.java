package io.peregrine.device.configured;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Configured devices as JSON: an object with an array {@code devices} of objects with {@code name}, {@code mac},
 * {@code serial}, {@code address} and an object {@code parameters}.
 */
final class DevicesJson {
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    private static final Set<String> PROPERTIES = Set.of("name", "mac", "serial", "address", "parameters");
    private static final int MAX_DEVICES = 1024;

    private DevicesJson() {}

    static byte[] of(List<ConfiguredDevice> devices) {
        ObjectNode root = MAPPER.createObjectNode();
        var array = root.putArray("devices");
        for (ConfiguredDevice device : devices) {
            ObjectNode object = array.addObject().put("name", device.name());
            putUnlessEmpty(object, "mac", device.mac());
            putUnlessEmpty(object, "serial", device.serial());
            putUnlessEmpty(object, "address", device.address());
            ObjectNode parameters = object.putObject("parameters");
            device.parameters().forEach(parameters::put);
        }
        try {
            return MAPPER.writeValueAsBytes(root);
        } catch (JsonProcessingException e) {
            throw new ConfiguredDevicesException("JSON could not be written", e);
        }
    }

    private static void putUnlessEmpty(ObjectNode object, String property, String value) {
        if (!value.isEmpty()) {
            object.put(property, value);
        }
    }

    static List<ConfiguredDevice> parse(byte[] bytes) {
        JsonNode root;
        try {
            root = MAPPER.readTree(bytes);
        } catch (JsonProcessingException e) {
            String where =
                    e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ";
            throw new ConfiguredDevicesException(where + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new ConfiguredDevicesException("it is no text in UTF-8", e);
        }
        JsonNode array = root.path("devices");
        if (!array.isArray()) {
            throw new ConfiguredDevicesException("there is no array \"devices\"");
        }
        if (array.size() > MAX_DEVICES) {
            throw new ConfiguredDevicesException("there are more than " + MAX_DEVICES + " devices");
        }
        List<ConfiguredDevice> devices = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        for (JsonNode entry : array) {
            ConfiguredDevice device = device(entry);
            if (!names.add(device.name())) {
                throw new ConfiguredDevicesException("the name " + device.name() + " is there twice");
            }
            devices.add(device);
        }
        return List.copyOf(devices);
    }

    private static ConfiguredDevice device(JsonNode entry) {
        String name = text(entry, "name");
        entry.fieldNames().forEachRemaining(property -> {
            if (!PROPERTIES.contains(property)) {
                throw new ConfiguredDevicesException("the device " + name + " has the unknown property " + property);
            }
        });
        Map<String, String> parameters = new LinkedHashMap<>();
        JsonNode given = entry.path("parameters");
        given.fieldNames().forEachRemaining(parameter -> parameters.put(parameter, text(given, parameter)));
        return new ConfiguredDevice(
                name, text(entry, "mac"), text(entry, "serial"), text(entry, "address"), parameters);
    }

    /** A text, empty if it is missing. */
    private static String text(JsonNode object, String property) {
        JsonNode value = object.get(property);
        if (value == null) {
            return "";
        }
        if (!value.isTextual()) {
            throw new ConfiguredDevicesException("\"" + property + "\" is no text in quotation marks");
        }
        return value.textValue();
    }
}
