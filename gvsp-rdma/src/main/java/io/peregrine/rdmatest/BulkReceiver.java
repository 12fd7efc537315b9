package io.peregrine.rdmatest;

import io.peregrine.rdma.Completion;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RemoteAccess;
import io.peregrine.rdmatest.Greeting.Memory;
import io.peregrine.rdmatest.TestPlan.Transfer;
import java.nio.ByteBuffer;

/** Receives the messages of a {@link BulkSender}, checks every byte, and reports. */
final class BulkReceiver {
    private final Link link;
    private final TestPlan plan;
    /** Messages under way, and the end mark. */
    private final int receives;

    private final ByteBuffer expected;
    private final ByteBuffer memory;
    private final MemoryRegion region;
    private final ByteBuffer reports = ByteBuffer.allocateDirect(Report.BYTES);
    private final MemoryRegion reportRegion;

    private long messages;
    private long wrong;
    private long firstWrong = -1;
    private boolean ended;

    private boolean reporting;
    private long reported;

    private long firstNanos;
    private long measuredFrom;
    private boolean measuring;
    private long lastNanos;

    BulkReceiver(Link link, TestPlan plan) {
        this.link = link;
        this.plan = plan;
        receives = plan.depth() + 1;
        expected = Pattern.of(plan.messageBytes());
        memory = ByteBuffer.allocateDirect(receives * plan.messageBytes());
        region = link.register(memory, plan.transfer() == Transfer.WRITE ? RemoteAccess.WRITE : RemoteAccess.NONE);
        reportRegion = link.register(reports, RemoteAccess.NONE);
    }

    /** What the sender may write to. */
    Memory target() {
        return plan.transfer() == Transfer.WRITE ? new Memory(region.remoteAddress(), region.remoteKey()) : Memory.NONE;
    }

    /** Posts receives, before the connection is made. */
    void prepare() {
        for (int slot = 0; slot < receives; slot++) {
            postReceive(slot);
        }
    }

    private void postReceive(int slot) {
        boolean write = plan.transfer() == Transfer.WRITE;
        long at = write ? 0 : (long) slot * plan.messageBytes();
        link.postReceive(slot, region, at, write ? 0 : plan.messageBytes());
    }

    /** Receives all. */
    Report run() {
        long start = System.nanoTime();
        while (!ended) {
            link.advance(this::onCompletion);
            if (!reporting && messages - reported >= (plan.depth() + 1) / 2) {
                report(false);
            }
            if (System.nanoTime() - start >= plan.limitNanos(link.timeout())) {
                throw new RdmaException(
                        link.connection().remoteAddress() + " sends messages long after the test's end");
            }
        }
        awaitReported();
        Report last = report(true);
        awaitReported();
        return last;
    }

    private Report report(boolean last) {
        long measured = measuring ? messages - measuredFrom : 0;
        Report report =
                new Report(messages, wrong, firstWrong, measured, measured > 0 ? lastNanos - firstNanos : 0, last);
        report.put(reports, 0);
        reporting = true;
        reported = messages;
        link.connection().postSend(receives, reportRegion, 0, Report.BYTES);
        return report;
    }

    private void awaitReported() {
        while (reporting) {
            link.advance(this::onCompletion);
        }
    }

    private void onCompletion(Completion completion) {
        switch (completion.operation()) {
            case RECEIVE -> {
                if (completion.hasImmediate()) {
                    end(completion.immediate(), completion.lengthBytes());
                } else {
                    expect(Transfer.SEND);
                    int slot = (int) completion.workId();
                    take(slot, completion.lengthBytes());
                    postReceive(slot);
                }
            }
            case RECEIVE_WRITE -> {
                expect(Transfer.WRITE);
                if (completion.immediate() != (int) messages) {
                    throw new RdmaException(link.connection().remoteAddress() + " wrote message "
                            + Integer.toUnsignedString(completion.immediate()) + " as number " + messages);
                }
                take((int) (messages % plan.depth()), completion.lengthBytes());
                postReceive((int) completion.workId());
            }
            default -> reporting = false;
        }
    }

    private void expect(Transfer transfer) {
        if (plan.transfer() != transfer || ended) {
            throw new RdmaException(link.connection().remoteAddress() + " sent what is not part of the test");
        }
    }

    private void take(int slot, long lengthBytes) {
        boolean right = lengthBytes == plan.messageBytes()
                && Pattern.matches(expected, messages, memory, slot * plan.messageBytes(), plan.messageBytes());
        if (!right) {
            firstWrong = wrong == 0 ? messages : firstWrong;
            wrong++;
        }
        messages++;
        measure();
        if (plan.count() > 0 && messages > plan.count()) {
            throw new RdmaException(link.connection().remoteAddress() + " sent more messages than the test has");
        }
    }

    /** The time starts with a message that is not counted itself. */
    private void measure() {
        long now = System.nanoTime();
        if (messages == 1) {
            firstNanos = now;
        }
        if (!measuring && now - firstNanos >= plan.settlingNanos()) {
            measuring = true;
            measuredFrom = messages;
            firstNanos = now;
        }
        lastNanos = now;
    }

    private void end(int immediate, long lengthBytes) {
        if (ended || lengthBytes != 0 || immediate != (int) messages) {
            throw new RdmaException(link.connection().remoteAddress() + " ends the test after "
                    + Integer.toUnsignedString(immediate) + " messages, and " + messages + " arrived");
        }
        ended = true;
    }
}
