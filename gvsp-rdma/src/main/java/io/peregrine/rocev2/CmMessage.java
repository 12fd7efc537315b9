package io.peregrine.rocev2;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;

/**
 * A message of the InfiniBand connection manager: a management datagram of 256 bytes that travels between the queue
 * pairs 1 of two ports. Layouts as in the InfiniBand Architecture Specification, volume 1, "Communication Management",
 * checked against captures of Linux. Every bit of a message is kept, so that writing what was read gives the same
 * bytes.
 *
 * <p>In a message "local" is the side that sends it, and "remote" the side that receives it.
 *
 * <pre>
 *  0  1  base version, 1               8  8  transaction id
 *  1  1  class, 7                     16  2  attribute: which message
 *  2  1  class version, 2             18  2  reserved
 *  3  1  method, 3                    20  4  attribute modifier
 *  4  2  status                       24 232 the message; the tables below count from here
 *  6  2  class specific
 * </pre>
 */
sealed interface CmMessage permits CmReq, CmMra, CmRej, CmRep, CmPlain, CmDreq {
    /** Length of every message in bytes. */
    int LENGTH_BYTES = 256;

    /** Request to connect. */
    int ATTRIBUTE_REQ = 0x10;
    /** The message was received, and its answer takes time. */
    int ATTRIBUTE_MRA = 0x11;
    /** Refusal. */
    int ATTRIBUTE_REJ = 0x12;
    /** Reply to a request: accepted. */
    int ATTRIBUTE_REP = 0x13;
    /** Ready to use. */
    int ATTRIBUTE_RTU = 0x14;
    /** Request to disconnect. */
    int ATTRIBUTE_DREQ = 0x15;
    /** Reply to a request to disconnect. */
    int ATTRIBUTE_DREP = 0x16;

    /** Rejection: not enough resources. */
    int REASON_NO_RESOURCES = 3;
    /** Rejection: no answer in time. */
    int REASON_TIMEOUT = 4;
    /** Rejection: no one listens. */
    int REASON_INVALID_SERVICE_ID = 8;
    /** Rejection: not a reliable connection. */
    int REASON_INVALID_TRANSPORT = 9;
    /** Rejection: the queue pair is connected already. */
    int REASON_STALE_CONNECTION = 10;
    /** Rejection: not an address of the asked port. */
    int REASON_INVALID_GID = 12;
    /** Rejection: the path MTU cannot be. */
    int REASON_INVALID_MTU = 26;
    /** Rejection: by the application. */
    int REASON_CONSUMER = 28;

    /** What a rejection or a "received" speaks of: a request. */
    int ABOUT_REQ = 0;
    /** What a rejection or a "received" speaks of: a reply. */
    int ABOUT_REP = 1;
    /** What a rejection speaks of: no message, or another one. */
    int ABOUT_OTHER = 2;

    /** Length of the header in bytes. */
    int HEADER_BYTES = 24;

    /** The header of the message. */
    CmHeader header();

    /** Identifier that the sending side gave the connection. */
    int localId();

    /** Identifier that the receiving side gave the connection, 0 when the sender does not know it. */
    int remoteId();

    /** Writes the message proper; the buffer holds zeros, starts behind the header, and is big-endian. */
    void writeBody(ByteBuffer to);

    /**
     * Writes the message.
     *
     * @param to gets {@link #LENGTH_BYTES} bytes
     * @param offset where in the buffer, whose position does not matter
     */
    default void encode(ByteBuffer to, int offset) {
        ByteBuffer mad = to.slice(offset, LENGTH_BYTES);
        for (int at = 0; at < LENGTH_BYTES; at += Long.BYTES) {
            mad.putLong(at, 0);
        }
        header().write(mad);
        writeBody(mad.slice(HEADER_BYTES, LENGTH_BYTES - HEADER_BYTES));
    }

    /** Whether the bytes are a message of the connection manager, known or not. */
    static boolean fits(ByteBuffer packet, int offset, int lengthBytes) {
        return lengthBytes == LENGTH_BYTES
                && offset >= 0
                && offset <= packet.limit() - LENGTH_BYTES
                && packet.get(offset) == CmHeader.BASE_VERSION
                && packet.get(offset + 1) == CmHeader.CLASS
                && packet.get(offset + 2) == CmHeader.CLASS_VERSION
                && packet.get(offset + 3) == CmHeader.METHOD_SEND;
    }

    /**
     * Reads a message.
     *
     * @param packet where {@link #fits} holds
     * @param offset first byte of the datagram
     * @return the message, or empty if it is one of those that nothing here needs
     */
    static Optional<CmMessage> decode(ByteBuffer packet, int offset) {
        ByteBuffer mad = packet.slice(offset, LENGTH_BYTES);
        CmHeader header = CmHeader.read(mad);
        ByteBuffer body = mad.slice(HEADER_BYTES, LENGTH_BYTES - HEADER_BYTES);
        return switch (header.attribute()) {
            case ATTRIBUTE_REQ -> Optional.of(CmReq.read(header, body));
            case ATTRIBUTE_MRA -> Optional.of(CmMra.read(header, body));
            case ATTRIBUTE_REJ -> Optional.of(CmRej.read(header, body));
            case ATTRIBUTE_REP -> Optional.of(CmRep.read(header, body));
            case ATTRIBUTE_RTU -> Optional.of(CmRtu.read(header, body));
            case ATTRIBUTE_DREQ -> Optional.of(CmDreq.read(header, body));
            case ATTRIBUTE_DREP -> Optional.of(CmDrep.read(header, body));
            default -> Optional.empty();
        };
    }

    /** Nanoseconds of a 5-bit time code: 4.096 us times two to its power. */
    static long nanosOfCode(int code) {
        return 4096L << code;
    }

    /** Checks that a field holds its value. */
    static void check(String name, int value, int bits) {
        if (value < 0 || value >>> bits != 0) {
            throw new IllegalArgumentException(name + " is " + value + ", which " + bits + " bits cannot hold");
        }
    }

    /** Checks that bytes fill their field. */
    static void checkLength(String name, CmBytes bytes, int lengthBytes) {
        if (bytes.lengthBytes() != lengthBytes) {
            throw new IllegalArgumentException(
                    name + " has " + bytes.lengthBytes() + " bytes instead of " + lengthBytes);
        }
    }

    static void checkHeader(CmHeader header, int attribute) {
        if (header.attribute() != attribute) {
            throw new IllegalArgumentException("The header is of another message: " + header);
        }
    }

    static String ids(String name, CmMessage message) {
        return String.format(
                Locale.ROOT, "%s local id %08x remote id %08x", name, message.localId(), message.remoteId());
    }

    static int unsignedByte(ByteBuffer from, int offset) {
        return Byte.toUnsignedInt(from.get(offset));
    }

    static int unsignedShort(ByteBuffer from, int offset) {
        return Short.toUnsignedInt(from.getShort(offset));
    }
}
