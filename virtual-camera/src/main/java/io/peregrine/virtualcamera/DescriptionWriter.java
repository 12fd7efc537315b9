package io.peregrine.virtualcamera;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Writes the GenICam XML (GenApi schema 1.1) of a device whose features are declared in code. */
final class DescriptionWriter {
    private static final String TRANSPORT = "TransportLayerControl";
    private static final String EXTENDED_IDS = "GevGVSPExtendedIDMode";
    private static final String EXTENSION = "EventHeadExtension";

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
            new Field(
                    "GevSCPHostPort", "Port that frames are sent to; 0 closes the channel.", Reg.SCP, 16, 0, 0xFFFF, 1),
            new Field(
                    "GevSCPSPacketSize",
                    "Size of a stream packet, IP and UDP header included.",
                    Reg.SCPS,
                    16,
                    CameraLimits.MIN_PACKET,
                    CameraLimits.MAX_PACKET,
                    4),
            new Field("GevSCPD", "Pause between packets in ns.", Reg.SCPD, 32, 0, GevDevice.TICKS_PER_SECOND, 1),
            new Field("GevSCDA", "Address that frames are sent to.", Reg.SCDA, 32, 0, 0xFFFF_FFFFL, 1));

    private final NodeWriter nodes = new NodeWriter();
    private final List<PlacedFeature> features;
    private final List<CustomEvents.Declared> events;
    private final boolean streams;

    /**
     * Begins a description.
     *
     * @param features all features
     * @param events the events
     * @param streams whether the device sends frames
     */
    DescriptionWriter(List<PlacedFeature> features, Optional<CustomEvents> events, boolean streams) {
        this.features = features;
        this.events = events.map(own -> List.copyOf(own.all())).orElse(List.of());
        this.streams = streams;
    }

    /** Names of the nodes that frames need beside their features. */
    static List<String> streamNodes() {
        List<String> names = new ArrayList<>(List.of(EXTENDED_IDS, EXTENDED_IDS + NodeWriter.REGISTER, EXTENSION));
        for (Field number : STREAM) {
            names.add(number.name);
            names.add(number.name + NodeWriter.REGISTER);
        }
        return names;
    }

    /**
     * Writes it.
     *
     * @param vendor name of the vendor
     * @param model which device it is
     * @param categories names of the features by category
     */
    String write(String vendor, String model, Map<String, List<String>> categories) {
        body(categories);
        String body = nodes.toString();
        String head = String.format(
                Locale.ROOT, """
                <?xml version="1.0" encoding="utf-8"?>
                <RegisterDescription ModelName="%s" VendorName="%s" ToolTip="Device in software"
                    StandardNameSpace="GEV" SchemaMajorVersion="1" SchemaMinorVersion="1" SchemaSubMinorVersion="0"
                    MajorVersion="1" MinorVersion="0" SubMinorVersion="0"
                    ProductGuid="%s" VersionGuid="%s"
                    xmlns="http://www.genicam.org/GenApi/Version_1_1"
                    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                    xsi:schemaLocation="http://www.genicam.org/GenApi/Version_1_1 GenApiSchema_Version_1_1.xsd">
                """, identifier(model), identifier(vendor), guid(vendor + "/" + model), guid(body));
        return head + body + "</RegisterDescription>\n";
    }

    /** The schema demands these names without blanks; the readable texts are in the registers. */
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
        nodes.category("Root", "Standard", List.copyOf(withDeviceControl(categories)));
        nodes.category(
                "DeviceControl",
                "Standard",
                List.of(
                        "DeviceVendorName",
                        "DeviceModelName",
                        "DeviceManufacturerInfo",
                        "DeviceVersion",
                        "DeviceSerialNumber",
                        "DeviceUserID"));
        bootstrapText("DeviceVendorName", "Name of the vendor.", Reg.MANUFACTURER, 32, "RO");
        bootstrapText("DeviceModelName", "Model of the device.", Reg.MODEL, 32, "RO");
        bootstrapText(
                "DeviceManufacturerInfo", "Further information about the device.", Reg.MANUFACTURER_INFO, 48, "RO");
        bootstrapText("DeviceVersion", "Version of the device.", Reg.DEVICE_VERSION, 32, "RO");
        bootstrapText("DeviceSerialNumber", "Serial number of the device.", Reg.SERIAL, 16, "RO");
        bootstrapText("DeviceUserID", "User-defined name of the device.", Reg.USER_NAME, 16, "RW");
        categories.forEach(
                (name, members) -> nodes.category(name, NodeWriter.nameSpace(name), complete(name, members)));
        for (PlacedFeature placed : features) {
            DeviceFeature<?> feature = placed.feature();
            feature.describe(nodes, placed.address(), selectedBy(feature.name()));
        }
        if (streams) {
            stream();
        }
        events.forEach(this::event);
        nodes.devicePort();
    }

    /** Names of the features that an enumeration selects. */
    private List<String> selectedBy(String selector) {
        return features.stream()
                .map(PlacedFeature::feature)
                .filter(feature -> feature.selector().equals(selector))
                .map(DeviceFeature::name)
                .toList();
    }

    /** Members of a category, with those that have no registers among the declared features. */
    private List<String> complete(String category, List<String> members) {
        List<String> all = new ArrayList<>(members);
        if (category.equals(CustomEvents.CATEGORY)) {
            events.forEach(event -> all.add(event.category()));
        } else if (streams && category.equals(TRANSPORT)) {
            STREAM.forEach(number -> all.add(number.name));
            all.add(EXTENDED_IDS);
        }
        return all;
    }

    private void stream() {
        for (Field number : STREAM) {
            nodes.feature("Integer", number.name, "Standard", number.toolTip);
            nodes.element("pValue", number.name + NodeWriter.REGISTER);
            nodes.element("Min", Long.toString(number.min));
            nodes.element("Max", Long.toString(number.max));
            nodes.element("Inc", Integer.toString(number.step));
            nodes.end("Integer");
            bits(number.name, number.address, 32 - number.bits, 31);
        }
        nodes.feature("Boolean", EXTENDED_IDS, "Standard", "Whether block ids have 64 bits.");
        nodes.element("pValue", EXTENDED_IDS + NodeWriter.REGISTER)
                .element("OnValue", "1")
                .element("OffValue", "0");
        nodes.end("Boolean");
        bits(EXTENDED_IDS, Reg.GVSP_CONFIGURATION, 1, 1);
        if (!events.isEmpty()) {
            nodes.open("IntSwissKnife", EXTENSION, "Custom");
            nodes.variable("EXTENDED", EXTENDED_IDS + NodeWriter.REGISTER);
            nodes.element("Formula", "EXTENDED * 8");
            nodes.end("IntSwissKnife");
        }
    }

    /** A part of a register; bit 0 is the highest one. */
    private void bits(String feature, int address, int highest, int lowest) {
        nodes.open("MaskedIntReg", feature + NodeWriter.REGISTER, "Custom");
        nodes.location(address, 0, "", 4, "RW", true);
        nodes.element("LSB", Integer.toString(lowest)).element("MSB", Integer.toString(highest));
        nodes.element("Sign", "Unsigned").element("Endianess", "BigEndian");
        nodes.end("MaskedIntReg");
    }

    /** The data of an event. With extended ids the header is 8 bytes longer from the block id on. */
    private void event(CustomEvents.Declared event) {
        nodes.category(event.category(), "Custom", event.features());
        item(event, event.feature(), "Id of the event.", "0x2", 2, false);
        item(event, event.timestamp(), "Time of the event in ns.", "0x8", Long.BYTES, true);
        int address = 16;
        for (String datum : event.data()) {
            item(
                    event,
                    event.feature() + datum,
                    "Data of the event.",
                    String.format(Locale.ROOT, "0x%X", address),
                    Long.BYTES,
                    true);
            address += Long.BYTES;
        }
        nodes.open("Port", event.port(), "Custom");
        nodes.element("EventID", String.format(Locale.ROOT, "%04X", event.id()));
        nodes.end("Port");
    }

    private void item(
            CustomEvents.Declared event, String name, String toolTip, String address, int bytes, boolean afterBlockId) {
        nodes.feature("IntReg", name, "Custom", toolTip);
        nodes.element("Address", address);
        if (streams && afterBlockId) {
            nodes.element("pAddress", EXTENSION);
        }
        nodes.element("Length", Integer.toString(bytes))
                .element("AccessMode", "RO")
                .element("pPort", event.port());
        nodes.element("Cachable", "NoCache");
        nodes.element("Sign", bytes == Long.BYTES ? "Signed" : "Unsigned").element("Endianess", "BigEndian");
        nodes.end("IntReg");
    }

    private static List<String> withDeviceControl(Map<String, List<String>> categories) {
        List<String> names = new ArrayList<>();
        names.add("DeviceControl");
        names.addAll(categories.keySet());
        return names;
    }

    private void bootstrapText(String name, String toolTip, int address, int bytes, String access) {
        nodes.feature("StringReg", name, "Standard", toolTip);
        nodes.location(address, 0, "", bytes, access, false);
        nodes.end("StringReg");
    }
}
