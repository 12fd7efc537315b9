package io.peregrine.nativeio;

import java.nio.ByteBuffer;

/** A program of the classic BPF machine that says which packets a socket gets (kernel document networking/filter). */
final class PacketFilter {
    /** Nothing comes through. */
    static final PacketFilter NOTHING = new PacketFilter(new int[][] {{0x06, 0, 0, 0}});

    private static final int SOL_SOCKET = 1;
    private static final int SO_ATTACH_FILTER = 26;
    private static final int HEAD_BYTES = 16;
    private static final int INSTRUCTION_BYTES = 8;

    private final long address;
    /** Keeps what is at the address. */
    private final ByteBuffer program;

    /** Makes a program of instructions: code, jump if true, jump if false, value of each. */
    PacketFilter(int[][] instructions) {
        program = NativeMemory.allocate(HEAD_BYTES + INSTRUCTION_BYTES * instructions.length);
        address = NativeMemory.address(program);
        program.putShort(0, (short) instructions.length).putLong(8, address + HEAD_BYTES);
        for (int i = 0; i < instructions.length; i++) {
            int[] instruction = instructions[i];
            int at = HEAD_BYTES + INSTRUCTION_BYTES * i;
            program.putShort(at, (short) instruction[0])
                    .put(at + 2, (byte) instruction[1])
                    .put(at + 3, (byte) instruction[2])
                    .putInt(at + 4, instruction[3]);
        }
    }

    /**
     * Attaches it to a socket, in place of the one before.
     *
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    void attach(int fd) {
        if (Libc.setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, address, HEAD_BYTES) != 0) {
            throw new NativeUnavailableException(
                    "a filter of " + program.getShort(0) + " instructions cannot be had: " + Libc.text(Libc.errno()),
                    null);
        }
    }
}
