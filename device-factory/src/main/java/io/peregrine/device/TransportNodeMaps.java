package io.peregrine.device;

import io.peregrine.device.StreamingMode.Protocol;
import io.peregrine.device.StreamingMode.Rdma;
import io.peregrine.discovery.AddressConfiguration;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Port;
import io.peregrine.recording.Recording;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The host's own node maps, {@code TLDevice} and {@code TLDatastream}: the same class of node map as the device's, over
 * ports in memory. Names follow the GenTL standard features naming convention where it has one.
 */
final class TransportNodeMaps {
    private static final int TEXT_BYTES = 4096;

    private TransportNodeMaps() {}

    /**
     * The host's view of the device: fixed when it was opened, but for the streaming mode and the address, which are
     * live.
     *
     * @param rdmaPossible whether device and host can do RDMA
     */
    static NodeMap device(DeviceContext device, boolean rdmaPossible) {
        DiscoveryInformation info = device.info();
        Supplier<StreamingMode> mode = device::streamingMode;
        Description xml = new Description("TLDevice");
        xml.text("DeviceVendorName", "Name of the manufacturer.", info.vendor());
        xml.text("DeviceModelName", "Name of the model.", info.model());
        xml.text("DeviceSerialNumber", "Serial number.", info.serialNumber());
        xml.text("DeviceUserID", "Name that a user gave the device.", info.userName());
        xml.text("DeviceVersion", "Version of the device.", info.deviceVersion());
        xml.text("DeviceID", "Access token of the device.", () -> device.info().accessToken());
        boolean file = info.recording().isPresent();
        boolean published = info.published().isPresent();
        xml.text("DeviceType", "Transport layer of the device.", file || published ? "Custom" : "GigEVision");
        xml.text(
                "GevDeviceIPAddressText",
                "Address of the device.",
                () -> device.info().address().getHostAddress());
        xml.integer(
                "GevDeviceIPAddress",
                "Address of the device.",
                "IPV4Address",
                () -> Integer.toUnsignedLong(
                        AddressConfiguration.bits(device.info().address())));
        xml.text("GevDeviceMACAddressText", "MAC address of the device.", info.macAddress());
        xml.enumeration(
                "GevDataStreamingMode",
                "How frames travel. The entry RDMA is there only when host and device can do it.",
                file
                        ? List.of("File")
                        : published ? List.of("Published") : rdmaPossible ? List.of("GVSP", "RDMA") : List.of("GVSP"),
                () -> mode.get().protocol() == Protocol.RDMA ? 1 : 0);
        xml.enumeration(
                "DeviceStreamProtocol",
                "The same by the name that other programs know; GVRSP stands for RDMA. UseRdma chooses it.",
                file ? List.of("File") : rdmaPossible ? List.of("GVSP", "GVRSP") : List.of("GVSP"),
                () -> mode.get().protocol() == Protocol.RDMA ? 1 : 0);
        xml.text(
                "GevDataStreamingModeReason",
                "Why the requested streaming mode is not in use; empty when it is.",
                () -> mode.get().reason().orElse(""));
        rdma(xml, "GevRdmaProvider", "Who does RDMA on this host; empty when it is not in use.", mode, Rdma::provider);
        rdma(xml, "GevRdmaProviderReason", "Why this provider and no other.", mode, Rdma::reason);
        rdma(xml, "GevRdmaDevice", "RDMA device of this host.", mode, Rdma::device);
        rdma(xml, "GevRdmaGid", "Global identifier of the local port.", mode, Rdma::gid);
        rdma(xml, "GevRdmaMode", "How bytes come: send or write.", mode, Rdma::mode);
        xml.integer(
                "GevRdmaPathMtu",
                "Payload bytes a packet as agreed with the device; 0 before the first start.",
                "PureNumber",
                () -> mode.get()
                        .rdma()
                        .map(Rdma::pathMtuBytes)
                        .orElse(OptionalInt.empty())
                        .orElse(0));
        return xml.load();
    }

    /** Features of a recording whose camera is not known. */
    static Host recording(DiscoveryInformation info, Recording recording) {
        Description xml = new Description("Recording");
        xml.text("DeviceVendorName", "Name of the manufacturer.", info.vendor());
        xml.text("DeviceModelName", "Name of the model.", info.model());
        xml.text("DeviceSerialNumber", "Serial number.", info.serialNumber());
        xml.text("DeviceUserID", "Name of the recording.", info.userName());
        xml.integer("RecordingFrameCount", "Number of frames.", "PureNumber", recording::frameCount);
        return xml.host();
    }

    /** Features of a published stream whose camera is not known. */
    static Host published(DiscoveryInformation info) {
        Description xml = new Description("Stream");
        xml.text("DeviceVendorName", "Name of the manufacturer.", info.vendor());
        xml.text("DeviceModelName", "Name of the model.", info.model());
        xml.text("DeviceSerialNumber", "Serial number.", info.serialNumber());
        xml.text("DeviceUserID", "Name of the stream.", info.userName());
        return xml.host();
    }

    /** A description, and the port that it is over. */
    record Host(String xml, Port port) {}

    private static void rdma(
            Description xml,
            String name,
            String description,
            Supplier<StreamingMode> mode,
            Function<Rdma, String> value) {
        xml.text(name, description, () -> mode.get().rdma().map(value).orElse(""));
    }

    /** The host's view of a stream: live counters. */
    static NodeMap stream(StreamPort stream) {
        Description xml = new Description("TLDatastream");
        xml.integer("StreamIndex", "Number of the stream channel.", "PureNumber", stream::index);
        xml.integer(
                "StreamPacketSize",
                "Packet size in use, in bytes with IP, UDP and GVSP headers; 0 before the first start.",
                "PureNumber",
                stream::packetSizeBytes);
        xml.text(
                "StreamReceiver",
                "How packets are received: mmsg, ring, verbs or nio as of PacketReceiver, or rdma; empty where none"
                        + " are.",
                stream::receiver);
        // Names of common GenTL producers, for programs that look for them.
        sum(
                xml,
                stream,
                "StreamDeliveredFrameCount",
                "Frames delivered, incomplete ones too.",
                Counter.FRAMES_COMPLETE,
                Counter.FRAMES_INCOMPLETE);
        sum(
                xml,
                stream,
                "StreamIncompleteFrameCount",
                "Frames delivered with something missing.",
                Counter.FRAMES_INCOMPLETE);
        xml.integer(
                "StreamLostFrameCount",
                "Frames of which nothing was delivered.",
                "PureNumber",
                () -> stream.statistics().framesLost());
        sum(
                xml,
                stream,
                "StreamLostPacketCount",
                "Packets that did not come before their frame ended, or whose frame was shed.",
                Counter.PACKETS_MISSING,
                Counter.PACKETS_SHED);
        sum(xml, stream, "StreamPacketResendRequestCount", "Packets asked for again.", Counter.RESENDS_REQUESTED);
        sum(xml, stream, "StreamPacketResendReceivedCount", "Packets that came as answers.", Counter.RESENDS_RECEIVED);
        xml.text(
                "StreamDiagnosis",
                "What went wrong in the present or last run and what to do about it; empty when nothing did.",
                () -> String.join(". ", stream.diagnosis()));
        for (Counter counter : Counter.values()) {
            xml.integer(
                    counterName(counter),
                    "Counter of the stream's present or last run: "
                            + counter.name().toLowerCase(Locale.ROOT).replace('_', ' ') + ".",
                    "PureNumber",
                    () -> stream.statistics().get(counter));
        }
        return xml.load();
    }

    private static void sum(Description xml, StreamPort stream, String name, String description, Counter... counters) {
        xml.integer(name, description, "PureNumber", () -> {
            StreamStatistics now = stream.statistics();
            return Arrays.stream(counters).mapToLong(now::get).sum();
        });
    }

    /** FRAMES_COMPLETE becomes StreamFramesComplete. */
    static String counterName(Counter counter) {
        StringBuilder name = new StringBuilder("Stream");
        for (String word : counter.name().split("_", -1)) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return name.toString();
    }

    /** A GenICam XML in the making, and the memory behind it. */
    private static final class Description {
        private final String model;
        private final StringBuilder nodes = new StringBuilder();
        private final StringBuilder features = new StringBuilder();
        private final List<Supplier<String>> texts = new ArrayList<>();
        private final List<LongSupplier> numbers = new ArrayList<>();
        private static final long NUMBERS_BASE = 0x100000;

        Description(String model) {
            this.model = model;
        }

        void text(String name, String description, String value) {
            text(name, description, () -> value);
        }

        void text(String name, String description, Supplier<String> value) {
            feature(name);
            nodes.append(String.format(
                    Locale.ROOT,
                    "<StringReg Name=\"%s\"><Description>%s</Description><Address>%d</Address><Length>%d</Length>"
                            + "<AccessMode>RO</AccessMode><pPort>Host</pPort><Cachable>NoCache</Cachable>"
                            + "</StringReg>%n",
                    name,
                    description,
                    texts.size() * (long) TEXT_BYTES,
                    TEXT_BYTES));
            texts.add(value);
        }

        void integer(String name, String description, String representation, LongSupplier value) {
            feature(name);
            register(name, "<Description>" + description + "</Description>", representation, value);
        }

        void enumeration(String name, String description, List<String> symbols, LongSupplier value) {
            feature(name);
            nodes.append("<Enumeration Name=\"")
                    .append(name)
                    .append("\"><Description>")
                    .append(description)
                    .append("</Description>");
            for (int i = 0; i < symbols.size(); i++) {
                nodes.append("<EnumEntry Name=\"")
                        .append(symbols.get(i))
                        .append("\"><Value>")
                        .append(i)
                        .append("</Value></EnumEntry>");
            }
            nodes.append("<pValue>").append(name).append("Reg</pValue></Enumeration>\n");
            register(name + "Reg", "", "PureNumber", value);
        }

        private void register(String name, String description, String representation, LongSupplier value) {
            nodes.append(String.format(
                    Locale.ROOT,
                    "<IntReg Name=\"%s\">%s<Address>%d</Address><Length>8</Length><AccessMode>RO</AccessMode>"
                            + "<pPort>Host</pPort><Cachable>NoCache</Cachable><Sign>Signed</Sign>"
                            + "<Endianess>BigEndian</Endianess><Representation>%s</Representation></IntReg>%n",
                    name,
                    description,
                    NUMBERS_BASE + 8L * numbers.size(),
                    representation));
            numbers.add(value);
        }

        private void feature(String name) {
            features.append("<pFeature>").append(name).append("</pFeature>");
        }

        NodeMap load() {
            Host host = host();
            return NodeMap.load(host.xml().getBytes(StandardCharsets.UTF_8), host.port());
        }

        Host host() {
            String xml = "<RegisterDescription ModelName=\"" + model + "\" VendorName=\"Peregrine\""
                    + " SchemaMajorVersion=\"1\" SchemaMinorVersion=\"1\" SchemaSubMinorVersion=\"0\""
                    + " xmlns=\"http://www.genicam.org/GenApi/Version_1_1\">\n"
                    + "<Category Name=\"Root\">" + features + "</Category>\n"
                    + nodes
                    + "<Port Name=\"Host\"/>\n</RegisterDescription>\n";
            return new Host(xml, new MemoryOfHost(texts, numbers));
        }
    }

    /** Texts from address 0, numbers of eight bytes from {@link Description#NUMBERS_BASE}. */
    private record MemoryOfHost(List<Supplier<String>> texts, List<LongSupplier> numbers) implements Port {
        @Override
        public void read(long address, ByteBuffer destination) {
            ByteBuffer value;
            if (address >= Description.NUMBERS_BASE) {
                long number = numbers.get(Math.toIntExact((address - Description.NUMBERS_BASE) / 8))
                        .getAsLong();
                value = ByteBuffer.allocate(8).order(ByteOrder.BIG_ENDIAN).putLong(0, number);
            } else {
                byte[] text =
                        texts.get(Math.toIntExact(address / TEXT_BYTES)).get().getBytes(StandardCharsets.UTF_8);
                value = ByteBuffer.wrap(Arrays.copyOf(text, TEXT_BYTES));
            }
            destination.put(value.limit(Math.min(value.capacity(), destination.remaining())));
        }

        @Override
        public void write(long address, ByteBuffer source) {
            throw new DeviceException("The host's view of a device cannot be written");
        }
    }
}
