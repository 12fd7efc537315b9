package io.peregrine.device;

import io.peregrine.device.StreamingMode.Protocol;
import io.peregrine.genapi.internal.NearNames;
import io.peregrine.recording.internal.ReplayRate;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A parameter for opening a device. This registry is the one list of them: {@link DiscoveryInformation#setParameter},
 * {@link OpenOptions}, the settings, the command line and {@code docs/parameters.md} follow it. Immutable.
 */
public final class OpenParameter {
    private static final Duration DAY = Duration.ofHours(24);
    private static final Duration FOREVER = Duration.ofMinutes(999_999_999);
    private static final Set<Protocol> NETWORK = EnumSet.of(Protocol.GVSP, Protocol.RDMA);
    private static final Set<Protocol> GVSP = EnumSet.of(Protocol.GVSP);
    private static final Set<Protocol> RDMA = EnumSet.of(Protocol.RDMA);
    private static final Set<Protocol> LIVE = EnumSet.complementOf(EnumSet.of(Protocol.FILE));
    private static final Set<Protocol> FILE = EnumSet.of(Protocol.FILE);
    private static final Set<Protocol> ALL = EnumSet.allOf(Protocol.class);

    static final OpenParameter USE_RDMA = new OpenParameter(
            "UseRdma",
            "peregrine.useRdma",
            ValueType.choice("0", "1", "require")
                    .alias("false", "0")
                    .alias("off", "0")
                    .alias("true", "1")
                    .alias("prefer", "1")
                    .orEmpty(),
            "",
            "",
            NETWORK,
            "Stream over RDMA: 1 prefers it and falls back to GVSP, require fails without it. When not set, 0, or 1"
                    + " if RdmaInterface or RdmaCompletionVector come from the settings");

    static final OpenParameter ACCESS_MODE = new OpenParameter(
            "AccessMode",
            "peregrine.control.accessMode",
            ValueType.choice("Control", "Exclusive", "ReadOnly").alias("monitor", "ReadOnly"),
            "Control",
            "",
            NETWORK,
            "Control channel privilege; ReadOnly monitors a device that another application may control");

    static final OpenParameter PAYLOAD = new OpenParameter(
            "Payload",
            "peregrine.stream.payload",
            ValueType.choice("Automatic", "Image", "MultiPart", "GenDC"),
            "Automatic",
            "",
            NETWORK,
            "Payload type to request; Automatic takes GenDC, then multi-part, then image, as the device supports them");

    static final OpenParameter OPEN_TIMEOUT = new OpenParameter(
            "OpenTimeout",
            "peregrine.control.openTimeout",
            ValueType.duration(Duration.ofMillis(1), DAY, "1ms to 1440min"),
            "60s",
            "time",
            NETWORK,
            "Limit for all commands of one opening together");

    static final OpenParameter MAX_DESCRIPTION = new OpenParameter(
            "LargestDescription",
            "peregrine.control.largestDescriptionBytes",
            ValueType.integer(1, 64 << 20),
            "16777216",
            "bytes",
            NETWORK,
            "Maximum size of the GenICam XML, zipped or unzipped");

    static final OpenParameter HEARTBEAT_TIMEOUT = new OpenParameter(
            "HeartbeatTimeout",
            "peregrine.control.heartbeatTimeout",
            ValueType.duration(Duration.ofMillis(500), DAY, "500ms to 1440min")
                    .or("auto, off, or 500ms to 1440min", "auto", "off"),
            "auto",
            "time",
            NETWORK,
            "Silence after which the device releases its controller; auto keeps the device's own value, or sets 5"
                    + " minutes when a debugger may stop this program; off asks the device to do without");

    static final OpenParameter RECONNECT = new OpenParameter(
            "Reconnect",
            "peregrine.control.reconnect",
            ValueType.flag(),
            "0",
            "",
            NETWORK,
            "1 finds a lost device again, restores it and continues its streams");

    static final OpenParameter RECONNECT_TIMEOUT = new OpenParameter(
            "ReconnectTimeout",
            "peregrine.control.reconnectTimeout",
            ValueType.duration(Duration.ZERO, FOREVER, "a time such as 10min, or 0s for no limit"),
            "0s",
            "time",
            NETWORK,
            "How long to search for a lost device");

    static final OpenParameter RESTORE = new OpenParameter(
            "Restore",
            "peregrine.control.restore",
            ValueType.choice("settings", "none"),
            "settings",
            "",
            NETWORK,
            "What to write to a device that was found again: the settings written since it was opened, or only what"
                    + " events and streams need");

    static final OpenParameter SWITCHOVER_KEY = new OpenParameter(
            "SwitchoverKey",
            "peregrine.control.switchoverKey",
            ValueType.integer(0, 65535).orEmpty(),
            "",
            "",
            NETWORK,
            "Key with which to take control from an application that allows it");

    static final OpenParameter MESSAGE_HOST_PORT = new OpenParameter(
            "MessageHostPort",
            "peregrine.control.messageHostPort",
            ValueType.integer(0, 65535),
            "0",
            "UDP port",
            NETWORK,
            "Local port of the message channel (events); 0 for any free one");

    static final OpenParameter ANNOUNCED_ADDRESS = new OpenParameter(
            "AnnouncedAddress",
            "peregrine.control.announcedAddress",
            ValueType.text("the one IPv4 address by which the device reaches this host", text -> true),
            "",
            "IPv4 address",
            GVSP,
            "Address announced to the device, for hosts behind address translation; that of the interface when not"
                    + " set");

    static final OpenParameter STREAM_INTERFACE = new OpenParameter(
            "StreamInterface",
            "peregrine.stream.interface",
            ValueType.text("the name or IPv4 address of a local interface", text -> true),
            "",
            "",
            GVSP,
            "Local interface on which stream packets arrive; the one with the route to the device when not set");

    static final OpenParameter STREAM_HOST_PORT = new OpenParameter(
            "StreamHostPort",
            "peregrine.stream.hostPort",
            ValueType.integer(0, 65535),
            "0",
            "UDP port",
            GVSP,
            "Local port of stream 0, the next one for stream 1, and so on; 0 for any free ones");

    static final OpenParameter STREAM_DESTINATION = new OpenParameter(
            "StreamDestination",
            "peregrine.stream.destination",
            ValueType.text("a group, with or without a port, such as 239.192.0.1:5000", text -> true),
            "",
            "multicast group",
            GVSP,
            "Multicast group the device streams to; this host alone when not set");

    static final OpenParameter MULTICAST_JOIN = new OpenParameter(
            "MulticastJoin",
            "peregrine.stream.multicastJoin",
            ValueType.flag(),
            "1",
            "",
            GVSP,
            "Whether the controller receives the multicast stream itself");

    static final OpenParameter UNCONDITIONAL_STREAMING = new OpenParameter(
            "UnconditionalStreaming",
            "peregrine.stream.unconditional",
            ValueType.flag(),
            "0",
            "",
            GVSP,
            "Whether the device continues to stream when it loses its controller");

    static final OpenParameter PACKET_SIZE = new OpenParameter(
            "PacketSize",
            "peregrine.stream.packetSizeBytes",
            ValueType.text(
                    PacketSizeChoice.EXPECTED,
                    text -> PacketSizeChoice.parse(text).isPresent()),
            "negotiate",
            "bytes",
            GVSP,
            "Packet size with the headers of IP, UDP and GVSP; negotiate finds the largest that arrives, keep leaves"
                    + " the device's value");

    static final OpenParameter RESEND_ENABLED = new OpenParameter(
            "ResendEnabled",
            "peregrine.stream.resend",
            ValueType.flag(),
            "1",
            "",
            GVSP,
            "Whether to request missing packets again; off by default with AccessMode=ReadOnly");

    static final OpenParameter RESEND_TRIES = new OpenParameter(
            "ResendTries",
            "peregrine.stream.resendTries",
            ValueType.integer(1, 100),
            "8",
            "",
            GVSP,
            "Requests for one packet before it counts as missing");

    static final OpenParameter FRAME_RETENTION = new OpenParameter(
            "FrameRetention",
            "peregrine.stream.frameRetention",
            ValueType.duration(Duration.ofMillis(1), Duration.ofMinutes(10), "1ms to 10min"),
            "100ms",
            "time",
            GVSP,
            "Time without a packet after which an incomplete frame is given up");

    static final OpenParameter IN_ORDER_DELIVERY = new OpenParameter(
            "InOrderDelivery",
            "peregrine.stream.inOrderDelivery",
            ValueType.flag().orEmpty(),
            "",
            "",
            GVSP,
            "Whether a complete frame waits for an older incomplete one. When not set, 1, or 0 with"
                    + " StreamBufferHandlingMode=NewestOnly");

    static final OpenParameter MISSING_BYTES = new OpenParameter(
            "MissingBytes",
            "peregrine.stream.missingBytes",
            ValueType.integer(0, 255),
            "0",
            "byte value",
            NETWORK,
            "Fill value of the missing bytes of an incomplete frame");

    static final OpenParameter LATENCY = new OpenParameter(
            "Latency",
            "peregrine.stream.latency",
            ValueType.choice("low", "balanced", "throughput"),
            "balanced",
            "",
            ALL,
            "Time of a frame against processor time: low keeps a processor busy for each receiver and each waiting"
                    + " thread, throughput lets the last packets of a frame gather, too");

    static final OpenParameter STREAM_BUFFER_HANDLING_MODE = new OpenParameter(
            "StreamBufferHandlingMode",
            "peregrine.stream.bufferHandlingMode",
            ValueType.choice("OldestFirst", "NewestOnly"),
            "OldestFirst",
            "",
            ALL,
            "Which frame a wait gets: OldestFirst each one in turn, NewestOnly the newest; older ones are skipped");

    static final OpenParameter WARM_UP_FRAMES = new OpenParameter(
            "WarmUpFrames",
            "peregrine.stream.warmUpFrames",
            ValueType.integer(0, 100_000),
            "3000",
            "frames",
            LIVE,
            "Made-up frames that go through the code of a stream, the first while the device is opened, the others"
                    + " right after, so that it is compiled before frames come; 0 for none. The first start of the"
                    + " acquisition, and opening a published stream, wait for it, at most 0.25 s. Three times as many"
                    + " follow until the acquisition starts, and in a stream by UDP while the first frames come");

    static final OpenParameter FLOW_SET_COUNT = new OpenParameter(
            "FlowSetCount",
            "peregrine.stream.flowSetCount",
            ValueType.integer(2, 4096),
            "10",
            "flow sets",
            ALL,
            "Flow sets of the pool of each stream, that is frames in memory at a time");

    static final OpenParameter PACKET_RECEIVER = new OpenParameter(
            "PacketReceiver",
            "peregrine.stream.packetReceiver",
            ValueType.choice("auto", "mmsg", "ring", "verbs", "nio"),
            "auto",
            "",
            GVSP,
            "How packets are received: mmsg in batches from a UDP socket, ring from memory shared with the kernel,"
                    + " verbs past the kernel by an adapter that writes them to their place, nio packet by packet");

    static final OpenParameter RECEIVE_BUFFER_BYTES = new OpenParameter(
            "ReceiveBufferBytes",
            "peregrine.stream.receiveBufferBytes",
            ValueType.integer(64 << 10, 512 << 20).or("65536 to 536870912, or 0 for the default", "0"),
            "67108864",
            "bytes",
            GVSP,
            "Socket buffer to request from the system; with PacketReceiver=verbs memory for packets to come, 16777216"
                    + " when not set");

    static final OpenParameter RECEIVER_CPUS = new OpenParameter(
            "ReceiverCpus",
            "peregrine.stream.receiverCpus",
            ValueType.text("processor numbers separated by commas, 0 to 1023", OpenParameter::cpus),
            "",
            "",
            NETWORK,
            "Processors the receiver thread may run on; all when not set");

    static final OpenParameter RECEIVER_NICE = new OpenParameter(
            "ReceiverNice",
            "peregrine.stream.receiverNice",
            ValueType.integer(-20, 19).orEmpty(),
            "",
            "",
            NETWORK,
            "Nice value of the receiver thread; unchanged when not set");

    static final OpenParameter RECEIVER_REAL_TIME_PRIORITY = new OpenParameter(
            "ReceiverRealTimePriority",
            "peregrine.stream.receiverRealTimePriority",
            ValueType.integer(1, 99).orEmpty(),
            "",
            "",
            NETWORK,
            "Priority of the receiver thread under SCHED_FIFO; no real-time thread when not set");

    static final OpenParameter RECEIVER_THREAD = new OpenParameter(
            "ReceiverThread",
            "peregrine.stream.receiverThread",
            ValueType.text("own, or any text", text -> true),
            "own",
            "",
            GVSP,
            "Streams with the same text share one receiver thread; own gives each stream its own");

    static final OpenParameter RECEIVER_PAUSE_MICROS = new OpenParameter(
            "ReceiverPauseMicros",
            "peregrine.stream.receiverPauseMicros",
            ValueType.integer(0, 100_000).orEmpty(),
            "",
            "microseconds",
            GVSP,
            "Maximum time the receiver thread lets packets gather before it wakes; 0 wakes it for each. When not set,"
                    + " 2000, or 0 with Latency=low");

    static final OpenParameter RECEIVER_BUSY_POLL_MICROS = new OpenParameter(
            "ReceiverBusyPollMicros",
            "peregrine.stream.receiverBusyPollMicros",
            ValueType.integer(0, 100_000),
            "0",
            "microseconds",
            GVSP,
            "Time the kernel polls the adapter before the receiver thread sleeps, with PacketReceiver=mmsg");

    static final OpenParameter RDMA_PROVIDER = new OpenParameter(
            "RdmaProvider",
            "peregrine.rdma.provider",
            ValueType.text("auto, verbs or software", text -> !text.isEmpty()),
            "auto",
            "",
            RDMA,
            "Implementation of RDMA: verbs uses an adapter by libibverbs, software speaks RoCEv2 over UDP");

    static final OpenParameter RDMA_INTERFACE = new OpenParameter(
            "RdmaInterface",
            "peregrine.rdma.interface",
            ValueType.text("the name or IPv4 address of a local interface", text -> true),
            "",
            "",
            RDMA,
            "Local interface for RDMA; the one with the route to the device when not set");

    static final OpenParameter RDMA_MODE = new OpenParameter(
            "RdmaMode",
            "peregrine.rdma.mode",
            ValueType.choice("auto", "send", "write"),
            "auto",
            "",
            RDMA,
            "How flows are transferred: by RDMA send or RDMA write");

    static final OpenParameter RDMA_COMPLETION_VECTOR = new OpenParameter(
            "RdmaCompletionVector",
            "peregrine.rdma.comp_vector",
            ValueType.integer().orEmpty(),
            "",
            "",
            RDMA,
            "Completion vector (interrupt of the adapter) to wait for, modulo those it has; negative polls without"
                    + " sleeping. When not set, 0, or -1 with Latency=low");

    static final OpenParameter RDMA_MAX_POLL = new OpenParameter(
            "RdmaMaxPoll",
            "peregrine.rdma.maxPoll",
            ValueType.integer(1, 4096),
            "16",
            "completions",
            RDMA,
            "Maximum number of completions handled at a time");

    static final OpenParameter RDMA_SHARED = new OpenParameter(
            "RdmaShared",
            "peregrine.rdma.shared",
            ValueType.flag(),
            "0",
            "",
            RDMA,
            "1 lets one thread serve all devices on an interface, with RDMA write");

    static final OpenParameter REPLAY_RATE = new OpenParameter(
            "ReplayRate",
            "peregrine.replay.rate",
            ValueType.text("original, max, or frames a second", OpenParameter::rate),
            "original",
            "frames/s",
            FILE,
            "Pace of a recording: as recorded, as fast as frames are consumed, or a fixed frame rate");

    static final OpenParameter PLAYBACK_MODE = new OpenParameter(
            "PlaybackMode",
            "peregrine.replay.playbackMode",
            ValueType.choice("Once", "Loop"),
            "Once",
            "",
            FILE,
            "Whether a recording starts again at its end");

    static final OpenParameter FEATURES_KEY_FILE = new OpenParameter(
            "FeaturesKeyFile",
            "peregrine.published.featuresKeyFile",
            ValueType.text("the path of a file", text -> true),
            "",
            "",
            EnumSet.of(Protocol.PUBLISHED),
            "File with the key of a publisher that forwards features: they are read and set at the camera then; without"
                    + " it they cannot be set");

    /** All of them by subject, in the order of the documents. */
    static final Map<String, List<OpenParameter>> GROUPS = OpenParameterGroups.of();

    private static final Map<String, OpenParameter> BY_NAME = GROUPS.values().stream()
            .flatMap(List::stream)
            .collect(Collectors.toMap(
                    parameter -> parameter.name.toLowerCase(Locale.ROOT),
                    Function.identity(),
                    (one, other) -> {
                        throw new IllegalStateException(one + " is registered twice");
                    },
                    LinkedHashMap::new));

    private final String name;
    private final String key;
    private final ValueType type;
    private final String defaultValue;
    private final String unit;
    private final Set<Protocol> transports;
    private final String description;

    OpenParameter(
            String name,
            String key,
            ValueType type,
            String defaultValue,
            String unit,
            Set<Protocol> transports,
            String description) {
        this.name = name;
        this.key = key;
        this.type = type;
        this.defaultValue = defaultValue;
        this.unit = unit;
        this.transports = Collections.unmodifiableSet(transports);
        this.description = description;
    }

    /** All parameters, ordered by subject. */
    public static List<OpenParameter> all() {
        return List.copyOf(BY_NAME.values());
    }

    /**
     * The parameter of a name, whatever its case.
     *
     * @throws DeviceException if there is none, with the names nearest to it
     */
    public static OpenParameter named(String name) {
        OpenParameter parameter = BY_NAME.get(name.toLowerCase(Locale.ROOT));
        if (parameter == null) {
            List<String> names =
                    all().stream().map(OpenParameter::name).sorted().toList();
            String question = NearNames.question(name, names);
            throw new DeviceException("There is no parameter " + name
                    + (question.isEmpty() ? ": known are " : ". " + question + " Known are ") + names);
        }
        return parameter;
    }

    /** Name as {@link DiscoveryInformation#setParameter} takes it. */
    public String name() {
        return name;
    }

    /** Key of the setting that holds the default of all devices, for {@link PeregrineSettings#with}. */
    public String settingsKey() {
        return key;
    }

    /** Value without any setting; empty text when it then depends on something else. */
    public String defaultValue() {
        return defaultValue;
    }

    /** Values that are accepted, in words: {@code 2 to 4096}, {@code auto, send or write}. */
    public String values() {
        return type.expected();
    }

    /** Unit of the value; empty text when it has none. */
    public String unit() {
        return unit;
    }

    /** Version of Peregrine that introduced it. */
    public String since() {
        return "0.1";
    }

    /** Transports that it has an effect on. */
    public Set<Protocol> transports() {
        return transports;
    }

    /** What it does, in a sentence. */
    public String description() {
        return description;
    }

    /**
     * Checks a value without opening anything. What depends on other parameters or on this host is checked when the
     * device is opened.
     *
     * @throws DeviceException if the value is not one of {@link #values()}
     */
    public void check(String value) {
        if (!type.accepts().test(value.strip())) {
            throw refused(value);
        }
    }

    DeviceException refused(String value) {
        return new DeviceException(name + " is '" + value + "': give " + type.expected());
    }

    ValueType type() {
        return type;
    }

    private static boolean cpus(String text) {
        for (String number : text.split(",", -1)) {
            if (!number.isBlank()
                    && ValueType.integerOf(number.strip())
                            .filter(cpu -> cpu >= 0 && cpu < 1024)
                            .isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private static boolean rate(String text) {
        try {
            ReplayRate.parse(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Same as {@link #name()}. */
    @Override
    public String toString() {
        return name;
    }
}
