package io.peregrine.rocev2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.rdma.Completion.Operation;
import io.peregrine.rdma.Completion.Status;
import io.peregrine.rdma.CompletionQueueSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SoftwareCompletionQueueTest {
    private static final long LONG_MILLIS = 20_000;
    private static final long SHORT_MILLIS = 20;

    /** What the one who waits finds when a send is done and, once it looked or a while later, something comes. */
    private static List<Long> found(boolean streaming, Status status, long patienceMillis) throws Exception {
        SoftwareCompletionQueue queue =
                new SoftwareCompletionQueue(new CompletionQueueSettings(8, 0, 8, streaming), null);
        CompletableFuture<List<Long>> found = new CompletableFuture<>();
        CountDownLatch looked = new CountDownLatch(1);
        Thread waiting = new Thread(() -> {
            queue.await(System.nanoTime() + TimeUnit.SECONDS.toNanos(20));
            List<Long> ids = new ArrayList<>();
            queue.poll(done -> ids.add(done.workId()));
            looked.countDown();
            found.complete(ids);
        });
        waiting.start();
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        queue.add(null, 1, Operation.SEND, status, 0, false, 0);
        queue.announce();
        boolean early = looked.await(patienceMillis, TimeUnit.MILLISECONDS);
        assertEquals(patienceMillis == LONG_MILLIS, early);
        queue.add(null, 2, Operation.RECEIVE, Status.SUCCESS, 0, false, 0);
        queue.announce();
        return found.get();
    }

    @Test
    void aSendThatWentWellEndsNoWaitOfAStream() throws Exception {
        assertEquals(List.of(1L, 2L), found(true, Status.SUCCESS, SHORT_MILLIS));
    }

    @Test
    void aSendThatFailedEndsTheWait() throws Exception {
        assertEquals(List.of(1L), found(true, Status.RETRIES_EXCEEDED, LONG_MILLIS));
    }

    @Test
    void otherwiseEverySendEndsTheWait() throws Exception {
        assertEquals(List.of(1L), found(false, Status.SUCCESS, LONG_MILLIS));
    }
}
