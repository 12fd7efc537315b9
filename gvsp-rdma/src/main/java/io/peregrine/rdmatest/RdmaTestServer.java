package io.peregrine.rdmatest;

import io.peregrine.rdma.ConnectionRequest;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaListener;
import io.peregrine.rdma.RdmaPing;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.rdmatest.Greeting.Memory;
import io.peregrine.rdmatest.TestPlan.Direction;
import io.peregrine.rdmatest.TestPlan.Transfer;
import io.peregrine.stream.StreamException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * The server of RDMA tests: serves {@link RdmaTester} and {@code rping -c} at one local interface, several at a time.
 * It has separate threads, and allocates no more than a few hundred MB whatever clients ask for. Thread-safe.
 */
public final class RdmaTestServer implements AutoCloseable {
    /** Port of rping in the TCP port space of the RDMA connection manager. */
    public static final int DEFAULT_PORT = 7174;

    private static final int MAX_TESTS = 4;
    private static final Duration POLL = Duration.ofMillis(200);

    private final RdmaTransport transport;
    private final RdmaListener listener;
    private final int completionVector;
    private final Duration timeout;
    private final Consumer<String> log;
    private final Semaphore places = new Semaphore(MAX_TESTS);
    private volatile boolean closed;

    private RdmaTestServer(
            RdmaTransport transport, int port, int completionVector, Duration timeout, Consumer<String> log) {
        this.transport = transport;
        this.completionVector = completionVector;
        this.timeout = timeout;
        this.log = log;
        try {
            listener = transport.listen(port);
        } catch (RdmaException e) {
            transport.close();
            throw e;
        }
    }

    /**
     * Opens a provider on a local interface, and serves tests until it is closed.
     *
     * @param provider {@code auto}, {@code verbs} or {@code software}
     * @param local address of the interface
     * @param port port in the TCP port space of the connection manager, 0 for any free one
     * @param completionVector completion vector to wait for, modulo those available; negative polls without sleeping
     * @param timeout how long to wait for a client to go on
     * @param log takes a line about each test when it ends; called by threads of the server
     * @throws StreamException if no such provider works there, with the reason of each, or the port is in use
     */
    public static RdmaTestServer start(
            String provider,
            Inet4Address local,
            int port,
            int completionVector,
            Duration timeout,
            Consumer<String> log) {
        RdmaTransport transport = RdmaProviders.open(provider, local).transport();
        RdmaTestServer server = new RdmaTestServer(transport, port, completionVector, timeout, log);
        thread("peregrine-rdma-test", server::accept);
        return server;
    }

    private static void thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Address and port where it listens. */
    public InetSocketAddress address() {
        return new InetSocketAddress(transport.localAddress(), listener.port());
    }

    /** Name of the provider, {@code verbs} or {@code software}. */
    public String provider() {
        return transport.provider();
    }

    /** Name of the local RDMA device, for example {@code mlx5_0}; {@code udp} in software. */
    public String deviceName() {
        return transport.deviceName();
    }

    private void accept() {
        try {
            while (!closed) {
                listener.next(POLL).ifPresent(this::take);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RdmaException e) {
            if (!closed) {
                log.accept("the server at " + address() + " ended: " + e.getMessage());
            }
        }
    }

    private void take(ConnectionRequest request) {
        if (!places.tryAcquire()) {
            refuse(request, MAX_TESTS + " tests are running already");
            return;
        }
        thread("peregrine-rdma-test-" + request.remoteAddress(), () -> {
            try {
                String outcome = Greeting.isTest(request.privateData()) ? test(request) : rping(request);
                log.accept(request.remoteAddress() + "  " + outcome);
            } catch (StreamException e) {
                if (!closed) {
                    log.accept(request.remoteAddress() + "  failed: " + e.getMessage());
                }
            } finally {
                places.release();
            }
        });
    }

    private static void refuse(ConnectionRequest request, String reason) {
        try {
            request.reject(Greeting.refusal(reason));
        } catch (RdmaException e) {
            // Whoever asked is gone.
            return;
        }
    }

    private String test(ConnectionRequest request) {
        TestPlan plan;
        Memory memory;
        try {
            Greeting greeting = Greeting.of(request.privateData());
            plan = greeting.plan();
            memory = greeting.memory();
        } catch (StreamException e) {
            refuse(request, String.valueOf(e.getMessage()));
            return "refused: " + e.getMessage();
        }
        try (Link link = new Link(transport, plan, completionVector, timeout)) {
            link.use(request.prepare(link.settings()));
            if (plan.transfer() == Transfer.PING) {
                Echo echo = new Echo(link, plan);
                echo.prepare();
                accept(link, plan, Memory.NONE);
                return line(plan, echo.answer());
            }
            if (plan.direction() == Direction.TO_SERVER) {
                BulkReceiver receiver = new BulkReceiver(link, plan);
                receiver.prepare();
                accept(link, plan, receiver.target());
                Report report = receiver.run();
                awaitEnd(link);
                return line(plan, report);
            }
            BulkSender sender = new BulkSender(link, plan);
            sender.prepare();
            accept(link, plan, Memory.NONE);
            return line(plan, sender.run(memory));
        } catch (OutOfMemoryError e) {
            refuse(request, "the server lacks memory for messages of " + plan.messageBytes() + " bytes");
            return "refused: no memory for messages of " + plan.messageBytes() + " bytes";
        }
    }

    private void accept(Link link, TestPlan plan, Memory memory) {
        link.connection().accept(new Greeting(plan, memory).bytes(), timeout);
    }

    /** The client ends the connection when it has the report. */
    private static void awaitEnd(Link link) {
        boolean more = true;
        while (more) {
            more = link.advanceOrEnd(completion -> {
                throw new RdmaException("a message after the end of the test");
            });
        }
    }

    private static String line(TestPlan plan, Report report) {
        String direction = plan.transfer() == Transfer.PING
                ? ""
                : plan.direction() == Direction.TO_SERVER ? " to here" : " from here";
        return String.format(
                Locale.ROOT,
                "%s%s: %d messages of %d bytes, %d wrong",
                plan.transfer(),
                direction,
                report.messages(),
                plan.messageBytes(),
                report.wrong());
    }

    private String rping(ConnectionRequest request) {
        try (RdmaPing ping = RdmaPing.accept(transport, request, RdmaPing.RPING_MAX_BYTES, timeout)) {
            Optional<Integer> bytes = Optional.empty();
            for (OptionalInt round = ping.serve(); round.isPresent(); round = ping.serve()) {
                bytes = Optional.of(round.getAsInt());
            }
            return "rping: " + ping.rounds() + " rounds"
                    + bytes.map(size -> " of " + size + " bytes").orElse("");
        }
    }

    /** Ends all tests, and closes the transport. Idempotent. */
    @Override
    public void close() {
        closed = true;
        listener.close();
        transport.close();
    }
}
