package io.peregrine.device;

import io.peregrine.gvcp.Privilege;
import io.peregrine.gvsp.GvspSettings;
import io.peregrine.gvsp.ReceiverWaiting;
import io.peregrine.rdma.RdmaStreamSettings;
import io.peregrine.recording.internal.ReplayRate;
import io.peregrine.recording.internal.ReplaySettings;
import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.RdmaMode;
import io.peregrine.stream.engine.HandOff;
import io.peregrine.stream.engine.ThreadScheduling;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The parameters of one opening, checked. */
record OpenParameters(
        OpenOptions.Rdma rdma,
        PacketSizeChoice packetSize,
        int flowSetCount,
        long memoryLimitBytes,
        boolean resendEnabled,
        int resendTries,
        Duration frameRetention,
        VerbsReception reception,
        int receiveBufferBytes,
        int missingBytes,
        boolean inOrderDelivery,
        HandOff handOff,
        int warmUpFrames,
        ThreadScheduling receiverThread,
        ReceiverWaiting receiverWaiting,
        Optional<String> sharedReceiverThread,
        Privilege privilege,
        StreamDestination destination,
        HostEndpoint endpoint,
        ControlParameters control,
        OpenOptions.Payload payload,
        RdmaStreamSettings rdmaStream,
        ReplaySettings replay,
        Optional<Path> featuresKeyFile) {
    /** Between frames of 20 a second or more, a waiting thread does not sleep. */
    private static final Duration SPIN = Duration.ofMillis(50);

    /** A completion vector that means polling without sleeping. */
    private static final int BUSY_POLLING = -1;

    /** How packets are received. */
    PacketReceiverKind packetReceiver() {
        return reception.kind();
    }

    /** Whether the device is read only, without control. */
    boolean monitors() {
        return privilege == Privilege.MONITOR;
    }

    /**
     * Reads and checks all parameters.
     *
     * @param defaults settings, which have the values of what is not given
     * @param parameters what the user gave, by name
     * @throws DeviceException if a value is not accepted, or contradicts another
     */
    static OpenParameters of(PeregrineSettings defaults, Map<String, String> parameters) {
        ParameterValues values = ParameterValues.of(defaults, parameters);
        int flowSets = values.integer(OpenParameter.FLOW_SET_COUNT);
        Privilege privilege = privilege(values);
        StreamDestination destination = StreamDestination.of(values, privilege);
        long memoryLimit = defaults.number(PeregrineSettings.MEMORY_LIMIT);
        VerbsReception reception = VerbsReception.of(values, defaults);
        OpenOptions.Latency latency =
                OpenOptions.Latency.valueOf(values.word(OpenParameter.LATENCY).toUpperCase(Locale.ROOT));
        boolean newestOnly =
                values.word(OpenParameter.STREAM_BUFFER_HANDLING_MODE).equals("NewestOnly");
        ThreadScheduling thread = receiverThread(values);
        return new OpenParameters(
                rdma(values, defaults),
                PacketSizeChoice.parse(values.text(OpenParameter.PACKET_SIZE)).orElseThrow(),
                flowSets,
                memoryLimit,
                values.flag(OpenParameter.RESEND_ENABLED)
                        && (privilege != Privilege.MONITOR || values.given(OpenParameter.RESEND_ENABLED)),
                values.integer(OpenParameter.RESEND_TRIES),
                values.duration(OpenParameter.FRAME_RETENTION),
                reception,
                receiveBuffer(values),
                values.integer(OpenParameter.MISSING_BYTES),
                values.flag(OpenParameter.IN_ORDER_DELIVERY, !newestOnly),
                new HandOff(newestOnly, latency == OpenOptions.Latency.LOW ? SPIN : Duration.ZERO),
                values.integer(OpenParameter.WARM_UP_FRAMES),
                thread,
                receiverWaiting(values, latency),
                values.nonEmpty(OpenParameter.RECEIVER_THREAD).filter(name -> !name.equalsIgnoreCase("own")),
                privilege,
                destination,
                HostEndpoint.of(values, reception, destination, privilege),
                ControlParameters.of(values),
                OpenOptions.Payload.of(values.word(OpenParameter.PAYLOAD)),
                rdmaStream(values, latency, thread),
                ReplaySettings.defaults()
                        .withLoop(values.word(OpenParameter.PLAYBACK_MODE).equals("Loop"))
                        .withRate(ReplayRate.parse(values.text(OpenParameter.REPLAY_RATE)))
                        .withFlowSetCount(flowSets)
                        .withMemoryLimitBytes(memoryLimit),
                values.nonEmpty(OpenParameter.FEATURES_KEY_FILE).map(Path::of));
    }

    private static OpenOptions.Rdma rdma(ParameterValues values, PeregrineSettings defaults) {
        if (values.nonEmpty(OpenParameter.USE_RDMA).isPresent()) {
            return OpenOptions.Rdma.of(values.word(OpenParameter.USE_RDMA));
        }
        // The interface for RDMA in the environment asks for it, also in programs that know nothing of RDMA.
        boolean named = ParameterValues.of(defaults, Map.of())
                        .nonEmpty(OpenParameter.RDMA_INTERFACE)
                        .isPresent()
                || ParameterValues.of(defaults, Map.of())
                        .nonEmpty(OpenParameter.RDMA_COMPLETION_VECTOR)
                        .isPresent();
        return named ? OpenOptions.Rdma.PREFER : OpenOptions.Rdma.OFF;
    }

    private static RdmaStreamSettings rdmaStream(
            ParameterValues values, OpenOptions.Latency latency, ThreadScheduling thread) {
        String mode = values.word(OpenParameter.RDMA_MODE);
        return RdmaStreamSettings.defaults()
                .withProvider(
                        values.text(OpenParameter.RDMA_PROVIDER).toLowerCase(Locale.ROOT),
                        values.nonEmpty(OpenParameter.RDMA_INTERFACE)
                                .map(text -> LocalInterface.address(OpenParameter.RDMA_INTERFACE.name(), text)))
                .withPolling(
                        values.optionalInteger(OpenParameter.RDMA_COMPLETION_VECTOR)
                                .orElse(latency == OpenOptions.Latency.LOW ? BUSY_POLLING : 0),
                        values.integer(OpenParameter.RDMA_MAX_POLL))
                .withMode(
                        mode.equals("auto")
                                ? Optional.empty()
                                : Optional.of(RdmaMode.valueOf(mode.toUpperCase(Locale.ROOT))))
                .withThread(thread)
                .withShared(values.flag(OpenParameter.RDMA_SHARED));
    }

    /** What was given counts; a receiver that is to let packets gather does not spin. */
    private static ReceiverWaiting receiverWaiting(ParameterValues values, OpenOptions.Latency latency) {
        ReceiverWaiting waiting = switch (latency) {
            case LOW -> ReceiverWaiting.LOW_LATENCY;
            case BALANCED -> ReceiverWaiting.DEFAULT;
            case THROUGHPUT -> ReceiverWaiting.THROUGHPUT;
        };
        OptionalInt pause = values.optionalInteger(OpenParameter.RECEIVER_PAUSE_MICROS);
        if (pause.isPresent()) {
            waiting = waiting.withPause(Duration.of(pause.getAsInt(), ChronoUnit.MICROS))
                    .withSpin(waiting.spin() && pause.getAsInt() == 0);
        }
        return waiting.withBusyPoll(
                Duration.of(values.integer(OpenParameter.RECEIVER_BUSY_POLL_MICROS), ChronoUnit.MICROS));
    }

    private static int receiveBuffer(ParameterValues values) {
        int bytes = values.integer(OpenParameter.RECEIVE_BUFFER_BYTES);
        return bytes == 0 ? GvspSettings.DEFAULT_RECEIVE_BUFFER_BYTES : bytes;
    }

    private static ThreadScheduling receiverThread(ParameterValues values) {
        return new ThreadScheduling(
                values.list(OpenParameter.RECEIVER_CPUS).stream()
                        .map(Integer::valueOf)
                        .toList(),
                values.optionalInteger(OpenParameter.RECEIVER_NICE),
                values.optionalInteger(OpenParameter.RECEIVER_REAL_TIME_PRIORITY));
    }

    private static Privilege privilege(ParameterValues values) {
        return switch (OpenOptions.AccessMode.of(values.word(OpenParameter.ACCESS_MODE))) {
            case CONTROL -> Privilege.CONTROL;
            case EXCLUSIVE -> Privilege.EXCLUSIVE;
            case READ_ONLY -> Privilege.MONITOR;
        };
    }
}
