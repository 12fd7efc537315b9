package io.peregrine.rdmatest;

import io.peregrine.rdma.Completion;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RemoteAccess;
import io.peregrine.rdmatest.TestResult.RoundTrips;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** Both sides of round trips: the client sends a message, the server sends back what it received. */
final class Echo {
    /** Times that are kept; the test ends when they are as many. */
    static final int MAX_ROUNDS = 1 << 22;

    private static final int SLOTS = 2;
    private static final int SEND = SLOTS;

    private final Link link;
    private final TestPlan plan;
    private final ByteBuffer pattern;
    private final MemoryRegion patternRegion;
    private final ByteBuffer memory;
    private final MemoryRegion memoryRegion;
    private long posted;
    private long sent;
    private long received;
    private int slot;
    private long lengthBytes;

    Echo(Link link, TestPlan plan) {
        this.link = link;
        this.plan = plan;
        pattern = Pattern.of(plan.messageBytes());
        patternRegion = link.register(pattern, RemoteAccess.NONE);
        memory = ByteBuffer.allocateDirect(SLOTS * plan.messageBytes());
        memoryRegion = link.register(memory, RemoteAccess.NONE);
    }

    /** Posts receives, before the connection is made. */
    void prepare() {
        for (int i = 0; i < SLOTS; i++) {
            postReceive(i);
        }
    }

    private void postReceive(int at) {
        link.postReceive(at, memoryRegion, (long) at * plan.messageBytes(), plan.messageBytes());
    }

    private void onCompletion(Completion completion) {
        if (completion.operation() == Completion.Operation.RECEIVE) {
            received++;
            slot = (int) completion.workId();
            lengthBytes = completion.lengthBytes();
        } else {
            sent++;
        }
    }

    /** Makes rounds as the client. */
    TestResult ask() {
        long[] nanos = new long[1024];
        int kept = 0;
        long wrong = 0;
        long firstWrong = -1;
        long rounds = 0;
        long measuredNanos = 0;
        long start = System.nanoTime();
        while (!plan.over(rounds, System.nanoTime() - start) && kept < MAX_ROUNDS) {
            long from = System.nanoTime();
            link.connection().postSend(SEND, patternRegion, Pattern.place(rounds), plan.messageBytes());
            posted++;
            while (received <= rounds) {
                link.advance(this::onCompletion);
            }
            long took = System.nanoTime() - from;
            if (received != rounds + 1) {
                throw new RdmaException(
                        link.connection().remoteAddress() + " sent more messages than it was asked for");
            }
            if (!right(rounds)) {
                firstWrong = wrong == 0 ? rounds : firstWrong;
                wrong++;
            }
            rounds++;
            if (from - start >= plan.settlingNanos() || kept == 0) {
                nanos = kept < nanos.length ? nanos : Arrays.copyOf(nanos, nanos.length * 2);
                nanos[kept++] = took;
                measuredNanos += took;
            }
            postReceive(slot);
            awaitSent();
        }
        return new TestResult(
                plan,
                link.connection().pathMtuBytes(),
                rounds,
                wrong,
                firstWrong,
                kept,
                measuredNanos / 1e9,
                kept == 0 ? Optional.empty() : Optional.of(RoundTrips.of(nanos, kept)));
    }

    private boolean right(long round) {
        return lengthBytes == plan.messageBytes()
                && Pattern.matches(pattern, round, memory, slot * plan.messageBytes(), plan.messageBytes());
    }

    private void awaitSent() {
        while (sent < posted) {
            link.advance(this::onCompletion);
        }
    }

    /**
     * Answers as the server, until the client ends the connection.
     *
     * @return rounds, and how many of them had other bytes than were sent
     */
    Report answer() {
        long start = System.nanoTime();
        long rounds = 0;
        long wrong = 0;
        long firstWrong = -1;
        while (awaitMessage(rounds)) {
            if (received != rounds + 1) {
                throw new RdmaException(link.connection().remoteAddress() + " does not wait for the answer");
            }
            if (!right(rounds)) {
                firstWrong = wrong == 0 ? rounds : firstWrong;
                wrong++;
            }
            int at = slot;
            link.connection().postSend(SEND, memoryRegion, (long) at * plan.messageBytes(), (int) lengthBytes);
            posted++;
            rounds++;
            if (!answered()) {
                break;
            }
            postReceive(at);
            if (System.nanoTime() - start >= plan.limitNanos(link.timeout())) {
                throw new RdmaException(link.connection().remoteAddress() + " goes on long after the test's end");
            }
        }
        return new Report(rounds, wrong, firstWrong, 0, 0, true);
    }

    /** Whether the answer was acknowledged. A client that has all it wants may end the connection before. */
    private boolean answered() {
        while (sent < posted) {
            if (!link.advanceOrEnd(this::onCompletion)) {
                return false;
            }
        }
        return true;
    }

    private boolean awaitMessage(long rounds) {
        while (received <= rounds) {
            if (!link.advanceOrEnd(this::onCompletion)) {
                return false;
            }
        }
        return true;
    }
}
