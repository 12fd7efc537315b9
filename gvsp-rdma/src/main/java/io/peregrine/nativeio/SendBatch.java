package io.peregrine.nativeio;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Datagrams that are sent together; those of one length to one destination as a run that the kernel cuts. */
final class SendBatch {
    /** Datagrams, or runs of them, that are sent at a time. */
    static final int SLOTS = 16;

    private final int fd;
    private final ByteBuffer slab =
            NativeMemory.allocate(SLOTS * MessageVector.SLOT_BYTES).order(ByteOrder.BIG_ENDIAN);
    private final MessageVector vector = new MessageVector(SLOTS, slab, SLOTS);
    private boolean segmentationOffload;
    private int runs;
    private int runDestination;
    private int runPort;
    private int runSegmentBytes;
    private int runSegments;
    private int runBytes;
    private boolean runClosed;
    private int beganBytes;
    private long sendFailures;

    SendBatch(int fd, boolean segmentationOffload) {
        this.fd = fd;
        this.segmentationOffload = segmentationOffload;
    }

    /** Datagrams that the system refused to send. */
    long sendFailures() {
        return sendFailures;
    }

    /**
     * Makes room for a datagram.
     *
     * @return where to write it in {@link #buffer()}; -1 when the batch is full: {@link #flush} first
     */
    int begin(int destination, int port, int lengthBytes) {
        boolean joins = runs > 0
                && segmentationOffload
                && !runClosed
                && destination == runDestination
                && port == runPort
                && lengthBytes <= runSegmentBytes
                && runSegments < DatagramRuns.MAX_DATAGRAMS
                && runBytes + lengthBytes <= MessageVector.MAX_RUN_BYTES;
        if (!joins) {
            // A run that nothing was committed to is begun again.
            if (runs == 0 || runSegments > 0) {
                if (runs == SLOTS) {
                    return -1;
                }
                endRun();
                runs++;
            }
            runDestination = destination;
            runPort = port;
            runSegmentBytes = lengthBytes;
            runSegments = 0;
            runBytes = 0;
            runClosed = false;
        }
        beganBytes = lengthBytes;
        return (runs - 1) * MessageVector.SLOT_BYTES + runBytes;
    }

    /** Leaves no more datagrams for the kernel or an adapter to cut. */
    void sendOneByOne() {
        segmentationOffload = false;
    }

    /** IP identification that the datagram which was begun last will have. */
    int identification() {
        return runSegments;
    }

    /** The datagram that was begun last is written. */
    void commit() {
        runBytes += beganBytes;
        runSegments++;
        runClosed = beganBytes < runSegmentBytes;
    }

    /** The buffer to write datagrams into, big-endian. */
    ByteBuffer buffer() {
        return slab;
    }

    private void endRun() {
        if (runs > 0) {
            vector.prepare(runs - 1, runDestination, runPort, runBytes, runSegments > 1 ? runSegmentBytes : 0);
        }
    }

    /** Sends the batch; waits until the socket's buffer takes it. What the system refuses is counted and dropped. */
    void flush() {
        if (runs > 0 && runSegments == 0) {
            runs--;
        } else {
            endRun();
        }
        int sent = 0;
        int failedTries = 0;
        while (sent < runs) {
            int count = vector.send(fd, sent, runs - sent);
            if (count > 0) {
                sent += count;
                failedTries = 0;
                continue;
            }
            int error = Libc.errno();
            if (error == Libc.EINTR || ((error == Libc.ENOBUFS || error == Libc.EAGAIN) && failedTries++ < 100)) {
                Thread.onSpinWait();
                continue;
            }
            sendFailures++;
            sent++;
        }
        runs = 0;
        runSegments = 0;
        runBytes = 0;
    }
}
