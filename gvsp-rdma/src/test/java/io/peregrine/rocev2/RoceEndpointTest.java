package io.peregrine.rocev2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.rdma.Completion;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RemoteAccess;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RoceEndpointTest {
    private static final Object DOMAIN = new Object();
    private static final int PEER = 0x7F000002;
    private static final LinkTerms TERMS = new LinkTerms(256, 14, 7, 7, 1_000_000_000L, 2, 2);
    private static final RdmaMemory MEMORY = RdmaMemory.of(ByteBuffer.allocateDirect(1 << 20));

    private final RoceEndpoint endpoint = new RoceEndpoint(0x7F000001, new Random(1), CmTimers.defaults());
    private final Sent sent = new Sent();

    /** Queue pairs that packets went to, with room for so many. */
    private static final class Sent implements PacketOutput {
        final List<Integer> queuePairs = new ArrayList<>();
        final ByteBuffer packet = ByteBuffer.allocate(8192);
        int room = 10_000;

        @Override
        public boolean begin(int destination, int lengthBytes) {
            return room > 0;
        }

        @Override
        public ByteBuffer buffer() {
            return packet;
        }

        @Override
        public int at() {
            return 0;
        }

        @Override
        public void commit() {
            room--;
            queuePairs.add(Headers.queuePair(packet, 0));
        }

        long to(int number) {
            return queuePairs.stream().filter(each -> each == number).count();
        }
    }

    private static final class Ignoring implements WorkSink {
        @Override
        public void completed(
                QueuePair queuePair,
                long workId,
                Completion.Operation operation,
                Completion.Status status,
                long lengthBytes,
                boolean hasImmediate,
                int immediate) {}

        @Override
        public void broke(QueuePair queuePair, Completion.Status cause, String text) {}
    }

    private QueuePair connected(int remoteNumber) {
        QueuePair made = endpoint.createQueuePair(DOMAIN, 4, 4, Optional.empty(), new Ignoring());
        made.connect(PEER, remoteNumber, 1, 1, TERMS);
        return made;
    }

    /** The peer reads a megabyte by a queue pair. */
    private void peerReads(QueuePair queuePair) {
        MemoryTable.Region region = endpoint.regions().register(MEMORY, RemoteAccess.READ, DOMAIN);
        ByteBuffer packet = ByteBuffer.allocate(32);
        Headers.putBth(packet, 0, Opcode.READ_REQUEST, false, 0, queuePair.number(), true, 1);
        Headers.putReth(packet, 12, region.address(), region.key(), 1 << 20);
        endpoint.onPacket(PEER, packet, 0, 32, 0);
    }

    @Test
    void aLongReadKeepsNobodyElseFromSending() {
        QueuePair read = connected(77);
        QueuePair other = connected(78);
        peerReads(read);
        other.requester().post(Opcode.SEND_ONLY, 1, MEMORY, 0, 5000, 0, 0, 0);

        boolean all = endpoint.transmit(sent, 0);

        assertEquals(List.of(false, 32L, 20L), List.of(all, sent.to(77), sent.to(78)));
    }

    @Test
    void twoLongReadsShareTheWay() {
        peerReads(connected(77));
        peerReads(connected(78));
        for (int i = 0; i < 10; i++) {
            sent.room = 40;
            endpoint.transmit(sent, 0);
        }

        long difference = sent.to(77) - sent.to(78);
        assertEquals(400, sent.queuePairs.size());
        assertEquals(0, difference / 80, difference + " packets more by one than by the other");
    }
}
