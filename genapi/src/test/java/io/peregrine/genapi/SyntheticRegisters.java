package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Registers without a device: all zero, or random but the same for the same seed. Remembers what is written. */
final class SyntheticRegisters implements Port {
    private final boolean random;
    private final long seed;
    private final Map<Long, Byte> written = new HashMap<>();
    final Set<Long> places = new HashSet<>();
    int reads;

    SyntheticRegisters(boolean random, long seed) {
        this.random = random;
        this.seed = seed;
    }

    @Override
    public void read(long address, ByteBuffer destination) {
        reads++;
        places.add(address);
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
