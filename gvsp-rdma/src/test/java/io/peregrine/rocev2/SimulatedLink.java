package io.peregrine.rocev2;

import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

/** Two addresses and a link between them that loses, doubles, delays and damages packets; with a clock of its own. */
final class SimulatedLink {
    static final int A = 0x7F000001;
    static final int B = 0x7F000002;
    private static final long LATENCY_NANOS = 20_000;
    private static final int UDP_PORT = 4791;

    final Side a = new Side(A);
    final Side b = new Side(B);
    private final Random random;
    private final PriorityQueue<Flying> flying = new PriorityQueue<>();
    private final Icrc icrc = new Icrc();
    long nowNanos = 1_000_000_000L;
    double loss;
    double duplication;
    double reorder;
    double damage;
    long packets;
    long damaged;
    private long order;

    SimulatedLink(long seed) {
        random = new Random(seed);
    }

    /** What completed, in order. */
    record Done(
            long workId, Operation operation, Status status, long lengthBytes, boolean hasImmediate, int immediate) {}

    private record Flying(long at, long order, int from, int to, ByteBuffer packet) implements Comparable<Flying> {
        @Override
        public int compareTo(Flying other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    /** One address with its queue pairs. */
    final class Side implements PacketOutput, WorkSink {
        final int address;
        final Map<Integer, QueuePair> queuePairs = new HashMap<>();
        final MemoryTable regions = new MemoryTable(new Random(5));
        final List<Done> done = new ArrayList<>();
        final List<String> broke = new ArrayList<>();
        final List<RocePacket> sent = new ArrayList<>();
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(9000);
        private int destination;
        private int length;

        private Side(int address) {
            this.address = address;
        }

        @Override
        public boolean begin(int to, int lengthBytes) {
            destination = to;
            length = lengthBytes;
            return true;
        }

        @Override
        public ByteBuffer buffer() {
            return buffer;
        }

        @Override
        public int at() {
            return 8;
        }

        @Override
        public void commit() {
            int value = icrc.compute(address, UDP_PORT, destination, UDP_PORT, 0, buffer, 8, length);
            Icrc.put(buffer, 8, length, value);
            byte[] packet = new byte[length];
            buffer.get(8, packet);
            if (sent.size() < 1000) {
                sent.add(RocePacket.parse(ByteBuffer.wrap(packet), 0, length).orElseThrow());
            }
            packets++;
            if (random.nextDouble() < loss) {
                return;
            }
            int copies = random.nextDouble() < duplication ? 2 : 1;
            for (int i = 0; i < copies; i++) {
                byte[] copy = packet.clone();
                if (random.nextDouble() < damage) {
                    copy[random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
                }
                long late = random.nextDouble() < reorder ? random.nextInt(200_000) : 0;
                flying.add(new Flying(
                        nowNanos + LATENCY_NANOS + late, order++, address, destination, ByteBuffer.wrap(copy)));
            }
        }

        @Override
        public void completed(
                QueuePair queuePair,
                long workId,
                Operation operation,
                Status status,
                long lengthBytes,
                boolean hasImmediate,
                int immediate) {
            done.add(new Done(workId, operation, status, lengthBytes, hasImmediate, immediate));
        }

        @Override
        public void broke(QueuePair queuePair, Status cause, String text) {
            broke.add(cause + ": " + text);
        }

        void add(QueuePair queuePair) {
            queuePairs.put(queuePair.number(), queuePair);
        }

        private void receive(int from, ByteBuffer arrived) {
            int length = arrived.capacity();
            ByteBuffer packet = ByteBuffer.allocateDirect(length).put(arrived).clear();
            if (icrc.check(from, UDP_PORT, address, UDP_PORT, packet, 0, length) < 0
                    || !Headers.wellFormed(packet, 0, length)) {
                damaged++;
                return;
            }
            QueuePair queuePair = queuePairs.get(Headers.queuePair(packet, 0));
            if (queuePair != null) {
                queuePair.onPacket(from, packet, 0, length, nowNanos);
            }
        }

        long statuses(Operation operation, Status status) {
            return done.stream()
                    .filter(d -> d.operation() == operation && d.status() == status)
                    .count();
        }
    }

    /** Runs until nothing is under way and nothing waits for a time before the limit. */
    void run(long limitNanos) {
        long end = nowNanos + limitNanos;
        while (true) {
            List<QueuePair> all = new ArrayList<>(a.queuePairs.values());
            all.addAll(b.queuePairs.values());
            for (QueuePair each : all) {
                each.onTime(nowNanos);
                do {
                    each.transmit(a.queuePairs.containsValue(each) ? a : b, nowNanos);
                } while (each.answering());
            }
            long next = flying.isEmpty() ? Long.MAX_VALUE : flying.peek().at;
            for (QueuePair each : all) {
                next = Math.min(next, each.nextDeadlineNanos());
            }
            if (next > end) {
                nowNanos = end;
                return;
            }
            nowNanos = Math.max(nowNanos, next);
            while (!flying.isEmpty() && flying.peek().at <= nowNanos) {
                Flying packet = flying.poll();
                (packet.to == A ? a : b).receive(packet.from, packet.packet);
            }
        }
    }
}
