package io.peregrine.rdmatest;

import io.peregrine.rdma.Completion;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RemoteAccess;
import io.peregrine.rdmatest.Greeting.Memory;
import io.peregrine.rdmatest.TestPlan.Transfer;
import java.nio.ByteBuffer;

/**
 * Sends messages as fast as the other side makes room for them, then a message of no bytes with their number as
 * immediate data, and waits for the report.
 */
final class BulkSender {
    /** Work ids of receives are their places; sends have this one, since they complete in order. */
    private static final int SEND = Link.REPORTS;

    private final Link link;
    private final TestPlan plan;
    private final MemoryRegion pattern;
    private final ByteBuffer reports = ByteBuffer.allocateDirect(Link.REPORTS * Report.BYTES);
    private final MemoryRegion reportRegion;
    private long posted;
    private long completed;
    private Report report = new Report(0, 0, -1, 0, 0, false);

    BulkSender(Link link, TestPlan plan) {
        this.link = link;
        this.plan = plan;
        pattern = link.register(Pattern.of(plan.messageBytes()), RemoteAccess.NONE);
        reportRegion = link.register(reports, RemoteAccess.NONE);
    }

    /** Posts receives, before the connection is made. */
    void prepare() {
        for (int place = 0; place < Link.REPORTS; place++) {
            postReceive(place);
        }
    }

    private void postReceive(int place) {
        link.postReceive(place, reportRegion, (long) place * Report.BYTES, Report.BYTES);
    }

    /**
     * Sends all.
     *
     * @param target memory of the other side, for writes
     */
    Report run(Memory target) {
        long start = System.nanoTime();
        while (!plan.over(posted, System.nanoTime() - start)) {
            if (hasRoom()) {
                post(target);
            } else {
                advance(start);
            }
        }
        while (!hasRoom()) {
            advance(start);
        }
        link.connection().postSendWithImmediate(SEND, pattern, 0, 0, (int) posted);
        while (!report.last()) {
            advance(start);
        }
        if (report.messages() != posted) {
            throw new RdmaException(link.connection().remoteAddress() + " reports " + report.messages()
                    + " messages, and " + posted + " were sent");
        }
        return report;
    }

    private boolean hasRoom() {
        return posted - completed < plan.depth() && posted - report.messages() < plan.depth();
    }

    private void post(Memory target) {
        RdmaConnection connection = link.connection();
        int place = Pattern.place(posted);
        if (plan.transfer() == Transfer.SEND) {
            connection.postSend(SEND, pattern, place, plan.messageBytes());
        } else {
            long slot = posted % plan.depth() * plan.messageBytes();
            connection.postWriteWithImmediate(
                    SEND, pattern, place, plan.messageBytes(), target.address() + slot, target.key(), (int) posted);
        }
        posted++;
    }

    private void advance(long start) {
        link.advance(this::onCompletion);
        if (System.nanoTime() - start >= plan.limitNanos(link.timeout())) {
            throw new RdmaException(
                    link.connection().remoteAddress() + " has not taken all messages long after the test's end");
        }
    }

    private void onCompletion(Completion completion) {
        if (completion.operation() != Completion.Operation.RECEIVE) {
            completed++;
            return;
        }
        int place = (int) completion.workId();
        if (completion.lengthBytes() != Report.BYTES) {
            throw new RdmaException(link.connection().remoteAddress() + " sent a report of " + completion.lengthBytes()
                    + " bytes instead of " + Report.BYTES);
        }
        Report next = Report.of(reports, place * Report.BYTES);
        if (next.messages() < report.messages() || next.messages() > posted) {
            throw new RdmaException(link.connection().remoteAddress() + " reports " + next.messages() + " messages: "
                    + posted + " were sent, and " + report.messages() + " were reported before");
        }
        report = next;
        if (!next.last()) {
            postReceive(place);
        }
    }
}
