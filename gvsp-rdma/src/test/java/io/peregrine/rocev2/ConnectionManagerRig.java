package io.peregrine.rocev2;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Predicate;

/** Connection managers on a network that loses, repeats and reorders, with time that passes when told. */
final class ConnectionManagerRig {
    static final int A = 0x0A000001;
    static final int B = 0x0A000002;
    static final long MILLISECOND = 1_000_000;
    static final long SECOND = 1000 * MILLISECOND;
    static final CmTimers TIMERS = CmTimers.defaults();

    /** A message on its way. */
    record Sent(long time, int order, int from, int to, CmMessage message) {
        @Override
        public String toString() {
            return time / MILLISECOND + " ms " + CmGid.text(from) + " > " + CmGid.text(to) + " " + message;
        }
    }

    /** Everything that was sent, lost or not. */
    final List<Sent> sent = new ArrayList<>();
    /** What the network loses. */
    Predicate<Sent> lost = message -> false;
    /** Chance that a message arrives twice. */
    double repeated;
    /** Longest time on the way. */
    long longestDelay = MILLISECOND;

    /** Close to the largest number, where a clock may be. */
    long now = Long.MAX_VALUE - 40 * SECOND;

    private final Random random;
    private final Map<Integer, ConnectionManager> managers = new LinkedHashMap<>();
    private final PriorityQueue<Sent> onTheWay = new PriorityQueue<>(
            Comparator.<Sent>comparingLong(message -> message.time() - start()).thenComparingInt(Sent::order));
    private final long start = now;
    private int order;

    ConnectionManagerRig(long seed) {
        random = new Random(seed);
    }

    ConnectionManager manager(int address) {
        return managers.computeIfAbsent(
                address,
                at -> new ConnectionManager(at, random.nextLong(), random, TIMERS, (to, mad) -> send(at, to, mad)));
    }

    Random random() {
        return random;
    }

    private long start() {
        return start;
    }

    private void send(int from, int to, ByteBuffer mad) {
        CmMessage message = CmMessage.decode(mad, 0).orElseThrow();
        Sent first = new Sent(now + delay(), order++, from, to, message);
        sent.add(new Sent(now, first.order(), from, to, message));
        if (!lost.test(first)) {
            onTheWay.add(first);
            if (random.nextDouble() < repeated) {
                onTheWay.add(new Sent(now + delay(), order++, from, to, message));
            }
        }
    }

    private long delay() {
        return longestDelay == 0 ? 0 : (long) (random.nextDouble() * longestDelay);
    }

    /** Lets time pass. */
    void run(long nanos) {
        long end = now + nanos;
        while (true) {
            long next = end;
            for (ConnectionManager manager : managers.values()) {
                long deadline = manager.nextDeadlineNanos();
                if (deadline != ConnectionManager.NO_DEADLINE && deadline - next < 0) {
                    next = deadline;
                }
            }
            if (!onTheWay.isEmpty() && onTheWay.peek().time() - next < 0) {
                next = onTheWay.peek().time();
            }
            if (next - now > 0) {
                now = next;
            }
            if (now == end) {
                return;
            }
            for (ConnectionManager manager : managers.values()) {
                manager.onTime(now);
            }
            while (!onTheWay.isEmpty() && onTheWay.peek().time() - now <= 0) {
                deliver(onTheWay.poll());
            }
        }
    }

    private void deliver(Sent arrived) {
        if (managers.containsKey(arrived.to())) {
            deliver(arrived.from(), arrived.to(), bytes(arrived.message()));
        }
    }

    /** Brings a message from anywhere, whatever is in it, and gives what is sent because of it. */
    List<CmMessage> deliver(int from, int to, byte[] mad) {
        ByteBuffer packet = ByteBuffer.allocate(20 + mad.length + 4);
        packet.put(20, mad);
        int before = sent.size();
        managers.get(to).onMad(from, packet, 20, mad.length, now);
        return sent.subList(before, sent.size()).stream().map(Sent::message).toList();
    }

    /** The last message that was sent from an address. */
    CmMessage lastFrom(int address) {
        return sent.stream()
                .filter(message -> message.from() == address)
                .reduce((first, second) -> second)
                .orElseThrow()
                .message();
    }

    static byte[] bytes(CmMessage message) {
        ByteBuffer mad = ByteBuffer.allocate(CmMessage.LENGTH_BYTES);
        message.encode(mad, 0);
        return mad.array();
    }

    /** What was sent from an address, by name. */
    List<String> sentFrom(int address) {
        return sent.stream()
                .filter(message -> message.from() == address)
                .map(message -> message.message().getClass().getSimpleName().substring("Cm".length()))
                .toList();
    }

    /** Connections at all managers, and what refers to them. */
    int entries() {
        return managers.values().stream()
                .mapToInt(manager -> manager.connectionCount() + manager.indexSize())
                .sum();
    }

    static CmLocal local(int queuePairNumber) {
        return new CmLocal(queuePairNumber, queuePairNumber + 1000, 3, 16, 7, 6, false, 4);
    }

    /** Writes down what happens to a connection. */
    static final class Log implements CmEvents {
        final List<String> events = new ArrayList<>();
        final List<CmPeer> peers = new ArrayList<>();
        final List<byte[]> data = new ArrayList<>();
        Runnable onEstablished = () -> {};

        @Override
        public void established(CmPeer peer, byte[] privateData) {
            events.add("established");
            peers.add(peer);
            data.add(privateData);
            onEstablished.run();
        }

        @Override
        public void rejected(int reason, byte[] privateData) {
            events.add("rejected " + reason);
            data.add(privateData);
        }

        @Override
        public void pathMtuTooLarge(int pathMtuCode) {
            events.add("path MTU at most " + pathMtuCode);
        }

        @Override
        public void disconnected() {
            events.add("disconnected");
        }

        @Override
        public void failed(String why) {
            events.add("failed: " + why);
        }

        /** The last event, without its reason. */
        String last() {
            return events.isEmpty() ? "" : events.get(events.size() - 1).split("[ :]", 2)[0];
        }
    }

    /** Writes down who asks. */
    static final class Requests implements CmListener {
        final List<CmId> ids = new ArrayList<>();
        final List<CmRequest> requests = new ArrayList<>();
        final List<CmId> withdrawn = new ArrayList<>();

        @Override
        public void requested(CmId id, CmRequest request) {
            ids.add(id);
            requests.add(request);
        }

        @Override
        public void withdrawn(CmId id) {
            withdrawn.add(id);
        }
    }
}
