package io.peregrine.rocev2;

import io.peregrine.rdma.RdmaMemory;
import java.nio.ByteBuffer;

/**
 * Fields of RoCEv2 packets, big-endian, by absolute position. A packet here is what a UDP datagram carries:
 *
 * <pre>
 * base transport header (BTH), 12 bytes
 *   0  1  opcode
 *   1  1  solicited event (bit 7), migration (6), pad count (5-4), version (3-0)
 *   2  2  partition key
 *   4  1  congestion bits, masked in the checksum
 *   5  3  destination queue pair
 *   8  1  acknowledge request (bit 7)
 *   9  3  packet sequence number
 * extension headers by opcode: DETH 8, RETH 16, AETH 4, immediate 4
 * payload, pad to a multiple of 4
 * invariant checksum (ICRC), 4 bytes, least significant byte first
 * </pre>
 */
final class Headers {
    static final int BTH_BYTES = 12;
    static final int RETH_BYTES = 16;
    static final int AETH_BYTES = 4;
    static final int DETH_BYTES = 8;
    static final int IMMEDIATE_BYTES = 4;
    static final int ICRC_BYTES = 4;

    static final int FLAGS_OFFSET = 1;
    static final int PARTITION_OFFSET = 2;
    static final int CONGESTION_OFFSET = 4;
    static final int QUEUE_PAIR_OFFSET = 4;
    static final int PSN_OFFSET = 8;

    static final int DEFAULT_PARTITION = 0xFFFF;
    static final int MASK_24 = 0xFFFFFF;
    static final int UDP_PORT = 4791;
    /** The connection manager's queue pair. */
    static final int GSI_QUEUE_PAIR = 1;
    /** Key of the connection manager's queue pair. */
    static final int GSI_QUEUE_KEY = 0x80010000;

    static final int SYNDROME_ACK = 0x1F;
    static final int SYNDROME_RNR = 0x20;
    static final int SYNDROME_SEQUENCE_ERROR = 0x60;
    static final int SYNDROME_INVALID_REQUEST = 0x61;
    static final int SYNDROME_REMOTE_ACCESS = 0x62;
    static final int SYNDROME_REMOTE_OPERATION = 0x63;

    /** Wait of each timer code in a receiver-not-ready answer, in units of 10 us. */
    private static final int[] RNR_WAITS = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    private Headers() {}

    static void putBth(
            ByteBuffer packet,
            int at,
            int opcode,
            boolean solicited,
            int padBytes,
            int queuePair,
            boolean ackRequest,
            int psn) {
        packet.put(at, (byte) opcode);
        packet.put(at + FLAGS_OFFSET, (byte) ((solicited ? 0x80 : 0) | (padBytes << 4)));
        packet.putShort(at + PARTITION_OFFSET, (short) DEFAULT_PARTITION);
        packet.putInt(at + QUEUE_PAIR_OFFSET, queuePair & MASK_24);
        packet.putInt(at + PSN_OFFSET, (ackRequest ? 0x80000000 : 0) | (psn & MASK_24));
    }

    static int opcode(ByteBuffer packet, int at) {
        return packet.get(at) & 0xFF;
    }

    static int padBytes(ByteBuffer packet, int at) {
        return (packet.get(at + FLAGS_OFFSET) >> 4) & 3;
    }

    static int version(ByteBuffer packet, int at) {
        return packet.get(at + FLAGS_OFFSET) & 0xF;
    }

    static int partition(ByteBuffer packet, int at) {
        return packet.getShort(at + PARTITION_OFFSET) & 0xFFFF;
    }

    static int queuePair(ByteBuffer packet, int at) {
        return packet.getInt(at + QUEUE_PAIR_OFFSET) & MASK_24;
    }

    static boolean ackRequest(ByteBuffer packet, int at) {
        return packet.get(at + PSN_OFFSET) < 0;
    }

    static int psn(ByteBuffer packet, int at) {
        return packet.getInt(at + PSN_OFFSET) & MASK_24;
    }

    static void putReth(ByteBuffer packet, int at, long address, int key, int lengthBytes) {
        packet.putLong(at, address);
        packet.putInt(at + 8, key);
        packet.putInt(at + 12, lengthBytes);
    }

    static void putAeth(ByteBuffer packet, int at, int syndrome, int msn) {
        packet.putInt(at, (syndrome << 24) | (msn & MASK_24));
    }

    /** Whether a datagram is long enough for its headers, pad and checksum. */
    static boolean fits(ByteBuffer packet, int at, int lengthBytes) {
        return lengthBytes >= BTH_BYTES + ICRC_BYTES
                && (lengthBytes & 3) == 0
                && lengthBytes
                        >= BTH_BYTES + Opcode.extensionBytes(opcode(packet, at)) + padBytes(packet, at) + ICRC_BYTES;
    }

    /** Whether a datagram fits, and begins with a header that a receiver accepts. */
    static boolean wellFormed(ByteBuffer packet, int at, int lengthBytes) {
        return fits(packet, at, lengthBytes)
                && Opcode.known(opcode(packet, at))
                && version(packet, at) == 0
                && (partition(packet, at) & 0x7FFF) == 0x7FFF;
    }

    /** Bytes of payload in a well-formed packet. */
    static int payloadBytes(ByteBuffer packet, int at, int lengthBytes) {
        return lengthBytes - BTH_BYTES - Opcode.extensionBytes(opcode(packet, at)) - padBytes(packet, at) - ICRC_BYTES;
    }

    /** Writes a payload and its pad. */
    static void putPayload(ByteBuffer packet, int at, RdmaMemory from, long offset, int count, int padBytes) {
        packet.position(at);
        from.get(offset, packet, count);
        for (int i = 0; i < padBytes; i++) {
            packet.put((byte) 0);
        }
    }

    /** Brings a payload to memory; the packet's position and limit stay as they are. */
    static void getPayload(ByteBuffer packet, int at, int count, RdmaMemory to, long offset) {
        if (count > 0) {
            int position = packet.position();
            int limit = packet.limit();
            packet.limit(at + count).position(at);
            to.put(offset, packet);
            packet.limit(limit).position(position);
        }
    }

    /** Packets that a message takes; one that is empty takes one. */
    static long packets(long lengthBytes, int mtuBytes) {
        return Math.max(1, (lengthBytes + mtuBytes - 1) / mtuBytes);
    }

    /** Sequence numbers count without end inside; on the wire are their lowest 24 bits. */
    static long unwrap(int psn, long reference) {
        return reference + (((psn - (int) reference) << 8) >> 8);
    }

    static long rnrWaitNanos(int syndrome) {
        return RNR_WAITS[syndrome & 0x1F] * 10_000L;
    }

    static int mtuBytes(int code) {
        return 128 << code;
    }

    static int mtuCode(int bytes) {
        for (int code = 5; code > 1; code--) {
            if (mtuBytes(code) <= bytes) {
                return code;
            }
        }
        return 1;
    }

    /** The largest path MTU for packets of an interface: IP, UDP, BTH, RETH, immediate and ICRC come on top. */
    static int largestPathMtu(int interfaceMtuBytes) {
        return mtuBytes(mtuCode(interfaceMtuBytes - 96));
    }
}
