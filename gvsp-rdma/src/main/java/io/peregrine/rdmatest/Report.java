package io.peregrine.rdmatest;

import java.nio.ByteBuffer;

/**
 * What the receiving side reports to the sending one: how many messages it has taken, which makes room for as many, and
 * at the end what it measured. Big-endian.
 *
 * @param messages messages taken since the start
 * @param wrong how many of them had other bytes than were sent
 * @param firstWrong number of the first wrong one, -1 if there is none
 * @param measured messages of the measured time
 * @param nanos the measured time
 * @param last whether the test is over
 */
record Report(long messages, long wrong, long firstWrong, long measured, long nanos, boolean last) {
    static final int BYTES = 44;

    void put(ByteBuffer target, int at) {
        target.putLong(at, messages)
                .putLong(at + 8, wrong)
                .putLong(at + 16, firstWrong)
                .putLong(at + 24, measured)
                .putLong(at + 32, nanos)
                .putInt(at + 40, last ? 1 : 0);
    }

    static Report of(ByteBuffer source, int at) {
        return new Report(
                source.getLong(at),
                source.getLong(at + 8),
                source.getLong(at + 16),
                source.getLong(at + 24),
                source.getLong(at + 32),
                source.getInt(at + 40) != 0);
    }
}
