package io.peregrine.device;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.gendc.FlowTable;
import io.peregrine.gendc.GenDcContainer;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.gendc.GenDcReport;
import io.peregrine.stream.StreamStatistics;
import java.util.Collection;

/**
 * What programs and scripts ask for most, as JSON. Numbers are exact: those of 64 bits without sign, too, which a
 * reader must not take for floating point.
 *
 * <p>Methods may be called from any thread.
 */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private Json() {}

    /**
     * Devices that were found: an array of objects, one property for each of {@link DiscoveryInformation#properties}.
     */
    public static String of(Collection<DiscoveryInformation> devices) {
        ArrayNode array = MAPPER.createArrayNode();
        for (DiscoveryInformation device : devices) {
            array.add(tree(device));
        }
        return text(array);
    }

    /** A device that was found: an object with one property for each of {@link DiscoveryInformation#properties}. */
    public static String of(DiscoveryInformation device) {
        return text(tree(device));
    }

    private static ObjectNode tree(DiscoveryInformation device) {
        ObjectNode object = MAPPER.createObjectNode();
        device.properties().forEach(object::put);
        return object.put("DevicePort", device.port()).put("ForeignSubnet", device.foreignSubnet());
    }

    /** Counters of a stream: an object with one number for each counter. */
    public static String of(StreamStatistics statistics) {
        ObjectNode object = MAPPER.createObjectNode();
        statistics.asMap().forEach((counter, value) -> object.put(counter.name(), value));
        return text(object);
    }

    /**
     * Features of a node map: an object with one object for each feature, holding its access mode and, where it can be
     * read, its value as text. A feature that fails to read has the property {@code error} instead.
     */
    public static String of(NodeMap nodes) {
        ObjectNode object = MAPPER.createObjectNode();
        for (Node node : nodes.features()) {
            ObjectNode feature = object.putObject(node.name());
            try {
                feature.put("access", node.accessMode().name());
                if (node.readable()) {
                    feature.put("value", node.valueAsText());
                }
            } catch (GenApiException | DeviceException e) {
                feature.put("error", e.getMessage());
            }
        }
        return text(object);
    }

    /** All headers of a container and what is wrong with them; no data. */
    public static String of(GenDcContainer container) {
        return GenDcJson.of(container);
    }

    /** All headers of a descriptor and what is wrong with them. */
    public static String of(GenDcDescriptor descriptor) {
        return GenDcJson.of(descriptor);
    }

    /** The verdict on a container, its problems, and its headers if it is usable at all. */
    public static String of(GenDcReport report) {
        return GenDcJson.of(report);
    }

    /** The size of each flow, in bytes. */
    public static String of(FlowTable table) {
        return GenDcJson.of(table);
    }

    private static String text(Object tree) {
        try {
            return MAPPER.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new DeviceException("JSON could not be written", e);
        }
    }
}
