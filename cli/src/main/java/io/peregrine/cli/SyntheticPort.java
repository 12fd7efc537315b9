package io.peregrine.cli;

import io.peregrine.genapi.Port;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Registers without a device: all zero, or random but the same for the same seed. Remembers what is written. */
final class SyntheticPort implements Port {
    private final boolean random;
    private final long seed;
    private final Map<Long, Byte> written = new HashMap<>();

    private SyntheticPort(boolean random, long seed) {
        this.random = random;
        this.seed = seed;
    }

    /** A port from {@code zero} or {@code random:SEED}. */
    static SyntheticPort parse(String text) {
        if (text.equals("zero")) {
            return new SyntheticPort(false, 0);
        }
        try {
            if (text.startsWith("random:")) {
                return new SyntheticPort(true, Long.parseLong(text.substring("random:".length())));
            }
        } catch (NumberFormatException e) {
            throw wrong(text, e);
        }
        throw wrong(text, null);
    }

    private static CliException wrong(String text, Throwable cause) {
        return new CliException(ExitCodes.USAGE, "--port cannot be '" + text + "': give zero or random:SEED", cause);
    }

    @Override
    public void read(long address, ByteBuffer destination) {
        for (long at = address; destination.hasRemaining(); at++) {
            Byte stored = written.get(at);
            destination.put(stored != null ? stored : random ? noise(at) : 0);
        }
    }

    @Override
    public void write(long address, ByteBuffer source) {
        for (long at = address; source.hasRemaining(); at++) {
            written.put(at, source.get());
        }
    }

    private byte noise(long address) {
        long h = (address + seed) * 0x9E3779B97F4A7C15L;
        h = (h ^ (h >>> 30)) * 0xBF58476D1CE4E5B9L;
        return (byte) (h >>> 56);
    }
}
