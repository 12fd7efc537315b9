package io.peregrine.virtualcamera;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads scenarios from JSON. */
final class ScenarioJson {
    private final String source;

    private ScenarioJson(String source) {
        this.source = source;
    }

    static Scenario parse(String json, String source) {
        JsonNode root;
        try {
            root = new ObjectMapper().readTree(json);
        } catch (JsonProcessingException e) {
            throw new VirtualCameraException(
                    source + " is not valid JSON: look at line "
                            + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr(),
                    e);
        }
        return new ScenarioJson(source).scenario(root);
    }

    private Scenario scenario(JsonNode root) {
        if (!root.isObject()) {
            throw new VirtualCameraException(source + ": a JSON object is needed");
        }
        ScenarioBuilder builder = Scenario.builder();
        int width = 640;
        int height = 480;
        int sensorWidth = 0;
        int sensorHeight = 0;
        double drift = 0;
        Scenario.Sending sending = Scenario.Sending.SOCKET;
        Scenario.Clock.PtpPort port = Scenario.Clock.EXACT.port();
        for (Map.Entry<String, JsonNode> field : root.properties()) {
            String name = field.getKey();
            JsonNode value = field.getValue();
            switch (name) {
                case "bindAddress" -> builder.bindAddress(text(name, value));
                case "port" -> builder.port(integer(name, value));
                case "networkInterface" -> builder.networkInterface(text(name, value));
                case "vendor" -> builder.vendor(text(name, value));
                case "model" -> builder.model(text(name, value));
                case "macAddress" -> builder.macAddress(text(name, value));
                case "serial" -> builder.serial(text(name, value));
                case "userName" -> builder.userName(text(name, value));
                case "sensorWidth" -> sensorWidth = integer(name, value);
                case "sensorHeight" -> sensorHeight = integer(name, value);
                case "width" -> width = integer(name, value);
                case "height" -> height = integer(name, value);
                case "frameRate" -> builder.frameRate(number(name, value));
                case "pixelFormat" -> builder.pixelFormat(text(name, value));
                case "components" -> builder.components(components(name, value));
                case "content" -> builder.content(choice(name, value, Content.class));
                case "payload" -> builder.payload(choice(name, value, StreamPayload.class));
                case "flows" -> builder.flows(choice(name, value, Scenario.Flows.class));
                case "descriptorWithData" -> builder.descriptorWithData(bool(name, value));
                case "genDcMode" -> builder.genDcMode(choice(name, value, Scenario.GenDcMode.class));
                case "packetSizeBytes" -> builder.packetSizeBytes(integer(name, value));
                case "firstBlockId" -> builder.firstBlockId(longInteger(name, value));
                case "linkSpeedMegabits" -> builder.linkSpeedMegabits(integer(name, value));
                case "streamChannels" -> builder.streamChannels(integer(name, value));
                case "multicastTtl" -> builder.multicastTtl(integer(name, value));
                case "resendBlocks" -> builder.resendBlocks(integer(name, value));
                case "markResentPackets" -> builder.markResentPackets(bool(name, value));
                case "distinctImages" -> builder.distinctImages(integer(name, value));
                case "segmentationOffload" -> builder.segmentationOffload(bool(name, value));
                case "sending" -> sending = sending.by(choice(name, value, Scenario.Sending.Way.class));
                case "sendBufferBytes" -> sending = sending.withBufferBytes(integer(name, value));
                case "sendCompletionVector" -> sending = sending.withCompletionVector(integer(name, value));
                case "sendMaxPoll" -> sending = sending.withMaxPoll(integer(name, value));
                case "zippedXml" -> builder.zippedXml(bool(name, value));
                case "pendingTimeoutMilliseconds" -> builder.pendingTimeout(milliseconds(name, value));
                case "listenForBroadcast" -> builder.listenForBroadcast(bool(name, value));
                case "rdmaProvider" -> builder.rdmaProvider(text(name, value));
                case "rdmaPort" -> builder.rdmaPort(integer(name, value));
                case "clockDriftPartsPerMillion" -> drift = number(name, value);
                case "ptpPort" -> port = choice(name, value, Scenario.Clock.PtpPort.class);
                case "faults" -> builder.faults(faults(value));
                default -> throw unknown(name);
            }
        }
        builder.size(width, height).sensorSize(sensorWidth, sensorHeight).sending(sending);
        return builder.clock(new Scenario.Clock(drift, port)).build();
    }

    private FaultPlan faults(JsonNode node) {
        if (!node.isObject()) {
            throw wrong("faults", "an object", node);
        }
        Faults.Draft draft = new Faults.Draft(FaultPlan.NONE);
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            String name = "faults." + field.getKey();
            JsonNode value = field.getValue();
            switch (field.getKey()) {
                case "seed" -> draft.seed = longInteger(name, value);
                case "lossPerMille" -> draft.lossPerMille = number(name, value);
                case "resendLossPerMille" -> draft.resendLossPerMille = number(name, value);
                case "duplicatePerMille" -> draft.duplicatePerMille = number(name, value);
                case "reorderPerMille" -> draft.reorderPerMille = number(name, value);
                case "delayPerMille" -> draft.delayPerMille = number(name, value);
                case "delayMilliseconds" -> draft.delay = milliseconds(name, value);
                case "stallEveryBlocks" -> draft.stallEveryBlocks = integer(name, value);
                case "wrongDescriptorEveryBlocks" -> draft.wrongDescriptorEveryBlocks = integer(name, value);
                case "pendingAcknowledgeMilliseconds" -> draft.pendingAcknowledge = milliseconds(name, value);
                case "rdmaDropPerMille" -> draft.rdmaDropPerMille = number(name, value);
                case "rdmaReorderPerMille" -> draft.rdmaReorderPerMille = number(name, value);
                case "rdmaDuplicatePerMille" -> draft.rdmaDuplicatePerMille = number(name, value);
                case "rdmaCorruptPerMille" -> draft.rdmaCorruptPerMille = number(name, value);
                case "rdmaNotReadyPerMille" -> draft.rdmaNotReadyPerMille = number(name, value);
                case "rdmaVanishEveryBlocks" -> draft.rdmaVanishEveryBlocks = integer(name, value);
                case "rdmaVanishForGoodAtBlock" -> draft.rdmaVanishForGoodAtBlock = longInteger(name, value);
                case "rdmaWrongSetIdEveryBlocks" -> draft.rdmaWrongSetIdEveryBlocks = integer(name, value);
                case "rdmaWrongLengthEveryBlocks" -> draft.rdmaWrongLengthEveryBlocks = integer(name, value);
                case "rdmaErrorStatusEveryBlocks" -> draft.rdmaErrorStatusEveryBlocks = integer(name, value);
                case "files" -> draft.files = choice(name, value, FaultPlan.FileFault.class);
                default -> throw unknown(name);
            }
        }
        return draft.freeze();
    }

    private Set<ComponentKind> components(String name, JsonNode value) {
        if (!value.isArray()) {
            throw wrong(name, "a list", value);
        }
        Set<ComponentKind> kinds = EnumSet.noneOf(ComponentKind.class);
        for (JsonNode item : value) {
            kinds.add(choice(name, item, ComponentKind.class));
        }
        return kinds;
    }

    private <E extends Enum<E>> E choice(String name, JsonNode value, Class<E> type) {
        return choice(source + ": " + name, text(name, value), type);
    }

    /** Finds a constant by its name; case, hyphens and underscores do not matter. */
    static <E extends Enum<E>> E choice(String name, String value, Class<E> type) {
        String wanted = plain(value);
        for (E candidate : type.getEnumConstants()) {
            if (plain(candidate.name()).equals(wanted)) {
                return candidate;
            }
        }
        throw new VirtualCameraException(name + " must be one of " + EnumSet.allOf(type) + ", not " + value);
    }

    private static String plain(String name) {
        return name.replace("_", "").replace("-", "").toUpperCase(Locale.ROOT);
    }

    private String text(String name, JsonNode value) {
        if (!value.isTextual()) {
            throw wrong(name, "a string", value);
        }
        return value.textValue();
    }

    private int integer(String name, JsonNode value) {
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw wrong(name, "a whole number", value);
        }
        return value.intValue();
    }

    private long longInteger(String name, JsonNode value) {
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw wrong(name, "a whole number", value);
        }
        return value.longValue();
    }

    private double number(String name, JsonNode value) {
        if (!value.isNumber()) {
            throw wrong(name, "a number", value);
        }
        return value.doubleValue();
    }

    private Duration milliseconds(String name, JsonNode value) {
        double number = number(name, value);
        if (!(number >= 0 && number <= 60_000)) {
            throw wrong(name, "milliseconds between 0 and 60000", value);
        }
        return Duration.ofNanos(Math.round(number * 1e6));
    }

    private boolean bool(String name, JsonNode value) {
        if (!value.isBoolean()) {
            throw wrong(name, "true or false", value);
        }
        return value.booleanValue();
    }

    private VirtualCameraException unknown(String name) {
        return new VirtualCameraException(source + ": unknown property " + name);
    }

    private VirtualCameraException wrong(String name, String expected, JsonNode value) {
        return new VirtualCameraException(source + ": " + name + " must be " + expected + ", not " + value);
    }
}
