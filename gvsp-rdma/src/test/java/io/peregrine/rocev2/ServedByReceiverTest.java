package io.peregrine.rocev2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.nativeio.Libc;
import io.peregrine.rdma.Completion;
import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.ConnectionRequest;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaListener;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.rdma.RemoteAccess;
import io.peregrine.testing.Await;
import io.peregrine.testing.Needs;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A port that the threads of streams serve while they wait. */
@Timeout(60)
class ServedByReceiverTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int SIZE = 1 << 20;
    private static final int HOST = 72;
    private static final int CAMERA = 71;

    private RdmaTransport camera;
    private RdmaTransport host;
    private CompletionQueue cameraQueue;
    private RdmaListener listener;

    @BeforeEach
    void open() {
        Needs.noProblem(Libc.problem(), "the C library of Linux");
        camera = RdmaProviders.open("software", address(CAMERA)).transport();
        host = RdmaProviders.open("software", address(HOST)).transport();
        cameraQueue = camera.completionQueue(CompletionQueueSettings.of(64));
        listener = camera.listen(0);
    }

    @AfterEach
    void close() {
        if (camera != null) {
            camera.close();
            host.close();
        }
    }

    private static Inet4Address address(int last) {
        try {
            return (Inet4Address) InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A connection whose host has a queue and a thread as a stream has them, and a receive that is posted. */
    private final class Stream {
        private final CompletionQueue queue = host.completionQueue(new CompletionQueueSettings(64, 0, 16, true));
        private final RdmaConnection hostSide;
        private final RdmaConnection cameraSide;
        private final List<Long> received = new ArrayList<>();

        Stream() {
            hostSide = host.prepare(
                    new InetSocketAddress(address(CAMERA), listener.port()), ConnectionSettings.of(queue, 16, 16));
            CompletableFuture<byte[]> asking = CompletableFuture.supplyAsync(() -> hostSide.connect(new byte[0], LONG));
            ConnectionRequest request = next();
            cameraSide = request.prepare(ConnectionSettings.of(cameraQueue, 16, 16));
            cameraSide.accept(new byte[0], LONG);
            asking.join();
            hostSide.postReceive(1, memory(host), 0, SIZE);
            // The connection woke it.
            queue.await(System.nanoTime());
        }

        private ConnectionRequest next() {
            try {
                return listener.next(LONG).orElseThrow();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        void send() {
            cameraSide.postSend(1, memory(camera), 0, SIZE);
        }

        /** Waits once, and takes what is there. */
        int waitOnce(Duration limit) {
            queue.await(System.nanoTime() + limit.toNanos());
            return queue.poll(done -> received.add(done.lengthBytes()));
        }

        /** Waits until something was received. */
        Thread receive() {
            Thread thread = new Thread(() -> {
                long end = System.nanoTime() + LONG.toNanos();
                while (received.isEmpty() && System.nanoTime() < end) {
                    waitOnce(LONG);
                }
            });
            thread.start();
            return thread;
        }
    }

    private static MemoryRegion memory(RdmaTransport transport) {
        return transport.register(RdmaMemory.of(ByteBuffer.allocateDirect(SIZE)), RemoteAccess.NONE);
    }

    private static Thread portThread(int last) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("peregrine-rocev2-127.0.0." + last))
                .findFirst()
                .orElseThrow();
    }

    /** Inside the system's wait for a socket Java calls a thread runnable. */
    private static void awaitServing(Thread thread) {
        Await.until(
                "serving by " + thread.getName(),
                LONG,
                () -> portThread(HOST).getState() == Thread.State.TIMED_WAITING
                        && thread.getState() == Thread.State.RUNNABLE);
    }

    @Test
    void theThreadThatWaitsServesThePortInPlaceOfItsThread() throws Exception {
        Stream stream = new Stream();
        Thread receiving = stream.receive();
        awaitServing(receiving);
        stream.send();
        receiving.join();

        assertEquals(List.of((long) SIZE), stream.received);
    }

    @Test
    void thePortIsServedOnWhenTheThreadDoesNotComeBack() {
        Stream stream = new Stream();
        stream.waitOnce(Duration.ofMillis(30));
        stream.send();
        Await.until("acknowledgement", LONG, () -> cameraQueue.poll(done -> {}) > 0);

        assertEquals(1, stream.queue.poll(done -> {}));
    }

    @Test
    void ofTwoThatWaitEachGetsItsOwn() throws Exception {
        Stream one = new Stream();
        Stream other = new Stream();
        Thread oneReceiving = one.receive();
        awaitServing(oneReceiving);
        Thread otherReceiving = other.receive();
        other.send();
        otherReceiving.join();
        one.send();
        oneReceiving.join();

        assertEquals(List.of((long) SIZE, (long) SIZE), List.of(one.received.get(0), other.received.get(0)));
    }

    @Test
    void theSecondServesWhenTheFirstHasGot() throws Exception {
        Stream one = new Stream();
        Stream other = new Stream();
        Thread oneReceiving = one.receive();
        awaitServing(oneReceiving);
        Thread otherReceiving = other.receive();
        one.send();
        oneReceiving.join();
        awaitServing(otherReceiving);
        other.send();
        otherReceiving.join();

        assertEquals(List.of((long) SIZE), other.received);
    }

    @Test
    void wakingTheQueueEndsTheWaitOfTheOneThatServes() throws Exception {
        Stream stream = new Stream();
        Thread waiting = new Thread(() -> stream.waitOnce(LONG));
        long begin = System.nanoTime();
        waiting.start();
        awaitServing(waiting);
        stream.queue.wakeUp();
        waiting.join();

        assertTrue(System.nanoTime() - begin < LONG.toNanos() / 2);
    }

    @Test
    void closingTheTransportEndsTheWaitAndEveryThreadOfIt() throws Exception {
        Stream stream = new Stream();
        Thread waiting = new Thread(() -> stream.waitOnce(LONG));
        waiting.start();
        awaitServing(waiting);
        Thread port = portThread(HOST);
        host.close();
        waiting.join(LONG.toMillis() / 2);

        assertEquals(
                List.of(Thread.State.TERMINATED, Thread.State.TERMINATED),
                List.of(waiting.getState(), port.getState()));
    }

    @Test
    void aPeerLearnsOfTheEndWhileNoOneServes() {
        Stream stream = new Stream();
        stream.waitOnce(Duration.ofMillis(30));
        stream.hostSide.disconnect();
        stream.queue.close();

        Await.until("end at the peer", LONG, () -> stream.cameraSide.state() == RdmaConnection.State.DISCONNECTED);
    }

    @Test
    void whatWasReceivedIsAcknowledgedBeforeTheConnectionEnds() throws Exception {
        Stream stream = new Stream();
        Thread receiving = new Thread(() -> {
            long end = System.nanoTime() + LONG.toNanos();
            while (stream.received.isEmpty() && System.nanoTime() < end) {
                stream.waitOnce(LONG);
            }
            stream.hostSide.disconnect();
        });
        receiving.start();
        awaitServing(receiving);
        stream.send();
        receiving.join();
        List<Completion.Status> sent = new ArrayList<>();
        Await.until("end of the send", LONG, () -> cameraQueue.poll(done -> sent.add(done.status())) > 0);

        assertEquals(List.of(Completion.Status.SUCCESS), sent);
    }
}
