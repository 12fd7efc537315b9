package io.peregrine.device;

import io.peregrine.gvsp.VerbsSettings;
import io.peregrine.stream.PacketReceiverKind;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * How packets are received, and the knobs of reception by verbs. The environment ({@code PEREGRINE_IBV_INTERFACE} and
 * {@code PEREGRINE_IBV_COMP_VECTOR}) switches it on in programs that know nothing of it; what a program sets itself
 * wins.
 *
 * @param kind how packets are received
 * @param streamInterface interface that the settings name for it; empty if none
 * @param verbs the knobs
 */
record VerbsReception(PacketReceiverKind kind, Optional<String> streamInterface, VerbsSettings verbs) {
    static final OpenParameter MAX_PACKET_BYTES = new OpenParameter(
            "MaxPacketBytes",
            "peregrine.ibv.maxPacketBytes",
            ValueType.integer(576, 65507),
            "9200",
            "bytes",
            Set.of(StreamingMode.Protocol.GVSP),
            "Largest packet that PacketReceiver=verbs receives, in bytes of UDP data; larger ones count as malformed");

    static final OpenParameter RECEIVER_COMPLETION_VECTOR = new OpenParameter(
            "ReceiverCompletionVector",
            "peregrine.ibv.comp_vector",
            ValueType.integer().orEmpty(),
            "",
            "",
            Set.of(StreamingMode.Protocol.GVSP),
            "Completion vector (interrupt of the adapter) that PacketReceiver=verbs waits for, modulo those there are;"
                    + " negative polls without sleeping. When not set, 0");

    static final OpenParameter RECEIVER_MAX_POLL = new OpenParameter(
            "ReceiverMaxPoll",
            "peregrine.ibv.maxPoll",
            ValueType.integer(1, 1_000_000),
            "10",
            "polls",
            Set.of(StreamingMode.Protocol.GVSP),
            "Polls in a row without a packet before PacketReceiver=verbs arms the interrupt and sleeps");

    static final OpenParameter STREAM_ENDPOINTS = new OpenParameter(
            "StreamEndpoints",
            "peregrine.ibv.endpoints",
            ValueType.text("IPv4 addresses with ports, separated by commas", VerbsReception::areEndpoints),
            "",
            "",
            Set.of(StreamingMode.Protocol.GVSP),
            "Further groups, or addresses of this host, that PacketReceiver=verbs receives the stream from");

    private static final System.Logger LOGGER = System.getLogger(VerbsReception.class.getName());

    static VerbsReception of(ParameterValues values, PeregrineSettings settings) {
        String word = values.word(OpenParameter.PACKET_RECEIVER);
        Optional<String> named = settings.value(Setting.IBV_INTERFACE).filter(text -> !text.isEmpty());
        boolean vector = ParameterValues.of(settings, Map.of())
                .nonEmpty(RECEIVER_COMPLETION_VECTOR)
                .isPresent();
        boolean chosen = values.given(OpenParameter.PACKET_RECEIVER) || !word.equals("auto");
        PacketReceiverKind kind = PacketReceiverKind.valueOf(word.toUpperCase(Locale.ROOT));
        if (!chosen && (named.isPresent() || vector)) {
            kind = PacketReceiverKind.VERBS;
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "Streams are received by verbs because the settings name {0}",
                    named.isPresent() ? Setting.IBV_INTERFACE : RECEIVER_COMPLETION_VECTOR.settingsKey());
        }
        return new VerbsReception(kind, kind == PacketReceiverKind.VERBS ? named : Optional.empty(), knobs(values));
    }

    private static VerbsSettings knobs(ParameterValues values) {
        int bytes = values.given(OpenParameter.RECEIVE_BUFFER_BYTES)
                ? values.integer(OpenParameter.RECEIVE_BUFFER_BYTES)
                : 0;
        int packetBytes = values.integer(MAX_PACKET_BYTES);
        return new VerbsSettings(
                bytes == 0 ? VerbsSettings.DEFAULT.bufferBytes() : Math.max(bytes, VerbsSettings.minBytes(packetBytes)),
                packetBytes,
                values.optionalInteger(RECEIVER_COMPLETION_VECTOR).orElse(0),
                values.integer(RECEIVER_MAX_POLL),
                endpoints(values.list(STREAM_ENDPOINTS)));
    }

    /** Flow sets of this shape that the receiver needs beyond those of the user: as many as receives are posted for. */
    int flowSets(long[] flowSizesBytes) {
        return kind == PacketReceiverKind.VERBS
                ? verbs.flowSets(LongStream.of(flowSizesBytes).sum())
                : 0;
    }

    private static boolean areEndpoints(String texts) {
        return Stream.of(texts.split(","))
                .map(String::strip)
                .allMatch(text -> text.isEmpty() || endpoint(text).isPresent());
    }

    private static List<InetSocketAddress> endpoints(List<String> texts) {
        return texts.stream()
                .map(text -> endpoint(text).orElseThrow(() -> STREAM_ENDPOINTS.refused(text)))
                .toList();
    }

    private static Optional<InetSocketAddress> endpoint(String text) {
        int colon = text.lastIndexOf(':');
        Optional<Integer> port = ValueType.integerOf(text.substring(colon + 1))
                .filter(number -> colon > 0 && number > 0 && number <= 65535)
                .map(Math::toIntExact);
        try {
            return port.map(number -> new InetSocketAddress(LocalInterface.ipv4(text.substring(0, colon)), number));
        } catch (DeviceException e) {
            return Optional.empty();
        }
    }
}
