package io.peregrine.traffic;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A control message as it was seen.
 *
 * @param nanos when
 * @param source IPv4 address of the sender
 * @param destination IPv4 address of the receiver
 * @param code command or acknowledge code
 * @param command whether it is a command
 * @param flags flags of a command, 0 for an acknowledge
 * @param status status of an acknowledge, 0 for a command
 * @param id request or acknowledge id
 * @param accesses registers and memory that it is about
 * @param index number of registers or bytes that were written, by the acknowledge of a write; else -1
 * @param millis how long the device asks for, by a pending acknowledge; else -1
 * @param device what a device says of itself, 248 bytes, by the acknowledge of a discovery; else empty
 * @param rest payload of a message that no version of GigE Vision up to 2.2 knows
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and not seen outside of this package
record GvcpMessage(
        long nanos,
        int source,
        int destination,
        int code,
        boolean command,
        int flags,
        int status,
        int id,
        List<Access> accesses,
        int index,
        int millis,
        byte[] device,
        byte[] rest) {

    /** An address that is not known, because the command was not seen. */
    static final long UNKNOWN = -1;

    /**
     * Registers or memory.
     *
     * @param address first byte, unsigned; {@link #UNKNOWN} if the command was not seen
     * @param lengthBytes how many
     * @param value the bytes; empty where they are only asked for
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Access(long address, int lengthBytes, byte[] value) {
        /** Whether the bytes are known. */
        boolean known() {
            return value.length > 0;
        }

        /** Whether it is one register of 32 bits. */
        boolean register() {
            return value.length == Integer.BYTES;
        }

        /** Value of one register. */
        int number() {
            return ByteBuffer.wrap(value).getInt(0);
        }
    }
}
