package io.peregrine.rocev2;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The invariant checksum: CRC-32 over the packet from its IP header on, with what routers may change set to ones. It
 * covers the identification in the IP header, which a UDP socket does not show: when checking, any identification is
 * allowed and solved for, which leaves a check of 16 bits. Not safe for use by several threads.
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

    private final CRC32 crc = new CRC32();
    private final ByteBuffer pseudo = ByteBuffer.allocateDirect(PSEUDO_BYTES);
    private final Solver[] solvers = new Solver[(MAX_PACKET >> 2) + 1];

    Icrc() {
        // Local routing header, IP header and UDP header with the variable fields masked.
        for (int i = 0; i < PSEUDO_BYTES; i++) {
            pseudo.put(i, (byte) 0xFF);
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
        pseudo.putShort(TOTAL_LENGTH, (short) (28 + lengthBytes));
        pseudo.putShort(IDENTIFICATION, (short) identification);
        pseudo.putInt(SOURCE, source);
        pseudo.putInt(DESTINATION, destination);
        pseudo.putShort(SOURCE_PORT, (short) sourcePort);
        pseudo.putShort(DESTINATION_PORT, (short) destinationPort);
        pseudo.putShort(UDP_LENGTH, (short) (8 + lengthBytes));
        crc.reset();
        crc.update(pseudo.clear());
        int congestion = at + Headers.CONGESTION_OFFSET;
        byte kept = packet.get(congestion);
        packet.put(congestion, (byte) 0xFF);
        int position = packet.position();
        int limit = packet.limit();
        crc.update(packet.limit(at + lengthBytes - Headers.ICRC_BYTES).position(at));
        packet.limit(limit).position(position);
        packet.put(congestion, kept);
        return (int) crc.getValue();
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
        if (difference == 0) {
            return 0;
        }
        int index = length >> 2;
        Solver solver = solvers[index];
        if (solver == null) {
            // What follows the identification: the rest of IP and UDP header, and the packet.
            solver = new Solver(PSEUDO_BYTES - IDENTIFICATION - 2 + length - Headers.ICRC_BYTES);
            solvers[index] = solver;
        }
        return solver.solve(difference);
    }

    /** Finds the 16 bits whose change explains a difference of checksums, for one length. */
    private static final class Solver {
        private final int[] pivots = new int[32];
        private final int[] identifications = new int[32];

        Solver(int bytesBehind) {
            byte[] message = new byte[2 + bytesBehind];
            int zero = checksum(message);
            for (int bit = 0; bit < 16; bit++) {
                message[0] = (byte) ((1 << bit) >> 8);
                message[1] = (byte) (1 << bit);
                insert(checksum(message) ^ zero, 1 << bit);
            }
        }

        private static int checksum(byte[] message) {
            CRC32 crc = new CRC32();
            crc.update(message);
            return (int) crc.getValue();
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

        int solve(int difference) {
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
            return bits;
        }
    }
}
