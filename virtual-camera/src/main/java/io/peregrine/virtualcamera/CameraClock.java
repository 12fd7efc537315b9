package io.peregrine.virtualcamera;

/**
 * The clock of the camera, in ns: an oscillator that drifts, and a PTP port whose servo sets and steers it towards its
 * master. Has no thread: what should have happened meanwhile happens at the next call.
 */
final class CameraClock {
    /** State of the PTP port, with its number of IEEE 1588 and of the register at 0x096C. */
    enum PortState {
        DISABLED(3),
        LISTENING(4),
        MASTER(6),
        UNCALIBRATED(8),
        SLAVE(9);

        private final int code;

        PortState(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }

        /** Whether the clock is a reference that scheduled actions can go by. */
        boolean synchronised() {
            return this == MASTER || this == SLAVE;
        }
    }

    /** What PTP knows at one moment. */
    record DataSet(PortState state, long offsetNanos) {}

    static final long LISTENING_NANOS = 60_000_000;
    static final long SYNC_INTERVAL_NANOS = 20_000_000;
    /** Above this the clock is set, below it is steered. */
    static final long STEP_NANOS = 20_000;

    static final long LOCKED_NANOS = 1_000;
    private static final int LOCKED_SYNCS = 4;
    private static final int LOST_SYNCS = 3;
    private static final double PROPORTIONAL = 0.7;
    private static final double INTEGRAL = 0.3;
    /** More that passed unasked are not simulated one by one. */
    private static final int MAX_SYNCS_AT_ONCE = 64;

    private final HostTime host;
    private final double driftRate;
    private final Scenario.Clock.PtpPort port;
    private long baseHost;
    private long baseTime;
    private double correction;
    private double integral;
    private PortState state = PortState.DISABLED;
    private long nextSyncHost;
    private long offsetNanos;
    private int goodSyncs;
    private int badSyncs;

    CameraClock(Scenario.Clock model, HostTime host) {
        this.host = host;
        driftRate = model.driftPartsPerMillion() * 1e-6;
        port = model.port();
        baseHost = host.nanos();
    }

    /** The time now. */
    synchronized long now() {
        long hostNow = host.nanos();
        advance(hostNow);
        return timeAt(hostNow);
    }

    /** Starts again from 0; not while PTP sets the time. */
    synchronized void reset() {
        if (state != PortState.DISABLED) {
            return;
        }
        baseHost = host.nanos();
        baseTime = 0;
    }

    /** Switches the PTP port on or off. A clock that was steered keeps its time, and its oscillator drifts again. */
    synchronized void ptp(boolean on) {
        if (on == (state != PortState.DISABLED)) {
            return;
        }
        long hostNow = host.nanos();
        advance(hostNow);
        rebase(hostNow);
        correction = 0;
        integral = 0;
        offsetNanos = 0;
        goodSyncs = 0;
        badSyncs = 0;
        state = on ? PortState.LISTENING : PortState.DISABLED;
        nextSyncHost = hostNow + LISTENING_NANOS;
    }

    synchronized DataSet dataSet() {
        advance(host.nanos());
        return new DataSet(state, offsetNanos);
    }

    /** Whether the time is that of a PTP master, which counts from 1970 on. */
    boolean follows() {
        return dataSet().state == PortState.SLAVE;
    }

    boolean synchronised() {
        return dataSet().state.synchronised();
    }

    private long timeAt(long hostNanos) {
        long passed = hostNanos - baseHost;
        return baseTime + passed + Math.round(passed * (driftRate + correction));
    }

    private void rebase(long hostNanos) {
        baseTime = timeAt(hostNanos);
        baseHost = hostNanos;
    }

    private void advance(long hostNow) {
        if (state == PortState.DISABLED || state == PortState.MASTER || hostNow - nextSyncHost < 0) {
            return;
        }
        if (port == Scenario.Clock.PtpPort.LISTENER) {
            return;
        }
        if (port == Scenario.Clock.PtpPort.MASTER) {
            state = PortState.MASTER;
            return;
        }
        long masterNow = host.masterNanosAt(hostNow);
        long behind = (hostNow - nextSyncHost) / SYNC_INTERVAL_NANOS;
        if (behind > MAX_SYNCS_AT_ONCE) {
            nextSyncHost += (behind - MAX_SYNCS_AT_ONCE) * SYNC_INTERVAL_NANOS;
        }
        while (hostNow - nextSyncHost >= 0) {
            sync(nextSyncHost, masterNow - (hostNow - nextSyncHost));
            nextSyncHost += SYNC_INTERVAL_NANOS;
        }
    }

    /** A message of the master arrived and was followed. */
    private void sync(long hostNanos, long masterNanos) {
        rebase(hostNanos);
        long error = baseTime - masterNanos;
        offsetNanos = error;
        boolean far = Math.abs(error) > STEP_NANOS;
        badSyncs = far ? badSyncs + 1 : 0;
        if (state == PortState.LISTENING || badSyncs >= LOST_SYNCS) {
            baseTime = masterNanos;
            badSyncs = 0;
            goodSyncs = 0;
            state = PortState.UNCALIBRATED;
            return;
        }
        // One that is far off, as on a host that was busy, shall not spoil what was learnt.
        double rateError = far ? 0 : (double) error / SYNC_INTERVAL_NANOS;
        integral += INTEGRAL * rateError;
        correction = -(PROPORTIONAL * rateError + integral);
        goodSyncs = Math.abs(error) <= LOCKED_NANOS ? goodSyncs + 1 : 0;
        if (goodSyncs >= LOCKED_SYNCS) {
            state = PortState.SLAVE;
        }
    }
}
