package io.peregrine.rocev2;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The headers of a RoCEv2 packet that a third party sees. Only what was captured is looked at: a packet may be cut
 * after its headers.
 *
 * @param opcode operation code
 * @param queuePair queue pair that it is for
 * @param psn packet sequence number
 * @param ackRequest whether an acknowledgement is asked for
 * @param sourceQueuePair queue pair that it comes from; datagrams only
 * @param target memory that is written or read; first packets of writes, and read requests
 * @param syndrome first byte of an acknowledgement
 * @param immediate immediate data
 * @param payloadOffset where the payload begins in the datagram
 * @param payloadBytes bytes of payload, captured or not, without pad
 */
public record ObservedPacket(
        int opcode,
        int queuePair,
        int psn,
        boolean ackRequest,
        OptionalInt sourceQueuePair,
        Optional<Target> target,
        OptionalInt syndrome,
        OptionalInt immediate,
        int payloadOffset,
        int payloadBytes) {

    /** UDP port that RoCEv2 packets are sent to. */
    public static final int UDP_PORT = Headers.UDP_PORT;

    /**
     * Memory at the receiver.
     *
     * @param address virtual address of the first byte
     * @param key key of the memory
     * @param lengthBytes bytes of the whole message, unsigned
     */
    public record Target(long address, int key, int lengthBytes) {}

    /** What a message does. */
    public enum Kind {
        /** Send, into a posted receive. */
        SEND,
        /** Write, to an address. */
        WRITE,
        /** Neither. */
        OTHER
    }

    /**
     * Takes the headers of a packet apart.
     *
     * @param datagram what was captured of the UDP payload, from index 0 to its limit; big-endian
     * @param lengthBytes bytes that the whole UDP payload had
     * @return empty if it is too short for its headers
     */
    public static Optional<ObservedPacket> parse(ByteBuffer datagram, int lengthBytes) {
        int captured = datagram.limit();
        if (captured < Headers.BTH_BYTES || lengthBytes < captured || !Headers.fits(datagram, 0, lengthBytes)) {
            return Optional.empty();
        }
        int opcode = Headers.opcode(datagram, 0);
        int payloadAt = Headers.BTH_BYTES + Opcode.extensionBytes(opcode);
        if (captured < payloadAt) {
            return Optional.empty();
        }
        OptionalInt source = OptionalInt.empty();
        Optional<Target> target = Optional.empty();
        OptionalInt syndrome = OptionalInt.empty();
        int at = Headers.BTH_BYTES;
        if (Opcode.hasDeth(opcode)) {
            source = OptionalInt.of(datagram.getInt(at + 4) & Headers.MASK_24);
            at += Headers.DETH_BYTES;
        }
        if (Opcode.hasReth(opcode)) {
            target = Optional.of(new Target(datagram.getLong(at), datagram.getInt(at + 8), datagram.getInt(at + 12)));
            at += Headers.RETH_BYTES;
        }
        if (Opcode.hasAeth(opcode)) {
            syndrome = OptionalInt.of(datagram.get(at) & 0xFF);
            at += Headers.AETH_BYTES;
        }
        return Optional.of(new ObservedPacket(
                opcode,
                Headers.queuePair(datagram, 0),
                Headers.psn(datagram, 0),
                Headers.ackRequest(datagram, 0),
                source,
                target,
                syndrome,
                Opcode.hasImmediate(opcode) ? OptionalInt.of(datagram.getInt(at)) : OptionalInt.empty(),
                payloadAt,
                Headers.payloadBytes(datagram, 0, lengthBytes)));
    }

    /** Name of the operation, for example {@code SEND_ONLY}; the code in hex for one that is not of RoCEv2 here. */
    public String operation() {
        return Opcode.name(opcode);
    }

    /** What the message that it belongs to does. */
    public Kind kind() {
        return Opcode.hasDeth(opcode)
                ? Kind.OTHER
                : Opcode.send(opcode) ? Kind.SEND : Opcode.write(opcode) ? Kind.WRITE : Kind.OTHER;
    }

    /** Whether it begins a message. */
    public boolean begins() {
        return Opcode.begins(opcode);
    }

    /** Whether it ends a message. */
    public boolean ends() {
        return Opcode.ends(opcode);
    }

    /**
     * The message of the connection manager in a packet that was captured whole.
     *
     * @param datagram the one that was given to {@link #parse}
     * @return empty if there is none
     */
    public Optional<ObservedMessage> message(ByteBuffer datagram) {
        if (sourceQueuePair.isEmpty() || queuePair != Headers.GSI_QUEUE_PAIR) {
            return Optional.empty();
        }
        return ObservedMessage.parse(datagram, payloadOffset, payloadBytes);
    }
}
