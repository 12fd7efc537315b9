package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Await;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.NetworkNamespace;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two cameras and their application, each a host of its own, while faults come by chance, always the same ones: 1,000
 * in half an hour or more, fewer in the seconds that the system property {@code peregrine.soak.seconds} says.
 */
@EnabledIfPeers({"ip", "iptables"})
@Timeout(3600)
class FaultSoakTest {
    private static final int SEED = 20_26;
    private static final double FAULTS_PER_SECOND = 1000 / 1800.0;
    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    /** A restarted virtual machine, a search and a new start of the stream, on a busy computer. */
    private static final Duration RETURN_LIMIT = Duration.ofSeconds(30);

    private static final Duration END_LIMIT = Duration.ofSeconds(90);
    private static final Duration COMMAND_LIMIT = Duration.ofSeconds(10);
    private static final int FRAMES_OF_A_RUNNING_STREAM = 5;
    private static final int CLIENT = 1;
    private static final int FIRST_CAMERA = 2;
    private static final int RIVAL = 4;

    private enum Fault {
        LOSS,
        PAUSE,
        KILL,
        ADDRESS_CHANGE,
        RIVAL,
        INTERFACE_DOWN;

        /** Whether the camera forgets all that was set. */
        boolean restarts() {
            return this == KILL || this == ADDRESS_CHANGE;
        }
    }

    @TempDir
    private Path directory;

    private final Duration time = Duration.ofSeconds(Long.getLong("peregrine.soak.seconds", 20));
    private final Duration lifeLimit = time.multipliedBy(2).plusMinutes(5);
    private final AtomicInteger orders = new AtomicInteger();
    private final Map<Fault, Integer> done = Collections.synchronizedMap(new EnumMap<>(Fault.class));
    private NetworkNamespace.Switch network;
    private ChildProcess rival;

    /** A camera's host. */
    private final class CameraHost {
        private final String serial;
        private final NetworkNamespace host;
        private final Random random;
        private final int number;
        private String address;
        private int moves;
        private ChildProcess camera;

        CameraHost(int number) {
            this.number = number;
            serial = "SOAK" + number;
            host = network.host(number);
            random = new Random(SEED + number);
            address = NetworkNamespace.Switch.address(number);
        }

        void start() {
            camera = host.start(
                    CameraProcess.virtualCommand(
                            address, "--interface", "net0", "--serial", serial, "--size", "160x96", "--rate", "50"),
                    lifeLimit);
            camera.awaitLine("address of the virtual camera", START_LIMIT, line -> line.contains(address + ":"));
        }

        private void pause(int leastMillis, int mostMillis) {
            LockSupport.parkNanos((leastMillis + random.nextInt(mostMillis - leastMillis)) * 1_000_000L);
        }

        private void kill() {
            camera.kill();
            camera.awaitEnd(COMMAND_LIMIT);
        }

        /** A fault, from its begin to its end. */
        void suffer(Fault fault) {
            switch (fault) {
                case LOSS -> {
                    List<String> rule = List.of(
                            "OUTPUT", "-m", "statistic", "--mode", "random", "--probability", "0.05", "-j", "DROP");
                    filter("-A", rule);
                    pause(300, 1000);
                    filter("-D", rule);
                }
                case PAUSE -> {
                    camera.suspend();
                    pause(100, 2000);
                    camera.resume();
                }
                case KILL -> {
                    kill();
                    pause(1, 300);
                    start();
                }
                case ADDRESS_CHANGE -> {
                    kill();
                    moves++;
                    String old = address;
                    address = "10.78.0." + (number * 20 + moves % 20);
                    host.run(COMMAND_LIMIT, "ip", "addr", "del", old + "/24", "dev", "net0");
                    host.run(COMMAND_LIMIT, "ip", "addr", "add", address + "/24", "brd", "+", "dev", "net0");
                    start();
                }
                case RIVAL -> order(address);
                case INTERFACE_DOWN -> {
                    host.run(COMMAND_LIMIT, "ip", "link", "set", "net0", "down");
                    pause(100, 2000);
                    host.run(COMMAND_LIMIT, "ip", "link", "set", "net0", "up");
                }
            }
        }

        private void filter(String what, List<String> rule) {
            List<String> command = new ArrayList<>(List.of("iptables", what));
            command.addAll(rule);
            host.run(COMMAND_LIMIT, command);
        }

        /** Suffers faults, each until its stream runs again. */
        void run(long endNanos, int count) {
            for (int i = 0; i < count || System.nanoTime() - endNanos < 0; i++) {
                Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
                Properties before = status();
                suffer(fault);
                String story = serial + ", fault " + i + ", " + fault;
                long returns = number(before, "returns");
                if (fault.restarts()) {
                    await("return after " + story, status -> number(status, "returns") > returns);
                }
                await(
                        "connection after " + story,
                        status -> status.getProperty(serial + ".state").equals("CONNECTED"));
                long whole = number(status(), "whole");
                await("stream after " + story, status -> number(status, "whole") >= whole + FRAMES_OF_A_RUNNING_STREAM);
                done.merge(fault, 1, Integer::sum);
            }
        }

        /** Whether each loss had its return. */
        boolean rests(Properties status) {
            return status.getProperty(serial + ".state").equals("CONNECTED")
                    && number(status, "losses") == number(status, "returns");
        }

        long number(Properties status, String what) {
            return whole(status, serial + "." + what);
        }

        private void await(String what, java.util.function.Predicate<Properties> condition) {
            Await.until(what, RETURN_LIMIT, () -> condition.test(status()), () -> status() + "\n" + camera);
        }
    }

    private Properties status() {
        Properties status = new Properties();
        try (Reader reader = Files.newBufferedReader(directory.resolve(SoakClientMain.STATUS))) {
            status.load(reader);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return status;
    }

    /** Sends the other application for a camera and waits for what came of it. */
    private synchronized void order(String address) {
        int number = orders.incrementAndGet();
        SoakClientMain.replace(directory.resolve("order"), number + " " + address);
        rival.awaitLine("answer " + number, START_LIMIT, line -> line.matches("(had|refused) " + number + " .*"));
    }

    @Test
    void everyFaultEndsInARunningStreamWithItsSettings() throws InterruptedException, ExecutionException {
        try (NetworkNamespace.Switch made = NetworkNamespace.Switch.connecting(RIVAL)) {
            network = made;
            List<CameraHost> cameras = List.of(new CameraHost(FIRST_CAMERA), new CameraHost(FIRST_CAMERA + 1));
            cameras.forEach(CameraHost::start);
            rival = network.host(RIVAL)
                    .start(
                            ChildProcess.java(
                                    List.of(),
                                    SoakRivalMain.class.getName(),
                                    List.of(directory.resolve("order").toString())),
                            lifeLimit);
            List<String> arguments = new ArrayList<>(List.of(directory.toString()));
            cameras.forEach(camera -> arguments.add(camera.serial));
            ChildProcess client = network.host(CLIENT)
                    .start(ChildProcess.java(List.of(), SoakClientMain.class.getName(), arguments), lifeLimit);
            Await.until(
                    "running streams",
                    START_LIMIT,
                    () -> Files.exists(directory.resolve(SoakClientMain.STATUS))
                            && cameras.stream().allMatch(camera -> camera.number(status(), "whole") > 0),
                    client::toString);
            Properties first = status();
            try {
                sufferAll(cameras);
            } catch (ExecutionException e) {
                throw new AssertionError(e.getCause().getMessage() + "\n" + client, e);
            }
            Await.until(
                    "rest",
                    RETURN_LIMIT,
                    () -> cameras.stream().allMatch(camera -> camera.rests(status())),
                    () -> status() + "\n" + client);
            Properties running = status();
            SoakClientMain.replace(directory.resolve(SoakClientMain.END), "");
            String output = client.succeeds(END_LIMIT);
            judge(cameras, first, running, status(), output);
        }
    }

    private void sufferAll(List<CameraHost> cameras) throws InterruptedException, ExecutionException {
        long end = System.nanoTime() + time.toNanos();
        int each = (int) Math.ceil(time.toSeconds() * FAULTS_PER_SECOND / cameras.size());
        ExecutorService threads = Executors.newFixedThreadPool(cameras.size());
        try {
            List<Future<?>> runs = new ArrayList<>();
            cameras.forEach(camera -> runs.add(threads.submit(() -> camera.run(end, each))));
            for (Future<?> run : runs) {
                run.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void judge(List<CameraHost> cameras, Properties first, Properties running, Properties last, String output) {
        String story = done + " " + first + " " + last;
        for (CameraHost camera : cameras) {
            assertAll(
                    story,
                    () -> assertEquals(0, camera.number(last, "badBytes"), "bad bytes"),
                    () -> assertEquals(0, camera.number(last, "twice"), "frames delivered twice"),
                    () -> assertEquals(0, camera.number(last, "settingsWrong"), "settings that were not restored"),
                    () -> assertEquals("", last.getProperty(camera.serial + ".ended"), "end of the stream"),
                    () -> assertEquals(
                            SoakClientMain.FLOW_SETS_FOR_THE_USER, camera.number(last, "heldAtOnce"), "flow sets"));
        }
        assertAll(
                story,
                () -> assertTrue(whole(running, "threads") - whole(first, "threads") <= 4, "threads"),
                () -> assertTrue(whole(running, "files") - whole(first, "files") <= 4, "open files"),
                () -> assertTrue(output.contains("threads left: []"), output));
    }

    private static long whole(Properties status, String what) {
        return Long.parseLong(status.getProperty(what));
    }
}
