package io.peregrine.virtualcamera;

import java.util.Locale;
import java.util.Set;

/** Writes single nodes of a GenICam XML; what goes into which node is the caller's. */
final class NodeWriter {
    /** Ending of the names of register nodes. */
    static final String REGISTER = "Reg";

    /** Standard names (SFNC) of the features that a device can have beside its custom ones. */
    private static final Set<String> STANDARD = Set.of(
            "EventControl",
            "EventSelector",
            "EventNotification",
            "ImageFormatControl",
            "Width",
            "Height",
            "PixelFormat",
            "AcquisitionControl",
            "AcquisitionMode",
            "AcquisitionStart",
            "AcquisitionStop",
            "AcquisitionFrameRate",
            "TransportLayerControl",
            "PayloadSize",
            "TLParamsLocked");

    private final StringBuilder xml = new StringBuilder(8192);

    /** All nodes so far. */
    @Override
    public String toString() {
        return xml.toString();
    }

    static String nameSpace(String name) {
        return STANDARD.contains(name) ? "Standard" : "Custom";
    }

    /** Name of the register node of a feature. */
    static String register(String feature) {
        return feature + REGISTER;
    }

    /** Begins the node of a feature; the tool tip may be empty. */
    NodeWriter begin(String tag, String name, String toolTip) {
        open(tag, name, nameSpace(name));
        if (!toolTip.isEmpty()) {
            element("ToolTip", toolTip);
            element("Description", toolTip);
        }
        element("DisplayName", displayName(name));
        return element("Visibility", "Beginner");
    }

    /** Begins the node of a feature that every device of its kind has. */
    void feature(String tag, String name, String nameSpace, String toolTip) {
        open(tag, name, nameSpace);
        element("ToolTip", toolTip);
        element("DisplayName", displayName(name));
        element("Visibility", "Beginner");
    }

    void open(String tag, String name, String nameSpace) {
        xml.append("\n    <").append(tag).append(" Name=\"").append(name);
        xml.append("\" NameSpace=\"").append(nameSpace).append("\">\n");
    }

    NodeWriter end(String tag) {
        xml.append("    </").append(tag).append(">\n");
        return this;
    }

    NodeWriter element(String tag, String text) {
        xml.append("        <").append(tag).append('>').append(escape(text));
        xml.append("</").append(tag).append(">\n");
        return this;
    }

    NodeWriter unit(String unit) {
        return unit.isEmpty() ? this : element("Unit", unit);
    }

    NodeWriter entry(String name, int value) {
        xml.append("        <EnumEntry Name=\"").append(name).append("\" NameSpace=\"Custom\">\n");
        xml.append("            <DisplayName>").append(displayName(name)).append("</DisplayName>\n");
        xml.append("            <Value>").append(value).append("</Value>\n        </EnumEntry>\n");
        return this;
    }

    void category(String name, String nameSpace, Iterable<String> members) {
        open("Category", name, nameSpace);
        element("DisplayName", displayName(name));
        members.forEach(member -> element("pFeature", member));
        end("Category");
    }

    /** A variable of a formula. */
    void variable(String name, String node) {
        xml.append("        <pVariable Name=\"").append(name).append("\">").append(node);
        xml.append("</pVariable>\n");
    }

    /** The port of the device's memory. */
    void devicePort() {
        xml.append("    <Port Name=\"Device\" NameSpace=\"Standard\"/>\n");
    }

    /**
     * Where a register is and how it is accessed.
     *
     * @param address of the first instance
     * @param stride bytes from one instance to the next
     * @param selector enumeration that selects the instance, or empty
     * @param bytes length of the register
     * @param access RO or RW
     * @param live whether the value may change without being written
     */
    void location(int address, int stride, String selector, int bytes, String access, boolean live) {
        element("Address", String.format(Locale.ROOT, "0x%04X", address));
        if (!selector.isEmpty()) {
            xml.append("        <pIndex Offset=\"").append(stride).append("\">");
            xml.append(selector).append(REGISTER).append("</pIndex>\n");
        }
        element("Length", Integer.toString(bytes));
        element("AccessMode", access);
        element("pPort", "Device");
        if (live) {
            element("Cachable", "NoCache");
        }
    }

    /** Words instead of a name without blanks. */
    private static String displayName(String name) {
        return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_", " ")
                .trim();
    }

    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '\t', '\n', '\r' -> escaped.append(' ');
                default -> {
                    // XML 1.0 has no other control characters, not even as references.
                    boolean possible = c >= 0x20 && c != 0xFFFE && c != 0xFFFF && !(c >= 0xD800 && c <= 0xDFFF);
                    escaped.appendCodePoint(possible ? c : '?');
                }
            }
        });
        return escaped.toString();
    }
}
