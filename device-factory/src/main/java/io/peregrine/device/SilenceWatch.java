package io.peregrine.device;

import io.peregrine.gvsp.GvspSource;
import io.peregrine.stream.StreamStatistics.Counter;
import io.peregrine.stream.engine.StreamEngine;
import java.time.Duration;
import java.util.List;

/** Notices a stream on which nothing arrives after its start, and finds out why. */
final class SilenceWatch {
    private static final System.Logger LOGGER = System.getLogger(SilenceWatch.class.getName());

    private final DeviceContext device;
    private final CameraConnection connection;
    private final int registers;
    private volatile long startedAt;
    private volatile boolean logged;

    SilenceWatch(DeviceContext device, CameraConnection connection, int registers) {
        this.device = device;
        this.connection = connection;
        this.registers = registers;
    }

    /** The stream starts receiving now. */
    void started() {
        startedAt = System.nanoTime();
        logged = false;
    }

    /** Logs why nothing arrives, once in a run, when it is time for that. */
    void look(StreamEngine receiver) {
        if (logged
                || !(receiver.source() instanceof GvspSource)
                || System.nanoTime() - startedAt < SilenceDiagnosis.PATIENCE.toNanos()) {
            return;
        }
        logged = true;
        List<String> reasons = reasons(receiver);
        if (!reasons.isEmpty()) {
            LOGGER.log(System.Logger.Level.INFO, String.join("; ", reasons));
        }
    }

    /** Why nothing arrived since the start; empty when something did. */
    List<String> reasons(StreamEngine receiver) {
        if (!(receiver.source() instanceof GvspSource gvsp)
                || !receiver.running()
                || !device.parameters().destination().joined()
                || !device.connected()
                || !connection.alive()
                || gvsp.counters().get(Counter.PACKETS_RECEIVED)
                                - gvsp.counters().get(Counter.TEST_PACKETS)
                        > 0) {
            return List.of();
        }
        Duration sinceStart = Duration.ofNanos(System.nanoTime() - startedAt);
        return sinceStart.compareTo(SilenceDiagnosis.PATIENCE) < 0
                ? List.of()
                : SilenceDiagnosis.of(
                        StreamEvidence.collect(device, connection.channel(), registers, gvsp), sinceStart);
    }
}
