package io.peregrine.genapi;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A device description, parsed once for any number of node maps: the part of them that they can share. Immutable, and
 * safe for use by several threads.
 */
@SuppressWarnings("exports") // Only compilers that check for null need JSpecify.
public final class Description {
    private final Element root;

    /** The same port for all names. A class, as the first lambda of a process takes longer than many nodes. */
    private record OnePort(Port port) implements Function<String, @Nullable Port> {
        @Override
        public Port apply(String name) {
            return port;
        }
    }

    private Description(Element root) {
        this.root = root;
    }

    /**
     * Parses a description.
     *
     * @param xml the description, zipped or not
     * @throws GenApiException if it is no device description
     */
    public static Description parse(byte[] xml) {
        Element root = DescriptionParser.parse(xml);
        if (!root.name().equals("RegisterDescription")) {
            throw new GenApiException("The XML is no device description: its root is " + root.name());
        }
        return new Description(root);
    }

    Element root() {
        return root;
    }

    /**
     * Makes a node map.
     *
     * @param portsByName gives the port of a name, or null where there is none: its registers are not implemented then.
     *     Chunk and event ports are not asked for; they are connected when their data comes
     */
    public NodeMap nodeMap(Function<String, @Nullable Port> portsByName) {
        return new NodeMap(this, portsByName);
    }

    /**
     * Makes a node map whose nodes all live behind one port.
     *
     * @param port the port, whatever the description calls it
     */
    public NodeMap nodeMap(Port port) {
        return nodeMap(new OnePort(port));
    }

    /** Name of the model, as the description gives it. */
    public String modelName() {
        return root.attribute("ModelName").orElse("");
    }

    /** Name of the vendor, as the description gives it. */
    public String vendorName() {
        return root.attribute("VendorName").orElse("");
    }

    /** Version of the schema that the description follows, for example 1.1.0. */
    public String schemaVersion() {
        return root.attribute("SchemaMajorVersion").orElse("1") + "."
                + root.attribute("SchemaMinorVersion").orElse("0") + "."
                + root.attribute("SchemaSubMinorVersion").orElse("0");
    }

    /**
     * How often each kind of element occurs: nodes and properties by name, those of extensions included. A swiss knife
     * inside a register's address counts as {@code IntSwissKnife(embedded)}.
     */
    public SortedMap<String, Integer> constructs() {
        SortedMap<String, Integer> counts = new TreeMap<>();
        Deque<Element> open = new ArrayDeque<>(List.of(root.children()));
        while (!open.isEmpty()) {
            Element element = open.poll();
            counts.merge(element.name(), 1, Integer::sum);
            boolean container = element.name().equals("Group");
            for (Element child : element.children()) {
                if (!container && child.name().equals("IntSwissKnife")) {
                    counts.merge("IntSwissKnife(embedded)", 1, Integer::sum);
                    counts.merge("IntSwissKnife", -1, Integer::sum);
                }
                open.add(child);
            }
        }
        return counts;
    }

    @Override
    public String toString() {
        return "Description[" + vendorName() + " " + modelName() + "]";
    }
}
