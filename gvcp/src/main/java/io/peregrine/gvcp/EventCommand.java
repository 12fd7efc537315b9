package io.peregrine.gvcp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * EVENT_CMD, sent by the device on the message channel: events without data.
 *
 * @param requestId id of the request
 * @param acknowledge the application is to answer
 * @param events one or more, all with the same form of head
 */
public record EventCommand(int requestId, boolean acknowledge, List<GvcpEvent> events) implements GvcpCommand {

    /** Copies the list. */
    public EventCommand {
        events = GvcpEvent.requireOneForm(events);
    }

    /**
     * Reads the packet.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the packet
     * @throws MalformedPacketException if it is not one
     */
    public static EventCommand decode(ByteBuffer datagram) {
        CommandHeader header = CommandHeader.decode(datagram, Gvcp.EVENT);
        ByteBuffer payload = header.payload(datagram);
        boolean extended = header.has(Gvcp.FLAG_EXTENDED_ID);
        int sizeBytes = extended ? GvcpEvent.EXTENDED_SIZE_BYTES : GvcpEvent.STANDARD_SIZE_BYTES;
        Wire.requireMultiple(Gvcp.EVENT, payload, sizeBytes);
        List<GvcpEvent> events = new ArrayList<>();
        for (int offset = 0; offset < payload.limit(); offset += sizeBytes) {
            events.add(GvcpEvent.decode(payload, offset, extended, 0));
        }
        return new EventCommand(header.requestId(), header.has(Gvcp.FLAG_ACKNOWLEDGE), events);
    }

    @Override
    public byte[] encode() {
        boolean extended = events.get(0).extended();
        int flags = (acknowledge ? Gvcp.FLAG_ACKNOWLEDGE : 0) | (extended ? Gvcp.FLAG_EXTENDED_ID : 0);
        int lengthBytes = events.stream().mapToInt(GvcpEvent::sizeBytes).sum();
        ByteBuffer packet = Wire.command(flags, Gvcp.EVENT, lengthBytes, requestId);
        events.forEach(e -> e.encodeInto(packet, 0));
        return Wire.bytes(packet);
    }
}
