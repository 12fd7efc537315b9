package io.peregrine.gvcp;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One event of an EVENT or EVENTDATA command.
 *
 * @param eventId what happened, see the {@code EVENT_} constants of {@link Gvcp}
 * @param streamChannel stream channel concerned, 0xFFFF if none
 * @param blockId block concerned, 0 if none; unsigned
 * @param timestampTicks when, in ticks of the device's timestamp
 * @param data what EVENTDATA carries besides; empty in EVENT
 */
@SuppressWarnings("ArrayRecordComponent") // copied on the way in and out
public record GvcpEvent(int eventId, int streamChannel, long blockId, long timestampTicks, byte[] data) {
    /** Bytes of an event's head with 16-bit block id. */
    static final int STANDARD_SIZE_BYTES = 16;
    /** Bytes of an event's head with 64-bit block id. */
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
     * The bytes of head and data.
     *
     * @param extended form of the head
     * @return their number
     */
    int sizeBytes(boolean extended) {
        return (extended ? EXTENDED_SIZE_BYTES : STANDARD_SIZE_BYTES) + data.length;
    }

    /** Reads a head at an offset that the caller has checked, and the given bytes of data behind it. */
    static GvcpEvent decode(ByteBuffer payload, int offset, boolean extended, int dataSizeBytes) {
        int headSizeBytes = extended ? EXTENDED_SIZE_BYTES : STANDARD_SIZE_BYTES;
        byte[] data = new byte[dataSizeBytes];
        payload.get(offset + headSizeBytes, data);
        return new GvcpEvent(
                Wire.u16(payload, offset + 2),
                Wire.u16(payload, offset + 4),
                extended ? payload.getLong(offset + 8) : Wire.u16(payload, offset + 6),
                payload.getLong(offset + headSizeBytes - Long.BYTES),
                data);
    }

    /** Writes head and data; the size field only exists in the extended EVENTDATA. */
    void encodeInto(ByteBuffer target, boolean extended, int sizeField) {
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
                "event 0x%04X channel %d block %s at %d ticks%s",
                eventId,
                streamChannel,
                Long.toUnsignedString(blockId),
                timestampTicks,
                data.length == 0 ? "" : " data " + Wire.hex(data));
    }
}
