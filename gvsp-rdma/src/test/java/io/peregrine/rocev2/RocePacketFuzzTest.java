package io.peregrine.rocev2;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import io.peregrine.rdma.RdmaMemory;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any packets of a connected peer: no exception, and not a byte outside of what is registered or posted. */
class RocePacketFuzzTest {
    private static final int SELF = 0x7F000001;
    private static final int PEER = 0x7F000002;
    private static final int MTU = 256;
    private static final int GUARD = 2048;
    private static final int REGION = 1500;
    private static final int RECEIVE = 700;
    private static final int RECEIVES = 4;
    private static final int MEMORY = GUARD + REGION + GUARD + RECEIVE * RECEIVES + GUARD;
    private static final int RECEIVES_AT = GUARD + REGION + GUARD;
    private static final int PACKET = 12 + 28 + 2 * MTU + 8;
    private static final Object DOMAIN = new Object();

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
        check(run.written() > 0, "nothing was ever written");
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
                endpoint.regions().register(RdmaMemory.of(memory.slice(GUARD, REGION)), true, DOMAIN);
        private QueuePair queuePair;
        private int psn;
        private long now = 1_000_000_000L;
        private int received;
        private int refused;

        private Run() {
            reconnect(0);
        }

        private void reconnect(int startingPsn) {
            if (queuePair != null) {
                endpoint.remove(queuePair);
            }
            psn = startingPsn & 0xFFFFFF;
            queuePair = endpoint.createQueuePair(DOMAIN, 4, RECEIVES, Optional.empty(), this);
            queuePair.connect(PEER, 77, 5, psn, MTU, 14, 7, 7);
            for (int i = 0; i < RECEIVES; i++) {
                queuePair.postReceive(i, receives, (long) i * RECEIVE, RECEIVE);
            }
            queuePair.requester().post(Opcode.SEND_ONLY, 9, receives, 0, RECEIVE, 0, 0, 0);
        }

        void run(Choice choice) {
            while (choice.left()) {
                int length = fill(choice);
                endpoint.onPacket(choice.number(8) == 0 ? SELF : PEER, packet, 0, length, now);
                now += choice.number(1000);
                endpoint.onTime(now);
                endpoint.transmit(this, now);
                if (queuePair.broken()) {
                    refused++;
                    reconnect((int) choice.any());
                }
            }
            for (int i = 0; i < MEMORY; i++) {
                boolean guard =
                        i < GUARD || (i >= GUARD + REGION && i < RECEIVES_AT) || i >= RECEIVES_AT + RECEIVE * RECEIVES;
                check(!guard || memory.get(i) == 0, "byte " + i + " was written");
            }
        }

        int written() {
            int count = 0;
            for (int i = GUARD; i < GUARD + REGION; i++) {
                count += memory.get(i) == 0 ? 0 : 1;
            }
            return count;
        }

        /** A packet that is nearly right. */
        private int fill(Choice choice) {
            int length = 16 + 4 * choice.number((PACKET - 16) / 4 + 1);
            int kind = choice.number(4);
            if (kind == 0) {
                length = 12 + MTU + 4;
            } else if (kind == 1) {
                length = 28 + MTU + 4;
            }
            for (int i = 0; i < length; i++) {
                packet.put(i, (byte) 0xA5);
            }
            int opcode = choice.number(16) == 0 ? choice.number(256) : choice.number(0x12);
            int distance = choice.number(8);
            int sequence = distance < 6 ? psn : psn + choice.number(7) - 3;
            Headers.putBth(
                    packet, 0, opcode, false, choice.number(4), queuePair.number(), choice.number(2) == 0, sequence);
            if (Opcode.hasReth(opcode) && length >= 28) {
                long address = region.address() + choice.number(REGION * 2) - REGION / 2;
                int size = choice.number(3) == 0 ? (int) choice.any() : choice.number(2 * REGION);
                int payload = Headers.wellFormed(packet, 0, length) ? Headers.payloadBytes(packet, 0, length) : 0;
                if (choice.number(2) == 0) {
                    size = payload;
                }
                if (choice.number(16) == 0) {
                    address = choice.any();
                }
                Headers.putReth(packet, 12, address, choice.number(16) == 0 ? (int) choice.any() : region.key(), size);
            } else if (Opcode.hasAeth(opcode) && length >= 16) {
                Headers.putAeth(packet, 12, choice.number(256), (int) choice.any());
                Headers.putBth(packet, 0, opcode, false, 0, queuePair.number(), false, 5 + choice.number(5) - 1);
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
            if (operation != Operation.SEND && status == Status.SUCCESS) {
                source.postReceive(workId, receives, workId * RECEIVE, RECEIVE);
            }
        }

        @Override
        public void broke(QueuePair source, Status cause, String text) {}
    }
}
