package io.peregrine.rocev2;

import io.peregrine.rdma.RdmaException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Everything of one local address: its queue pairs, its registered memory and its connection manager. Pure: packets and
 * time come from outside; guarded by the port's lock.
 */
final class RoceEndpoint {
    private static final int SLOT_BITS = 12;
    private static final int SLOTS = 1 << SLOT_BITS;
    private static final int MAX_GENERATIONS = (1 << (24 - SLOT_BITS)) - 1;
    private static final int MAD_BYTES = 256;
    private static final int MAD_PACKET_BYTES = Headers.BTH_BYTES + Headers.DETH_BYTES + MAD_BYTES + Headers.ICRC_BYTES;
    /** Answers of the connection manager that may wait to be sent; more than that come from a flood. */
    private static final int MAX_MADS = 1024;

    private final RandomGenerator random;
    private final MemoryTable regions;
    private final ConnectionManager connections;
    private final ArrayDeque<Mad> mads = new ArrayDeque<>();
    private QueuePair[] queuePairs = new QueuePair[8];
    private int end;
    private int count;
    private int nextToSend;
    private int madPsn;
    private int generation;

    private long packetsReceived;
    private long bytesReceived;
    private long malformed;
    private long unknownQueuePair;
    private long fromStrangers;
    private long congestionNotifications;
    private long madsDropped;
    private long retransmitted;
    private long timeouts;
    private long duplicates;
    private long gaps;
    private long rnrWaits;

    private record Mad(int destination, ByteBuffer message) {}

    RoceEndpoint(int localAddress, RandomGenerator random, CmTimers timers) {
        this.random = random;
        regions = new MemoryTable(random);
        generation = random.nextInt(MAX_GENERATIONS);
        connections = new ConnectionManager(localAddress, random.nextLong(), random, timers, this::queueMad);
    }

    MemoryTable regions() {
        return regions;
    }

    ConnectionManager connections() {
        return connections;
    }

    int queuePairCount() {
        return count;
    }

    /** Makes a queue pair with a new number. */
    QueuePair createQueuePair(
            Object domain, int sendDepth, int receiveDepth, Optional<ReceiveRing> sharedReceives, WorkSink sink) {
        int slot = 0;
        while (slot < end && queuePairs[slot] != null) {
            slot++;
        }
        if (slot == SLOTS) {
            throw new RdmaException("No more than " + SLOTS + " connections are possible at an address");
        }
        if (slot == queuePairs.length) {
            queuePairs = Arrays.copyOf(queuePairs, slot * 2);
        }
        // Numbers 0 and 1 are taken; a fresh high part keeps packets of an earlier connection away.
        int number = ((generation % MAX_GENERATIONS + 1) << SLOT_BITS) | slot;
        generation = (generation + 1) % MAX_GENERATIONS;
        QueuePair queuePair = new QueuePair(number, domain, regions, sendDepth, receiveDepth, sharedReceives, sink);
        queuePairs[slot] = queuePair;
        end = Math.max(end, slot + 1);
        count++;
        return queuePair;
    }

    /** Forgets a queue pair; packets to it are dropped from now on. */
    void remove(QueuePair queuePair) {
        int slot = queuePair.number() & (SLOTS - 1);
        if (slot < end && queuePairs[slot] == queuePair) {
            queuePairs[slot] = null;
            count--;
            retransmitted += queuePair.requester().retransmittedPackets();
            timeouts += queuePair.requester().timeouts();
            rnrWaits += queuePair.requester().rnrWaits();
            duplicates += queuePair.responder().duplicates();
            gaps += queuePair.responder().gaps();
        }
    }

    int randomPsn() {
        return random.nextInt(1 << 24);
    }

    /**
     * Takes a packet whose checksum is right.
     *
     * @param source IPv4 address it came from
     * @param at first byte of the base transport header
     */
    void onPacket(int source, ByteBuffer packet, int at, int lengthBytes, long nowNanos) {
        packetsReceived++;
        bytesReceived += lengthBytes;
        if (!Headers.wellFormed(packet, at, lengthBytes)) {
            malformed++;
            return;
        }
        int number = Headers.queuePair(packet, at);
        if (number == Headers.GSI_QUEUE_PAIR) {
            onMad(source, packet, at, lengthBytes, nowNanos);
            return;
        }
        if (Headers.opcode(packet, at) == Opcode.CONGESTION_NOTIFICATION) {
            congestionNotifications++;
            return;
        }
        int slot = number & (SLOTS - 1);
        QueuePair queuePair = slot < end ? queuePairs[slot] : null;
        if (queuePair == null || queuePair.number() != number) {
            unknownQueuePair++;
            return;
        }
        if (!queuePair.onPacket(source, packet, at, lengthBytes, nowNanos)) {
            fromStrangers++;
            return;
        }
        if (queuePair.firstData()) {
            connections.onData(number);
        }
    }

    private void onMad(int source, ByteBuffer packet, int at, int lengthBytes, long nowNanos) {
        int deth = at + Headers.BTH_BYTES;
        if (Headers.opcode(packet, at) != Opcode.UD_SEND_ONLY
                || packet.getInt(deth) != Headers.GSI_QUEUE_KEY
                || Headers.payloadBytes(packet, at, lengthBytes) != MAD_BYTES) {
            malformed++;
            return;
        }
        connections.onMad(source, packet, deth + Headers.DETH_BYTES, MAD_BYTES, nowNanos);
    }

    private void queueMad(int destination, ByteBuffer mad) {
        if (mads.size() >= MAX_MADS) {
            madsDropped++;
            return;
        }
        ByteBuffer copy = ByteBuffer.allocate(MAD_BYTES);
        copy.put(mad.duplicate());
        mads.add(new Mad(destination, copy.flip()));
    }

    /** Sends what is due. False when the output had no room for all of it, or some of it waits for its next turn. */
    boolean transmit(PacketOutput output, long nowNanos) {
        while (!mads.isEmpty()) {
            if (!output.begin(mads.peek().destination, MAD_PACKET_BYTES)) {
                return false;
            }
            Mad mad = mads.poll();
            ByteBuffer packet = output.buffer();
            int at = output.at();
            Headers.putBth(packet, at, Opcode.UD_SEND_ONLY, false, 0, Headers.GSI_QUEUE_PAIR, true, madPsn++);
            packet.putInt(at + Headers.BTH_BYTES, Headers.GSI_QUEUE_KEY);
            packet.putInt(at + Headers.BTH_BYTES + 4, Headers.GSI_QUEUE_PAIR);
            packet.put(at + Headers.BTH_BYTES + Headers.DETH_BYTES, mad.message, 0, MAD_BYTES);
            output.commit();
        }
        boolean all = true;
        for (int i = 0; i < end; i++) {
            // In turn, so that a full output does not starve those at the end.
            int slot = (nextToSend + i) % end;
            QueuePair queuePair = queuePairs[slot];
            if (queuePair != null) {
                if (!queuePair.transmit(output, nowNanos)) {
                    // It goes on, unless it had all of the output for itself.
                    nextToSend = i == 0 ? slot + 1 : slot;
                    return false;
                }
                all &= !queuePair.answering();
            }
        }
        return all;
    }

    /** Lets time pass; gives the time of the next call that is needed. */
    long onTime(long nowNanos) {
        long next = connections.onTime(nowNanos);
        for (int i = 0; i < end; i++) {
            if (queuePairs[i] != null) {
                queuePairs[i].onTime(nowNanos);
            }
        }
        return next;
    }

    /** Whether a connection gets no answer though it sent again and again. */
    boolean struggling() {
        for (int i = 0; i < end; i++) {
            if (queuePairs[i] != null
                    && queuePairs[i].connected()
                    && queuePairs[i].requester().struggling()) {
                return true;
            }
        }
        return false;
    }

    /** When {@link #onTime} or {@link #transmit} must be called at the latest. */
    long nextDeadlineNanos() {
        long next = connections.nextDeadlineNanos();
        for (int i = 0; i < end; i++) {
            if (queuePairs[i] != null) {
                next = Math.min(next, queuePairs[i].nextDeadlineNanos());
            }
        }
        return next;
    }

    /** The shortest time after which a connection sends again what is not acknowledged. */
    long shortestTimeoutNanos() {
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < end; i++) {
            if (queuePairs[i] != null && queuePairs[i].connected()) {
                shortest = Math.min(shortest, queuePairs[i].requester().timeoutNanos());
            }
        }
        return shortest;
    }

    /** All counters by name. */
    Map<String, Long> counters() {
        long[] sums = {retransmitted, timeouts, rnrWaits, duplicates, gaps};
        for (int i = 0; i < end; i++) {
            QueuePair each = queuePairs[i];
            if (each != null) {
                sums[0] += each.requester().retransmittedPackets();
                sums[1] += each.requester().timeouts();
                sums[2] += each.requester().rnrWaits();
                sums[3] += each.responder().duplicates();
                sums[4] += each.responder().gaps();
            }
        }
        Map<String, Long> result = new LinkedHashMap<>();
        result.put("packetsReceived", packetsReceived);
        result.put("bytesReceived", bytesReceived);
        result.put("packetsMalformed", malformed);
        result.put("packetsToUnknownQueuePair", unknownQueuePair);
        result.put("packetsFromStrangers", fromStrangers);
        result.put("congestionNotifications", congestionNotifications);
        result.put("packetsRetransmitted", sums[0]);
        result.put("acknowledgeTimeouts", sums[1]);
        result.put("receiverNotReadyWaits", sums[2]);
        result.put("packetsDuplicate", sums[3]);
        result.put("sequenceGaps", sums[4]);
        result.put("managementMessagesDropped", madsDropped);
        return result;
    }
}
