package io.peregrine.device;

import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.RdmaMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Parameters for opening a device, typed and checked: the same as {@link DiscoveryInformation#setParameter} takes by
 * name. Immutable.
 *
 * <pre>{@code
 * OpenOptions options = OpenOptions.builder()
 *         .useRdma(OpenOptions.Rdma.PREFER)
 *         .reconnect(true)
 *         .frameRetention(Duration.ofMillis(500))
 *         .build();
 * Device device = DeviceFactory.open(info, options);
 * }</pre>
 *
 * @param parameters value of each parameter that is set, by its name in {@link OpenParameter#all()}
 */
public record OpenOptions(Map<String, String> parameters) {

    /**
     * Checks names and values.
     *
     * @throws DeviceException if there is no such parameter, or it does not take the value
     */
    public OpenOptions {
        Map<String, String> checked = new LinkedHashMap<>();
        parameters.forEach((name, value) -> {
            OpenParameter parameter = OpenParameter.named(name);
            parameter.check(value);
            checked.put(parameter.name(), value.strip());
        });
        parameters = Collections.unmodifiableMap(checked);
    }

    /** Requests for RDMA. */
    public enum Rdma {
        /** GVSP only. */
        OFF("0"),
        /** RDMA where device and host support it, else GVSP. */
        PREFER("1"),
        /** RDMA, or a failure. */
        REQUIRE("require");

        private final String text;

        Rdma(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        static Rdma of(String word) {
            return named(values(), Rdma::text, word);
        }
    }

    /** Control channel privileges. */
    public enum AccessMode {
        /** Control; others may read. */
        CONTROL("Control"),
        /** Control; others may not even read. */
        EXCLUSIVE("Exclusive"),
        /** No control: features are read, and a multicast stream is received. */
        READ_ONLY("ReadOnly");

        private final String text;

        AccessMode(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        static AccessMode of(String word) {
            return named(values(), AccessMode::text, word);
        }
    }

    /** Payload types to request. */
    public enum Payload {
        /** GenDC, else multi-part, else image, as the device supports them. */
        AUTOMATIC("Automatic"),
        /** One image for each frame. */
        IMAGE("Image"),
        /** Several parts for each frame. */
        MULTI_PART("MultiPart"),
        /** GenDC containers. */
        GENDC("GenDC");

        private final String text;

        Payload(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        static Payload of(String word) {
            return named(values(), Payload::text, word);
        }
    }

    /** What reception saves. */
    public enum Latency {
        /**
         * Time of a frame: the receiver looks for it without sleeping, with more than two processors waiting threads
         * too.
         */
        LOW,
        /** Both: packets gather, but not at the end of a frame; waiting threads sleep. */
        BALANCED,
        /** Processor time: packets gather at the end of a frame, too. */
        THROUGHPUT
    }

    /** Which frame a wait gets. */
    public enum BufferHandling {
        /** Each one in turn. */
        OLDEST_FIRST("OldestFirst"),
        /** The newest; older ones are skipped. */
        NEWEST_ONLY("NewestOnly");

        private final String text;

        BufferHandling(String text) {
            this.text = text;
        }
    }

    /** The choice that a word stands for; the parameter accepts no other words. */
    private static <T> T named(T[] choices, Function<T, String> text, String word) {
        return Arrays.stream(choices)
                .filter(choice -> text.apply(choice).equals(word))
                .findFirst()
                .orElseThrow();
    }

    /** Starts without any parameter. */
    public static Builder builder() {
        return new Builder(Map.of());
    }

    /** Starts with these parameters. */
    public Builder toBuilder() {
        return new Builder(parameters);
    }

    /**
     * Collects parameters. Each method checks its value, and throws {@link DeviceException} when it is not accepted.
     * Not thread-safe.
     */
    public static final class Builder {
        private final Map<String, String> parameters;

        private Builder(Map<String, String> parameters) {
            this.parameters = new LinkedHashMap<>(parameters);
        }

        /** The options with everything set so far. */
        public OpenOptions build() {
            return new OpenOptions(parameters);
        }

        /** Sets a parameter by its name, whatever its case, with the text of its value. */
        public Builder set(String name, String value) {
            return set(OpenParameter.named(name), value);
        }

        private Builder set(OpenParameter parameter, String value) {
            parameter.check(value);
            parameters.put(parameter.name(), value);
            return this;
        }

        private static String text(Duration time) {
            return time.toMillis() + "ms";
        }

        /**
         * Stream over RDMA: 1 prefers it and falls back to GVSP, require fails without it. When not set, 0, or 1 if
         * RdmaInterface or RdmaCompletionVector come from the settings.
         */
        public Builder useRdma(Rdma request) {
            return set(OpenParameter.USE_RDMA, request.text());
        }

        /** Control channel privilege; ReadOnly monitors a device that another application may control. */
        public Builder accessMode(AccessMode mode) {
            return set(OpenParameter.ACCESS_MODE, mode.text());
        }

        /** Payload type to request; Automatic takes GenDC, then multi-part, then image, as the device supports them. */
        public Builder payload(Payload payload) {
            return set(OpenParameter.PAYLOAD, payload.text());
        }

        /** Limit for all commands of one opening together. */
        public Builder openTimeout(Duration time) {
            return set(OpenParameter.OPEN_TIMEOUT, text(time));
        }

        /** Maximum size of the GenICam XML, zipped or unzipped. */
        public Builder largestDescription(int bytes) {
            return set(OpenParameter.MAX_DESCRIPTION, Integer.toString(bytes));
        }

        /**
         * Silence after which the device releases its controller; auto keeps the device's own value, or sets 5 minutes
         * when a debugger may stop this program; off asks the device to do without.
         */
        public Builder heartbeatTimeout(Duration time) {
            return set(OpenParameter.HEARTBEAT_TIMEOUT, text(time));
        }

        /** Asks the device to do without a heartbeat. */
        public Builder heartbeatOff() {
            return set(OpenParameter.HEARTBEAT_TIMEOUT, "off");
        }

        /** 1 finds a lost device again, restores it and continues its streams. */
        public Builder reconnect(boolean on) {
            return set(OpenParameter.RECONNECT, on ? "1" : "0");
        }

        /** How long to search for a lost device. */
        public Builder reconnectTimeout(Duration time) {
            return set(OpenParameter.RECONNECT_TIMEOUT, text(time));
        }

        /**
         * What to write to a device that was found again: the settings written since it was opened, or only what events
         * and streams need.
         */
        public Builder restore(boolean settings) {
            return set(OpenParameter.RESTORE, settings ? "settings" : "none");
        }

        /** Key with which to take control from an application that allows it. */
        public Builder switchoverKey(int key) {
            return set(OpenParameter.SWITCHOVER_KEY, Integer.toString(key));
        }

        /** Local port of the message channel (events); 0 for any free one. */
        public Builder messageHostPort(int port) {
            return set(OpenParameter.MESSAGE_HOST_PORT, Integer.toString(port));
        }

        /**
         * Address announced to the device, for hosts behind address translation; that of the interface when not set.
         */
        public Builder announcedAddress(String text) {
            return set(OpenParameter.ANNOUNCED_ADDRESS, text);
        }

        /**
         * Type of service of packets to the device, of GVCP and of RDMA, and by RDMA also of those from it: DSCP times
         * 4, such as 104 for DSCP 26; 0 leaves it to the system.
         */
        public Builder classOfService(int value) {
            return set(ControlParameters.CLASS_OF_SERVICE, Integer.toString(value));
        }

        /** Local interface on which stream packets arrive; the one with the route to the device when not set. */
        public Builder streamInterface(String text) {
            return set(OpenParameter.STREAM_INTERFACE, text);
        }

        /** Local port of stream 0, the next one for stream 1, and so on; 0 for any free ones. */
        public Builder streamHostPort(int port) {
            return set(OpenParameter.STREAM_HOST_PORT, Integer.toString(port));
        }

        /** Multicast group the device streams to; this host alone when not set. */
        public Builder streamDestination(String text) {
            return set(OpenParameter.STREAM_DESTINATION, text);
        }

        /** Whether the controller receives the multicast stream itself. */
        public Builder multicastJoin(boolean on) {
            return set(OpenParameter.MULTICAST_JOIN, on ? "1" : "0");
        }

        /** Whether the device continues to stream when it loses its controller. */
        public Builder unconditionalStreaming(boolean on) {
            return set(OpenParameter.UNCONDITIONAL_STREAMING, on ? "1" : "0");
        }

        /**
         * Packet size with the headers of IP, UDP and GVSP; negotiate finds the largest that arrives, keep leaves the
         * device's value.
         */
        public Builder packetSize(int bytes) {
            return set(OpenParameter.PACKET_SIZE, Integer.toString(bytes));
        }

        /** Finds the largest packets that arrive, which is the default. */
        public Builder negotiatePacketSize() {
            return set(OpenParameter.PACKET_SIZE, "negotiate");
        }

        /** Leaves the packet size as the device has it. */
        public Builder keepPacketSize() {
            return set(OpenParameter.PACKET_SIZE, "keep");
        }

        /** Whether to request missing packets again; off by default with AccessMode=ReadOnly. */
        public Builder resendEnabled(boolean on) {
            return set(OpenParameter.RESEND_ENABLED, on ? "1" : "0");
        }

        /** Requests for one packet before it counts as missing. */
        public Builder resendTries(int value) {
            return set(OpenParameter.RESEND_TRIES, Integer.toString(value));
        }

        /** Time without a packet after which an incomplete frame is given up. */
        public Builder frameRetention(Duration time) {
            return set(OpenParameter.FRAME_RETENTION, text(time));
        }

        /**
         * Whether a complete frame waits for an older incomplete one. When not set, 1, or 0 with
         * StreamBufferHandlingMode=NewestOnly.
         */
        public Builder inOrderDelivery(boolean on) {
            return set(OpenParameter.IN_ORDER_DELIVERY, on ? "1" : "0");
        }

        /** Fill value of the missing bytes of an incomplete frame. */
        public Builder missingBytes(int value) {
            return set(OpenParameter.MISSING_BYTES, Integer.toString(value));
        }

        /**
         * Time of a frame against processor time: low keeps a processor busy for each receiver and each waiting thread,
         * throughput lets the last packets of a frame gather, too.
         */
        public Builder latency(Latency what) {
            return set(OpenParameter.LATENCY, what.name().toLowerCase(Locale.ROOT));
        }

        /** Which frame a wait gets: OldestFirst each one in turn, NewestOnly the newest; older ones are skipped. */
        public Builder streamBufferHandlingMode(BufferHandling mode) {
            return set(OpenParameter.STREAM_BUFFER_HANDLING_MODE, mode.text);
        }

        /**
         * Made-up frames that go through the code of a stream, the first while the device is opened, the others right
         * after, so that it is compiled before frames come; 0 for none. The first start of the acquisition, and opening
         * a published stream, wait for it, at most 0.25 s. Three times as many follow until the acquisition starts, and
         * in a stream by UDP while the first frames come.
         */
        public Builder warmUpFrames(int count) {
            return set(OpenParameter.WARM_UP_FRAMES, Integer.toString(count));
        }

        /** Flow sets of the pool of each stream, that is frames in memory at a time. */
        public Builder flowSetCount(int count) {
            return set(OpenParameter.FLOW_SET_COUNT, Integer.toString(count));
        }

        /**
         * How packets are received: mmsg in batches from a UDP socket, ring from memory shared with the kernel, verbs
         * past the kernel by an adapter that writes them to their place, nio packet by packet.
         */
        public Builder packetReceiver(PacketReceiverKind kind) {
            return set(OpenParameter.PACKET_RECEIVER, kind.name().toLowerCase(Locale.ROOT));
        }

        /**
         * Socket buffer to request from the system; with PacketReceiver=verbs memory for packets to come, 16777216 when
         * not set.
         */
        public Builder receiveBufferBytes(int bytes) {
            return set(OpenParameter.RECEIVE_BUFFER_BYTES, Integer.toString(bytes));
        }

        /** Largest packet that PacketReceiver=verbs receives, in bytes of UDP data; larger ones count as malformed. */
        public Builder maxPacketBytes(int bytes) {
            return set(VerbsReception.MAX_PACKET_BYTES, Integer.toString(bytes));
        }

        /**
         * Completion vector (interrupt of the adapter) that PacketReceiver=verbs waits for, modulo those there are;
         * negative polls without sleeping. When not set, 0.
         */
        public Builder receiverCompletionVector(int value) {
            return set(VerbsReception.RECEIVER_COMPLETION_VECTOR, Integer.toString(value));
        }

        /** Polls in a row without a packet before PacketReceiver=verbs arms the interrupt and sleeps. */
        public Builder receiverMaxPoll(int count) {
            return set(VerbsReception.RECEIVER_MAX_POLL, Integer.toString(count));
        }

        /** Further groups, or addresses of this host, that PacketReceiver=verbs receives the stream from. */
        public Builder streamEndpoints(String... endpoints) {
            return set(VerbsReception.STREAM_ENDPOINTS, String.join(",", endpoints));
        }

        /** Processors the receiver thread may run on; all when not set. */
        public Builder receiverCpus(int... cpus) {
            return set(
                    OpenParameter.RECEIVER_CPUS,
                    Arrays.stream(cpus).mapToObj(Integer::toString).collect(Collectors.joining(",")));
        }

        /** Nice value of the receiver thread; unchanged when not set. */
        public Builder receiverNice(int value) {
            return set(OpenParameter.RECEIVER_NICE, Integer.toString(value));
        }

        /** Priority of the receiver thread under SCHED_FIFO; no real-time thread when not set. */
        public Builder receiverRealTimePriority(int value) {
            return set(OpenParameter.RECEIVER_REAL_TIME_PRIORITY, Integer.toString(value));
        }

        /** Streams with the same text share one receiver thread; own gives each stream its own. */
        public Builder receiverThread(String name) {
            return set(OpenParameter.RECEIVER_THREAD, name);
        }

        /**
         * Maximum time the receiver thread lets packets gather before it wakes; 0 wakes it for each. When not set,
         * 2000, or 0 with Latency=low.
         */
        public Builder receiverPauseMicros(int micros) {
            return set(OpenParameter.RECEIVER_PAUSE_MICROS, Integer.toString(micros));
        }

        /** Time the kernel polls the adapter before the receiver thread sleeps, with PacketReceiver=mmsg. */
        public Builder receiverBusyPollMicros(int micros) {
            return set(OpenParameter.RECEIVER_BUSY_POLL_MICROS, Integer.toString(micros));
        }

        /** Implementation of RDMA: verbs uses an adapter by libibverbs, software speaks RoCEv2 over UDP. */
        public Builder rdmaProvider(String text) {
            return set(OpenParameter.RDMA_PROVIDER, text);
        }

        /** Local interface for RDMA; the one with the route to the device when not set. */
        public Builder rdmaInterface(String text) {
            return set(OpenParameter.RDMA_INTERFACE, text);
        }

        /** How flows are transferred: by RDMA send or RDMA write. */
        public Builder rdmaMode(RdmaMode mode) {
            return set(OpenParameter.RDMA_MODE, mode.name().toLowerCase(Locale.ROOT));
        }

        /**
         * Completion vector (interrupt of the adapter) to wait for, modulo those it has; negative polls without
         * sleeping. When not set, 0, or -1 with Latency=low.
         */
        public Builder rdmaCompletionVector(int value) {
            return set(OpenParameter.RDMA_COMPLETION_VECTOR, Integer.toString(value));
        }

        /** Maximum number of completions handled at a time. */
        public Builder rdmaMaxPoll(int count) {
            return set(OpenParameter.RDMA_MAX_POLL, Integer.toString(count));
        }

        /** 1 lets one thread serve all devices on an interface, with RDMA write. */
        public Builder rdmaShared(boolean on) {
            return set(OpenParameter.RDMA_SHARED, on ? "1" : "0");
        }

        /** Pace of a recording: as recorded, as fast as frames are consumed, or a fixed frame rate. */
        public Builder replayRate(double framesPerSecond) {
            return set(OpenParameter.REPLAY_RATE, Double.toString(framesPerSecond));
        }

        /** Whether a recording starts again at its end. */
        public Builder playbackMode(boolean loop) {
            return set(OpenParameter.PLAYBACK_MODE, loop ? "Loop" : "Once");
        }

        /**
         * File with the key of a publisher that forwards features: they are read and set at the camera then; without it
         * they cannot be set.
         */
        public Builder featuresKeyFile(Path file) {
            return set(OpenParameter.FEATURES_KEY_FILE, file.toString());
        }
    }
}
