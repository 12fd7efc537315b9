package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.OpenOptions.Rdma;
import io.peregrine.gvsp.GvspSettings;
import io.peregrine.gvsp.ReceiverWaiting;
import io.peregrine.gvsp.VerbsSettings;
import io.peregrine.rdma.RdmaStreamSettings;
import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.RdmaMode;
import io.peregrine.stream.engine.HandOff;
import io.peregrine.stream.engine.ThreadScheduling;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenParametersTest {
    private final PeregrineSettings settings = PeregrineSettings.load(Map.of(), Map.of(), Path.of("no such directory"));

    @Test
    void rdmaIsOffByDefault() {
        assertEquals(Rdma.OFF, OpenParameters.of(settings, Map.of()).rdma());
    }

    @ParameterizedTest
    @CsvSource({"0,OFF", "1,PREFER", "require,REQUIRE"})
    void useRdmaTakesThreeValues(String text, Rdma expected) {
        assertEquals(
                expected, OpenParameters.of(settings, Map.of("UseRdma", text)).rdma());
    }

    @ParameterizedTest
    @CsvSource({
        "UseRdma,2",
        "PacketSize,100",
        "PacketSize,1501",
        "PacketSize,16264",
        "PacketSize,largest",
        "FlowSetCount,1",
        "ReceiveBufferBytes,1",
        "ReceiveBufferBytes,65535",
        "ReceiveBufferBytes,536870913",
        "ResendTries,0",
        "ResendTries,101",
        "FrameRetention,0ms",
        "FrameRetention,11min",
        "FrameRetention,5",
        "AccessMode,All",
        "Payload,Video",
        "PacketReceiver,fast",
        "Latency,high",
        "StreamBufferHandlingMode,Newest",
        "InOrderDelivery,maybe",
        "ReceiverCpus,'0,x'",
        "ReceiverCpus,1024",
        "ReceiverNice,20",
        "ReceiverRealTimePriority,0",
        "StreamDestination,192.168.1.1",
        "StreamDestination,224.0.0.5",
        "StreamDestination,239.1.1.1:70000",
        "StreamDestination,camera",
        "MulticastJoin,0",
        "Restore,all",
        "MissingBytes,256",
        "RdmaMode,both",
        "RdmaInterface,no-such-name",
        "StreamInterface,no-such-name",
        "StreamInterface,1.2.3.400",
        "StreamHostPort,65536",
        "StreamHostPort,any",
        "MessageHostPort,65536",
        "AnnouncedAddress,239.1.1.1",
        "AnnouncedAddress,0.0.0.0",
        "AnnouncedAddress,host",
        "RdmaInterface,1.2.3.400",
        "RdmaCompletionVector,x",
        "RdmaMaxPoll,0",
        "ClassOfService,256",
        "ClassOfService,-1",
        "MaxPacketBytes,0",
        "MaxPacketBytes,65508",
        "ReceiverCompletionVector,x",
        "ReceiverMaxPoll,0",
        "StreamEndpoints,239.192.0.1",
        "StreamEndpoints,239.192.0.1:0",
        "StreamEndpoints,camera:5000"
    })
    void wrongValueIsRefused(String name, String value) {
        assertThrows(DeviceException.class, () -> OpenParameters.of(settings, Map.of(name, value)));
    }

    @ParameterizedTest
    @CsvSource({"auto,AUTO", "mmsg,MMSG", "Ring,RING", "verbs,VERBS", "nio,NIO"})
    void packetReceiverTakesFiveValues(String text, PacketReceiverKind expected) {
        assertEquals(
                expected,
                OpenParameters.of(settings, Map.of("PacketReceiver", text)).packetReceiver());
    }

    @ParameterizedTest
    @CsvSource({"negotiate,NEGOTIATE,0", "0,NEGOTIATE,0", "Keep,KEEP,0", "9000,GIVEN,9000"})
    void packetSizeIsNegotiatedKeptOrGiven(String text, PacketSizeChoice.Way way, int bytes) {
        assertEquals(
                new PacketSizeChoice(way, bytes),
                OpenParameters.of(settings, Map.of("PacketSize", text)).packetSize());
    }

    @Test
    void packetSizeIsNegotiatedUnlessToldOtherwise() {
        assertEquals(
                PacketSizeChoice.NEGOTIATE,
                OpenParameters.of(settings, Map.of()).packetSize());
    }

    @Test
    void whereAStreamGoesIsForTheControllerToSay() {
        Map<String, String> monitor = Map.of("StreamDestination", "239.1.1.1", "AccessMode", "ReadOnly");
        assertThrows(DeviceException.class, () -> OpenParameters.of(settings, monitor));
        assertEquals(
                "239.1.1.1:5000",
                OpenParameters.of(settings, Map.of("StreamDestination", "239.1.1.1:5000"))
                        .destination()
                        .group()
                        .orElseThrow()
                        .toString());
    }

    @Test
    void aMonitorAsksForMissingPacketsOnlyWhenTold() {
        assertEquals(
                false,
                OpenParameters.of(settings, Map.of("AccessMode", "ReadOnly")).resendEnabled());
        assertEquals(
                true,
                OpenParameters.of(settings, Map.of("AccessMode", "ReadOnly", "resendenabled", "1"))
                        .resendEnabled());
    }

    @Test
    void patienceWithLossCanBeSet() {
        OpenParameters parameters = OpenParameters.of(settings, Map.of("ResendTries", "100", "FrameRetention", "10s"));
        assertEquals(100, parameters.resendTries());
        assertEquals(Duration.ofSeconds(10), parameters.frameRetention());
    }

    @Test
    void bufferIsThatOfAnyReceiverUnlessToldOtherwise() {
        InetAddress any = InetAddress.getLoopbackAddress();
        assertEquals(
                GvspSettings.defaults(any, any).receiveBufferBytes(),
                OpenParameters.of(settings, Map.of()).receiveBufferBytes());
        assertEquals(
                65536,
                OpenParameters.of(settings, Map.of("ReceiveBufferBytes", "65536"))
                        .receiveBufferBytes());
    }

    @Test
    void bufferOfZeroBytesIsTheDefaultOne() {
        assertEquals(
                GvspSettings.DEFAULT_RECEIVE_BUFFER_BYTES,
                OpenParameters.of(settings, Map.of("ReceiveBufferBytes", "0")).receiveBufferBytes());
    }

    @Test
    void interfacesAreKnownByNameToo() throws IOException {
        NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        OpenParameters parameters = OpenParameters.of(
                settings, Map.of("RdmaInterface", loopback.getName(), "StreamInterface", loopback.getName()));
        assertEquals(
                Optional.of(InetAddress.getLoopbackAddress()),
                parameters.rdmaStream().interfaceAddress());
    }

    @Test
    void interfaceThatIsNotThereIsAnErrorThatNamesThoseThatAre() {
        String told = assertThrows(
                        DeviceException.class,
                        () -> OpenParameters.of(settings, Map.of("StreamInterface", "no-such-name")))
                .getMessage();
        assertTrue(told.startsWith("StreamInterface is 'no-such-name'"), told);
        assertTrue(told.contains("give one of them, or an IPv4 address"), told);
    }

    @ParameterizedTest
    @CsvSource({
        "StreamHostPort,5000,MessageHostPort,5000",
        "StreamHostPort,5000,StreamDestination,239.192.0.1",
        "StreamHostPort,5000,AccessMode,ReadOnly",
        "AnnouncedAddress,192.0.2.7,AccessMode,ReadOnly"
    })
    void endpointsThatContradictOtherParametersAreRefused(String one, String value, String other, String otherValue) {
        assertThrows(DeviceException.class, () -> OpenParameters.of(settings, Map.of(one, value, other, otherValue)));
    }

    @Test
    void receiverThreadIsScheduledAsAnyOtherUnlessToldOtherwise() {
        OpenParameters usual = OpenParameters.of(settings, Map.of());
        assertEquals(ThreadScheduling.DEFAULT, usual.receiverThread());
        assertEquals(true, usual.inOrderDelivery());
        OpenParameters given = OpenParameters.of(
                settings,
                Map.of(
                        "ReceiverCpus",
                        "2, 3",
                        "ReceiverNice",
                        "-5",
                        "ReceiverRealTimePriority",
                        "40",
                        "InOrderDelivery",
                        "0"));
        assertEquals(
                new ThreadScheduling(List.of(2, 3), OptionalInt.of(-5), OptionalInt.of(40)), given.receiverThread());
        assertEquals(false, given.inOrderDelivery());
    }

    @Test
    void unknownNameIsRefused() {
        assertThrows(DeviceException.class, () -> OpenParameter.named("UseRDNA"));
    }

    @Test
    void nameIsFoundWhateverItsCase() {
        assertEquals("UseRdma", OpenParameter.named("USERDMA").name());
    }

    private static PeregrineSettings environment(Map<String, String> variables) {
        return PeregrineSettings.load(Map.of(), variables, Path.of("no such directory"));
    }

    @ParameterizedTest
    @CsvSource({"PEREGRINE_RDMA_INTERFACE,10.0.0.1", "PEREGRINE_RDMA_COMP_VECTOR,-1"})
    void environmentAsksForRdmaWithoutTheProgram(String variable, String value) {
        assertEquals(
                Rdma.PREFER,
                OpenParameters.of(environment(Map.of(variable, value)), Map.of())
                        .rdma());
    }

    @ParameterizedTest
    @CsvSource({"PEREGRINE_IBV_INTERFACE,10.0.0.1", "PEREGRINE_IBV_COMP_VECTOR,3"})
    void environmentAsksForVerbsWithoutTheProgram(String variable, String value) {
        assertEquals(
                PacketReceiverKind.VERBS,
                OpenParameters.of(environment(Map.of(variable, value)), Map.of())
                        .packetReceiver());
    }

    @ParameterizedTest
    @CsvSource({"auto,AUTO", "mmsg,MMSG"})
    void programThatChoosesItsReceiverIsHeard(String chosen, PacketReceiverKind expected) {
        OpenParameters parameters = OpenParameters.of(
                environment(Map.of("PEREGRINE_IBV_INTERFACE", "10.0.0.1")), Map.of("PacketReceiver", chosen));
        assertEquals(expected, parameters.packetReceiver());
        assertEquals(Optional.empty(), parameters.endpoint().streamInterface());
    }

    @ParameterizedTest
    @CsvSource({"'',10.0.0.1", "10.0.0.2,10.0.0.2"})
    void interfaceForVerbsOfTheEnvironmentIsUsedUnlessTheProgramNamesOne(String named, String expected) {
        Map<String, String> given = named.isEmpty() ? Map.of() : Map.of("StreamInterface", named);
        assertEquals(
                Optional.of(expected),
                OpenParameters.of(environment(Map.of("PEREGRINE_IBV_INTERFACE", "10.0.0.1")), given)
                        .endpoint()
                        .streamInterface());
    }

    @Test
    void completionVectorOfTheEnvironmentIsUsedUnlessTheProgramNamesOne() {
        PeregrineSettings environment = environment(Map.of("PEREGRINE_IBV_COMP_VECTOR", "3"));
        assertEquals(
                3, OpenParameters.of(environment, Map.of()).reception().verbs().completionVector());
        assertEquals(
                -1,
                OpenParameters.of(environment, Map.of("ReceiverCompletionVector", "-1"))
                        .reception()
                        .verbs()
                        .completionVector());
    }

    @Test
    void knobsOfVerbsAreTaken() {
        VerbsSettings verbs = OpenParameters.of(
                        settings,
                        Map.of(
                                "ReceiveBufferBytes",
                                "1000000",
                                "MaxPacketBytes",
                                "1500",
                                "ReceiverMaxPoll",
                                "3",
                                "StreamEndpoints",
                                "239.192.0.1:5000, 10.0.0.1:5001"))
                .reception()
                .verbs();
        assertEquals(
                new VerbsSettings(
                        1_000_000,
                        1500,
                        0,
                        3,
                        List.of(new InetSocketAddress("239.192.0.1", 5000), new InetSocketAddress("10.0.0.1", 5001))),
                verbs);
    }

    @Test
    void bufferForVerbsHasADefaultOfItsOwn() {
        assertEquals(
                VerbsSettings.DEFAULT,
                OpenParameters.of(settings, Map.of()).reception().verbs());
    }

    @Test
    void programThatRefusesRdmaIsHeard() {
        assertEquals(
                Rdma.OFF,
                OpenParameters.of(environment(Map.of("PEREGRINE_RDMA_INTERFACE", "10.0.0.1")), Map.of("UseRdma", "0"))
                        .rdma());
    }

    @Test
    void interfaceOfTheEnvironmentIsUsed() {
        assertEquals(
                "10.0.0.1",
                OpenParameters.of(environment(Map.of("PEREGRINE_RDMA_INTERFACE", "10.0.0.1")), Map.of())
                        .rdmaStream()
                        .interfaceAddress()
                        .orElseThrow()
                        .getHostAddress());
    }

    @Test
    void rdmaParametersAreTaken() {
        RdmaStreamSettings rdma = OpenParameters.of(
                        settings,
                        Map.of(
                                "RdmaProvider", "Software",
                                "RdmaCompletionVector", "-1",
                                "RdmaMaxPoll", "64",
                                "RdmaMode", "Write",
                                "ReceiverCpus", "1",
                                "ReceiverNice", "-2"))
                .rdmaStream();
        assertEquals(
                RdmaStreamSettings.defaults()
                        .withProvider("software", Optional.empty())
                        .withPolling(-1, 64)
                        .withMode(Optional.of(RdmaMode.WRITE))
                        .withThread(new ThreadScheduling(List.of(1), OptionalInt.of(-2), OptionalInt.empty())),
                rdma);
    }

    // ---- Latency

    @ParameterizedTest
    @CsvSource({"low,0,true,true,50,-1", "balanced,2000,true,false,0,0", "throughput,2000,false,false,0,0"})
    void latencySetsPauseSpinningAndPollingTogether(
            String latency, int pauseMicros, boolean promptEnd, boolean spin, int spinMillis, int vector) {
        OpenParameters parameters = OpenParameters.of(settings, Map.of("Latency", latency));
        Duration pause = Duration.ofNanos(pauseMicros * 1000L);
        assertEquals(new ReceiverWaiting(pause, Duration.ZERO, promptEnd, spin), parameters.receiverWaiting());
        assertEquals(Duration.ofMillis(spinMillis), parameters.handOff().spin());
        assertEquals(vector, parameters.rdmaStream().completionVector());
    }

    @Test
    void latencyIsBalancedWhenNothingIsAskedFor() {
        assertEquals(OpenParameters.of(settings, Map.of("Latency", "Balanced")), OpenParameters.of(settings, Map.of()));
    }

    @Test
    void parametersThatAreGivenWinOverThoseOfTheLatency() {
        OpenParameters parameters = OpenParameters.of(
                settings, Map.of("Latency", "low", "ReceiverPauseMicros", "700", "RdmaCompletionVector", "3"));
        assertEquals(Duration.ofNanos(700_000), parameters.receiverWaiting().pause());
        assertEquals(3, parameters.rdmaStream().completionVector());
        assertEquals(Duration.ofMillis(50), parameters.handOff().spin());
    }

    @Test
    void aPauseOfTheEnvironmentWinsOverTheLatencyOfTheProgram() {
        PeregrineSettings environment = environment(Map.of("PEREGRINE_STREAM_RECEIVERPAUSEMICROS", "300"));
        assertEquals(
                Duration.ofNanos(300_000),
                OpenParameters.of(environment, Map.of("Latency", "low"))
                        .receiverWaiting()
                        .pause());
    }

    @Test
    void aPauseOfZeroCanBeHadWithoutLowLatency() {
        OpenParameters parameters = OpenParameters.of(settings, Map.of("ReceiverPauseMicros", "0"));
        assertEquals(ReceiverWaiting.DEFAULT.withPause(Duration.ZERO), parameters.receiverWaiting());
        assertEquals(HandOff.DEFAULT, parameters.handOff());
    }

    @Test
    void lowLatencyDoesNotAskForRdma() {
        assertEquals(
                Rdma.OFF, OpenParameters.of(settings, Map.of("Latency", "low")).rdma());
    }

    // ---- Newest only

    @Test
    void newestOnlyDoesNotWaitForOlderFrames() {
        OpenParameters parameters = OpenParameters.of(settings, Map.of("StreamBufferHandlingMode", "newestonly"));
        assertEquals(true, parameters.handOff().newestOnly());
        assertEquals(false, parameters.inOrderDelivery());
        assertEquals(true, OpenParameters.of(settings, Map.of()).inOrderDelivery());
    }

    @Test
    void newestOnlyKeepsTheOrderThatIsAskedFor() {
        OpenParameters parameters =
                OpenParameters.of(settings, Map.of("StreamBufferHandlingMode", "NewestOnly", "InOrderDelivery", "1"));
        assertEquals(true, parameters.handOff().newestOnly());
        assertEquals(true, parameters.inOrderDelivery());
    }
}
