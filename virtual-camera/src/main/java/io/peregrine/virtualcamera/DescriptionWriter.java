package io.peregrine.virtualcamera;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** Writes the GenICam XML (GenApi schema 1.1) of a device whose features are declared in code. */
final class DescriptionWriter {
    private static final String REGISTER = "Reg";

    /**
     * A feature with its registers.
     *
     * @param feature the feature
     * @param address of the first instance
     * @param instances how many there are, one behind the other
     */
    record Placed(DeviceFeature<?> feature, int address, int instances) {
        int address(int index) {
            return address + index * feature.bytes();
        }
    }

    private final StringBuilder xml = new StringBuilder(8192);
    private final List<Placed> features;

    private DescriptionWriter(List<Placed> features) {
        this.features = features;
    }

    /**
     * Writes a description.
     *
     * @param vendor who makes the device
     * @param model which device it is
     * @param categories names of the features by category
     * @param features all of them
     */
    static String write(String vendor, String model, Map<String, List<String>> categories, List<Placed> features) {
        DescriptionWriter writer = new DescriptionWriter(features);
        writer.body(categories);
        String body = writer.xml.toString();
        return """
                <?xml version="1.0" encoding="utf-8"?>
                <RegisterDescription ModelName="%s" VendorName="%s" ToolTip="Device in software"
                    StandardNameSpace="GEV" SchemaMajorVersion="1" SchemaMinorVersion="1" SchemaSubMinorVersion="0"
                    MajorVersion="1" MinorVersion="0" SubMinorVersion="0"
                    ProductGuid="%s" VersionGuid="%s"
                    xmlns="http://www.genicam.org/GenApi/Version_1_1"
                    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                    xsi:schemaLocation="http://www.genicam.org/GenApi/Version_1_1 GenApiSchema_Version_1_1.xsd">
                """.formatted(identifier(model), identifier(vendor), guid(vendor + "/" + model), guid(body))
                + body
                + "</RegisterDescription>\n";
    }

    /** The schema wants these names without blanks; the texts for people are in the registers. */
    private static String identifier(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9_]", "_");
        return plain.isEmpty() ? "_" : plain;
    }

    private static String guid(String of) {
        return UUID.nameUUIDFromBytes(of.getBytes(StandardCharsets.UTF_8))
                .toString()
                .toUpperCase(Locale.ROOT);
    }

    private void body(Map<String, List<String>> categories) {
        category("Root", "Standard", List.copyOf(withDeviceControl(categories)));
        category(
                "DeviceControl",
                "Standard",
                List.of(
                        "DeviceVendorName",
                        "DeviceModelName",
                        "DeviceManufacturerInfo",
                        "DeviceVersion",
                        "DeviceSerialNumber",
                        "DeviceUserID"));
        bootstrapText("DeviceVendorName", "Who makes the device.", Reg.MANUFACTURER, 32, "RO");
        bootstrapText("DeviceModelName", "Model of the device.", Reg.MODEL, 32, "RO");
        bootstrapText("DeviceManufacturerInfo", "More about the device.", Reg.MANUFACTURER_INFO, 48, "RO");
        bootstrapText("DeviceVersion", "Version of the device.", Reg.DEVICE_VERSION, 32, "RO");
        bootstrapText("DeviceSerialNumber", "Serial number of the device.", Reg.SERIAL, 16, "RO");
        bootstrapText("DeviceUserID", "Name that the user gave the device.", Reg.USER_NAME, 16, "RW");
        categories.forEach((name, members) -> category(name, "Custom", members));
        for (Placed placed : features) {
            placed.feature().describe(this, placed);
        }
        xml.append("    <Port Name=\"Device\" NameSpace=\"Standard\"/>\n");
    }

    private static List<String> withDeviceControl(Map<String, List<String>> categories) {
        List<String> names = new ArrayList<>();
        names.add("DeviceControl");
        names.addAll(categories.keySet());
        return names;
    }

    private void category(String name, String nameSpace, List<String> members) {
        open("Category", name, nameSpace);
        element("DisplayName", displayName(name));
        members.forEach(member -> element("pFeature", member));
        end("Category");
    }

    private void bootstrapText(String name, String toolTip, int address, int bytes, String access) {
        open("StringReg", name, "Standard");
        element("ToolTip", toolTip);
        element("DisplayName", displayName(name));
        element("Visibility", "Beginner");
        location(address, 0, "", bytes, access, false);
        end("StringReg");
    }

    // ---- for the features --------------------------------------------------------------------------------------

    DescriptionWriter begin(String tag, DeviceFeature<?> feature) {
        open(tag, feature.name(), "Custom");
        if (!feature.toolTip().isEmpty()) {
            element("ToolTip", feature.toolTip());
            element("Description", feature.toolTip());
        }
        element("DisplayName", displayName(feature.name()));
        return element("Visibility", "Beginner");
    }

    DescriptionWriter end(String tag) {
        xml.append("    </").append(tag).append(">\n");
        return this;
    }

    DescriptionWriter element(String tag, String text) {
        xml.append("        <").append(tag).append('>').append(escape(text));
        xml.append("</").append(tag).append(">\n");
        return this;
    }

    DescriptionWriter unit(String unit) {
        return unit.isEmpty() ? this : element("Unit", unit);
    }

    DescriptionWriter entry(String name, int value) {
        xml.append("        <EnumEntry Name=\"").append(name).append("\" NameSpace=\"Custom\">\n");
        xml.append("            <DisplayName>").append(displayName(name)).append("</DisplayName>\n");
        xml.append("            <Value>").append(value).append("</Value>\n        </EnumEntry>\n");
        return this;
    }

    /** Names what an enumeration selects. */
    DescriptionWriter selected(DeviceFeature<?> selector) {
        for (Placed placed : features) {
            if (placed.feature().selector().equals(selector.name())) {
                element("pSelected", placed.feature().name());
            }
        }
        return this;
    }

    /** Name of the node behind a feature. */
    static String register(DeviceFeature<?> feature) {
        return feature.name() + REGISTER;
    }

    void integerRegister(Placed placed, String sign) {
        open("IntReg", register(placed.feature()), "Custom");
        location(placed);
        element("Sign", sign);
        element("Endianess", "BigEndian"); // as the schema spells it
        end("IntReg");
    }

    void floatRegister(Placed placed) {
        open("FloatReg", register(placed.feature()), "Custom");
        location(placed);
        element("Endianess", "BigEndian");
        end("FloatReg");
    }

    void stringRegister(Placed placed) {
        begin("StringReg", placed.feature());
        location(placed);
        end("StringReg");
    }

    private void location(Placed placed) {
        DeviceFeature<?> feature = placed.feature();
        location(
                placed.address(),
                feature.bytes(),
                feature.selector(),
                feature.bytes(),
                feature.writable() ? "RW" : "RO",
                feature.live());
    }

    private void location(int address, int stride, String selector, int bytes, String access, boolean live) {
        element("Address", String.format("0x%04X", address));
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

    private void open(String tag, String name, String nameSpace) {
        xml.append("\n    <").append(tag).append(" Name=\"").append(name);
        xml.append("\" NameSpace=\"").append(nameSpace).append("\">\n");
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
