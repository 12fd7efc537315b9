package io.peregrine.benchmarks;

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
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;

/**
 * One end of a flow of messages of a mebibyte over a reliable connection, a process to itself. The receiving end prints
 * what arrived, how fast, and what it cost.
 *
 * <pre>
 * receive PROVIDER ADDRESS
 * send PROVIDER ADDRESS RECEIVER MESSAGES
 * </pre>
 */
public final class RdmaGoodputMain {
    private static final int MESSAGE_BYTES = 1 << 20;
    private static final int DEPTH = 16;
    private static final int PORT = 7471;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long WAIT_NANOS = 100_000_000L;

    private final PrintStream out = System.out;
    private long bytes;
    private long failures;
    private int outstanding;

    private RdmaGoodputMain() {}

    /**
     * Runs one end.
     *
     * @param arguments what the class's documentation says
     * @throws InterruptedException if somebody interrupts it
     */
    public static void main(String[] arguments) throws InterruptedException {
        RdmaGoodputMain end = new RdmaGoodputMain();
        try (RdmaTransport transport =
                RdmaProviders.open(arguments[1], address(arguments[2])).transport()) {
            if (arguments[0].equals("receive")) {
                end.receive(transport);
            } else {
                end.send(transport, address(arguments[3]), Long.parseLong(arguments[4]));
            }
        }
        if (end.failures > 0) {
            System.exit(1);
        }
    }

    private void receive(RdmaTransport transport) throws InterruptedException {
        CompletionQueue queue = transport.completionQueue(CompletionQueueSettings.of(2 * DEPTH));
        RdmaListener listener = transport.listen(PORT);
        out.println("ready");
        ConnectionRequest request = listener.next(LIMIT)
                .orElseThrow(() -> new IllegalStateException("No peer connected within " + LIMIT.toSeconds() + " s"));
        RdmaConnection connection = request.prepare(ConnectionSettings.of(queue, 1, DEPTH));
        MemoryRegion memory = transport.register(RdmaMemory.of(ByteBuffer.allocateDirect(DEPTH * MESSAGE_BYTES)));
        for (int i = 0; i < DEPTH; i++) {
            connection.postReceive(i, memory, (long) i * MESSAGE_BYTES, MESSAGE_BYTES);
        }
        connection.accept(new byte[0], LIMIT);
        long start = 0;
        long last = 0;
        double processorAtStart = 0;
        while (connection.state() == RdmaConnection.State.CONNECTED) {
            int count = queue.poll(done -> {
                if (done.status() == Completion.Status.SUCCESS) {
                    bytes += done.lengthBytes();
                    connection.postReceive(done.workId(), memory, done.workId() * MESSAGE_BYTES, MESSAGE_BYTES);
                }
            });
            if (count == 0) {
                queue.await(System.nanoTime() + WAIT_NANOS);
            } else {
                last = System.nanoTime();
                if (start == 0) {
                    start = last;
                    processorAtStart = processorSeconds();
                    bytes = 0;
                }
            }
        }
        double seconds = (last - start) / 1e9;
        out.printf(
                Locale.ROOT,
                "provider=%s mtu=%d megabytes=%.0f seconds=%.2f megabytesPerSecond=%.0f"
                        + " processorSecondsPerGigabyte=%.3f%n",
                transport.provider(),
                connection.pathMtuBytes(),
                bytes / 1e6,
                seconds,
                bytes / 1e6 / seconds,
                (processorSeconds() - processorAtStart) / (bytes / 1e9));
    }

    private void send(RdmaTransport transport, Inet4Address receiver, long messages) {
        CompletionQueue queue = transport.completionQueue(CompletionQueueSettings.of(2 * DEPTH));
        RdmaConnection connection =
                transport.prepare(new InetSocketAddress(receiver, PORT), ConnectionSettings.of(queue, DEPTH, 1));
        MemoryRegion memory = transport.register(RdmaMemory.of(ByteBuffer.allocateDirect(MESSAGE_BYTES)));
        connection.connect(new byte[0], LIMIT);
        long posted = 0;
        while ((posted < messages || outstanding > 0) && failures == 0) {
            while (outstanding < DEPTH / 2 && posted < messages) {
                connection.postSend(posted++, memory, 0, MESSAGE_BYTES);
                outstanding++;
            }
            int count = queue.poll(done -> {
                outstanding--;
                failures += done.status() == Completion.Status.SUCCESS ? 0 : 1;
            });
            if (count == 0) {
                queue.await(System.nanoTime() + WAIT_NANOS);
            }
        }
        connection.close();
    }

    /** Processor time of this process, of all its threads and of the kernel on its behalf. */
    private static double processorSeconds() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                        .getProcessCpuTime()
                / 1e9;
    }

    private static Inet4Address address(String text) {
        try {
            return (Inet4Address) InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text + " is not an IPv4 address", e);
        }
    }
}
