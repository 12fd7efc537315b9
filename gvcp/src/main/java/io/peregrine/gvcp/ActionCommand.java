package io.peregrine.gvcp;

import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * ACTION_CMD: makes several devices act together.
 *
 * @param requestId id of the request
 * @param acknowledge devices are to answer
 * @param deviceKey must equal the key in the device
 * @param groupKey which group is to act
 * @param groupMask which groups of the devices are meant
 * @param timeTicks when to act, in the ticks of the synchronised clock; empty for at once
 */
public record ActionCommand(
        int requestId, boolean acknowledge, int deviceKey, int groupKey, int groupMask, OptionalLong timeTicks)
        implements GvcpCommand {
    private static final int LENGTH_BYTES = 12;
    private static final int SCHEDULED_LENGTH_BYTES = 20;

    /**
     * Reads the packet.
     *
     * @param datagram the datagram from position to limit; not changed
     * @return the packet
     * @throws MalformedPacketException if it is not one
     */
    public static ActionCommand decode(ByteBuffer datagram) {
        CommandHeader header = CommandHeader.decode(datagram, Gvcp.ACTION);
        ByteBuffer payload = header.payload(datagram);
        boolean scheduled = header.has(Gvcp.FLAG_SCHEDULED);
        Wire.requireLength(Gvcp.ACTION, payload, scheduled ? SCHEDULED_LENGTH_BYTES : LENGTH_BYTES);
        return new ActionCommand(
                header.requestId(),
                header.has(Gvcp.FLAG_ACKNOWLEDGE),
                payload.getInt(0),
                payload.getInt(4),
                payload.getInt(8),
                scheduled ? OptionalLong.of(payload.getLong(LENGTH_BYTES)) : OptionalLong.empty());
    }

    @Override
    public byte[] encode() {
        int flags = (acknowledge ? Gvcp.FLAG_ACKNOWLEDGE : 0) | (timeTicks.isPresent() ? Gvcp.FLAG_SCHEDULED : 0);
        ByteBuffer packet = Wire.command(
                flags, Gvcp.ACTION, timeTicks.isPresent() ? SCHEDULED_LENGTH_BYTES : LENGTH_BYTES, requestId);
        packet.putInt(deviceKey).putInt(groupKey).putInt(groupMask);
        if (timeTicks.isPresent()) {
            packet.putLong(timeTicks.getAsLong());
        }
        return Wire.bytes(packet);
    }
}
