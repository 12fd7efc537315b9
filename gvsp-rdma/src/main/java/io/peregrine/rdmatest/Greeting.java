package io.peregrine.rdmatest;

import io.peregrine.rdma.RdmaException;
import io.peregrine.rdmatest.TestPlan.Direction;
import io.peregrine.rdmatest.TestPlan.Transfer;
import io.peregrine.stream.StreamException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * What the two sides tell each other when connecting, in the private data of the connection manager, big-endian.
 *
 * <table>
 * <caption>Request, 48 bytes; the reply has the same place for the marker, the version and the memory</caption>
 * <tr><td>0</td><td>4</td><td>marker, "PRDT"</td></tr>
 * <tr><td>4</td><td>2</td><td>version, 0</td></tr>
 * <tr><td>6</td><td>1</td><td>transfer: 1 ping, 2 send, 3 write</td></tr>
 * <tr><td>7</td><td>1</td><td>direction: 1 to the server, 2 from it</td></tr>
 * <tr><td>8</td><td>4</td><td>bytes of a message</td></tr>
 * <tr><td>12</td><td>4</td><td>messages under way</td></tr>
 * <tr><td>16</td><td>8</td><td>duration in nanoseconds, or 0</td></tr>
 * <tr><td>24</td><td>8</td><td>messages, or 0</td></tr>
 * <tr><td>32</td><td>8</td><td>address of the memory that the other side may write, or 0</td></tr>
 * <tr><td>40</td><td>4</td><td>key of that memory</td></tr>
 * </table>
 *
 * A refusal is the marker, the version, and the reason in UTF-8.
 *
 * @param plan the test
 * @param memory memory of the side that says it
 */
record Greeting(TestPlan plan, Memory memory) {
    private static final int MARKER = 0x50524454;
    private static final short VERSION = 0;
    private static final int BYTES = 48;
    private static final int REASON_AT = 6;
    private static final int MAX_REFUSAL_BYTES = 148;

    /**
     * Memory of a side that the other may write.
     *
     * @param address its address, 0 for none
     * @param key its key
     */
    record Memory(long address, int key) {
        static final Memory NONE = new Memory(0, 0);
    }

    /** Whether the other side speaks of a test at all; {@code rping} says nothing. */
    static boolean isTest(byte[] data) {
        return data.length >= BYTES && ByteBuffer.wrap(data).getInt() == MARKER;
    }

    byte[] bytes() {
        return ByteBuffer.allocate(BYTES)
                .putInt(MARKER)
                .putShort(VERSION)
                .put((byte) (plan.transfer().ordinal() + 1))
                .put((byte) (plan.direction().ordinal() + 1))
                .putInt(plan.messageBytes())
                .putInt(plan.depth())
                .putLong(plan.duration().toNanos())
                .putLong(plan.count())
                .putLong(memory.address)
                .putInt(memory.key)
                .array();
    }

    /**
     * Reads what the other side says.
     *
     * @throws StreamException if that is no test which is possible here, with the reason
     */
    static Greeting of(byte[] data) {
        if (!isTest(data)) {
            throw new RdmaException("does not speak the protocol of rdma-test");
        }
        ByteBuffer in = ByteBuffer.wrap(data);
        if (in.getShort(4) != VERSION) {
            throw new RdmaException(
                    "speaks version " + in.getShort(4) + " of rdma-test, and this side version " + VERSION);
        }
        TestPlan plan = new TestPlan(
                one(Transfer.values(), in.get(6)),
                one(Direction.values(), in.get(7)),
                in.getInt(8),
                in.getInt(12),
                Duration.ofNanos(in.getLong(16)),
                in.getLong(24));
        return new Greeting(plan, new Memory(in.getLong(32), in.getInt(40)));
    }

    private static <T> T one(T[] values, byte number) {
        if (number < 1 || number > values.length) {
            throw new RdmaException("asks for a kind of test that is unknown here: " + number);
        }
        return values[number - 1];
    }

    static byte[] refusal(String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, MAX_REFUSAL_BYTES - REASON_AT);
        return ByteBuffer.allocate(REASON_AT + length)
                .putInt(MARKER)
                .putShort(VERSION)
                .put(text, 0, length)
                .array();
    }

    /** The reason of a refusal, if it is one of a server of tests. */
    static Optional<String> reason(byte[] data) {
        if (data.length < REASON_AT || ByteBuffer.wrap(data).getInt() != MARKER) {
            return Optional.empty();
        }
        int end = REASON_AT;
        while (end < data.length && data[end] != 0) {
            end++;
        }
        return Optional.of(new String(data, REASON_AT, end - REASON_AT, StandardCharsets.UTF_8));
    }
}
