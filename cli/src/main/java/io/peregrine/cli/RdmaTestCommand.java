package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.doctor.LocalAddress;
import io.peregrine.rdmatest.RdmaTestServer;
import io.peregrine.rdmatest.RdmaTester;
import io.peregrine.rdmatest.TestPlan;
import io.peregrine.rdmatest.TestPlan.Direction;
import io.peregrine.rdmatest.TestPlan.Transfer;
import io.peregrine.rdmatest.TestResult;
import io.peregrine.rdmatest.TestResult.RoundTrips;
import io.peregrine.stream.StreamException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tests the path between two hosts by RDMA, as the client or as the server. */
@Command(
        name = "rdma-test",
        description = "Tests the path between two hosts by RDMA: round trips, messages and RDMA writes in both"
                + " directions; checks every byte. On the other host runs 'peregrine rdma-test --server', or"
                + " 'rping -s'. Exit code 1 when bytes are wrong or RDMA is unavailable here, 4 when the other host"
                + " does not answer or refuses.",
        mixinStandardHelpOptions = true)
final class RdmaTestCommand implements Callable<Integer> {
    private static final int PING_BYTES = 64;
    private static final int BULK_BYTES = 1 << 20;
    private static final int RPING_ROUNDS = 100;

    /** The server's threads print. */
    private final Object printing = new Object();

    @Spec
    private CommandSpec spec;

    @Mixin
    private Output output;

    @Parameters(arity = "0..1", paramLabel = "HOST", description = "Host of the server: IPv4 address or name")
    private Optional<String> host = Optional.empty();

    @Option(names = "--server", description = "Serve tests, also of 'rping -c', until ended")
    private boolean server;

    @Option(
            names = "--interface",
            paramLabel = "INTERFACE",
            description = "Local interface, by name or IPv4 address; by default the one with the route to HOST, for the"
                    + " server all")
    private Optional<String> networkInterface = Optional.empty();

    @Option(
            names = "--provider",
            paramLabel = "PROVIDER",
            defaultValue = "auto",
            description = "auto, verbs or software; verbs if they work, otherwise software by default")
    private String provider;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port of the server, " + RdmaTestServer.DEFAULT_PORT + " by default as that of rping")
    private int port = RdmaTestServer.DEFAULT_PORT;

    @Option(
            names = "--tests",
            paramLabel = "TEST",
            split = ",",
            description = "Which tests to run: ping, send, write; all by default")
    private List<Transfer> transfers = List.of(Transfer.values());

    @Option(
            names = "--bytes",
            paramLabel = "N",
            description =
                    "Bytes of a message; by default " + PING_BYTES + " for ping, " + BULK_BYTES + " for send and write")
    private Optional<Integer> bytes = Optional.empty();

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            converter = Seconds.class,
            defaultValue = "2",
            description = "How long each test sends; 2 s by default. The first fifth is not measured")
    private Duration duration;

    @Option(names = "--count", paramLabel = "N", description = "Messages of each test, instead of a time")
    private Optional<Long> count = Optional.empty();

    @Option(
            names = "--completion-vector",
            paramLabel = "N",
            description = "Interrupt of the adapter to wait for; negative polls without sleeping; 0 by default")
    private int completionVector;

    @Option(
            names = "--class-of-service",
            paramLabel = "N",
            description = "Type of service of the packets of both sides: DSCP times 4, 0 to 255")
    private Optional<Integer> classOfService = Optional.empty();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            converter = Seconds.class,
            defaultValue = "5",
            description = "How long to wait for the other side to go on; 5 s by default")
    private Duration timeout;

    @Option(
            names = "--rping",
            description = "The server is 'rping -s': make rounds of an RDMA read and an RDMA write, 100 unless --count"
                    + " says otherwise")
    private boolean rping;

    @Override
    public Integer call() {
        if (server == host.isPresent()) {
            throw usage("Give the HOST of the server, or --server");
        }
        if (classOfService.filter(value -> value < 0 || value > 255).isPresent()) {
            throw usage("--class-of-service is " + classOfService.get() + ": give 0 to 255");
        }
        if ((duration.isZero() && count.isEmpty()) || timeout.isZero()) {
            throw usage("A test takes time: give --seconds and --timeout above 0");
        }
        return server ? serve() : test(address(host.orElseThrow()));
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    // ---- Server

    private int serve() {
        List<RdmaTestServer> servers = new ArrayList<>();
        List<String> refusals = new ArrayList<>();
        try (UntilEnded untilEnded = new UntilEnded()) {
            for (LocalAddress local : networkInterface.map(this::local).orElseGet(LocalAddress::all)) {
                try {
                    servers.add(RdmaTestServer.start(
                            provider, local.address(), port, completionVector, timeout, this::served));
                } catch (StreamException e) {
                    refusals.add(local + ": " + e.getMessage());
                }
            }
            if (servers.isEmpty()) {
                throw new CliException(ExitCodes.FAILED, "RDMA is not available: " + String.join("; ", refusals));
            }
            refusals.forEach(refusal -> output.say("not served: " + refusal));
            servers.forEach(this::ready);
            untilEnded.await();
            return ExitCodes.OK;
        } finally {
            servers.forEach(RdmaTestServer::close);
        }
    }

    private void ready(RdmaTestServer ready) {
        String address = text(ready.address());
        if (output.json()) {
            output.printLine(Output.object()
                    .put("ready", address)
                    .put("provider", ready.provider())
                    .put("device", ready.deviceName()));
        } else {
            output.print("ready " + address + ", provider " + ready.provider() + " (" + ready.deviceName() + ")");
        }
    }

    private void served(String outcome) {
        synchronized (printing) {
            if (output.json()) {
                output.printLine(Output.object().put("test", outcome));
            } else {
                output.print(outcome);
            }
        }
    }

    // ---- Client

    private int test(Inet4Address to) {
        InetSocketAddress address = new InetSocketAddress(to, port);
        List<TestPlan> plans = plans();
        Inet4Address from =
                networkInterface.map(name -> local(name).get(0).address()).orElseGet(() -> towards(to));
        try (RdmaTester tester = open(from)) {
            setClassOfService(tester);
            ObjectNode object = output.begin(Output.object());
            object.put("provider", tester.provider())
                    .put("device", tester.deviceName())
                    .put("local", from.getHostAddress())
                    .put("server", text(address));
            if (!output.json()) {
                output.print("from " + from.getHostAddress() + " to " + text(address) + ", provider "
                        + tester.provider() + " (" + tester.deviceName() + ")");
            }
            boolean good = rping ? rping(tester, address, object) : run(tester, address, plans, object);
            if (output.json()) {
                output.print(object);
            }
            return good ? ExitCodes.OK : ExitCodes.FAILED;
        }
    }

    private List<TestPlan> plans() {
        List<TestPlan> plans = new ArrayList<>();
        try {
            for (Transfer transfer : transfers) {
                int size = bytes.orElse(transfer == Transfer.PING ? PING_BYTES : BULK_BYTES);
                for (Direction direction :
                        transfer == Transfer.PING ? List.of(Direction.TO_SERVER) : Arrays.asList(Direction.values())) {
                    plans.add(
                            count.isPresent()
                                    ? TestPlan.counting(transfer, direction, size, count.get())
                                    : TestPlan.lasting(transfer, direction, size, duration));
                }
            }
        } catch (StreamException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        return plans;
    }

    private RdmaTester open(Inet4Address from) {
        try {
            return RdmaTester.open(provider, from, completionVector, timeout);
        } catch (StreamException e) {
            throw new CliException(ExitCodes.FAILED, "RDMA is not available: " + e.getMessage(), e);
        }
    }

    private void setClassOfService(RdmaTester tester) {
        if (classOfService.isPresent()) {
            tester.classOfService(classOfService.get());
        }
    }

    private boolean run(RdmaTester tester, InetSocketAddress address, List<TestPlan> plans, ObjectNode object) {
        boolean good = true;
        ArrayNode tests = object.putArray("tests");
        for (TestPlan plan : plans) {
            TestResult result = reached(() -> tester.run(address, plan));
            good &= result.wrongMessages() == 0;
            if (output.json()) {
                tests.add(json(result));
            } else {
                print(result);
            }
        }
        return good;
    }

    private static <T> T reached(Supplier<T> attempt) {
        try {
            return attempt.get();
        } catch (StreamException e) {
            throw new CliException(
                    ExitCodes.CONNECTION,
                    e.getMessage() + ". Does 'peregrine rdma-test --server' run there, and does a firewall let UDP port"
                            + " 4791 pass?",
                    e);
        }
    }

    private boolean rping(RdmaTester tester, InetSocketAddress address, ObjectNode object) {
        int rounds = (int) Math.min(count.orElse((long) RPING_ROUNDS), Integer.MAX_VALUE);
        int size = bytes.orElse(PING_BYTES);
        RoundTrips times = reached(() -> tester.rping(address, size, rounds));
        if (output.json()) {
            put(object.put("rounds", rounds).put("bytes", size), times);
        } else {
            output.print(String.format(Locale.ROOT, "rping  %d bytes, %d rounds, %s", size, rounds, text(times)));
        }
        return true;
    }

    private void print(TestResult result) {
        TestPlan plan = result.plan();
        String name = plan.transfer() == Transfer.PING
                ? "ping"
                : plan.transfer() + (plan.direction() == Direction.TO_SERVER ? " to server" : " from server");
        output.print(String.format(
                Locale.ROOT,
                "%-18s %d bytes, MTU %d: %d messages, %s, %s",
                name,
                plan.messageBytes(),
                result.pathMtuBytes(),
                result.messages(),
                result.roundTrips()
                        .map(RdmaTestCommand::text)
                        .orElseGet(() -> String.format(Locale.ROOT, "%.1f MB/s", result.megabytesPerSecond())),
                result.wrongMessages() == 0
                        ? "all right"
                        : result.wrongMessages() + " WRONG, the first is number " + result.firstWrong()));
    }

    private static String text(RoundTrips times) {
        return String.format(
                Locale.ROOT,
                "round trip us: min %.1f, median %.1f, 90%% %.1f, 99%% %.1f, 99.9%% %.1f, max %.1f",
                times.min() / 1e3,
                times.median() / 1e3,
                times.p90() / 1e3,
                times.p99() / 1e3,
                times.p999() / 1e3,
                times.max() / 1e3);
    }

    private static ObjectNode json(TestResult result) {
        TestPlan plan = result.plan();
        ObjectNode object = Output.object();
        object.put("test", plan.transfer().toString());
        if (plan.transfer() != Transfer.PING) {
            object.put("direction", plan.direction() == Direction.TO_SERVER ? "toServer" : "fromServer");
        }
        object.put("messageBytes", plan.messageBytes())
                .put("pathMtuBytes", result.pathMtuBytes())
                .put("messages", result.messages())
                .put("wrongMessages", result.wrongMessages());
        result.roundTrips()
                .ifPresentOrElse(
                        times -> put(object, times),
                        () -> object.put("measuredMessages", result.measuredMessages())
                                .put("measuredSeconds", result.measuredSeconds())
                                .put("megabytesPerSecond", result.megabytesPerSecond()));
        return object;
    }

    private static void put(ObjectNode object, RoundTrips times) {
        object.putObject("roundTripNanoseconds")
                .put("min", times.min())
                .put("median", times.median())
                .put("p90", times.p90())
                .put("p99", times.p99())
                .put("p999", times.p999())
                .put("max", times.max());
    }

    // ---- Addresses

    private Inet4Address address(String name) {
        try {
            for (InetAddress address : InetAddress.getAllByName(name)) {
                if (address instanceof Inet4Address found) {
                    return found;
                }
            }
            throw new CliException(ExitCodes.CONNECTION, name + " has no IPv4 address");
        } catch (UnknownHostException e) {
            throw new CliException(ExitCodes.CONNECTION, "There is no host " + name, e);
        }
    }

    private List<LocalAddress> local(String name) {
        List<LocalAddress> all = LocalAddress.all();
        List<LocalAddress> found = all.stream()
                .filter(local -> local.networkInterface().equals(name)
                        || local.address().getHostAddress().equals(name))
                .toList();
        if (found.isEmpty() && name.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}")) {
            // Every address of 127.0.0.0/8 is this host's, listed or not.
            return List.of(new LocalAddress("lo", address(name)));
        }
        if (found.isEmpty()) {
            throw usage("No interface that is up has the name or address " + name + "; there is " + all);
        }
        return found;
    }

    /** The local address of the route to another. */
    private static Inet4Address towards(Inet4Address to) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(to, RdmaTestServer.DEFAULT_PORT));
            if (socket.getLocalAddress() instanceof Inet4Address local) {
                return local;
            }
        } catch (IOException | UncheckedIOException e) {
            throw new CliException(
                    ExitCodes.CONNECTION, "There is no route to " + to.getHostAddress() + ": " + e.getMessage(), e);
        }
        throw new CliException(
                ExitCodes.CONNECTION, "There is no route to " + to.getHostAddress() + ": give --interface");
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
