package io.peregrine.nativeio;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** A program of the classic BPF machine that says which packets a socket gets (kernel document networking/filter). */
final class PacketFilter {
    /** As a jump: to the last instruction, which gives nothing. */
    static final int DENY = 0xFF;

    /** The instruction that gives the whole packet. */
    static final int[] GIVE_ALL = {0x06, 0, 0, -1};

    private static final int[] GIVE_NOTHING = {0x06, 0, 0, 0};

    /** Nothing comes through. */
    static final PacketFilter NOTHING = new PacketFilter();

    private static final int SOL_SOCKET = 1;
    private static final int SO_ATTACH_FILTER = 26;
    private static final int HEAD_BYTES = 16;
    private static final int INSTRUCTION_BYTES = 8;

    private static final int LOAD_BYTE = 0x30;
    private static final int LOAD_BYTE_AT_X = 0x50;
    private static final int JUMP = 0x05;
    private static final int JUMP_IF_SET = 0x45;
    private static final int JUMP_IF_NOT_LESS = 0x35;
    private static final int MULTIPLY = 0x24;
    private static final int AND = 0x54;

    private final long address;
    /** Keeps what is at the address. */
    private final ByteBuffer program;

    /**
     * Makes a program of instructions: code, jump if true, jump if false, value of each. The last one gives nothing.
     */
    PacketFilter(int[]... conditions) {
        int[][] instructions = concat(conditions, GIVE_NOTHING);
        program = NativeMemory.allocate(HEAD_BYTES + INSTRUCTION_BYTES * instructions.length);
        address = NativeMemory.address(program);
        program.putShort(0, (short) instructions.length).putLong(8, address + HEAD_BYTES);
        for (int i = 0; i < instructions.length; i++) {
            int[] instruction = instructions[i];
            int at = HEAD_BYTES + INSTRUCTION_BYTES * i;
            int toLast = conditions.length - 1 - i;
            program.putShort(at, (short) instruction[0])
                    .put(at + 2, (byte) (instruction[1] == DENY ? toLast : instruction[1]))
                    .put(at + 3, (byte) (instruction[2] == DENY ? toLast : instruction[2]))
                    .putInt(at + 4, instruction[3]);
        }
    }

    /**
     * Makes a program that gives the datagrams of a share of the numbers.
     *
     * @param number where a datagram has the number that decides
     * @param dataOffset where the datagram's data begins
     * @param fromX whether the offset counts from what the machine has in its second register
     * @param conditions instructions that come before
     */
    static PacketFilter ofShare(NumberField number, int dataOffset, boolean fromX, int[]... conditions) {
        int load = fromX ? LOAD_BYTE_AT_X : LOAD_BYTE;
        int[][] share = {
            {load, 0, 0, dataOffset + number.flagOffset()},
            {JUMP_IF_SET, 2, 0, number.flagBit()},
            {load, 0, 0, dataOffset + number.lastByteOffset()},
            {JUMP, 0, 0, 1},
            {load, 0, 0, dataOffset + number.flaggedLastByteOffset()},
            {MULTIPLY, 0, 0, NumberField.PARTS},
            {AND, 0, 0, NumberField.PARTS - 1},
            {JUMP_IF_NOT_LESS, DENY, 0, NumberField.PARTS},
            GIVE_ALL
        };
        return new PacketFilter(concat(conditions, share));
    }

    static int[][] concat(int[][] one, int[]... other) {
        int[][] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    /** Changes the share that a program of {@link #ofShare} gives, before it is attached. Returns it. */
    PacketFilter share(int share) {
        int end = HEAD_BYTES + INSTRUCTION_BYTES * program.getShort(0);
        program.putInt(end - 5 * INSTRUCTION_BYTES + 4, share);
        program.putInt(end - 3 * INSTRUCTION_BYTES + 4, share);
        return this;
    }

    /**
     * Attaches it to a socket, in place of the one before.
     *
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    void attach(int fd) {
        if (Libc.setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, address, HEAD_BYTES) != 0) {
            throw new NativeUnavailableException(
                    "a filter of " + program.getShort(0) + " instructions is unavailable: " + Libc.text(Libc.errno()),
                    null);
        }
    }
}
