package io.peregrine.genapi;

import java.util.function.Function;

/**
 * A camera description, parsed once for any number of node maps: the part of them that they can share. Immutable, and safe
 * for use by several threads.
 */
public final class Description {
    private final Element root;

    private Description(Element root) {
        this.root = root;
    }

    /**
     * Parses a description.
     *
     * @param xml the description, unzipped
     * @throws GenApiException if it is no camera description
     */
    public static Description parse(byte[] xml) {
        Element root = DescriptionParser.parse(xml);
        if (!root.name().equals("RegisterDescription")) {
            throw new GenApiException("The XML is no camera description: its root is " + root.name());
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
    public NodeMap nodeMap(Function<String, Port> portsByName) {
        return new NodeMap(this, portsByName);
    }

    /**
     * Makes a node map whose nodes all live behind one port.
     *
     * @param port the port, whatever the description calls it
     */
    public NodeMap nodeMap(Port port) {
        return nodeMap(name -> port);
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

    @Override
    public String toString() {
        return "Description[" + vendorName() + " " + modelName() + "]";
    }
}
