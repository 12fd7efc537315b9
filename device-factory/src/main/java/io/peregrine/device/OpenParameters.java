package io.peregrine.device;

import io.peregrine.genapi.NearNames;
import io.peregrine.gvcp.Privilege;
import io.peregrine.gvsp.GvspSettings;
import io.peregrine.gvsp.ReceiverWaiting;
import io.peregrine.rdma.RdmaStreamSettings;
import io.peregrine.recording.ReplayRate;
import io.peregrine.recording.ReplaySettings;
import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.RdmaMode;
import io.peregrine.stream.engine.ThreadScheduling;
import java.net.Inet4Address;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** The parameters of one opening, checked. */
record OpenParameters(
        RdmaRequest rdma,
        PacketSizeChoice packetSize,
        int flowSetCount,
        long memoryLimitBytes,
        boolean resendEnabled,
        int resendTries,
        Duration frameRetention,
        PacketReceiverKind packetReceiver,
        int receiveBufferBytes,
        int missingBytes,
        boolean inOrderDelivery,
        ThreadScheduling receiverThread,
        ReceiverWaiting receiverWaiting,
        Optional<String> sharedReceiverThread,
        Privilege privilege,
        StreamDestination destination,
        HostEndpoint endpoint,
        ControlParameters control,
        PayloadChoice payload,
        RdmaStreamSettings rdmaStream,
        ReplaySettings replay) {

    private static final Duration LONGEST_RETENTION = Duration.ofMinutes(10);
    private static final int MOST_MICROS = 100_000;
    private static final int LEAST_BUFFER_BYTES = 64 << 10;
    private static final int MOST_BUFFER_BYTES = 512 << 20;

    enum RdmaRequest {
        OFF,
        PREFER,
        REQUIRE
    }

    enum PayloadChoice {
        AUTOMATIC,
        IMAGE,
        MULTI_PART,
        GENDC;

        /** As users write it. */
        String text() {
            return switch (this) {
                case AUTOMATIC -> "Automatic";
                case IMAGE -> "Image";
                case MULTI_PART -> "MultiPart";
                case GENDC -> "GenDC";
            };
        }
    }

    /** Names a user may set, each with the setting that holds its default. */
    static final Map<String, String> NAMES = new TreeMap<>(Map.ofEntries(
            Map.entry("UseRdma", PeregrineSettings.USE_RDMA),
            Map.entry("PacketSize", PeregrineSettings.PACKET_SIZE),
            Map.entry("FlowSetCount", PeregrineSettings.FLOW_SET_COUNT),
            Map.entry("ResendEnabled", PeregrineSettings.RESEND),
            Map.entry("ResendTries", PeregrineSettings.RESEND_TRIES),
            Map.entry("FrameRetention", PeregrineSettings.FRAME_RETENTION),
            Map.entry("PacketReceiver", PeregrineSettings.PACKET_RECEIVER),
            Map.entry("ReceiveBufferBytes", PeregrineSettings.RECEIVE_BUFFER),
            Map.entry("MissingBytes", PeregrineSettings.MISSING_BYTES),
            Map.entry("InOrderDelivery", PeregrineSettings.IN_ORDER),
            Map.entry("ReceiverCpus", PeregrineSettings.RECEIVER_CPUS),
            Map.entry("ReceiverNice", PeregrineSettings.RECEIVER_NICE),
            Map.entry("ReceiverRealTimePriority", PeregrineSettings.RECEIVER_REAL_TIME_PRIORITY),
            Map.entry("ReceiverThread", PeregrineSettings.RECEIVER_THREAD),
            Map.entry("ReceiverPauseMicros", PeregrineSettings.RECEIVER_PAUSE),
            Map.entry("ReceiverBusyPollMicros", PeregrineSettings.RECEIVER_BUSY_POLL),
            Map.entry("StreamDestination", PeregrineSettings.STREAM_DESTINATION),
            Map.entry("StreamInterface", PeregrineSettings.STREAM_INTERFACE),
            Map.entry("StreamHostPort", PeregrineSettings.STREAM_HOST_PORT),
            Map.entry("MessageHostPort", PeregrineSettings.MESSAGE_HOST_PORT),
            Map.entry("AnnouncedAddress", PeregrineSettings.ANNOUNCED_ADDRESS),
            Map.entry("MulticastJoin", PeregrineSettings.MULTICAST_JOIN),
            Map.entry("UnconditionalStreaming", PeregrineSettings.UNCONDITIONAL_STREAMING),
            Map.entry("Reconnect", PeregrineSettings.RECONNECT),
            Map.entry("Restore", PeregrineSettings.RESTORE),
            Map.entry("LargestDescription", PeregrineSettings.LARGEST_DESCRIPTION),
            Map.entry("OpenTimeout", PeregrineSettings.OPEN_TIMEOUT),
            Map.entry("ReconnectTimeout", PeregrineSettings.RECONNECT_TIMEOUT),
            Map.entry("HeartbeatTimeout", PeregrineSettings.HEARTBEAT_TIMEOUT),
            Map.entry("SwitchoverKey", PeregrineSettings.SWITCHOVER_KEY),
            Map.entry("AccessMode", PeregrineSettings.ACCESS_MODE),
            Map.entry("Payload", PeregrineSettings.PAYLOAD),
            Map.entry("RdmaProvider", PeregrineSettings.RDMA_PROVIDER),
            Map.entry("RdmaInterface", PeregrineSettings.RDMA_INTERFACE),
            Map.entry("RdmaCompletionVector", PeregrineSettings.RDMA_COMPLETION_VECTOR),
            Map.entry("RdmaMaxPoll", PeregrineSettings.RDMA_MAX_POLL),
            Map.entry("RdmaMode", PeregrineSettings.RDMA_MODE),
            Map.entry("RdmaShared", PeregrineSettings.RDMA_SHARED),
            Map.entry("ReplayRate", PeregrineSettings.REPLAY_RATE),
            Map.entry("PlaybackMode", PeregrineSettings.PLAYBACK_MODE)));

    static OpenParameters of(PeregrineSettings defaults, Map<String, String> parameters) {
        PeregrineSettings settings = defaults;
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            settings = settings.with(NAMES.get(checkedName(parameter.getKey())), parameter.getValue());
        }
        long flowSets = settings.number(PeregrineSettings.FLOW_SET_COUNT);
        if (flowSets < 2 || flowSets > 4096) {
            throw new DeviceException("FlowSetCount is " + flowSets + ": give 2 to 4096");
        }
        long resendTries = settings.number(PeregrineSettings.RESEND_TRIES);
        if (resendTries < 1 || resendTries > 100) {
            throw new DeviceException("ResendTries is " + resendTries + ": give 1 to 100");
        }
        Duration frameRetention = settings.duration(PeregrineSettings.FRAME_RETENTION);
        if (frameRetention.isZero() || frameRetention.compareTo(LONGEST_RETENTION) > 0) {
            throw new DeviceException("FrameRetention is " + frameRetention + ": give 1ms to 10min");
        }
        Privilege privilege = privilege(settings);
        StreamDestination destination = StreamDestination.of(settings, privilege);
        return new OpenParameters(
                rdma(settings, defaults),
                packetSize(settings),
                (int) flowSets,
                settings.number(PeregrineSettings.MEMORY_LIMIT),
                settings.flag(PeregrineSettings.RESEND)
                        && (privilege != Privilege.MONITOR || given(parameters, "ResendEnabled")),
                (int) resendTries,
                frameRetention,
                packetReceiver(settings),
                receiveBuffer(settings),
                missingBytes(settings),
                settings.flag(PeregrineSettings.IN_ORDER),
                receiverThread(settings),
                new ReceiverWaiting(
                        micros(settings, "ReceiverPauseMicros", PeregrineSettings.RECEIVER_PAUSE),
                        micros(settings, "ReceiverBusyPollMicros", PeregrineSettings.RECEIVER_BUSY_POLL)),
                settings.value(PeregrineSettings.RECEIVER_THREAD)
                        .filter(name -> !name.isEmpty() && !name.equalsIgnoreCase("own")),
                privilege,
                destination,
                HostEndpoint.of(settings, destination, privilege),
                ControlParameters.of(settings),
                payload(settings),
                rdmaStream(settings),
                replay(settings)
                        .withFlowSetCount((int) flowSets)
                        .withMemoryLimitBytes(settings.number(PeregrineSettings.MEMORY_LIMIT)));
    }

    private static ReplaySettings replay(PeregrineSettings settings) {
        boolean loop = switch (text(settings, PeregrineSettings.PLAYBACK_MODE)) {
            case "once" -> false;
            case "loop" -> true;
            default -> throw wrong(settings, "PlaybackMode", PeregrineSettings.PLAYBACK_MODE, "Once or Loop");
        };
        try {
            return ReplaySettings.defaults()
                    .withLoop(loop)
                    .withRate(ReplayRate.parse(text(settings, PeregrineSettings.REPLAY_RATE)));
        } catch (IllegalArgumentException e) {
            throw new DeviceException("ReplayRate: " + e.getMessage(), e);
        }
    }

    static String checkedName(String name) {
        for (String known : NAMES.keySet()) {
            if (known.equalsIgnoreCase(name)) {
                return known;
            }
        }
        String question = NearNames.question(name, NAMES.keySet());
        throw new DeviceException("There is no parameter " + name
                + (question.isEmpty() ? ": known are " : ". " + question + " Known are ") + NAMES.keySet());
    }

    private static RdmaRequest rdma(PeregrineSettings settings, PeregrineSettings defaults) {
        return switch (text(settings, PeregrineSettings.USE_RDMA)) {
            // Whoever names an interface for RDMA wants it, also with programs that know nothing of it.
            case "" ->
                given(defaults, PeregrineSettings.RDMA_INTERFACE)
                                || given(defaults, PeregrineSettings.RDMA_COMPLETION_VECTOR)
                        ? RdmaRequest.PREFER
                        : RdmaRequest.OFF;
            case "0", "false", "off" -> RdmaRequest.OFF;
            case "1", "true", "prefer" -> RdmaRequest.PREFER;
            case "require" -> RdmaRequest.REQUIRE;
            default -> throw wrong(settings, "UseRdma", PeregrineSettings.USE_RDMA, "0, 1 or require");
        };
    }

    /** Whether the user set it: what a monitor asks for comes to all others, too. */
    private static boolean given(Map<String, String> parameters, String name) {
        return parameters.keySet().stream().anyMatch(name::equalsIgnoreCase);
    }

    private static boolean given(PeregrineSettings settings, String key) {
        return !text(settings, key).isEmpty();
    }

    private static RdmaStreamSettings rdmaStream(PeregrineSettings settings) {
        Optional<RdmaMode> mode = switch (text(settings, PeregrineSettings.RDMA_MODE)) {
            case "auto" -> Optional.empty();
            case "send" -> Optional.of(RdmaMode.SEND);
            case "write" -> Optional.of(RdmaMode.WRITE);
            default -> throw wrong(settings, "RdmaMode", PeregrineSettings.RDMA_MODE, "auto, send or write");
        };
        int vector = given(settings, PeregrineSettings.RDMA_COMPLETION_VECTOR)
                ? settings.integer(PeregrineSettings.RDMA_COMPLETION_VECTOR)
                : 0;
        long maxPoll = settings.number(PeregrineSettings.RDMA_MAX_POLL);
        if (maxPoll < 1 || maxPoll > 4096) {
            throw new DeviceException("RdmaMaxPoll is " + maxPoll + ": give 1 to 4096");
        }
        Optional<Inet4Address> address = settings.value(PeregrineSettings.RDMA_INTERFACE)
                .filter(text -> !text.isEmpty())
                .map(text -> LocalInterface.address("RdmaInterface", text));
        return RdmaStreamSettings.defaults()
                .withProvider(text(settings, PeregrineSettings.RDMA_PROVIDER), address)
                .withPolling(vector, (int) maxPoll)
                .withMode(mode)
                .withShared(settings.flag(PeregrineSettings.RDMA_SHARED));
    }

    private static PacketSizeChoice packetSize(PeregrineSettings settings) {
        return PacketSizeChoice.parse(text(settings, PeregrineSettings.PACKET_SIZE))
                .orElseThrow(
                        () -> wrong(settings, "PacketSize", PeregrineSettings.PACKET_SIZE, PacketSizeChoice.EXPECTED));
    }

    private static int missingBytes(PeregrineSettings settings) {
        long value = settings.number(PeregrineSettings.MISSING_BYTES);
        if (value > 0xFF) {
            throw new DeviceException("MissingBytes is " + value + ": give the value of a byte, 0 to 255");
        }
        return (int) value;
    }

    private static int receiveBuffer(PeregrineSettings settings) {
        long bytes = settings.number(PeregrineSettings.RECEIVE_BUFFER);
        if (bytes == 0) {
            return GvspSettings.DEFAULT_RECEIVE_BUFFER_BYTES;
        }
        if (bytes < LEAST_BUFFER_BYTES || bytes > MOST_BUFFER_BYTES) {
            throw new DeviceException("ReceiveBufferBytes is " + bytes + ": give " + LEAST_BUFFER_BYTES + " to "
                    + MOST_BUFFER_BYTES + " (64 KiB to 512 MiB), or 0 for the default");
        }
        return (int) bytes;
    }

    private static PacketReceiverKind packetReceiver(PeregrineSettings settings) {
        return switch (text(settings, PeregrineSettings.PACKET_RECEIVER)) {
            case "auto" -> PacketReceiverKind.AUTO;
            case "mmsg" -> PacketReceiverKind.MMSG;
            case "ring" -> PacketReceiverKind.RING;
            case "nio" -> PacketReceiverKind.NIO;
            default ->
                throw wrong(settings, "PacketReceiver", PeregrineSettings.PACKET_RECEIVER, "auto, mmsg, ring or nio");
        };
    }

    private static ThreadScheduling receiverThread(PeregrineSettings settings) {
        try {
            return new ThreadScheduling(
                    settings.list(PeregrineSettings.RECEIVER_CPUS).stream()
                            .map(Integer::valueOf)
                            .toList(),
                    optional(settings, PeregrineSettings.RECEIVER_NICE),
                    optional(settings, PeregrineSettings.RECEIVER_REAL_TIME_PRIORITY));
        } catch (NumberFormatException e) {
            throw wrong(settings, "ReceiverCpus", PeregrineSettings.RECEIVER_CPUS, "numbers separated by commas");
        } catch (IllegalArgumentException e) {
            throw new DeviceException("ReceiverCpus, ReceiverNice or ReceiverRealTimePriority: " + e.getMessage(), e);
        }
    }

    private static Duration micros(PeregrineSettings settings, String name, String key) {
        long value = settings.number(key);
        if (value < 0 || value > MOST_MICROS) {
            throw wrong(settings, name, key, "0 to " + MOST_MICROS);
        }
        return Duration.of(value, ChronoUnit.MICROS);
    }

    private static OptionalInt optional(PeregrineSettings settings, String key) {
        return given(settings, key) ? OptionalInt.of(settings.integer(key)) : OptionalInt.empty();
    }

    private static Privilege privilege(PeregrineSettings settings) {
        return switch (text(settings, PeregrineSettings.ACCESS_MODE)) {
            case "control" -> Privilege.CONTROL;
            case "exclusive" -> Privilege.EXCLUSIVE;
            case "readonly", "monitor" -> Privilege.MONITOR;
            default ->
                throw wrong(settings, "AccessMode", PeregrineSettings.ACCESS_MODE, "Control, Exclusive or ReadOnly");
        };
    }

    private static PayloadChoice payload(PeregrineSettings settings) {
        return switch (text(settings, PeregrineSettings.PAYLOAD)) {
            case "automatic" -> PayloadChoice.AUTOMATIC;
            case "image" -> PayloadChoice.IMAGE;
            case "multipart" -> PayloadChoice.MULTI_PART;
            case "gendc" -> PayloadChoice.GENDC;
            default ->
                throw wrong(settings, "Payload", PeregrineSettings.PAYLOAD, "Automatic, Image, MultiPart or GenDC");
        };
    }

    private static String text(PeregrineSettings settings, String key) {
        return settings.value(key).orElse("").toLowerCase(Locale.ROOT);
    }

    private static DeviceException wrong(PeregrineSettings settings, String name, String key, String expected) {
        return new DeviceException(name + " is '" + settings.value(key).orElse("") + "': give " + expected);
    }
}
