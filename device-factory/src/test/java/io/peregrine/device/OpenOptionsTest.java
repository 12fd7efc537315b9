package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.RdmaMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class OpenOptionsTest {
    private final PeregrineSettings settings = PeregrineSettings.load(Map.of(), Map.of(), Path.of("no such directory"));

    @Test
    void typedOptionsAreTheParametersOfTheirNames() {
        OpenOptions options = OpenOptions.builder()
                .useRdma(OpenOptions.Rdma.REQUIRE)
                .accessMode(OpenOptions.AccessMode.READ_ONLY)
                .frameRetention(Duration.ofSeconds(2))
                .flowSetCount(20)
                .receiverCpus(2, 3)
                .inOrderDelivery(false)
                .packetSize(9000)
                .build();
        assertEquals(
                Map.of(
                        "UseRdma", "require",
                        "AccessMode", "ReadOnly",
                        "FrameRetention", "2000ms",
                        "FlowSetCount", "20",
                        "ReceiverCpus", "2,3",
                        "InOrderDelivery", "0",
                        "PacketSize", "9000"),
                options.parameters());
    }

    @Test
    void eachTypedOptionSetsItsParameter() {
        Map<String, String> set = OpenOptions.builder()
                .useRdma(OpenOptions.Rdma.PREFER)
                .accessMode(OpenOptions.AccessMode.EXCLUSIVE)
                .payload(OpenOptions.Payload.GENDC)
                .openTimeout(Duration.ofSeconds(5))
                .largestDescription(1000)
                .heartbeatTimeout(Duration.ofSeconds(1))
                .reconnect(true)
                .reconnectTimeout(Duration.ofMinutes(1))
                .restore(false)
                .switchoverKey(7)
                .messageHostPort(5001)
                .announcedAddress("192.0.2.1")
                .classOfService(104)
                .streamInterface("eth0")
                .streamHostPort(5000)
                .streamDestination("239.192.0.1:5000")
                .multicastJoin(false)
                .unconditionalStreaming(true)
                .packetSize(1500)
                .resendEnabled(false)
                .resendTries(3)
                .frameRetention(Duration.ofMillis(20))
                .inOrderDelivery(false)
                .missingBytes(255)
                .latency(OpenOptions.Latency.LOW)
                .streamBufferHandlingMode(OpenOptions.BufferHandling.NEWEST_ONLY)
                .warmUpFrames(20)
                .flowSetCount(4)
                .packetReceiver(PacketReceiverKind.RING)
                .receiveBufferBytes(65536)
                .maxPacketBytes(1500)
                .receiverCompletionVector(-1)
                .receiverMaxPoll(3)
                .streamEndpoints("239.192.0.1:5000")
                .receiverCpus(0, 1)
                .receiverNice(-5)
                .receiverRealTimePriority(40)
                .receiverThread("all")
                .receiverPauseMicros(0)
                .receiverBusyPollMicros(50)
                .rdmaProvider("software")
                .rdmaInterface("192.0.2.1")
                .rdmaMode(RdmaMode.WRITE)
                .rdmaCompletionVector(-1)
                .rdmaMaxPoll(64)
                .rdmaShared(true)
                .replayRate(12.5)
                .playbackMode(true)
                .featuresKeyFile(Path.of("line.key"))
                .build()
                .parameters();
        assertEquals(
                "UseRdma=1 AccessMode=Exclusive Payload=GenDC OpenTimeout=5000ms LargestDescription=1000"
                        + " HeartbeatTimeout=1000ms Reconnect=1 ReconnectTimeout=60000ms Restore=none SwitchoverKey=7"
                        + " MessageHostPort=5001 AnnouncedAddress=192.0.2.1 ClassOfService=104"
                        + " StreamInterface=eth0 StreamHostPort=5000"
                        + " StreamDestination=239.192.0.1:5000 MulticastJoin=0 UnconditionalStreaming=1 PacketSize=1500"
                        + " ResendEnabled=0 ResendTries=3 FrameRetention=20ms InOrderDelivery=0 MissingBytes=255"
                        + " Latency=low StreamBufferHandlingMode=NewestOnly WarmUpFrames=20"
                        + " FlowSetCount=4"
                        + " PacketReceiver=ring ReceiveBufferBytes=65536 MaxPacketBytes=1500"
                        + " ReceiverCompletionVector=-1 ReceiverMaxPoll=3 StreamEndpoints=239.192.0.1:5000"
                        + " ReceiverCpus=0,1"
                        + " ReceiverNice=-5 ReceiverRealTimePriority=40 ReceiverThread=all ReceiverPauseMicros=0"
                        + " ReceiverBusyPollMicros=50 RdmaProvider=software RdmaInterface=192.0.2.1 RdmaMode=write"
                        + " RdmaCompletionVector=-1 RdmaMaxPoll=64 RdmaShared=1 ReplayRate=12.5 PlaybackMode=Loop"
                        + " FeaturesKeyFile=line.key",
                set.entrySet().stream().map(Object::toString).collect(Collectors.joining(" ")));
        assertEquals(OpenParameter.all().size(), set.size());
    }

    @Test
    void wordsInsteadOfValuesHaveOptionsOfTheirName() {
        assertEquals(
                Map.of("PacketSize", "keep", "HeartbeatTimeout", "off"),
                OpenOptions.builder().keepPacketSize().heartbeatOff().build().parameters());
        assertEquals(
                Map.of("PacketSize", "negotiate"),
                OpenOptions.builder()
                        .packetSize(1500)
                        .negotiatePacketSize()
                        .build()
                        .parameters());
    }

    @ParameterizedTest
    @CsvSource({
        "UseRdma,2",
        "PacketSize,1501",
        "FlowSetCount,1",
        "ReceiverCpus,1024",
        "ReplayRate,quick",
        "Reconnect,maybe"
    })
    void aWrongValueIsRefusedWhenItIsSet(String name, String value) {
        OpenOptions.Builder builder = OpenOptions.builder();
        String told = assertThrows(DeviceException.class, () -> builder.set(name, value))
                .getMessage();
        assertEquals(
                name + " is '" + value + "': give " + OpenParameter.named(name).values(), told);
    }

    @Test
    void optionsFromTextsAreChecked() {
        assertThrows(DeviceException.class, () -> new OpenOptions(Map.of("UseRdna", "1")));
        assertEquals(Map.of("UseRdma", "1"), new OpenOptions(Map.of("USERDMA", " 1 ")).parameters());
    }

    @Test
    void wordsOfTheTypesAreThoseOfTheRegistry() {
        assertWords(
                OpenParameter.USE_RDMA, Arrays.stream(OpenOptions.Rdma.values()).map(OpenOptions.Rdma::text));
        assertWords(
                OpenParameter.ACCESS_MODE,
                Arrays.stream(OpenOptions.AccessMode.values()).map(OpenOptions.AccessMode::text));
        assertWords(
                OpenParameter.PAYLOAD,
                Arrays.stream(OpenOptions.Payload.values()).map(OpenOptions.Payload::text));
        assertWords(
                OpenParameter.PACKET_RECEIVER,
                Arrays.stream(PacketReceiverKind.values()).map(OpenOptionsTest::word));
        assertWords(
                OpenParameter.RDMA_MODE,
                Stream.concat(
                        Stream.of("auto"), Arrays.stream(RdmaMode.values()).map(OpenOptionsTest::word)));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static void assertWords(OpenParameter parameter, Stream<String> words) {
        List<String> listed = words.toList();
        int last = listed.size() - 1;
        assertEquals(String.join(", ", listed.subList(0, last)) + " or " + listed.get(last), parameter.values());
    }

    static List<OpenParameter> parameters() {
        return OpenParameter.all();
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void theDefaultOfAParameterIsAccepted(OpenParameter parameter) {
        parameter.check(parameter.defaultValue());
        assertEquals(
                parameter.defaultValue(),
                settings.value(parameter.settingsKey()).orElse(""));
    }
}
