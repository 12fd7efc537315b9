package io.peregrine.virtualcamera;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Answers resend requests from the blocks that are kept. Any thread may request; the sending thread serves. */
final class ResendServer {
    private static final int MAX_WAITING = 1024;
    private static final int MAX_PACKET_BYTES = 65536;
    private static final int UNAVAILABLE_PER_REQUEST = 16;
    /** After this many packets a link with a speed gets a pause. */
    private static final int PACKETS_PER_PAUSE = 32;

    private record Request(long blockId, long first, long last, boolean extended) {}

    private final BlockRing ring;
    private final PathOutput output;
    private final Counters counters;
    private final Faults faults;
    private final boolean marksResent;
    private final boolean pauses;
    private final BooleanSupplier closed;
    private final BlockingQueue<Request> requests = new ArrayBlockingQueue<>(MAX_WAITING);
    private final ByteBuffer packet = ByteBuffer.allocateDirect(MAX_PACKET_BYTES);

    /**
     * Makes a server.
     *
     * @param ring the blocks
     * @param output sends the packets
     * @param counters counts them
     * @param faults injected faults
     * @param marksResent whether packets with 16-bit block ids have a status that marks them as sent again
     * @param pauses whether long resends are spread in time
     * @param closed whether to stop in the middle of a request
     */
    ResendServer(
            BlockRing ring,
            PathOutput output,
            Counters counters,
            Faults faults,
            boolean marksResent,
            boolean pauses,
            BooleanSupplier closed) {
        this.ring = ring;
        this.output = output;
        this.counters = counters;
        this.faults = faults;
        this.marksResent = marksResent;
        this.pauses = pauses;
        this.closed = closed;
    }

    /** Adds a request; drops it if too many wait. */
    void request(long blockId, long first, long last, boolean extended) {
        if (requests.offer(new Request(blockId, first, last, extended))) {
            counters.resendRequests.increment();
        }
    }

    boolean idle() {
        return requests.isEmpty();
    }

    /**
     * Serves all requests.
     *
     * @param job the acquisition whose blocks are refused if they are not kept; null before the first
     * @param sending the block that is being sent, which is known in part only; null if there is none
     */
    void serve(StreamSender.@Nullable Job job, BlockRing.@Nullable Kept sending) {
        Request request = requests.poll();
        while (request != null) {
            serve(request, job, sending);
            request = requests.poll();
        }
    }

    private void serve(Request request, StreamSender.@Nullable Job job, BlockRing.@Nullable Kept sending) {
        BlockRing.Kept block = ring.find(request.blockId, request.extended);
        if (block == null) {
            long last = request.first + UNAVAILABLE_PER_REQUEST - 1;
            answer(PacketPlan.STATUS_UNAVAILABLE, request, request.first, last, job);
            return;
        }
        FaultPlan plan = faults.plan();
        int attempt = block.resendAttempts++;
        long last = Math.min(request.last, Math.min(block.packets.lastId(), block.sentUpTo));
        // A block that stalled is complete in the memory of the camera.
        if (plan.stalls(block.blockId) && block.sentUpTo + 1 >= block.packets.packetCount() / 2) {
            last = Math.min(request.last, block.packets.lastId());
        }
        for (long id = request.first; id <= last && !closed.getAsBoolean(); id++) {
            if (plan.losesResend(block.blockId, id, attempt)) {
                counters.packetsLostByFault.increment();
                continue;
            }
            packet.clear();
            block.packets.write(packet, block.bytes, (int) id, marksResent);
            packet.flip();
            output.send(packet, block.destination);
            counters.packetsResent.increment();
            if (pauses && id % PACKETS_PER_PAUSE == PACKETS_PER_PAUSE - 1) {
                LockSupport.parkNanos(this, LinkPacer.MIN_WAIT_NANOS);
            }
        }
        if (block == sending) {
            long unsent = Math.max(request.first, last + 1);
            answer(PacketPlan.STATUS_NOT_YET_AVAILABLE, request, unsent, block.packets.lastId(), job);
        }
    }

    /** Reports for requested packets, up to a last one, why they are not sent. */
    private void answer(int status, Request request, long first, long atMost, StreamSender.@Nullable Job job) {
        if (job == null || job.plan().extended() != request.extended) {
            return;
        }
        for (long id = first; id <= Math.min(request.last, atMost) && !closed.getAsBoolean(); id++) {
            packet.clear();
            job.plan().writeStatus(packet, status, request.blockId, id);
            packet.flip();
            output.send(packet, job.destination());
            counters.packetsUnavailable.increment();
        }
    }
}
