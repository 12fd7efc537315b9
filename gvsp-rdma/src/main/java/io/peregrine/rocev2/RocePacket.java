package io.peregrine.rocev2;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;

/**
 * A RoCEv2 packet taken apart, for people, tests and tools; the engine itself works on {@link Headers}.
 *
 * @param opcode operation code
 * @param flags second byte of the base transport header: solicited event, migration, pad count, version
 * @param partition partition key
 * @param congestion the byte of congestion bits
 * @param queuePair destination queue pair
 * @param ackByte the byte of the acknowledge request
 * @param psn packet sequence number
 * @param extension extension headers as they are on the wire
 * @param payload payload without pad
 * @param pad pad bytes
 * @param icrc the checksum it carries
 */
record RocePacket(
        int opcode,
        int flags,
        int partition,
        int congestion,
        int queuePair,
        int ackByte,
        int psn,
        ByteBuffer extension,
        ByteBuffer payload,
        ByteBuffer pad,
        int icrc) {

    /** Takes a packet apart, also one that no receiver would accept; empty if it is too short for its headers. */
    static Optional<RocePacket> parse(ByteBuffer packet, int at, int lengthBytes) {
        if (!Headers.fits(packet, at, lengthBytes)) {
            return Optional.empty();
        }
        int opcode = Headers.opcode(packet, at);
        int extension = Opcode.extensionBytes(opcode);
        int payload = Headers.payloadBytes(packet, at, lengthBytes);
        return Optional.of(new RocePacket(
                opcode,
                packet.get(at + Headers.FLAGS_OFFSET) & 0xFF,
                Headers.partition(packet, at),
                packet.get(at + Headers.CONGESTION_OFFSET) & 0xFF,
                Headers.queuePair(packet, at),
                packet.get(at + Headers.PSN_OFFSET) & 0xFF,
                Headers.psn(packet, at),
                packet.slice(at + Headers.BTH_BYTES, extension).asReadOnlyBuffer(),
                packet.slice(at + Headers.BTH_BYTES + extension, payload).asReadOnlyBuffer(),
                packet.slice(at + Headers.BTH_BYTES + extension + payload, Headers.padBytes(packet, at))
                        .asReadOnlyBuffer(),
                Icrc.get(packet, at, lengthBytes)));
    }

    /** Puts the packet together again, with its own checksum. */
    ByteBuffer encode() {
        ByteBuffer packet = ByteBuffer.allocate(
                Headers.BTH_BYTES + extension.capacity() + payload.capacity() + pad.capacity() + Headers.ICRC_BYTES);
        Headers.putBth(packet, 0, opcode, false, 0, queuePair, false, psn);
        packet.put(Headers.FLAGS_OFFSET, (byte) flags);
        packet.putShort(Headers.PARTITION_OFFSET, (short) partition);
        packet.put(Headers.CONGESTION_OFFSET, (byte) congestion);
        packet.put(Headers.PSN_OFFSET, (byte) ackByte);
        packet.position(Headers.BTH_BYTES);
        packet.put(extension.duplicate().clear())
                .put(payload.duplicate().clear())
                .put(pad.duplicate().clear());
        packet.putInt(Integer.reverseBytes(icrc));
        return packet.flip();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(Opcode.name(opcode))
                .append(" to queue pair 0x")
                .append(Integer.toHexString(queuePair))
                .append(", sequence number ")
                .append(psn);
        int at = 0;
        if (Opcode.hasDeth(opcode)) {
            text.append(", queue key 0x")
                    .append(Integer.toHexString(extension.getInt(at)))
                    .append(" from queue pair ")
                    .append(extension.getInt(at + 4) & Headers.MASK_24);
            at += Headers.DETH_BYTES;
        }
        if (Opcode.hasReth(opcode)) {
            text.append(String.format(
                    Locale.ROOT,
                    ", address 0x%x key 0x%x length %d",
                    extension.getLong(at),
                    extension.getInt(at + 8),
                    Integer.toUnsignedLong(extension.getInt(at + 12))));
            at += Headers.RETH_BYTES;
        }
        if (Opcode.hasAeth(opcode)) {
            text.append(String.format(
                    Locale.ROOT,
                    ", syndrome 0x%02x, message number %d",
                    extension.getInt(at) >>> 24,
                    extension.getInt(at) & Headers.MASK_24));
            at += Headers.AETH_BYTES;
        }
        if (Opcode.hasImmediate(opcode)) {
            text.append(String.format(Locale.ROOT, ", immediate 0x%08x", extension.getInt(at)));
        }
        return text.append(ackByte >= 0x80 ? ", acknowledge" : "")
                .append(", ")
                .append(payload.capacity())
                .append(" bytes")
                .toString();
    }
}
