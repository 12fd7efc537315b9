package io.peregrine.device;

import io.peregrine.genapi.AccessMode;
import io.peregrine.genapi.BooleanNode;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.EnumerationNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.gvcp.BootstrapRegister;
import io.peregrine.stream.engine.Timeouts;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The clock of a camera: its timestamp registers (GigE Vision 2.2, 0x093C to 0x094C), IEEE 1588, and what a time of the
 * camera, such as a frame's, is by the clock of the host.
 *
 * <p>The mapping comes from round trips ({@link #update()}) and is as good as they are: half of the fastest, if the
 * camera answers fast some 50 microseconds. It ages, since two clocks drift apart: update it every few seconds as long
 * as it is needed. Both clocks are taken to be right within 100 parts per million. Methods may be called from any
 * thread.
 */
public final class DeviceClock {
    private static final int ROUND_TRIPS = 8;
    private static final long POLL_NANOS = 10_000_000;

    private final Supplier<ControlChannel> control;
    private final NodeMap nodes;
    private final boolean readOnly;
    private final HostClock host;

    // Guarded by this object, whose lock is never held while nodes are used: they have their lock, which comes first.
    private final ClockMapping mapping = new ClockMapping();
    private Optional<ControlChannel> known = Optional.empty();
    private Optional<TickRate> rate = Optional.empty();
    private long originTicks;

    DeviceClock(Supplier<ControlChannel> control, NodeMap nodes, boolean readOnly, HostClock host) {
        this.control = control;
        this.nodes = nodes;
        this.readOnly = readOnly;
        this.host = host;
    }

    /** The channel now. After a reconnection it is another one, and the camera may have restarted meanwhile. */
    private synchronized ControlChannel channel() {
        ControlChannel now = control.get();
        if (known.isPresent() && !known.get().equals(now)) {
            rate = Optional.empty();
            mapping.clear();
        }
        known = Optional.of(now);
        return now;
    }

    // ---- ticks -------------------------------------------------------------------------------------------------

    /**
     * How fast the clock ticks. Many cameras tick otherwise when IEEE 1588 is on, which is one tick a nanosecond then.
     *
     * @throws DeviceException if the camera has no clock
     */
    public synchronized TickRate rate() {
        ControlChannel channel = channel();
        if (rate.isEmpty()) {
            int[] words = channel.readRegisters(
                    BootstrapRegister.TIMESTAMP_TICK_FREQUENCY_HIGH, BootstrapRegister.TIMESTAMP_TICK_FREQUENCY_LOW);
            long hertz = join(words);
            if (hertz == 0) {
                throw new DeviceException("The camera has no clock: its tick frequency is 0");
            }
            rate = Optional.of(new TickRate(hertz));
        }
        return rate.get();
    }

    /**
     * The time of the camera now, in ticks.
     *
     * @throws DeviceException if the camera was opened with AccessMode=ReadOnly
     */
    public synchronized long latch() {
        writeControl(BootstrapRegister.TIMESTAMP_CONTROL_LATCH);
        return latched();
    }

    /**
     * Starts the clock again from 0. Cameras whose clock is synchronised do not follow, or lose their time.
     *
     * @throws DeviceException if the camera was opened with AccessMode=ReadOnly
     */
    public synchronized void reset() {
        writeControl(BootstrapRegister.TIMESTAMP_CONTROL_RESET);
        mapping.clear();
    }

    private void writeControl(int bit) {
        requireControl();
        channel().writeRegister(BootstrapRegister.TIMESTAMP_CONTROL, bit);
    }

    private void requireControl() {
        if (readOnly) {
            throw new DeviceException("The device was opened with AccessMode=ReadOnly, which cannot use its clock:"
                    + " open it with AccessMode=Control");
        }
    }

    private long latched() {
        return join(
                channel().readRegisters(BootstrapRegister.TIMESTAMP_VALUE_HIGH, BootstrapRegister.TIMESTAMP_VALUE_LOW));
    }

    private static long join(int[] words) {
        return (long) words[0] << 32 | Integer.toUnsignedLong(words[1]);
    }

    // ---- host time ---------------------------------------------------------------------------------------------

    /**
     * Compares the clocks of camera and host by eight round trips, of which the fastest counts.
     *
     * @throws DeviceException if the camera was opened with AccessMode=ReadOnly, or has no clock
     */
    public synchronized void update() {
        requireControl();
        Optional<RoundTrip> fastest = Optional.empty();
        for (int i = 0; i < ROUND_TRIPS || (fastest.isEmpty() && i < 2 * ROUND_TRIPS); i++) {
            Optional<RoundTrip> trip = roundTrip();
            if (trip.isPresent()
                    && (fastest.isEmpty() || trip.get().nanos() < fastest.get().nanos())) {
                fastest = trip;
            }
        }
        learn(fastest.orElseThrow(() -> new DeviceException(
                "The clock of the camera could not be compared: every command to it had to be repeated")));
    }

    private record RoundTrip(long ticks, long sentNanos, long receivedNanos) {
        long nanos() {
            return receivedNanos - sentNanos;
        }
    }

    /** A command that was repeated may latch after the first answer has come: its round trip says nothing. */
    private Optional<RoundTrip> roundTrip() {
        ControlChannel channel = channel();
        long repeatedBefore = channel.repetitions();
        long sent = host.nanos();
        channel.writeRegister(BootstrapRegister.TIMESTAMP_CONTROL, BootstrapRegister.TIMESTAMP_CONTROL_LATCH);
        long received = host.nanos();
        long ticks = latched();
        boolean repeated = channel.repetitions() != repeatedBefore;
        return repeated ? Optional.empty() : Optional.of(new RoundTrip(ticks, sent, received));
    }

    private void learn(RoundTrip trip) {
        if (mapping.isEmpty()) {
            originTicks = trip.ticks;
        }
        TickRate ticks = rate();
        long cameraNanos;
        try {
            cameraNanos = ticks.toNanos(trip.ticks - originTicks);
        } catch (ArithmeticException e) {
            // Only a clock that was set can be centuries off.
            mapping.clear();
            originTicks = trip.ticks;
            cameraNanos = 0;
        }
        // The tick that was latched may have begun before the question.
        long tickNanos = ticks.toNanos(1) + 1;
        mapping.add(new ClockMapping.Sample(cameraNanos, trip.sentNanos - tickNanos, trip.receivedNanos));
    }

    /**
     * The time of day, by the clock of the host as it is set now, when the camera's clock had a time. The error counts
     * everything but what the host's clock itself is wrong by. Compares the clocks first if that was not done yet.
     *
     * @param ticks time of the camera, for example of a frame, an event, or {@link #latch()}
     * @throws DeviceException if the clocks must be compared and cannot be, or the time is absurd
     */
    public synchronized BoundedInstant toInstant(long ticks) {
        TickRate ticksPerSecond = rate();
        if (mapping.isEmpty()) {
            update();
        }
        try {
            ClockMapping.Estimate estimate = mapping.hostTime(ticksPerSecond.toNanos(ticks - originTicks))
                    .orElseThrow();
            return host.instantAt(estimate.nanos(), estimate.errorNanos());
        } catch (ArithmeticException e) {
            throw new DeviceException(
                    "The time " + Long.toUnsignedString(ticks) + " is centuries away from that of the camera", e);
        }
    }

    /** By how many parts per million the camera's clock runs slower than the host's, as far as round trips show. */
    public synchronized double driftPartsPerMillion() {
        return mapping.driftPartsPerMillion();
    }

    /** How far the drift may be from {@link #driftPartsPerMillion()}. */
    public synchronized double driftErrorPartsPerMillion() {
        return mapping.driftErrorPartsPerMillion();
    }

    // ---- IEEE 1588 ---------------------------------------------------------------------------------------------

    /** Whether the camera's clock can take part in IEEE 1588. */
    public boolean ptpPossible() {
        return find(BooleanNode.class, "PtpEnable", "GevIEEE1588").isPresent()
                || (channel().capability() & BootstrapRegister.GVCP_CAPABILITY_IEEE_1588) != 0;
    }

    /**
     * Lets the clock take part in IEEE 1588, or not: feature {@code PtpEnable} or {@code GevIEEE1588}, or the GVCP
     * configuration of a camera that has neither.
     *
     * @throws DeviceException if it cannot
     */
    public void ptp(boolean on) {
        requirePtp();
        requireControl();
        nodes.together(() -> switchPtp(on));
        forget();
    }

    private void switchPtp(boolean on) {
        Optional<BooleanNode> feature = find(BooleanNode.class, "PtpEnable", "GevIEEE1588");
        if (feature.isPresent()) {
            feature.get().set(on);
        } else {
            int before = channel().readRegister(BootstrapRegister.GVCP_CONFIGURATION);
            int bit = BootstrapRegister.GVCP_CONFIGURATION_IEEE_1588;
            channel().writeRegister(BootstrapRegister.GVCP_CONFIGURATION, on ? before | bit : before & ~bit);
        }
    }

    private synchronized void forget() {
        rate = Optional.empty();
        mapping.clear();
    }

    private void requirePtp() {
        if (!ptpPossible()) {
            throw new DeviceException("The camera does not know IEEE 1588");
        }
    }

    /**
     * What the camera knows of IEEE 1588 now.
     *
     * @throws DeviceException if the camera does not know it
     */
    public PtpState ptpState() {
        requirePtp();
        return NodeAccess.together(nodes, this::presentPtpState);
    }

    private PtpState presentPtpState() {
        Optional<CommandNode> latch = find(CommandNode.class, "PtpDataSetLatch", "GevIEEE1588DataSetLatch");
        boolean latched = latch.isPresent() && !readOnly;
        if (latched) {
            latch.get().execute();
        }
        Optional<IntegerNode> offset = find(IntegerNode.class, "PtpOffsetFromMaster", "GevIEEE1588OffsetFromMaster");
        return new PtpState(
                ptpEnabled(),
                ptpPort(latched),
                latched && offset.isPresent() ? OptionalLong.of(offset.get().value()) : OptionalLong.empty());
    }

    private boolean ptpEnabled() {
        return find(BooleanNode.class, "PtpEnable", "GevIEEE1588")
                .map(BooleanNode::value)
                .orElseGet(() -> (channel().readRegister(BootstrapRegister.GVCP_CONFIGURATION)
                                & BootstrapRegister.GVCP_CONFIGURATION_IEEE_1588)
                        != 0);
    }

    private PtpState.Port ptpPort(boolean latched) {
        Optional<EnumerationNode> live = find(EnumerationNode.class, "GevIEEE1588Status");
        Optional<EnumerationNode> state = latched || live.isEmpty()
                ? find(EnumerationNode.class, "PtpStatus").or(() -> live)
                : live;
        if (state.isPresent()) {
            try {
                return PtpState.Port.of(state.get().value());
            } catch (GenApiException e) {
                return PtpState.Port.UNKNOWN; // A number that the description has no name for.
            }
        }
        if ((channel().capability() & BootstrapRegister.GVCP_CAPABILITY_IEEE_1588) == 0) {
            return PtpState.Port.UNKNOWN;
        }
        return PtpState.Port.of(channel().readRegister(BootstrapRegister.IEEE_1588_STATUS)
                & BootstrapRegister.IEEE_1588_CLOCK_STATE_MASK);
    }

    /**
     * Waits until the clock is synchronised, or is the one that others follow.
     *
     * @param timeout how long at most; real cameras take some ten seconds
     * @return the state at the end, which is not synchronised when the time was over first or the thread was
     *     interrupted
     * @throws DeviceException if the camera does not know IEEE 1588
     */
    public PtpState awaitSynchronised(Duration timeout) {
        long start = System.nanoTime();
        long limit = Timeouts.nanos(timeout);
        PtpState state = ptpState();
        while (!state.synchronised()
                && System.nanoTime() - start < limit
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(POLL_NANOS);
            state = ptpState();
        }
        return state;
    }

    private <T extends Node> Optional<T> find(Class<T> type, String... names) {
        for (String name : names) {
            Optional<T> found = nodes.find(name, type);
            if (found.isPresent() && found.get().accessMode() != AccessMode.NA) {
                return found;
            }
        }
        return Optional.empty();
    }

    /**
     * What a camera knows of IEEE 1588.
     *
     * @param enabled whether its clock takes part
     * @param port state of its port
     * @param offsetNanos by how much its clock is ahead of the master's; empty when the camera does not report it, or
     *     was opened with AccessMode=ReadOnly, which cannot make it look
     */
    public record PtpState(boolean enabled, Port port, OptionalLong offsetNanos) {
        /** State of a port (IEEE 1588-2008, table 8; register 0x096C has the same numbers). */
        public enum Port {
            /** It reports no state, or one that is not known here. */
            UNKNOWN,
            /** It starts. */
            INITIALIZING,
            /** It is broken. */
            FAULTY,
            /** It is off. */
            DISABLED,
            /** It waits for a master. */
            LISTENING,
            /** It is about to be the master. */
            PRE_MASTER,
            /** It gives the time. */
            MASTER,
            /** It leaves the time to another. */
            PASSIVE,
            /** It begins to follow a master. */
            UNCALIBRATED,
            /** It follows a master. */
            SLAVE;

            static Port of(int code) {
                return code > 0 && code < values().length ? values()[code] : UNKNOWN;
            }

            /** By the name of an enumeration entry, such as {@code PreMaster}. */
            static Port of(String symbol) {
                for (Port port : values()) {
                    if (port.name().replace("_", "").equalsIgnoreCase(symbol)) {
                        return port;
                    }
                }
                return UNKNOWN;
            }
        }

        /** Whether the clock is one that scheduled actions can go by. */
        public boolean synchronised() {
            return enabled && (port == Port.SLAVE || port == Port.MASTER);
        }
    }

    /**
     * A time of day that is known within bounds.
     *
     * @param instant the middle of what is possible, by the clock of the host
     * @param error how far the truth may be from it, either way
     */
    public record BoundedInstant(Instant instant, Duration error) {
        /** The first moment that is possible. */
        public Instant earliest() {
            return instant.minus(error);
        }

        /** The last moment that is possible. */
        public Instant latest() {
            return instant.plus(error);
        }

        @Override
        public String toString() {
            return instant + " +-" + error.toNanos() / 1000 + " us";
        }
    }
}
