package io.peregrine.gvcp;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * One event of an EVENT or EVENTDATA command.
 *
 * @param extended header with 64-bit block id
 * @param eventId what happened, see the {@code EVENT_} constants of {@link Gvcp}
 * @param streamChannel stream channel concerned, 0xFFFF if none
 * @param blockId block concerned, 0 if none; unsigned
 * @param timestampTicks when, in ticks of the device's timestamp
 * @param data what EVENTDATA carries besides; empty in EVENT
 */
@SuppressWarnings("ArrayRecordComponent") // copied on the way in and out
public record GvcpEvent(
        boolean extended, int eventId, int streamChannel, long blockId, long timestampTicks, byte[] data) {
    /** Bytes of an event's header with 16-bit block id. */
    static final int STANDARD_SIZE_BYTES = 16;
    /** Bytes of an event's header with 64-bit block id. */
    static final int EXTENDED_SIZE_BYTES = 24;

    /** Checks the ranges and copies the bytes. */
    public GvcpEvent {
        Wire.requireU16("eventId", eventId);
        Wire.requireU16("streamChannel", streamChannel);
        data = data.clone();
    }

    @Override
    public byte[] data() {
        return data.clone();
    }

    /**
     * The event as it is in its command, header and data: what the address 0 of an event port of the GenICam XML begins
     * with (GenICam standard 2.1.1, 2.8.1).
     */
    public byte[] item() {
        ByteBuffer item = ByteBuffer.allocate(sizeBytes());
        encodeInto(item, extended ? sizeBytes() : 0);
        return item.array();
    }

    /** Number of bytes of header and data. */
    int sizeBytes() {
        return (extended ? EXTENDED_SIZE_BYTES : STANDARD_SIZE_BYTES) + data.length;
    }

    /** Checks what goes into one command: at least one event, and headers of one form. */
    static List<GvcpEvent> requireOneForm(List<GvcpEvent> events) {
        if (events.stream().map(GvcpEvent::extended).distinct().count() != 1) {
            throw new IllegalArgumentException("a command needs events, all with the same form of header");
        }
        return List.copyOf(events);
    }

    /** Reads a header at an offset that the caller has checked, and the given bytes of data after it. */
    static GvcpEvent decode(ByteBuffer payload, int offset, boolean extended, int dataSizeBytes) {
        int headSizeBytes = extended ? EXTENDED_SIZE_BYTES : STANDARD_SIZE_BYTES;
        byte[] data = new byte[dataSizeBytes];
        payload.get(offset + headSizeBytes, data);
        return new GvcpEvent(
                extended,
                Wire.u16(payload, offset + 2),
                Wire.u16(payload, offset + 4),
                extended ? payload.getLong(offset + 8) : Wire.u16(payload, offset + 6),
                payload.getLong(offset + headSizeBytes - Long.BYTES),
                data);
    }

    /** Writes header and data; the size field only exists in the extended EVENTDATA. */
    void encodeInto(ByteBuffer target, int sizeField) {
        target.putShort((short) sizeField).putShort((short) eventId).putShort((short) streamChannel);
        if (extended) {
            target.putShort((short) 0).putLong(blockId);
        } else {
            target.putShort((short) blockId);
        }
        target.putLong(timestampTicks).put(data);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GvcpEvent that
                && that.extended == extended
                && that.eventId == eventId
                && that.streamChannel == streamChannel
                && that.blockId == blockId
                && that.timestampTicks == timestampTicks
                && Arrays.equals(that.data, data);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * eventId + Long.hashCode(timestampTicks)) + Arrays.hashCode(data);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "event 0x%04X channel %d block %s at %d ticks%s",
                eventId,
                streamChannel,
                Long.toUnsignedString(blockId),
                timestampTicks,
                data.length == 0 ? "" : " data " + Wire.hex(data));
    }
}
