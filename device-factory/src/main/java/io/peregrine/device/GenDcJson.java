package io.peregrine.device;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.gendc.FlowTable;
import io.peregrine.gendc.GenDcComponent;
import io.peregrine.gendc.GenDcContainer;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcDescriptor.VariableField;
import io.peregrine.gendc.GenDcPart;
import io.peregrine.gendc.GenDcProblem;
import io.peregrine.gendc.GenDcReport;
import io.peregrine.gendc.H264Parameters;
import io.peregrine.gendc.PartType;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;

/**
 * Every field of GenDC descriptors and flow tables, as JSON. Numbers are exact: those of 64 bits without sign, too,
 * which a reader must not take for floating point.
 */
final class GenDcJson {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private GenDcJson() {}

    /** All headers of a container and what is wrong with them; no data. */
    static String of(GenDcContainer container) {
        return of(container.descriptor());
    }

    /** All headers of a descriptor and what is wrong with them. */
    static String of(GenDcDescriptor descriptor) {
        return text(tree(descriptor));
    }

    /** The verdict on a container, its problems, and its headers if it can be used at all. */
    static String of(GenDcReport report) {
        ObjectNode object = object();
        object.put("usable", report.usable());
        object.put("strictlyConformant", report.strictlyConformant());
        report.container().ifPresent(container -> object.set("container", tree(container.descriptor())));
        putProblems(object, report.problems());
        return text(object);
    }

    /** The size of each flow. */
    static String of(FlowTable table) {
        ObjectNode object = object();
        ArrayNode sizes = object.putArray("flowSizes");
        for (long size : table.flowSizes()) {
            sizes.add(size);
        }
        return text(object);
    }

    private static ObjectNode tree(GenDcDescriptor descriptor) {
        ObjectNode object = object();
        object.put(
                "version",
                descriptor.versionMajor() + "." + descriptor.versionMinor() + "." + descriptor.versionSubMinor());
        object.put("flags", descriptor.flags());
        object.put("timestampPtp", descriptor.timestampPtp());
        object.put("componentInvalid", descriptor.componentInvalid());
        object.put("headerSizeBytes", descriptor.headerSizeBytes());
        putUnsigned(object, "id", descriptor.id());
        object.put("final", descriptor.isFinal());
        object.put("variableFields", descriptor.variableFields());
        ArrayNode variable = object.putArray("variable");
        for (VariableField field : descriptor.variable()) {
            variable.add(field.standardName());
        }
        object.put("dataSize", descriptor.dataSize());
        object.put("dataOffset", descriptor.dataOffset());
        object.put("descriptorSizeBytes", descriptor.descriptorSizeBytes());
        object.put("containerSizeBytes", descriptor.containerSizeBytes());
        ArrayNode components = object.putArray("components");
        for (GenDcComponent component : descriptor.components()) {
            put(component, components.addObject());
        }
        putProblems(object, descriptor.problems());
        return object;
    }

    private static void put(GenDcComponent component, ObjectNode object) {
        object.put("headerOffset", component.headerOffset());
        object.put("headerSizeBytes", component.headerSizeBytes());
        object.put("flags", component.flags());
        object.put("invalid", component.invalid());
        object.put("type", component.type().toString());
        putUnsigned(object, "typeId", component.typeId());
        putFormat(object, component.pixelFormat().name(), component.format());
        object.put("groupId", component.groupId());
        object.put("sourceId", component.sourceId());
        object.put("regionId", component.regionId());
        object.put("regionOffsetX", component.regionOffsetX());
        object.put("regionOffsetY", component.regionOffsetY());
        object.put("timestamp", component.timestamp());
        ArrayNode parts = object.putArray("parts");
        for (GenDcPart part : component.parts()) {
            put(part, parts.addObject());
        }
    }

    private static void put(GenDcPart part, ObjectNode object) {
        int type = part.headerType();
        object.put("headerOffset", part.headerOffset());
        object.put("headerSizeBytes", part.headerSizeBytes());
        object.put("type", PartType.name(type));
        object.put("headerType", hex(type, 4));
        object.put("flags", part.flags());
        object.put("usable", part.usable());
        putFormat(object, part.pixelFormat().name(), part.format());
        object.put("flowId", part.flowId());
        object.put("flowOffset", part.flowOffset());
        putUnsigned(object, "dataSize", part.dataSize());
        object.put("dataOffset", part.dataOffset());
        if (part.is2d()) {
            object.put("sizeX", part.sizeX()).put("sizeY", part.sizeY());
            object.put("paddingX", part.paddingX()).put("paddingY", part.paddingY());
        } else if (part.is1d()) {
            putUnsigned(object, "size", part.size());
            object.put("padding", part.padding());
        }
        if (type == PartType.METADATA_CHUNK || type == PartType.METADATA_XML) {
            putUnsigned(object, "layoutId", part.layoutId());
        }
        if (type == PartType.METADATA_XML) {
            object.put("zipped", part.xmlZipped()).put("forChunk", part.xmlForChunk());
        }
        part.h264().ifPresent(parameters -> put(parameters, object.putObject("h264")));
        ArrayNode specific = object.putArray("typeSpecific");
        for (int i = 0; i < part.typeSpecificCount(); i++) {
            specific.add(unsigned(part.typeSpecific(i)));
        }
    }

    private static void put(H264Parameters parameters, ObjectNode object) {
        object.put("profileIdc", parameters.profileIdc());
        object.put("constraintSets", parameters.constraintSets());
        object.put("packetizationMode", parameters.packetizationMode());
        object.put("levelIdc", parameters.levelIdc());
        object.put("interleavingDepth", parameters.interleavingDepth());
        object.put("maxDonDifference", parameters.maxDonDifference());
        object.put("deinterleavingBufferBytes", parameters.deinterleavingBufferBytes());
        object.put("initialBufferTime", parameters.initialBufferTime());
    }

    private static void putProblems(ObjectNode object, List<GenDcProblem> problems) {
        ArrayNode array = object.putArray("problems");
        for (GenDcProblem problem : problems) {
            ObjectNode entry = array.addObject();
            entry.put("severity", problem.severity().name());
            if (problem.component() >= 0) {
                entry.put("component", problem.component());
            }
            if (problem.part() >= 0) {
                entry.put("part", problem.part());
            }
            entry.put("text", problem.text());
        }
    }

    private static void putFormat(ObjectNode object, String name, int code) {
        object.put("format", name).put("formatCode", hex(code, 8));
    }

    private static String hex(int value, int digits) {
        return String.format(Locale.ROOT, "0x%0" + digits + "X", value);
    }

    private static void putUnsigned(ObjectNode object, String name, long value) {
        object.put(name, unsigned(value));
    }

    private static BigInteger unsigned(long value) {
        return value >= 0 ? BigInteger.valueOf(value) : new BigInteger(Long.toUnsignedString(value));
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static String text(ObjectNode tree) {
        try {
            return MAPPER.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new DeviceException("JSON could not be written", e);
        }
    }
}
