package io.peregrine.gvcp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * EVENTDATA_CMD, sent by the device on the message channel: an event with data, or several in the extended form (GigE
 * Vision 2.2).
 *
 * @param requestId id of the request
 * @param acknowledge the application is to answer
 * @param events one or more, all with the same form of head; the standard form holds just one
 */
public record EventDataCommand(int requestId, boolean acknowledge, List<GvcpEvent> events) implements GvcpCommand {

    /** Copies the list. */
    public EventDataCommand {
        events = GvcpEvent.requireOneForm(events);
        if (!events.get(0).extended() && events.size() != 1) {
            throw new IllegalArgumentException("a standard EVENTDATA holds one event, not " + events.size());
        }
    }

    /**
     * Reads the packet.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the packet
     * @throws MalformedPacketException if it is not one
     */
    public static EventDataCommand decode(ByteBuffer datagram) {
        CommandHeader header = CommandHeader.decode(datagram, Gvcp.EVENT_DATA);
        ByteBuffer payload = header.payload(datagram);
        boolean extended = header.has(Gvcp.FLAG_EXTENDED_ID);
        int headSizeBytes = extended ? GvcpEvent.EXTENDED_SIZE_BYTES : GvcpEvent.STANDARD_SIZE_BYTES;
        Wire.requireLength(Gvcp.EVENT_DATA, payload, headSizeBytes);
        List<GvcpEvent> events = new ArrayList<>();
        int offset = 0;
        while (offset < payload.limit()) {
            int left = payload.limit() - offset;
            if (left < headSizeBytes) {
                throw new MalformedPacketException("EVENTDATA ends inside an event: " + left + " bytes left");
            }
            // Devices before 2.1 leave the size 0: then the one event takes what there is.
            int sizeField = extended ? Wire.u16(payload, offset) : 0;
            int sizeBytes = sizeField == 0 ? left : sizeField;
            if (sizeBytes < headSizeBytes || sizeBytes > left) {
                throw new MalformedPacketException(
                        "EVENTDATA holds an event of " + sizeBytes + " bytes, where " + left + " are left");
            }
            events.add(GvcpEvent.decode(payload, offset, extended, sizeBytes - headSizeBytes));
            offset += sizeBytes;
        }
        return new EventDataCommand(header.requestId(), header.has(Gvcp.FLAG_ACKNOWLEDGE), events);
    }

    @Override
    public byte[] encode() {
        boolean extended = events.get(0).extended();
        int flags = (acknowledge ? Gvcp.FLAG_ACKNOWLEDGE : 0) | (extended ? Gvcp.FLAG_EXTENDED_ID : 0);
        int lengthBytes = events.stream().mapToInt(GvcpEvent::sizeBytes).sum();
        ByteBuffer packet = Wire.command(flags, Gvcp.EVENT_DATA, lengthBytes, requestId);
        events.forEach(e -> e.encodeInto(packet, extended ? e.sizeBytes() : 0));
        return Wire.bytes(packet);
    }
}
