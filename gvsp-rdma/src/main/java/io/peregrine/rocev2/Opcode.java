package io.peregrine.rocev2;

import java.util.Locale;

/**
 * Operation codes of the base transport header that matter for reliable connections and the connection manager
 * (InfiniBand architecture, volume 1, chapter 9; values as the kernel's Soft-RoCE sends them).
 */
final class Opcode {
    static final int SEND_FIRST = 0x00;
    static final int SEND_MIDDLE = 0x01;
    static final int SEND_LAST = 0x02;
    static final int SEND_LAST_IMM = 0x03;
    static final int SEND_ONLY = 0x04;
    static final int SEND_ONLY_IMM = 0x05;
    static final int WRITE_FIRST = 0x06;
    static final int WRITE_MIDDLE = 0x07;
    static final int WRITE_LAST = 0x08;
    static final int WRITE_LAST_IMM = 0x09;
    static final int WRITE_ONLY = 0x0A;
    static final int WRITE_ONLY_IMM = 0x0B;
    static final int READ_REQUEST = 0x0C;
    static final int READ_RESPONSE_FIRST = 0x0D;
    static final int READ_RESPONSE_MIDDLE = 0x0E;
    static final int READ_RESPONSE_LAST = 0x0F;
    static final int READ_RESPONSE_ONLY = 0x10;
    static final int ACKNOWLEDGE = 0x11;
    static final int UD_SEND_ONLY = 0x64;
    static final int UD_SEND_ONLY_IMM = 0x65;
    /** Congestion notification of an adapter. */
    static final int CONGESTION_NOTIFICATION = 0x81;

    private static final int KNOWN = 1;
    private static final int BEGINS = 2;
    private static final int ENDS = 4;
    private static final int SEND = 8;
    private static final int WRITE = 16;
    private static final int IMMEDIATE = 32;
    private static final int RETH = 64;
    private static final int AETH = 128;
    private static final int DETH = 256;

    private static final short[] TRAITS = new short[256];
    private static final String[] NAMES = new String[256];

    static {
        define(SEND_FIRST, "SEND_FIRST", SEND | BEGINS);
        define(SEND_MIDDLE, "SEND_MIDDLE", SEND);
        define(SEND_LAST, "SEND_LAST", SEND | ENDS);
        define(SEND_LAST_IMM, "SEND_LAST_IMM", SEND | ENDS | IMMEDIATE);
        define(SEND_ONLY, "SEND_ONLY", SEND | BEGINS | ENDS);
        define(SEND_ONLY_IMM, "SEND_ONLY_IMM", SEND | BEGINS | ENDS | IMMEDIATE);
        define(WRITE_FIRST, "WRITE_FIRST", WRITE | BEGINS | RETH);
        define(WRITE_MIDDLE, "WRITE_MIDDLE", WRITE);
        define(WRITE_LAST, "WRITE_LAST", WRITE | ENDS);
        define(WRITE_LAST_IMM, "WRITE_LAST_IMM", WRITE | ENDS | IMMEDIATE);
        define(WRITE_ONLY, "WRITE_ONLY", WRITE | BEGINS | ENDS | RETH);
        define(WRITE_ONLY_IMM, "WRITE_ONLY_IMM", WRITE | BEGINS | ENDS | RETH | IMMEDIATE);
        define(READ_REQUEST, "READ_REQUEST", RETH);
        define(READ_RESPONSE_FIRST, "READ_RESPONSE_FIRST", AETH);
        define(READ_RESPONSE_MIDDLE, "READ_RESPONSE_MIDDLE", 0);
        define(READ_RESPONSE_LAST, "READ_RESPONSE_LAST", AETH);
        define(READ_RESPONSE_ONLY, "READ_RESPONSE_ONLY", AETH);
        define(ACKNOWLEDGE, "ACKNOWLEDGE", AETH);
        define(UD_SEND_ONLY, "UD_SEND_ONLY", DETH | BEGINS | ENDS);
        define(UD_SEND_ONLY_IMM, "UD_SEND_ONLY_IMM", DETH | BEGINS | ENDS | IMMEDIATE);
        define(CONGESTION_NOTIFICATION, "CONGESTION_NOTIFICATION", 0);
    }

    private Opcode() {}

    private static void define(int opcode, String name, int traits) {
        TRAITS[opcode] = (short) (traits | KNOWN);
        NAMES[opcode] = name;
    }

    private static boolean is(int opcode, int trait) {
        return (TRAITS[opcode & 0xFF] & trait) != 0;
    }

    static boolean known(int opcode) {
        return is(opcode, KNOWN);
    }

    /** Whether it begins a message. */
    static boolean begins(int opcode) {
        return is(opcode, BEGINS);
    }

    /** Whether it ends a message. */
    static boolean ends(int opcode) {
        return is(opcode, ENDS);
    }

    static boolean send(int opcode) {
        return is(opcode, SEND);
    }

    static boolean write(int opcode) {
        return is(opcode, WRITE);
    }

    static boolean hasImmediate(int opcode) {
        return is(opcode, IMMEDIATE);
    }

    static boolean hasReth(int opcode) {
        return is(opcode, RETH);
    }

    static boolean hasAeth(int opcode) {
        return is(opcode, AETH);
    }

    static boolean hasDeth(int opcode) {
        return is(opcode, DETH);
    }

    /** Bytes of the extension headers behind the base transport header. */
    static int extensionBytes(int opcode) {
        int traits = TRAITS[opcode & 0xFF];
        return ((traits & DETH) != 0 ? Headers.DETH_BYTES : 0)
                + ((traits & RETH) != 0 ? Headers.RETH_BYTES : 0)
                + ((traits & AETH) != 0 ? Headers.AETH_BYTES : 0)
                + ((traits & IMMEDIATE) != 0 ? Headers.IMMEDIATE_BYTES : 0);
    }

    static String name(int opcode) {
        String name = NAMES[opcode & 0xFF];
        return name == null ? String.format(Locale.ROOT, "0x%02X", opcode & 0xFF) : name;
    }
}
