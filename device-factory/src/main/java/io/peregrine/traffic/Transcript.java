package io.peregrine.traffic;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.gvcp.BootstrapRegister;
import io.peregrine.gvcp.Gvcp;
import io.peregrine.gvcp.GvcpStatus;
import io.peregrine.rocev2.ObservedMessage;
import io.peregrine.traffic.GvcpMessage.Access;
import io.peregrine.traffic.TrafficRecorder.Event;
import io.peregrine.traffic.TrafficRecorder.FlowKey;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The text of a recording: learns from all messages who takes part, then writes them line by line without that. */
final class Transcript {
    /** Goes up when a reader of the file would have to know. */
    private static final int FORMAT = 1;

    private final Identities identities;
    private final List<Event> events;
    private final long firstNanos;
    private final Writer to;
    private final ObjectMapper mapper = new ObjectMapper();
    private final AccessText accesses;
    private final Map<Integer, DescriptionTransfer> descriptions = new LinkedHashMap<>();
    private final Map<Integer, RegisterNames> names = new HashMap<>();
    private final Map<Integer, Long> descriptionReads = new LinkedHashMap<>();

    /**
     * Prepares it.
     *
     * @param given names of registers for cameras whose description was not seen
     * @param firstNanos time that others are given from
     */
    Transcript(Identities identities, RegisterNames given, List<Event> events, long firstNanos, Writer to) {
        this.identities = identities;
        this.events = events;
        this.firstNanos = firstNanos;
        this.to = to;
        accesses = new AccessText(identities);
        Map<Integer, List<Access>> reads = new LinkedHashMap<>();
        for (Event event : events) {
            if (event instanceof Event.Control control) {
                GvcpMessage message = control.message();
                reads.computeIfAbsent(camera(message), key -> new ArrayList<>());
                if (!message.command()) {
                    reads.get(camera(message)).addAll(message.accesses());
                }
            }
        }
        reads.forEach((camera, read) -> {
            names.put(camera, given);
            DescriptionTransfer.of(read).ifPresent(transfer -> {
                descriptions.put(camera, transfer);
                transfer.whole().flatMap(Transcript::namesOf).ifPresent(found -> names.put(camera, found));
            });
        });
        for (Event event : events) {
            if (event instanceof Event.Control control) {
                accesses.learn(control.message(), names.get(camera(control.message())));
            }
        }
    }

    private static Optional<RegisterNames> namesOf(byte[] xml) {
        try {
            return Optional.of(RegisterNames.of(xml));
        } catch (GenApiException e) {
            return Optional.empty();
        }
    }

    private static int camera(GvcpMessage message) {
        return message.command() ? message.destination() : message.source();
    }

    private void line(ObjectNode object) throws IOException {
        try {
            to.write(mapper.writeValueAsString(object));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
        to.write('\n');
    }

    private ObjectNode at(long nanos, int source, int destination) {
        ObjectNode object = mapper.createObjectNode();
        object.put("t", Math.round((nanos - firstNanos) / 1e3) / 1e6);
        object.put("from", identities.endpoint(source));
        object.put("to", identities.endpoint(destination));
        return object;
    }

    void begin(String program) throws IOException {
        ObjectNode object = mapper.createObjectNode();
        object.put("recording", "gvrsp-record");
        object.put("format", FORMAT);
        object.put("program", program);
        line(object);
    }

    void events() throws IOException {
        for (Event event : events) {
            if (event instanceof Event.Control control) {
                control(control.message());
            } else if (event instanceof Event.Connection connection) {
                connection(connection);
            } else if (event instanceof Event.Transfer transfer) {
                transfer(transfer.flow(), transfer.message());
            }
        }
        for (Map.Entry<Integer, DescriptionTransfer> description : descriptions.entrySet()) {
            ObjectNode object = mapper.createObjectNode();
            object.put("description", identities.endpoint(description.getKey()));
            object.put("bytes", description.getValue().lengthBytes());
            object.put("bytesSeen", description.getValue().knownBytes());
            object.put("messages", descriptionReads.getOrDefault(description.getKey(), 0L));
            object.put("namedRegisters", names.get(description.getKey()).count());
            line(object);
        }
    }

    // ---- Control

    private void control(GvcpMessage message) throws IOException {
        int camera = camera(message);
        DescriptionTransfer description = descriptions.get(camera);
        boolean read = message.code() == Gvcp.READ_MEMORY || message.code() == Gvcp.READ_MEMORY_ACK;
        if (description != null && read && message.accesses().stream().allMatch(description::covers)) {
            descriptionReads.merge(camera, 1L, Long::sum);
            return;
        }
        ObjectNode object = at(message.nanos(), message.source(), message.destination());
        object.put("gvcp", Gvcp.name(message.code()));
        object.put("id", message.id());
        if (message.command()) {
            object.put("flags", hex(message.flags(), 2));
        } else {
            object.put("status", GvcpStatus.of(message.status()).name());
        }
        if (message.index() >= 0) {
            object.put("index", message.index());
        }
        if (message.millis() >= 0) {
            object.put("milliseconds", message.millis());
        }
        if (!message.accesses().isEmpty()) {
            ArrayNode list = object.putArray("access");
            message.accesses().forEach(access -> access(list.addObject(), access, names.get(camera)));
        }
        if (message.device().length > 0) {
            device(object.putObject("device"), ByteBuffer.wrap(message.device()));
        }
        if (message.rest().length > 0) {
            object.put("payload", accesses.shortened(message.rest(), object));
        }
        line(object);
    }

    private void access(ObjectNode object, Access access, RegisterNames known) {
        if (access.address() == GvcpMessage.UNKNOWN) {
            object.put("address", "unknown");
        } else {
            object.put("address", hex(access.address(), 4));
            BootstrapRegister.nameOf((int) access.address()).ifPresent(name -> object.put("name", name));
            known.name(access.address()).ifPresent(name -> object.put("feature", name));
        }
        if (access.lengthBytes() != Integer.BYTES) {
            object.put("bytes", access.lengthBytes());
        }
        if (access.known()) {
            object.put("value", accesses.value(access, known, object));
        }
    }

    /** The answer to a discovery, which is a copy of the first registers. */
    private void device(ObjectNode object, ByteBuffer device) {
        object.put("version", hex(Integer.toUnsignedLong(device.getInt(0)), 8));
        object.put("deviceMode", hex(Integer.toUnsignedLong(device.getInt(4)), 8));
        object.put("supportedIpConfiguration", hex(Integer.toUnsignedLong(device.getInt(16)), 8));
        object.put("currentIpConfiguration", hex(Integer.toUnsignedLong(device.getInt(20)), 8));
        object.put("manufacturer", accesses.text(device, BootstrapRegister.MANUFACTURER_NAME, 32));
        object.put("model", accesses.text(device, BootstrapRegister.MODEL_NAME, 32));
        object.put("deviceVersion", accesses.text(device, BootstrapRegister.DEVICE_VERSION, 32));
    }

    // ---- RDMA

    private void connection(Event.Connection connection) throws IOException {
        ObservedMessage message = connection.message();
        ObjectNode object = at(connection.nanos(), connection.source(), connection.destination());
        object.put("cm", message.kind());
        object.put("udpSourcePort", connection.sourcePort());
        object.put("transactionId", hex(message.transactionId(), 16));
        message.numbers().forEach((name, value) -> {
            if (name.equals("serviceId")) {
                object.put(name, hex(value, 16));
            } else {
                object.put(name, value);
            }
        });
        message.adapters().forEach((name, guid) -> object.put(name, "<" + identities.guid(guid) + ">"));
        message.ports().forEach((name, port) -> object.put(name, "<" + identities.port(port) + ">"));
        message.bytes().forEach((name, bytes) -> object.put(name, identities.content(withoutZeros(bytes))));
        line(object);
    }

    /** Private data is padded with zeros to the length of its field. */
    private static byte[] withoutZeros(byte[] bytes) {
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return Arrays.copyOf(bytes, length);
    }

    private void transfer(FlowKey flow, RoceFlow.Message message) throws IOException {
        ObjectNode object = at(message.begun(), flow.source(), flow.destination());
        object.put("rdma", message.kind().name());
        object.put("queuePair", flow.queuePair());
        object.put("psn", message.psn());
        object.put("packets", message.packets());
        object.put("bytes", message.lengthBytes());
        message.target().ifPresent(target -> {
            object.put("address", hex(target.address(), 16));
            object.put("key", accesses.register(target.key()));
            object.put("length", Integer.toUnsignedLong(target.lengthBytes()));
        });
        message.immediate().ifPresent(value -> object.put("immediate", accesses.register(value)));
        if (message.content().length > 0) {
            object.put("content", identities.content(message.content()));
        }
        if (message.container().length > 0) {
            container(object.putObject("gendc"), ByteBuffer.wrap(message.container()));
        }
        line(object);
    }

    /** The fixed fields of a container's header; GenDC is little-endian. */
    private static void container(ObjectNode object, ByteBuffer header) {
        header.order(ByteOrder.LITTLE_ENDIAN);
        object.put("version", header.get(4) + "." + header.get(5) + "." + header.get(6));
        object.put("headerType", hex(Short.toUnsignedInt(header.getShort(8)), 4));
        object.put("flags", hex(Short.toUnsignedInt(header.getShort(10)), 4));
        object.put("headerBytes", Integer.toUnsignedLong(header.getInt(12)));
        object.put("id", header.getLong(16));
        object.put("variableFields", hex(Short.toUnsignedInt(header.getShort(24)), 4));
        object.put("dataBytes", header.getLong(32));
        object.put("dataOffset", header.getLong(40));
        object.put("descriptorBytes", Integer.toUnsignedLong(header.getInt(48)));
        object.put("components", Integer.toUnsignedLong(header.getInt(52)));
    }

    void flows(Map<FlowKey, RoceFlow> flows) throws IOException {
        for (Map.Entry<FlowKey, RoceFlow> entry : flows.entrySet()) {
            FlowKey key = entry.getKey();
            RoceFlow flow = entry.getValue();
            ObjectNode object = at(flow.firstNanos(), key.source(), key.destination());
            object.put("flow", "RoCEv2");
            object.put("queuePair", key.queuePair());
            object.put("seconds", Math.round((flow.lastNanos() - flow.firstNanos()) / 1e3) / 1e6);
            object.put("firstPsn", flow.firstPsn());
            object.put("lastPsn", flow.lastPsn());
            put(object.putObject("packets"), flow.packets());
            put(object.putObject("payloadBytes"), flow.bytes());
            if (!flow.syndromes().isEmpty()) {
                ObjectNode syndromes = object.putObject("acknowledgements");
                flow.syndromes().forEach((syndrome, count) -> syndromes.put(hex(syndrome, 2), count));
            }
            if (flow.messages() > 0) {
                object.put("messages", flow.messages());
                ObjectNode lengths = object.putObject("messagesByBytes");
                flow.lengths().forEach((length, count) -> lengths.put(Long.toString(length), count));
                if (flow.otherLengths() > 0) {
                    lengths.put("other", flow.otherLengths());
                }
            }
            object.put("packetsSentAgain", flow.repeated());
            object.put("gaps", flow.gaps());
            line(object);
        }
    }

    private static void put(ObjectNode object, Map<String, Long> counts) {
        counts.forEach(object::put);
    }

    void end(Map<String, Long> sums, long nanos) throws IOException {
        ObjectNode object = mapper.createObjectNode();
        ObjectNode sum = object.putObject("sums");
        sum.put("seconds", Math.round(nanos / 1e3) / 1e6);
        put(sum, sums);
        line(object);
    }

    static String hex(long value, int digits) {
        return "0x" + String.format(Locale.ROOT, "%0" + digits + "X", value);
    }
}
