package io.peregrine.conformance.softroce;

import com.sun.management.OperatingSystemMXBean;
import io.peregrine.rdma.Completion;
import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaListener;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RdmaProviders;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.testing.ChildProcess;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Compares the verbs transport with perftest's {@code ib_send_bw}, in turns, between the same two devices: messages of
 * 1 MiB, 64 at a time, each send completed, completions awaited and not polled for, sender and receiver each a process
 * of its own, all sends from one buffer and all receives into one as perftest does.
 *
 * <p>Arguments: rounds and messages a round; or what it calls itself with.
 */
final class VerbsGoodputMain {
    private static final String SENDER = "10.10.0.1";
    private static final String RECEIVER = "10.20.0.1";
    private static final int MESSAGE_BYTES = 1 << 20;
    private static final int DEPTH = 64;
    /** Compiles the loop before the clock starts. */
    private static final int WARM_UP_MESSAGES = 256;

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private VerbsGoodputMain() {}

    public static void main(String[] arguments) {
        switch (arguments[0]) {
            case "receive" -> new Receiver(Integer.parseInt(arguments[1])).run();
            case "send" -> new Sender(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2])).run();
            default -> compare(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        }
    }

    /**
     * One measurement.
     *
     * @param mebibytesPerSecond as the sender sees it
     * @param cpuSecondsPerGigabyte of the receiving process
     */
    private record Result(double mebibytesPerSecond, double cpuSecondsPerGigabyte) {
        static Result of(double mebibytesPerSecond, double cpuSeconds, int messages) {
            return new Result(mebibytesPerSecond, cpuSeconds / ((double) messages * MESSAGE_BYTES / 1e9));
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%7.1f MiB/s %6.3f CPU s/GB", mebibytesPerSecond, cpuSecondsPerGigabyte);
        }
    }

    private static void compare(int rounds, int messages) {
        List<Result> ours = new ArrayList<>();
        List<Result> theirs = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            ours.add(peregrine(messages));
            theirs.add(perftest(messages));
            System.out.println("round " + (round + 1) + "  verbs transport " + ours.get(round) + "   ib_send_bw "
                    + theirs.get(round));
        }
        report("median", median(ours), median(theirs));
        // What else runs on the host can only slow a round down.
        report("best", best(ours), best(theirs));
    }

    private static void report(String what, Result own, Result other) {
        System.out.printf(
                Locale.ROOT,
                "%-8s verbs transport %s   ib_send_bw %s   goodput ratio %.2f  CPU ratio %.2f%n",
                what,
                own,
                other,
                own.mebibytesPerSecond() / other.mebibytesPerSecond(),
                own.cpuSecondsPerGigabyte() / other.cpuSecondsPerGigabyte());
    }

    private static Result best(List<Result> results) {
        return new Result(
                results.stream().mapToDouble(Result::mebibytesPerSecond).max().orElseThrow(),
                results.stream()
                        .mapToDouble(Result::cpuSecondsPerGigabyte)
                        .min()
                        .orElseThrow());
    }

    private static Result median(List<Result> results) {
        return new Result(
                results.stream()
                        .mapToDouble(Result::mebibytesPerSecond)
                        .sorted()
                        .toArray()[results.size() / 2],
                results.stream()
                        .mapToDouble(Result::cpuSecondsPerGigabyte)
                        .sorted()
                        .toArray()[results.size() / 2]);
    }

    private static Result peregrine(int messages) {
        String count = Integer.toString(messages);
        String name = VerbsGoodputMain.class.getName();
        try (ChildProcess receiver =
                ChildProcess.start(ChildProcess.java(List.of(), name, List.of("receive", count)))) {
            String port = receiver.awaitLine("port", LIMIT, line -> line.startsWith("port "));
            try (ChildProcess sender =
                    ChildProcess.start(ChildProcess.java(List.of(), name, List.of("send", port.substring(5), count)))) {
                double rate = Double.parseDouble(after("rate ", sender.succeeds(LIMIT)));
                double cpu = Double.parseDouble(after("cpu ", receiver.succeeds(LIMIT)));
                return Result.of(rate, cpu, messages);
            }
        }
    }

    private static Result perftest(int messages) {
        String options = String.format(
                Locale.ROOT,
                "-F -e -Q 1 -x 1 -q 1 -m 4096 -s %d -n %d -t %d -r %d -u 17",
                MESSAGE_BYTES,
                messages,
                DEPTH,
                DEPTH);
        // The first line tells what the processor did for the program; the port is open a moment after the start.
        try (ChildProcess receiver = ChildProcess.start(
                List.of("bash", "-c", "TIMEFORMAT='cpu %U %S'; time stdbuf -oL ib_send_bw -d rxe1 " + options))) {
            receiver.awaitLine("start", LIMIT, line -> line.contains("Waiting for client"));
            String said = ChildProcess.run(LIMIT, "bash", "-c", "ib_send_bw -d rxe0 " + options + " " + RECEIVER);
            String[] cpu = after("cpu ", receiver.succeeds(LIMIT)).split(" ", -1);
            return Result.of(average(said), Double.parseDouble(cpu[0]) + Double.parseDouble(cpu[1]), messages);
        }
    }

    /** The average of perftest's table: bytes, iterations, peak, average, message rate. */
    private static double average(String said) {
        return said.lines()
                .map(line -> line.trim().split("\\s+", -1))
                .filter(columns -> columns.length >= 5 && columns[0].equals(Integer.toString(MESSAGE_BYTES)))
                .mapToDouble(columns -> Double.parseDouble(columns[3]))
                .findFirst()
                .orElseThrow(() -> new AssertionError(said));
    }

    private static String after(String start, String output) {
        return output.lines()
                .filter(line -> line.startsWith(start))
                .findFirst()
                .orElseThrow(() -> new AssertionError(output))
                .substring(start.length());
    }

    /** A transport with one buffer and one queue. */
    private static class End implements AutoCloseable {
        final RdmaTransport transport;
        final CompletionQueue completions;
        final MemoryRegion region;
        final int messages;
        int done;

        End(String address, int messages) {
            this.messages = messages + WARM_UP_MESSAGES;
            transport = RdmaProviders.open("verbs", RdmaPeer.ipv4(address)).transport();
            completions = transport.completionQueue(CompletionQueueSettings.of(2 * DEPTH));
            region = transport.register(RdmaMemory.of(ByteBuffer.allocateDirect(MESSAGE_BYTES)));
        }

        ConnectionSettings settings() {
            return ConnectionSettings.of(completions, DEPTH, DEPTH).withRetries(17, 7, 7);
        }

        static void check(Completion completion) {
            if (completion.status() != Completion.Status.SUCCESS) {
                throw new AssertionError(completion.operation() + " " + completion.status());
            }
        }

        @Override
        public void close() {
            transport.close();
        }
    }

    private static final class Receiver extends End implements Runnable {
        private final OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        private long cpuAtStart;

        Receiver(int messages) {
            super(RECEIVER, messages);
        }

        @Override
        public void run() {
            try (RdmaListener listener = transport.listen(0)) {
                System.out.println("port " + listener.port());
                RdmaConnection connection = RdmaPeer.next(listener).prepare(settings());
                for (int i = 0; i < DEPTH; i++) {
                    connection.postReceive(i, region, 0, MESSAGE_BYTES);
                }
                connection.accept(new byte[0], RdmaPeer.LIMIT);
                while (done < messages) {
                    if (completions.poll(this::received) == 0) {
                        completions.await(System.nanoTime() + LIMIT.toNanos());
                    }
                }
                System.out.println("cpu " + (system.getProcessCpuTime() - cpuAtStart) / 1e9);
            } finally {
                close();
            }
        }

        private void received(Completion completion) {
            check(completion);
            done++;
            if (done == WARM_UP_MESSAGES) {
                cpuAtStart = system.getProcessCpuTime();
            }
            if (done <= messages - DEPTH) {
                completion.connection().postReceive(completion.workId(), region, 0, MESSAGE_BYTES);
            }
        }
    }

    private static final class Sender extends End implements Runnable {
        private final int port;
        private long startNanos;

        Sender(int port, int messages) {
            super(SENDER, messages);
            this.port = port;
        }

        @Override
        public void run() {
            try {
                RdmaConnection connection = transport.prepare(new InetSocketAddress(RECEIVER, port), settings());
                connection.connect(new byte[0], RdmaPeer.LIMIT);
                for (int i = 0; i < DEPTH; i++) {
                    connection.postSend(i, region, 0, MESSAGE_BYTES);
                }
                while (done < messages) {
                    if (completions.poll(this::sent) == 0) {
                        completions.await(System.nanoTime() + LIMIT.toNanos());
                    }
                }
                double seconds = (System.nanoTime() - startNanos) / 1e9;
                System.out.println("rate " + (messages - WARM_UP_MESSAGES) / seconds);
            } finally {
                close();
            }
        }

        private void sent(Completion completion) {
            check(completion);
            done++;
            if (done == WARM_UP_MESSAGES) {
                startNanos = System.nanoTime();
            }
            if (done <= messages - DEPTH) {
                completion.connection().postSend(completion.workId(), region, 0, MESSAGE_BYTES);
            }
        }
    }
}
