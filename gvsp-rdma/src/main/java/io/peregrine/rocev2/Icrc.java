package io.peregrine.rocev2;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The invariant checksum: CRC-32 over the packet from its IP header on, with what routers may change set to ones. It
 * covers the identification in the IP header, which a UDP socket does not show: when checking, any identification is
 * allowed and solved for, which leaves a check of 16 bits. Not safe for use by several threads.
 *
 * <p>The part of the IP and UDP header is computed once for each path and length, and added to the checksum of the
 * packet itself, as CRC-32 is linear.
 */
final class Icrc {
    private static final int PSEUDO_BYTES = 36;
    private static final int TOTAL_LENGTH = 10;
    private static final int IDENTIFICATION = 12;
    private static final int SOURCE = 20;
    private static final int DESTINATION = 24;
    private static final int SOURCE_PORT = 28;
    private static final int DESTINATION_PORT = 30;
    private static final int UDP_LENGTH = 32;
    private static final int MAX_PACKET = 65535;
    private static final byte MASKED = (byte) 0xFF;

    private final CRC32 crc = new CRC32();
    private final ByteBuffer pseudo = ByteBuffer.allocateDirect(PSEUDO_BYTES);
    private final ByteBuffer zeros = ByteBuffer.allocateDirect(MAX_PACKET);
    private final OfLength[] lengths = new OfLength[(MAX_PACKET >> 2) + 1];

    Icrc() {
        // Local routing header, IP header and UDP header with the variable fields masked.
        for (int i = 0; i < PSEUDO_BYTES; i++) {
            pseudo.put(i, MASKED);
        }
        pseudo.put(8, (byte) 0x45);
        pseudo.putShort(14, (short) 0x4000);
        pseudo.put(17, (byte) 17);
    }

    /**
     * Computes the checksum.
     *
     * @param packet buffer with the packet; unchanged afterwards
     * @param at first byte of the base transport header
     * @param lengthBytes bytes of the packet with the four of the checksum
     * @param identification identification in the IP header
     */
    int compute(
            int source,
            int sourcePort,
            int destination,
            int destinationPort,
            int identification,
            ByteBuffer packet,
            int at,
            int lengthBytes) {
        OfLength length = length(lengthBytes);
        return sum(packet, at, lengthBytes - Headers.ICRC_BYTES)
                ^ length.headers(source, sourcePort, destination, destinationPort)
                ^ length.image(identification);
    }

    /** Checksum of a packet without what is before it. */
    private int sum(ByteBuffer packet, int at, int bytes) {
        int congestion = at + Headers.CONGESTION_OFFSET;
        byte kept = packet.get(congestion);
        packet.put(congestion, MASKED);
        crc.reset();
        add(packet, at, bytes);
        packet.put(congestion, kept);
        return (int) crc.getValue();
    }

    private void add(ByteBuffer packet, int at, int bytes) {
        int position = packet.position();
        int limit = packet.limit();
        crc.update(packet.limit(at + bytes).position(at));
        packet.limit(limit).position(position);
    }

    /** Writes the checksum, least significant byte first. */
    static void put(ByteBuffer packet, int at, int lengthBytes, int value) {
        packet.putInt(at + lengthBytes - Headers.ICRC_BYTES, Integer.reverseBytes(value));
    }

    /** The checksum that a packet carries. */
    static int get(ByteBuffer packet, int at, int lengthBytes) {
        return Integer.reverseBytes(packet.getInt(at + lengthBytes - Headers.ICRC_BYTES));
    }

    /**
     * Checks the checksum of a packet from a UDP socket.
     *
     * @return the identification of its IP header, 0 to 65535; -1 if the packet is damaged
     */
    int check(int source, int sourcePort, int destination, int destinationPort, ByteBuffer packet, int at, int length) {
        int difference = compute(source, sourcePort, destination, destinationPort, 0, packet, at, length)
                ^ get(packet, at, length);
        return length(length).solve(difference);
    }

    private OfLength length(int lengthBytes) {
        int index = lengthBytes >> 2;
        OfLength made = lengths[index];
        if (made == null || made.lengthBytes != lengthBytes) {
            made = new OfLength(lengthBytes);
            lengths[index] = made;
        }
        return made;
    }

    /** What the headers before a packet add to its checksum, for packets of one length. */
    private final class OfLength {
        private static final int IDENTIFICATION_BITS = 16;

        private final int lengthBytes;
        private final int zeroSum;
        private final int[] images = new int[IDENTIFICATION_BITS];
        private final int[] pivots = new int[32];
        private final int[] identifications = new int[32];

        /** The path that was asked for last, and what its headers add when the identification is 0. */
        private long addresses = -1;

        private int ports;
        private int headers;

        /** The identification that was found last. */
        private int found;

        OfLength(int lengthBytes) {
            this.lengthBytes = lengthBytes;
            crc.reset();
            add(zeros, 0, lengthBytes - Headers.ICRC_BYTES);
            zeroSum = (int) crc.getValue();
            int none = identified(0);
            for (int bit = 0; bit < IDENTIFICATION_BITS; bit++) {
                images[bit] = identified(1 << bit) ^ none;
                insert(images[bit], 1 << bit);
            }
        }

        private int identified(int identification) {
            pseudo.putShort(IDENTIFICATION, (short) identification);
            int sum = withZeros();
            pseudo.putShort(IDENTIFICATION, (short) 0);
            return sum;
        }

        /** Checksum of the headers and a packet of zeros. */
        private int withZeros() {
            crc.reset();
            crc.update(pseudo.clear());
            add(zeros, 0, lengthBytes - Headers.ICRC_BYTES);
            return (int) crc.getValue();
        }

        int headers(int source, int sourcePort, int destination, int destinationPort) {
            long bothAddresses = (long) source << 32 | (destination & 0xFFFFFFFFL);
            int bothPorts = sourcePort << 16 | destinationPort;
            if (bothAddresses != addresses || bothPorts != ports) {
                pseudo.putShort(TOTAL_LENGTH, (short) (28 + lengthBytes));
                pseudo.putShort(IDENTIFICATION, (short) 0);
                pseudo.putInt(SOURCE, source);
                pseudo.putInt(DESTINATION, destination);
                pseudo.putShort(SOURCE_PORT, (short) sourcePort);
                pseudo.putShort(DESTINATION_PORT, (short) destinationPort);
                pseudo.putShort(UDP_LENGTH, (short) (8 + lengthBytes));
                headers = withZeros() ^ zeroSum;
                addresses = bothAddresses;
                ports = bothPorts;
            }
            return headers;
        }

        /** What an identification adds. */
        int image(int identification) {
            int image = 0;
            for (int left = identification; left != 0; left &= left - 1) {
                image ^= images[Integer.numberOfTrailingZeros(left)];
            }
            return image;
        }

        private void insert(int image, int identification) {
            int rest = image;
            int bits = identification;
            while (rest != 0) {
                int top = 31 - Integer.numberOfLeadingZeros(rest);
                if (pivots[top] == 0) {
                    pivots[top] = rest;
                    identifications[top] = bits;
                    return;
                }
                rest ^= pivots[top];
                bits ^= identifications[top];
            }
        }

        /** The identification that explains a difference of checksums; -1 if none does. */
        int solve(int difference) {
            // Those that the kernel cuts from a run are numbered.
            int next = (found + 1) & 0xFFFF;
            if (difference == 0) {
                found = 0;
            } else if (difference == image(next)) {
                found = next;
            } else {
                int rest = difference;
                int bits = 0;
                while (rest != 0) {
                    int top = 31 - Integer.numberOfLeadingZeros(rest);
                    if (pivots[top] == 0) {
                        return -1;
                    }
                    rest ^= pivots[top];
                    bits ^= identifications[top];
                }
                found = bits;
            }
            return found;
        }
    }
}
