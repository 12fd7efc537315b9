package io.peregrine.rdmatest;

import io.peregrine.rdma.ConnectionRejectedException;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaPing;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.rdmatest.Greeting.Memory;
import io.peregrine.rdmatest.TestPlan.Direction;
import io.peregrine.rdmatest.TestPlan.Transfer;
import io.peregrine.rdmatest.TestResult.RoundTrips;
import io.peregrine.stream.StreamException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * The client of RDMA tests between two hosts: connects to a {@link RdmaTestServer}, or to {@code rping -s}, and
 * measures. Not thread-safe.
 */
public final class RdmaTester implements AutoCloseable {
    private final RdmaTransport transport;
    private final int completionVector;
    private final Duration timeout;

    private RdmaTester(RdmaTransport transport, int completionVector, Duration timeout) {
        this.transport = transport;
        this.completionVector = completionVector;
        this.timeout = timeout;
    }

    /**
     * Opens a provider on a local interface.
     *
     * @param provider {@code auto}, {@code verbs} or {@code software}
     * @param local address of the interface
     * @param completionVector completion vector to wait for, modulo those available; negative polls without sleeping
     * @param timeout how long to wait for the server to go on
     * @throws StreamException if no such provider works there, with the reason of each
     */
    public static RdmaTester open(String provider, Inet4Address local, int completionVector, Duration timeout) {
        return new RdmaTester(RdmaProviders.open(provider, local).transport(), completionVector, timeout);
    }

    /** Name of the provider, {@code verbs} or {@code software}. */
    public String provider() {
        return transport.provider();
    }

    /** Name of the local RDMA device, for example {@code mlx5_0}; {@code udp} in software. */
    public String deviceName() {
        return transport.deviceName();
    }

    /**
     * Sets the type of service of the packets of tests from now on, of both sides.
     *
     * @param value DSCP times 4, 0 to 255; 0 leaves it to the system
     * @throws StreamException if the provider or the system cannot
     */
    public void classOfService(int value) {
        transport.typeOfService(value);
    }

    /**
     * Runs a test.
     *
     * @param server address and port of the server
     * @param plan the test
     * @throws StreamException if the server cannot be reached, refuses the test, or does not go on in time
     */
    public TestResult run(InetSocketAddress server, TestPlan plan) {
        try (Link link = new Link(transport, plan, completionVector, timeout)) {
            link.use(transport.prepare(server, link.settings()));
            if (plan.transfer() == Transfer.PING) {
                Echo echo = new Echo(link, plan);
                echo.prepare();
                connect(link, new Greeting(plan, Memory.NONE), server);
                return echo.ask();
            }
            if (plan.direction() == Direction.TO_SERVER) {
                BulkSender sender = new BulkSender(link, plan);
                sender.prepare();
                Greeting reply = connect(link, new Greeting(plan, Memory.NONE), server);
                return result(plan, link.connection(), sender.run(reply.memory()));
            }
            BulkReceiver receiver = new BulkReceiver(link, plan);
            receiver.prepare();
            connect(link, new Greeting(plan, receiver.target()), server);
            return result(plan, link.connection(), receiver.run());
        }
    }

    private Greeting connect(Link link, Greeting greeting, InetSocketAddress server) {
        byte[] reply;
        try {
            reply = link.connection().connect(greeting.bytes(), timeout);
        } catch (ConnectionRejectedException e) {
            Optional<String> reason = Greeting.reason(e.privateData());
            if (reason.isPresent()) {
                throw new RdmaException(server + " refuses the test: " + reason.get(), e);
            }
            throw e;
        }
        if (!Greeting.isTest(reply)) {
            throw new RdmaException(server + " accepted the connection, but is no server of rdma-test");
        }
        return Greeting.of(reply);
    }

    private static TestResult result(TestPlan plan, RdmaConnection connection, Report report) {
        return new TestResult(
                plan,
                connection.pathMtuBytes(),
                report.messages(),
                report.wrong(),
                report.firstWrong(),
                report.measured(),
                report.nanos() / 1e9,
                Optional.empty());
    }

    /**
     * Makes rounds with {@code rping -s}, or a {@link RdmaTestServer}: each is an RDMA read and an RDMA write of the
     * same bytes, which this side compares.
     *
     * @param server address and port of the server
     * @param bytes bytes of a round; {@code rping -s} takes 64 unless its option {@code -S} says otherwise, at most
     *     65535
     * @param rounds how many, at least 1
     * @return the times of the rounds
     * @throws StreamException if the server cannot be reached or does not go on in time, or bytes came back changed
     */
    public RoundTrips rping(InetSocketAddress server, int bytes, int rounds) {
        if (rounds < 1 || rounds > Echo.MAX_ROUNDS) {
            throw new RdmaException(rounds + " rounds are not possible: 1 to " + Echo.MAX_ROUNDS + " are");
        }
        long[] nanos = new long[rounds];
        try (RdmaPing ping = RdmaPing.connect(transport, server, bytes, timeout)) {
            for (int i = 0; i < rounds; i++) {
                nanos[i] = ping.ping().toNanos();
            }
        }
        return RoundTrips.of(nanos, rounds);
    }

    /** Closes the transport. Idempotent. */
    @Override
    public void close() {
        transport.close();
    }
}
