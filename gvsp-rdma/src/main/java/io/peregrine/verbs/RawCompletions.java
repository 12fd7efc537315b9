package io.peregrine.verbs;

import io.peregrine.nativeio.LibIbverbs;
import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.PreparedCall;
import io.peregrine.nativeio.VerbsOps;
import io.peregrine.rdma.RdmaException;
import java.nio.ByteBuffer;

/**
 * The completion queue of a queue pair for raw packets, and the channel whose interrupt wakes the one who waits. Used
 * by one thread at a time.
 */
final class RawCompletions {
    /** Completions taken by one call. */
    static final int BATCH = 64;

    private static final int ACKNOWLEDGE_BATCH = 64;

    private final RawDevice device;
    private final long channel;
    private final long queue;
    private final WorkCompletions completions = new WorkCompletions(BATCH);
    private final PreparedCall pollCall;
    private final PreparedCall notifyCall;
    private final ByteBuffer eventMemory = NativeMemory.allocate(16);
    private final long eventAddress = NativeMemory.address(eventMemory);
    private boolean armed;
    private int unacknowledged;

    /**
     * Creates a queue.
     *
     * @param entries completions that it holds
     * @param vector interrupt that wakes, taken modulo those that there are; negative has none
     * @param cleanup destroys it
     */
    RawCompletions(RawDevice device, int entries, int vector, Cleanup cleanup) {
        this.device = device;
        boolean busy = vector < 0;
        channel = busy
                ? 0
                : cleanup.add(
                        LibIbverbs.ibv_create_comp_channel(device.context()), LibIbverbs::ibv_destroy_comp_channel);
        if (!busy && (channel == 0 || !Libc.setNonBlocking(fileDescriptor()))) {
            throw RawDevice.unavailable(device.name() + " makes no completion channel");
        }
        queue = cleanup.add(
                LibIbverbs.ibv_create_cq(
                        device.context(), entries, 0, channel, busy ? 0 : vector % device.completionVectors()),
                LibIbverbs::ibv_destroy_cq);
        if (queue == 0) {
            throw RawDevice.unavailable(device.name() + " makes no completion queue of " + entries + " entries");
        }
        cleanup.add(this::acknowledge);
        pollCall = VerbsOps.pollCompletionQueue(device.context(), queue, BATCH, completions.address());
        notifyCall = VerbsOps.requestNotification(device.context(), queue);
    }

    /** The {@code ibv_cq}. */
    long address() {
        return queue;
    }

    /** Whether there is no interrupt. */
    boolean busy() {
        return channel == 0;
    }

    /** What can be read when a completion came after {@link #arm}; -1 where there is no interrupt. */
    int fileDescriptor() {
        return busy()
                ? -1
                : NativeMemory.buffer(channel, VerbsLayout.COMP_CHANNEL_BYTES).getInt(VerbsLayout.COMP_CHANNEL_FD);
    }

    /** Takes completions, without waiting; returns their number. */
    int poll() {
        int count = pollCall.invoke();
        if (count < 0) {
            throw new RdmaException("The completion queue of " + device.name() + " cannot be read: error " + count);
        }
        return count;
    }

    /** The number that the work was posted with. */
    long number(int index) {
        return completions.memory().getLong(index * VerbsLayout.WC_BYTES + VerbsLayout.WC_WR_ID);
    }

    /** {@code ibv_wc_status}; 0 is success. */
    int status(int index) {
        return completions.memory().getInt(index * VerbsLayout.WC_BYTES + VerbsLayout.WC_STATUS);
    }

    int lengthBytes(int index) {
        return completions.memory().getInt(index * VerbsLayout.WC_BYTES + VerbsLayout.WC_BYTE_LEN);
    }

    /** Lets the next completion make {@link #fileDescriptor} readable, where there is an interrupt. */
    void arm() {
        if (!busy() && !armed) {
            int error = notifyCall.invoke();
            if (error != 0) {
                throw Errors.failed("Asking for completion events", Math.abs(error));
            }
            armed = true;
        }
    }

    /** Takes what made {@link #fileDescriptor} readable. */
    void takeEvents() {
        while (LibIbverbs.ibv_get_cq_event(channel, eventAddress, eventAddress + 8) == 0) {
            armed = false;
            unacknowledged++;
        }
        if (unacknowledged >= ACKNOWLEDGE_BATCH) {
            acknowledge();
        }
    }

    private void acknowledge() {
        if (unacknowledged > 0) {
            LibIbverbs.ibv_ack_cq_events(queue, unacknowledged);
            unacknowledged = 0;
        }
    }
}
