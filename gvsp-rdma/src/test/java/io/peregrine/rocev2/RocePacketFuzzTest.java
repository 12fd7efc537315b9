package io.peregrine.rocev2;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RemoteAccess;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Any packets of a connected peer: no exception, not a byte written outside of what is registered or posted, not a byte
 * read that may not be, and no flood of answers.
 */
class RocePacketFuzzTest {
    private static final int SELF = 0x7F000001;
    private static final int PEER = 0x7F000002;
    private static final int MTU = 256;
    private static final int GUARD = 2048;
    private static final int REGION = 1500;
    private static final int RECEIVE = 700;
    private static final int RECEIVES = 4;
    /** What is read of the peer. */
    private static final int READING = 700;
    /** What the peer may read. */
    private static final int READABLE = 9000;

    private static final byte READABLE_BYTE = 0x5B;
    private static final int RECEIVES_AT = GUARD + REGION + GUARD;
    private static final int READING_AT = RECEIVES_AT + RECEIVE * RECEIVES + GUARD;
    private static final int READABLE_AT = READING_AT + READING + GUARD;
    private static final int MEMORY = READABLE_AT + READABLE + GUARD;
    /** Answers to reads, the own message and the own reads, and an acknowledgement. */
    private static final int MAX_PACKETS = Responder.READ_BURST_PACKETS + 6;

    private static final int PACKET = 12 + 28 + 2 * MTU + 8;
    private static final Object DOMAIN = new Object();
    /** The memory as it is at first. */
    private static final ByteBuffer UNTOUCHED = untouched();

    private static ByteBuffer untouched() {
        ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY);
        for (int i = 0; i < READABLE; i++) {
            memory.put(READABLE_AT + i, READABLE_BYTE);
        }
        return memory;
    }

    /** Where the choices come from. */
    private interface Choice {
        boolean left();

        int number(int bound);

        long any();
    }

    @FuzzTest(maxDuration = "120s")
    void anyPacketsOfAPeer(FuzzedDataProvider data) {
        new Run().run(new Choice() {
            @Override
            public boolean left() {
                return data.remainingBytes() > 0;
            }

            @Override
            public int number(int bound) {
                return data.consumeInt(0, bound - 1);
            }

            @Override
            public long any() {
                return data.consumeLong();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void randomPacketsOfAPeer(long seed) {
        Random random = new Random(seed);
        int[] left = {30_000};
        Run run = new Run();
        run.run(new Choice() {
            @Override
            public boolean left() {
                return left[0]-- > 0;
            }

            @Override
            public int number(int bound) {
                return random.nextInt(bound);
            }

            @Override
            public long any() {
                return random.nextLong();
            }
        });
        // Otherwise the checks above would be of little worth.
        check(run.received > 0, "nothing was ever received");
        check(run.refused > 0, "nothing was ever refused");
        check(run.written(GUARD, REGION) > 0, "nothing was ever written");
        check(run.answers > 0, "nothing was ever read by the peer");
        check(run.reads > 0, "nothing was ever read of the peer");
        check(run.written(READING_AT, READING) > 0, "nothing came of reading");
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new IllegalStateException(message);
        }
    }

    private static final class Run implements WorkSink, PacketOutput {
        private final RoceEndpoint endpoint = new RoceEndpoint(SELF, new Random(1), CmTimers.defaults());
        private final ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY);
        private final ByteBuffer packet = ByteBuffer.allocateDirect(PACKET);
        private final ByteBuffer out = ByteBuffer.allocateDirect(8192);
        private final RdmaMemory receives = RdmaMemory.of(memory.slice(RECEIVES_AT, RECEIVE * RECEIVES));
        private final MemoryTable.Region region =
                endpoint.regions().register(RdmaMemory.of(memory.slice(GUARD, REGION)), RemoteAccess.WRITE, DOMAIN);
        private final RdmaMemory reading = RdmaMemory.of(memory.slice(READING_AT, READING));
        private final MemoryTable.Region readable = endpoint.regions()
                .register(RdmaMemory.of(memory.slice(READABLE_AT, READABLE)), RemoteAccess.READ, DOMAIN);
        private QueuePair queuePair;
        private int answers;
        private int reads;
        private int packets;
        private int psn;
        private long now = 1_000_000_000L;
        private int received;
        private int outLength;
        private int refused;

        private Run() {
            memory.put(0, UNTOUCHED, 0, MEMORY);
            reconnect(0);
        }

        private void reconnect(int startingPsn) {
            if (queuePair != null) {
                endpoint.remove(queuePair);
            }
            psn = startingPsn & 0xFFFFFF;
            queuePair = endpoint.createQueuePair(DOMAIN, 4, RECEIVES, Optional.empty(), this);
            queuePair.connect(PEER, 77, 5, psn, new LinkTerms(MTU, 14, 7, 7, 1_000_000_000L, 2, 2));
            for (int i = 0; i < RECEIVES; i++) {
                queuePair.postReceive(i, receives, (long) i * RECEIVE, RECEIVE);
            }
            queuePair.requester().post(Opcode.SEND_ONLY, 9, receives, 0, RECEIVE, 0, 0, 0);
            queuePair.requester().post(Opcode.READ_REQUEST, 10, reading, 0, MTU, 1, 2, 0);
            queuePair.requester().post(Opcode.READ_REQUEST, 11, reading, 0, READING, 1, 2, 0);
        }

        void run(Choice choice) {
            while (choice.left()) {
                int length = fill(choice);
                endpoint.onPacket(choice.number(8) == 0 ? SELF : PEER, packet, 0, length, now);
                now += choice.number(1000);
                endpoint.onTime(now);
                packets = 0;
                endpoint.transmit(this, now);
                check(packets <= MAX_PACKETS, packets + " packets at a time");
                if (queuePair.broken()) {
                    refused++;
                    reconnect((int) choice.any());
                }
            }
            checkUntouched(0, GUARD);
            checkUntouched(GUARD + REGION, RECEIVES_AT);
            checkUntouched(RECEIVES_AT + RECEIVE * RECEIVES, READING_AT);
            checkUntouched(READING_AT + READING, MEMORY);
        }

        private void checkUntouched(int from, int to) {
            int at = memory.slice(from, to - from).mismatch(UNTOUCHED.slice(from, to - from));
            check(at < 0, "byte " + (from + at) + " was written");
        }

        int written(int from, int length) {
            int count = 0;
            for (int i = from; i < from + length; i++) {
                count += memory.get(i) == 0 ? 0 : 1;
            }
            return count;
        }

        /** A packet that is nearly right. */
        private int fill(Choice choice) {
            int length = 16 + 4 * choice.number((PACKET - 16) / 4 + 1);
            int kind = choice.number(8);
            if (kind == 0) {
                length = 12 + MTU + 4;
            } else if (kind == 1) {
                length = 28 + MTU + 4;
            } else if (kind == 2) {
                length = 16 + MTU + 4;
            } else if (kind == 3) {
                length = 16 + READING % MTU + 4;
            }
            int opcode = choice.number(16) == 0 ? choice.number(256) : choice.number(0x12);
            boolean read = opcode == Opcode.READ_REQUEST && choice.number(8) > 0;
            if (read) {
                length = 32;
            }
            for (int i = 0; i < length; i++) {
                packet.put(i, (byte) 0xA5);
            }
            int distance = choice.number(8);
            int sequence = distance < 6 ? psn : psn + choice.number(7) - 3;
            int pad = read ? 0 : choice.number(4);
            Headers.putBth(packet, 0, opcode, false, pad, queuePair.number(), choice.number(2) == 0, sequence);
            if (Opcode.hasReth(opcode) && length >= 28) {
                MemoryTable.Region target = choice.number(8) == 0 == read ? region : readable;
                long address = target.address() + choice.number(REGION * 2) - (read ? 10 : REGION / 2);
                int size = choice.number(3) == 0 ? (int) choice.any() : choice.number(read ? READABLE : 2 * REGION);
                int payload = Headers.wellFormed(packet, 0, length) ? Headers.payloadBytes(packet, 0, length) : 0;
                if (choice.number(2) == 0) {
                    size = payload;
                }
                if (choice.number(16) == 0) {
                    address = choice.any();
                }
                Headers.putReth(packet, 12, address, choice.number(16) == 0 ? (int) choice.any() : target.key(), size);
            } else if (Opcode.hasAeth(opcode) && length >= 16) {
                Headers.putAeth(packet, 12, choice.number(256), (int) choice.any());
                Headers.putBth(packet, 0, opcode, false, 0, queuePair.number(), false, 4 + choice.number(10));
                if (opcode != Opcode.ACKNOWLEDGE && choice.number(2) == 0) {
                    Headers.putAeth(packet, 12, Headers.SYNDROME_ACK, 1);
                }
            } else if (opcode == Opcode.READ_RESPONSE_MIDDLE) {
                Headers.putBth(packet, 0, opcode, false, 0, queuePair.number(), false, 4 + choice.number(10));
            }
            if (choice.number(32) == 0) {
                packet.put(choice.number(length), (byte) choice.any());
            }
            if (choice.number(64) == 0) {
                packet.putInt(4, Headers.GSI_QUEUE_PAIR);
            }
            return length;
        }

        @Override
        public boolean begin(int destination, int lengthBytes) {
            outLength = lengthBytes;
            return lengthBytes <= out.capacity();
        }

        @Override
        public ByteBuffer buffer() {
            return out;
        }

        @Override
        public int at() {
            return 0;
        }

        @Override
        public void commit() {
            packets++;
            int opcode = Headers.opcode(out, 0);
            if (opcode >= Opcode.READ_RESPONSE_FIRST && opcode <= Opcode.READ_RESPONSE_ONLY) {
                answers++;
                int from = Headers.BTH_BYTES + Opcode.extensionBytes(opcode);
                int count = Headers.payloadBytes(out, 0, outLength);
                check(
                        out.slice(from, count).equals(UNTOUCHED.slice(READABLE_AT, count)),
                        "the peer got a byte that it may not read");
                psn = Headers.psn(out, 0) + 1;
            }
            // An acknowledgement tells how far the responder has come.
            if (Headers.opcode(out, 0) == Opcode.ACKNOWLEDGE) {
                int syndrome = out.get(12) & 0xFF;
                psn = Headers.psn(out, 0) + (syndrome < 0x20 ? 1 : 0);
            }
        }

        @Override
        public void completed(
                QueuePair source,
                long workId,
                Operation operation,
                Status status,
                long lengthBytes,
                boolean hasImmediate,
                int immediate) {
            if (status == Status.SUCCESS && operation == Operation.RECEIVE) {
                received++;
                check(lengthBytes <= RECEIVE, "more bytes were received than there was room for");
            }
            boolean success = status == Status.SUCCESS;
            reads += success && operation == Operation.READ ? 1 : 0;
            if (success && (operation == Operation.RECEIVE || operation == Operation.RECEIVE_WRITE)) {
                source.postReceive(workId, receives, workId * RECEIVE, RECEIVE);
            }
        }

        @Override
        public void broke(QueuePair source, Status cause, String text) {}
    }
}
