package io.peregrine.conformance.genapi;

import io.peregrine.genapi.Port;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/** Registers of a content, and what was written over it: the same ones as {@code reference-server.cpp} has. */
final class Registers implements Port {
    private static final int LONGEST_ACCESS = 1 << 20;

    private final Map<Long, Byte> written = new HashMap<>();
    private final StringBuilder log = new StringBuilder();
    private String content;

    Registers(String content) {
        this.content = content;
    }

    void become(String name) {
        content = name;
        undo();
    }

    void undo() {
        written.clear();
        log.setLength(0);
    }

    void poke(long address, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            written.put(address + i, bytes[i]);
        }
    }

    /** What was written since the last call: ADDRESS:BYTES, each after a blank. */
    String takeLog() {
        String text = log.toString();
        log.setLength(0);
        return text;
    }

    private byte original(long address) {
        return switch (content) {
            case "zero" -> 0;
            case "one" -> (byte) ((address & 3) == 3 ? 1 : 0);
            case "hash" -> {
                long h = address * 0x9E3779B97F4A7C15L;
                h = (h ^ (h >>> 30)) * 0xBF58476D1CE4E5B9L;
                yield (byte) (h >>> 56);
            }
            default -> throw new IllegalArgumentException("no content " + content);
        };
    }

    @Override
    public void read(long address, ByteBuffer destination) {
        if (destination.remaining() > LONGEST_ACCESS) {
            throw new IllegalArgumentException("no register is that long");
        }
        for (long at = address; destination.hasRemaining(); at++) {
            Byte over = written.isEmpty() ? null : written.get(at);
            destination.put(over == null ? original(at) : over);
        }
    }

    @Override
    public void write(long address, ByteBuffer source) {
        byte[] bytes = new byte[source.remaining()];
        source.get(bytes);
        poke(address, bytes);
        log.append(' ')
                .append(Long.toHexString(address))
                .append(':')
                .append(HexFormat.of().formatHex(bytes));
    }
}
