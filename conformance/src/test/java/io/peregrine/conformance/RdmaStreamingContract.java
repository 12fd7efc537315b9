package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.virtualcamera.VirtualCameraMain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What streaming by RDMA promises, whoever provides it at either end. Camera and host are processes of their own.
 */
@Timeout(value = 170, unit = TimeUnit.SECONDS)
public abstract class RdmaStreamingContract {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int RATE = 100;

    private final List<ChildProcess> children = new ArrayList<>();
    private int rdmaPort;

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

    /** Options for every Java process. */
    protected List<String> javaOptions() {
        return List.of("-Djava.net.preferIPv4Stack=true");
    }

    @AfterEach
    void endChildren() {
        children.forEach(ChildProcess::close);
    }

    private ChildProcess java(End end, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>(end.prefix());
        command.addAll(ChildProcess.java(javaOptions(), main.getName(), arguments));
        ChildProcess child = ChildProcess.start(command);
        children.add(child);
        return child;
    }

    private ChildProcess startCamera(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--bind",
                camera().address(),
                "--port",
                "0",
                "--size",
                "160x96",
                "--rate",
                Integer.toString(RATE),
                "--flows",
                "per-component"));
        arguments.addAll(List.of(more));
        return java(camera(), VirtualCameraMain.class, arguments);
    }

    private ChildProcess startRdmaCamera(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--rdma=" + camera().provider()));
        arguments.addAll(List.of(more));
        ChildProcess child = startCamera(arguments.toArray(String[]::new));
        String line = child.awaitLine("RDMA port", LIMIT, text -> text.startsWith("RDMA "));
        rdmaPort = Integer.parseInt(line.replaceAll(".*port (\\d+).*", "$1"));
        return child;
    }

    private String address(ChildProcess cameraProcess) {
        String line = cameraProcess.awaitLine(
                "address of the camera", LIMIT, text -> text.contains(camera().address() + ":"));
        return line.replaceAll(".*at (\\S+:\\d+).*", "$1");
    }

    private ChildProcess client(String what, ChildProcess cameraProcess, int frames, String... parameters) {
        List<String> arguments = new ArrayList<>(List.of(what, address(cameraProcess), Integer.toString(frames)));
        arguments.add("RdmaProvider=" + host().provider());
        arguments.add("RdmaInterface=" + host().address());
        arguments.addAll(List.of(parameters));
        return java(host(), RdmaClientMain.class, arguments);
    }

    private static Map<String, String> values(String output) {
        Map<String, String> values = new TreeMap<>();
        output.lines()
                .filter(line -> line.matches("[A-Za-z_]+=.*"))
                .map(line -> line.split("=", 2))
                .forEach(pair -> values.put(pair[0], pair[1]));
        return values;
    }

    private static long number(Map<String, String> values, String name) {
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

    @Test
    public void theSameFramesComeByRdmaAndByGvsp() {
        Map<String, String> rdma = values(
                client("frames", startRdmaCamera(), 50, "UseRdma=require").succeeds(LIMIT));
        endChildren();
        Map<String, String> gvsp =
                values(client("frames", startRdmaCamera(), 50, "UseRdma=0").succeeds(LIMIT));

        Map<String, String> byRdma = digests(rdma);
        Map<String, String> byGvsp = digests(gvsp);
        byRdma.keySet().retainAll(byGvsp.keySet());
        byGvsp.keySet().retainAll(byRdma.keySet());
        assertEquals(List.of("RDMA", "GVSP"), List.of(rdma.get("protocol"), gvsp.get("protocol")));
        assertEquals(byGvsp, byRdma);
        // The first frames of either may be sent before it is ready.
        assertTrue(byRdma.size() > 30, byRdma::toString);
    }

    /** Checksums of all items by block id. */
    private static Map<String, String> digests(Map<String, String> values) {
        Map<String, String> result = new TreeMap<>();
        for (String pair : values.get("digests").split(",", -1)) {
            result.put(pair.split(":", -1)[0], pair.split(":", -1)[1]);
        }
        return result;
    }

    @Test
    public void aCameraWithoutRdmaIsRefusedWhenRdmaIsRequired() {
        ChildProcess client = client("frames", startCamera(), 1, "UseRdma=require");

        assertTrue(client.awaitEnd(LIMIT) != 0, client::output);
        assertTrue(client.output().contains("UseRdma=require"), client::output);
    }

    @Test
    public void aCameraWithoutRdmaStreamsByGvspWhenRdmaIsPreferred() {
        Map<String, String> seen =
                values(client("frames", startCamera(), 20, "UseRdma=1").succeeds(LIMIT));

        assertEquals(List.of("GVSP", "20"), List.of(seen.get("protocol"), seen.get("complete")));
    }

    @Test
    public void whoDoesNotKnowTheNonceIsRefused() {
        ChildProcess cameraProcess = startRdmaCamera();
        client("forever", cameraProcess, 0, "UseRdma=require").awaitLine("streaming", LIMIT, "streaming"::equals);
        // The library at this end has the address for itself.
        End intruder = intruder();
        String said = java(
                        intruder,
                        RdmaIntruderMain.class,
                        List.of(
                                intruder.provider(),
                                intruder.address(),
                                camera().address(),
                                Integer.toString(rdmaPort)))
                .succeeds(LIMIT);

        assertTrue(said.contains("refused=8006"), said);
    }

    /** Where somebody else runs. */
    protected End intruder() {
        return host();
    }

    @Test
    public void aCameraThatDiesEndsTheStreamWithACauseAndNoFalseFrame() {
        ChildProcess cameraProcess = startRdmaCamera();
        ChildProcess client = client("forever", cameraProcess, 0, "UseRdma=require");
        client.awaitLine("streaming", LIMIT, "streaming"::equals);
        cameraProcess.kill();
        client.awaitEnd(LIMIT);
        Map<String, String> seen = values(client.output());

        assertAll(
                client::output,
                () -> assertEquals(0, number(seen, "badBytes")),
                () -> assertTrue(number(seen, "complete") >= 10),
                () -> assertTrue(seen.get("end").contains("Abort"), client::output),
                () -> assertFalse(seen.get("failure").isBlank()));
    }

    @Test
    public void aHostThatDiesLeavesTheCameraToTheNext() {
        ChildProcess cameraProcess = startRdmaCamera();
        ChildProcess first = client("forever", cameraProcess, 0, "UseRdma=require");
        first.awaitLine("streaming", LIMIT, "streaming"::equals);
        first.kill();
        first.awaitEnd(LIMIT);
        String[] output = {""};
        // Until the heartbeat of the first has run out, the camera is not to be had.
        Await.until(
                "frames for the next",
                LIMIT,
                () -> {
                    ChildProcess next = client("frames", cameraProcess, 30, "UseRdma=require");
                    next.awaitEnd(LIMIT);
                    output[0] = next.output();
                    return number(values(output[0]), "complete") == 30;
                },
                () -> output[0]);

        assertEquals(0, number(values(output[0]), "badBytes"));
    }

    @Test
    public void withoutAFreeFlowSetTheCameraDropsWholeBlocksAndBothSidesCountThem() {
        ChildProcess cameraProcess = startRdmaCamera();
        Map<String, String> seen = values(client("hold", cameraProcess, 4, "UseRdma=require", "FlowSetCount=4")
                .succeeds(LIMIT));
        cameraProcess.interrupt();
        cameraProcess.awaitEnd(LIMIT);
        long dropped = Long.parseLong(cameraProcess.output().replaceAll("(?s).*rdmaBlocksDropped=(\\d+).*", "$1"));

        assertAll(
                seen + cameraProcess.output(),
                () -> assertEquals("TIMEOUT", seen.get("meanwhile")),
                () -> assertTrue(number(seen, "skipped") > 10),
                () -> assertEquals(number(seen, "complete"), 4 + 8),
                () -> assertEquals(0, number(seen, "badBytes")),
                () -> assertTrue(number(seen, "BLOCK_ID_GAPS") >= number(seen, "skipped")),
                () -> assertTrue(dropped >= number(seen, "skipped")),
                () -> assertTrue(number(seen, "FRAMES_DROPPED_BY_DEVICE") >= number(seen, "skipped")));
    }
}
