package io.peregrine.genapi;

import java.nio.charset.StandardCharsets;

/** Pieces of camera descriptions for tests. */
final class Xml {
    private Xml() {}

    static byte[] description(String nodes) {
        return ("<RegisterDescription SchemaMajorVersion=\"1\" SchemaMinorVersion=\"1\" ModelName=\"Test\">" + nodes
                        + "<Port Name=\"Device\"/></RegisterDescription>")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** A readable and writable big-endian register of four bytes. */
    static String register(String name, int address, String more) {
        return "<IntReg Name=\"" + name + "\">" + at(address, 4) + more + "<Endianess>BigEndian</Endianess></IntReg>";
    }

    static String at(int address, int length) {
        return "<Address>" + address + "</Address><Length>" + length
                + "</Length><AccessMode>RW</AccessMode><pPort>Device</pPort>";
    }

    static String integer(String name, String inside) {
        return "<Integer Name=\"" + name + "\">" + inside + "</Integer>";
    }

    static String value(String name, long value) {
        return integer(name, "<Value>" + value + "</Value>");
    }
}
