package io.peregrine.traffic;

import io.peregrine.device.DeviceException;
import io.peregrine.genapi.GenApiException;
import io.peregrine.gvcp.Gvcp;
import io.peregrine.rocev2.ObservedMessage;
import io.peregrine.rocev2.ObservedPacket;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes down how programs and cameras talk by GVCP and RoCEv2, without what is personal: MAC and IP addresses, serial
 * numbers, names, keys and images. Placeholders stand for them, the same one for the same thing. All is kept in memory
 * until {@link #write}, so that what becomes known as personal at the end is replaced at the beginning too. Sends
 * nothing. For one thread.
 */
public final class TrafficRecorder {
    /** UDP ports of GVCP and RoCEv2. */
    static final int[] PORTS = {Gvcp.PORT, ObservedPacket.UDP_PORT};

    private static final int MAX_EVENTS = 200_000;
    private static final long MAX_EVENT_BYTES = 64L << 20;
    private static final int MAX_FLOWS = 1 << 12;

    private final Identities identities = new Identities();
    private final GvcpDecoder control = new GvcpDecoder();
    private final List<Event> events = new ArrayList<>();
    private final Map<FlowKey, RoceFlow> flows = new LinkedHashMap<>();
    private RegisterNames names = RegisterNames.none();
    private long eventBytes;
    private long firstNanos = Long.MIN_VALUE;
    private long lastNanos;
    private long packets;
    private long controlPackets;
    private long rdmaPackets;
    private long otherPackets;
    private long malformed;
    private long resends;
    private long dropped;
    private boolean torn;

    /** Something that happened at a time. */
    sealed interface Event {
        /** A control message. */
        record Control(GvcpMessage message) implements Event {}

        /** A message of the connection manager. */
        record Connection(long nanos, int source, int destination, int sourcePort, ObservedMessage message)
                implements Event {}

        /** A message over a connection. */
        record Transfer(FlowKey flow, RoceFlow.Message message) implements Event {}
    }

    /** A direction of a connection. */
    record FlowKey(int source, int destination, int queuePair) {}

    /** Creates a recorder that has seen nothing. */
    public TrafficRecorder() {
        // Nothing is open yet.
    }

    /**
     * Gives registers the names that a GenICam XML has for them, where the transfer of one is not seen.
     *
     * @param xml the XML, zipped or not
     * @throws DeviceException if it is none
     */
    public void description(byte[] xml) {
        try {
            names = RegisterNames.of(xml);
        } catch (GenApiException e) {
            throw new DeviceException("this is no GenICam XML: " + e.getMessage(), e);
        }
    }

    /**
     * Takes the packets of a capture, pcap or pcapng.
     *
     * @param capture file
     * @throws DeviceException if it is no such file, or damaged
     * @throws IOException if it cannot be read
     */
    public void read(Path capture) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(capture))) {
            read(in);
        }
    }

    void read(InputStream in) throws IOException {
        torn |= !CaptureFile.read(in, this::accept);
    }

    private void accept(CaptureFile.Packet packet) {
        ByteBuffer data = packet.data();
        int ip = Datagram.ipOffset(packet.linkType(), data);
        Optional<Datagram> datagram = Datagram.parse(data, ip).filter(TrafficRecorder::wanted);
        if (datagram.isPresent() && Datagram.hasMacAddresses(packet.linkType(), data)) {
            identities.learnMac(mac(data, 0));
            identities.learnMac(mac(data, 6));
        }
        accept(packet.nanos(), datagram);
    }

    private static long mac(ByteBuffer packet, int at) {
        return Integer.toUnsignedLong(packet.getInt(at)) << 16 | Short.toUnsignedInt(packet.getShort(at + 4));
    }

    private static boolean wanted(Datagram datagram) {
        return control(datagram) || datagram.destinationPort() == ObservedPacket.UDP_PORT;
    }

    private static boolean control(Datagram datagram) {
        return datagram.sourcePort() == Gvcp.PORT || datagram.destinationPort() == Gvcp.PORT;
    }

    /** Takes a packet of an interface, from its IP header on. */
    void accept(long nanos, ByteBuffer packet, byte[] senderMac) {
        if (senderMac.length == 6) {
            identities.learnMac(mac(ByteBuffer.wrap(senderMac), 0));
        }
        accept(nanos, Datagram.parse(packet, 0).filter(TrafficRecorder::wanted));
    }

    private void accept(long nanos, Optional<Datagram> datagram) {
        packets++;
        if (datagram.isEmpty()) {
            otherPackets++;
            return;
        }
        if (firstNanos == Long.MIN_VALUE) {
            firstNanos = nanos;
        }
        lastNanos = nanos;
        if (control(datagram.get())) {
            controlPackets++;
            control(nanos, datagram.get());
        } else {
            rdmaPackets++;
            rdma(nanos, datagram.get());
        }
    }

    private void control(long nanos, Datagram datagram) {
        Optional<GvcpMessage> decoded = control.decode(nanos, datagram);
        if (decoded.isEmpty()) {
            malformed++;
            return;
        }
        GvcpMessage message = decoded.get();
        identities.learnAddress(datagram.source(), message.command() ? Identities.Role.HOST : Identities.Role.CAMERA);
        identities.learnAddress(
                datagram.destination(),
                message.command()
                        ? message.code() == Gvcp.DISCOVERY || message.code() == Gvcp.FORCE_IP
                                ? Identities.Role.OTHER
                                : Identities.Role.CAMERA
                        : Identities.Role.HOST);
        if (message.code() == Gvcp.PACKET_RESEND) {
            resends++;
            return;
        }
        keep(new Event.Control(message), datagram.data().limit());
    }

    private void rdma(long nanos, Datagram datagram) {
        ByteBuffer data = datagram.data();
        Optional<ObservedPacket> parsed = ObservedPacket.parse(data, datagram.lengthBytes());
        if (parsed.isEmpty()) {
            malformed++;
            return;
        }
        ObservedPacket packet = parsed.get();
        FlowKey key = new FlowKey(datagram.source(), datagram.destination(), packet.queuePair());
        RoceFlow flow = flows.get(key);
        if (flow == null) {
            if (flows.size() == MAX_FLOWS) {
                dropped++;
                return;
            }
            identities.learnAddress(datagram.source(), Identities.Role.OTHER);
            identities.learnAddress(datagram.destination(), Identities.Role.OTHER);
            flow = new RoceFlow(nanos, packet.psn());
            flows.put(key, flow);
        }
        flow.accept(nanos, packet, data)
                .ifPresent(message -> keep(new Event.Transfer(key, message), message.content().length));
        packet.message(data).ifPresent(message -> {
            message.adapters().values().forEach(identities::learnGuid);
            keep(
                    new Event.Connection(
                            nanos, datagram.source(), datagram.destination(), datagram.sourcePort(), message),
                    data.limit());
        });
    }

    private void keep(Event event, int bytes) {
        if (events.size() >= MAX_EVENTS || eventBytes + bytes > MAX_EVENT_BYTES || identities.full()) {
            dropped++;
            return;
        }
        events.add(event);
        eventBytes += bytes;
    }

    /** Packets that were taken, of any kind. */
    public long packets() {
        return packets;
    }

    /** Packets of GVCP. */
    public long controlPackets() {
        return controlPackets;
    }

    /** Packets of RoCEv2. */
    public long rdmaPackets() {
        return rdmaPackets;
    }

    /** Messages that did not fit any more, and are not in the recording. */
    public long dropped() {
        return dropped;
    }

    /** Whether the capture ended in the middle of a packet. */
    public boolean torn() {
        return torn;
    }

    /**
     * Writes what was seen, a JSON object in each line: the first says what the file is, then come the messages in
     * their order, then sums.
     *
     * @param program name and version of the program
     * @param interfaceDrops packets that the system dropped before they were seen
     * @param to where to; stays open
     * @throws IOException if it cannot be written
     */
    public void write(String program, long interfaceDrops, Writer to) throws IOException {
        Transcript transcript = new Transcript(identities, names, events, Math.max(firstNanos, 0), to);
        transcript.begin(program);
        transcript.events();
        transcript.flows(flows);
        Map<String, Long> sums = new LinkedHashMap<>();
        sums.put("packets", packets);
        sums.put("gvcpPackets", controlPackets);
        sums.put("roceV2Packets", rdmaPackets);
        sums.put("otherPackets", otherPackets);
        sums.put("malformedPackets", malformed);
        sums.put("resendRequests", resends);
        sums.put("notKept", dropped);
        sums.put("droppedBySystem", interfaceDrops);
        transcript.end(sums, firstNanos == Long.MIN_VALUE ? 0 : lastNanos - firstNanos);
    }
}
