package io.peregrine.virtualcamera;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Writes the GenICam XML (GenApi schema 1.1) of a device whose features are declared in code. */
final class DescriptionWriter {
    private static final String REGISTER = "Reg";
    private static final String TRANSPORT = "TransportLayerControl";
    private static final String EXTENDED_IDS = "GevGVSPExtendedIDMode";
    private static final String EXTENSION = "EventHeadExtension";

    /** Names that the standard feature naming convention has, of what devices can have beside their own features. */
    private static final Set<String> STANDARD = Set.of(
            OwnEvents.CATEGORY,
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
            TRANSPORT,
            "PayloadSize",
            "TLParamsLocked");

    /**
     * A number in a bootstrap register of a device with frames.
     *
     * @param name name of the feature
     * @param toolTip what it is
     * @param address of the register
     * @param bits bits of the number, from the lowest on
     * @param min lowest value
     * @param max highest value
     * @param step distance of the values
     */
    private record Field(String name, String toolTip, int address, int bits, long min, long max, int step) {}

    private static final List<Field> STREAM = List.of(
            new Field("GevSCPHostPort", "Port to which frames go; 0 closes the channel.", Reg.SCP, 16, 0, 0xFFFF, 1),
            new Field(
                    "GevSCPSPacketSize",
                    "Size of a stream packet, IP and UDP header included.",
                    Reg.SCPS,
                    16,
                    CameraLimits.MIN_PACKET,
                    CameraLimits.MAX_PACKET,
                    4),
            new Field("GevSCPD", "Pause between packets in ns.", Reg.SCPD, 32, 0, GevDevice.TICKS_PER_SECOND, 1),
            new Field("GevSCDA", "Address to which frames go.", Reg.SCDA, 32, 0, 0xFFFF_FFFFL, 1));

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
    private final List<OwnEvents.Declared> events;
    private final boolean streams;

    /**
     * Begins a description.
     *
     * @param features all features
     * @param events the events
     * @param streams whether the device sends frames
     */
    DescriptionWriter(List<Placed> features, Optional<OwnEvents> events, boolean streams) {
        this.features = features;
        this.events = events.map(own -> List.copyOf(own.all())).orElse(List.of());
        this.streams = streams;
    }

    /** Names of the nodes that come with frames beside their features. */
    static List<String> streamNodes() {
        List<String> names = new ArrayList<>(List.of(EXTENDED_IDS, EXTENDED_IDS + REGISTER, EXTENSION));
        for (Field number : STREAM) {
            names.add(number.name);
            names.add(number.name + REGISTER);
        }
        return names;
    }

    /**
     * Writes it.
     *
     * @param vendor who makes the device
     * @param model which device it is
     * @param categories names of the features by category
     */
    String write(String vendor, String model, Map<String, List<String>> categories) {
        body(categories);
        String body = xml.toString();
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
        categories.forEach((name, members) -> category(name, nameSpace(name), complete(name, members)));
        for (Placed placed : features) {
            placed.feature().describe(this, placed);
        }
        if (streams) {
            stream();
        }
        events.forEach(this::event);
        xml.append("    <Port Name=\"Device\" NameSpace=\"Standard\"/>\n");
    }

    private static String nameSpace(String name) {
        return STANDARD.contains(name) ? "Standard" : "Custom";
    }

    /** Members of a category, with those that are no features of registers of their own. */
    private List<String> complete(String category, List<String> members) {
        List<String> all = new ArrayList<>(members);
        if (category.equals(OwnEvents.CATEGORY)) {
            events.forEach(event -> all.add(event.category()));
        } else if (streams && category.equals(TRANSPORT)) {
            STREAM.forEach(number -> all.add(number.name));
            all.add(EXTENDED_IDS);
        }
        return all;
    }

    private void stream() {
        for (Field number : STREAM) {
            feature("Integer", number.name, "Standard", number.toolTip);
            element("pValue", number.name + REGISTER);
            element("Min", Long.toString(number.min));
            element("Max", Long.toString(number.max));
            element("Inc", Integer.toString(number.step));
            end("Integer");
            bits(number.name, number.address, 32 - number.bits, 31);
        }
        feature("Boolean", EXTENDED_IDS, "Standard", "Whether block ids have 64 bits.");
        element("pValue", EXTENDED_IDS + REGISTER).element("OnValue", "1").element("OffValue", "0");
        end("Boolean");
        bits(EXTENDED_IDS, Reg.GVSP_CONFIGURATION, 1, 1);
        if (!events.isEmpty()) {
            open("IntSwissKnife", EXTENSION, "Custom");
            xml.append("        <pVariable Name=\"EXTENDED\">")
                    .append(EXTENDED_IDS + REGISTER)
                    .append("</pVariable>\n");
            element("Formula", "EXTENDED * 8");
            end("IntSwissKnife");
        }
    }

    /** A part of a register; bit 0 is the highest one. */
    private void bits(String feature, int address, int highest, int lowest) {
        open("MaskedIntReg", feature + REGISTER, "Custom");
        location(address, 0, "", 4, "RW", true);
        element("LSB", Integer.toString(lowest)).element("MSB", Integer.toString(highest));
        element("Sign", "Unsigned").element("Endianess", "BigEndian");
        end("MaskedIntReg");
    }

    /** What came with an event. With extended ids the head is 8 bytes longer from the block id on. */
    private void event(OwnEvents.Declared event) {
        category(event.category(), "Custom", event.features());
        item(event, event.feature(), "Id of the event.", "0x2", 2, false);
        item(event, event.timestamp(), "Time of the event in ns.", "0x8", Long.BYTES, true);
        int address = 16;
        for (String datum : event.data()) {
            item(
                    event,
                    event.feature() + datum,
                    "Came with the event.",
                    String.format("0x%X", address),
                    Long.BYTES,
                    true);
            address += Long.BYTES;
        }
        open("Port", event.port(), "Custom");
        element("EventID", String.format("%04X", event.id()));
        end("Port");
    }

    private void item(
            OwnEvents.Declared event, String name, String toolTip, String address, int bytes, boolean behindBlockId) {
        feature("IntReg", name, "Custom", toolTip);
        element("Address", address);
        if (streams && behindBlockId) {
            element("pAddress", EXTENSION);
        }
        element("Length", Integer.toString(bytes)).element("AccessMode", "RO").element("pPort", event.port());
        element("Cachable", "NoCache");
        element("Sign", bytes == Long.BYTES ? "Signed" : "Unsigned").element("Endianess", "BigEndian");
        end("IntReg");
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
        feature("StringReg", name, "Standard", toolTip);
        location(address, 0, "", bytes, access, false);
        end("StringReg");
    }

    private void feature(String tag, String name, String nameSpace, String toolTip) {
        open(tag, name, nameSpace);
        element("ToolTip", toolTip);
        element("DisplayName", displayName(name));
        element("Visibility", "Beginner");
    }

    // ---- for the features --------------------------------------------------------------------------------------

    DescriptionWriter begin(String tag, DeviceFeature<?> feature) {
        open(tag, feature.name(), nameSpace(feature.name()));
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
