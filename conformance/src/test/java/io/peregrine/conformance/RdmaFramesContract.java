package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.testing.ChildProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames arrive by RDMA, whoever provides it at either end. Camera and host are processes of their own. */
@Timeout(value = 170, unit = TimeUnit.SECONDS)
public abstract class RdmaFramesContract {
    static final Duration LIMIT = Duration.ofMinutes(2);

    private final List<ChildProcess> children = new ArrayList<>();
    int rdmaPort;

    /**
     * One end.
     *
     * @param prefix what to put before a command to run it at this end
     * @param address address of this end
     * @param provider name of the RDMA provider
     */
    public record End(List<String> prefix, String address, String provider) {}

    /** Where the camera runs. */
    protected abstract End camera();

    /** Where the library runs. */
    protected abstract End host();

    /** Frames of a whole run. */
    protected int frames() {
        return 200;
    }

    /** Frames a second. */
    protected int rate() {
        return 100;
    }

    /** Options for every Java process. */
    protected List<String> javaOptions() {
        return List.of("-Djava.net.preferIPv4Stack=true");
    }

    @AfterEach
    protected void endChildren() {
        children.forEach(ChildProcess::close);
    }

    ChildProcess java(End end, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>(end.prefix());
        command.addAll(ChildProcess.java(javaOptions(), mainClass, arguments));
        ChildProcess child = ChildProcess.start(command);
        children.add(child);
        return child;
    }

    ChildProcess startCamera(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--bind",
                camera().address(),
                "--port",
                "0",
                "--size",
                "160x96",
                "--rate",
                Integer.toString(rate()),
                "--flows",
                "per-component"));
        arguments.addAll(List.of(more));
        return java(camera(), CameraProcess.VIRTUAL_CAMERA, arguments);
    }

    ChildProcess startRdmaCamera(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--rdma=" + camera().provider()));
        arguments.addAll(List.of(more));
        ChildProcess child = startCamera(arguments.toArray(String[]::new));
        String line = child.awaitLine("RDMA port", LIMIT, text -> text.startsWith("RDMA "));
        rdmaPort = Integer.parseInt(line.replaceAll(".*port (\\d+).*", "$1"));
        return child;
    }

    String address(ChildProcess cameraProcess) {
        String line = cameraProcess.awaitLine(
                "address of the camera", LIMIT, text -> text.contains(camera().address() + ":"));
        return line.replaceAll(".*at (\\S+:\\d+).*", "$1");
    }

    ChildProcess client(String what, ChildProcess cameraProcess, int frames, String... parameters) {
        List<String> arguments = new ArrayList<>(List.of(what, address(cameraProcess), Integer.toString(frames)));
        arguments.add("RdmaProvider=" + host().provider());
        arguments.add("RdmaInterface=" + host().address());
        arguments.addAll(List.of(parameters));
        return java(host(), RdmaClientMain.class.getName(), arguments);
    }

    static Map<String, String> values(String output) {
        Map<String, String> values = new TreeMap<>();
        output.lines()
                .filter(line -> line.matches("[A-Za-z_]+=.*"))
                .map(line -> line.split("=", 2))
                .forEach(pair -> values.put(pair[0], pair[1]));
        return values;
    }

    static long number(Map<String, String> values, String name) {
        return Long.parseLong(values.getOrDefault(name, "-1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "write"})
    public void everyFrameArrivesWithEveryByteRight(String mode) {
        ChildProcess cameraProcess = startRdmaCamera();
        Map<String, String> seen =
                values(client("frames", cameraProcess, frames(), "UseRdma=require", "RdmaMode=" + mode)
                        .succeeds(LIMIT));

        assertAll(
                seen::toString,
                () -> assertEquals("RDMA", seen.get("protocol")),
                () -> assertEquals("RDMA", seen.get("node")),
                () -> assertEquals(frames(), number(seen, "complete")),
                () -> assertEquals(0, number(seen, "incomplete")),
                () -> assertEquals(0, number(seen, "badBytes")));
    }
}
