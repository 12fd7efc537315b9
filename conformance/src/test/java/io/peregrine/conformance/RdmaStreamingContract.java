package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Await;
import io.peregrine.testing.ChildProcess;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What streaming by RDMA promises, beyond frames: who is let in, and how things end. */
public abstract class RdmaStreamingContract extends RdmaFramesContract {
    @Test
    public void theSameFramesComeByRdmaAndByGvsp() {
        Map<String, String> rdma = values(client("frames", startRdmaCamera(), 50, "UseRdma=require", "FlowSetCount=64")
                .succeeds(LIMIT));
        endChildren();
        Map<String, String> gvsp = values(client("frames", startRdmaCamera(), 50, "UseRdma=0", "FlowSetCount=64")
                .succeeds(LIMIT));

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
                        RdmaIntruderMain.class.getName(),
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
        cameraProcess.terminate();
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
