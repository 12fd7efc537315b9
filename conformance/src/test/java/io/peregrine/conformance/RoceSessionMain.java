package io.peregrine.conformance;

import io.peregrine.rdma.Completion;
import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.ConnectionRejectedException;
import io.peregrine.rdma.ConnectionRequest;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaListener;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.rdma.RemoteAccess;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A session over the software provider between two addresses of the loopback interface: everything it can do, once. */
final class RoceSessionMain {
    static final String CAMERA = "127.0.0.2";
    static final String HOST = "127.0.0.3";
    static final int[] SENDS = {101, 1024, 4096, 10_000};
    static final int WRITE_BYTES = 100_001;
    static final int IMMEDIATE = 0xCAFE0001;
    static final String PRIVATE_DATA = "what the host says";
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private RoceSessionMain() {}

    public static void main(String[] arguments) throws Exception {
        try (RdmaTransport camera =
                        RdmaProviders.open("software", address(CAMERA)).transport();
                RdmaTransport host =
                        RdmaProviders.open("software", address(HOST)).transport();
                RdmaListener listener = camera.listen(0)) {
            CompletionQueue cameraQueue = camera.completionQueue(CompletionQueueSettings.of(64));
            CompletionQueue hostQueue = host.completionQueue(CompletionQueueSettings.of(64));
            RdmaConnection refused =
                    host.prepare(new InetSocketAddress(address(CAMERA), 1), ConnectionSettings.of(hostQueue, 4, 4));
            try {
                refused.connect(new byte[0], LIMIT);
                throw new IllegalStateException("Somebody listens on port 1");
            } catch (ConnectionRejectedException e) {
                System.out.println("refused=" + e.reason());
            }
            RdmaConnection hostSide = host.prepare(
                    new InetSocketAddress(address(CAMERA), listener.port()), ConnectionSettings.of(hostQueue, 16, 16));
            MemoryRegion to = host.register(RdmaMemory.of(ByteBuffer.allocateDirect(WRITE_BYTES)), RemoteAccess.WRITE);
            for (int i = 0; i <= SENDS.length; i++) {
                hostSide.postReceive(i, to, 0, 10_000);
            }
            CompletableFuture<byte[]> asking = CompletableFuture.supplyAsync(
                    () -> hostSide.connect(PRIVATE_DATA.getBytes(StandardCharsets.US_ASCII), LIMIT));
            ConnectionRequest request = listener.next(LIMIT).orElseThrow();
            RdmaConnection cameraSide = request.prepare(ConnectionSettings.of(cameraQueue, 16, 16));
            cameraSide.accept(new byte[] {1}, LIMIT);
            asking.join();
            MemoryRegion from = camera.register(RdmaMemory.of(ByteBuffer.allocateDirect(WRITE_BYTES)));
            for (int length : SENDS) {
                cameraSide.postSend(length, from, 0, length);
            }
            cameraSide.postWriteWithImmediate(1, from, 0, WRITE_BYTES, to.remoteAddress(), to.remoteKey(), IMMEDIATE);
            System.out.println("received=" + successes(hostQueue, SENDS.length + 1));
            System.out.println("sent=" + successes(cameraQueue, SENDS.length + 1));
        }
    }

    private static int successes(CompletionQueue queue, int expected) {
        int[] good = {0};
        long end = System.nanoTime() + LIMIT.toNanos();
        while (good[0] < expected && System.nanoTime() < end) {
            if (queue.poll(done -> good[0] += done.status() == Completion.Status.SUCCESS ? 1 : 0) == 0) {
                queue.await(end);
            }
        }
        return good[0];
    }

    private static Inet4Address address(String text) {
        try {
            return (Inet4Address) InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
