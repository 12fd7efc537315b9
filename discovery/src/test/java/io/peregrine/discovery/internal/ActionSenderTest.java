package io.peregrine.discovery.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.peregrine.gvcp.ActionCommand;
import io.peregrine.gvcp.GvcpStatus;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ActionSenderTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(120);
    private static final HexFormat HEX = HexFormat.of();
    private static final ActionCommand COMMAND =
            new ActionCommand(0x0123, true, 0x11111111, 0x22222222, 0x3, OptionalLong.empty());

    private static ActionSender to(InetSocketAddress... devices) {
        return ActionSender.create(
                DiscoverySettings.defaults().withBroadcast(false).withUnicast(List.of(devices)));
    }

    private static FakeResponder responder(String address, String... answers) throws IOException {
        List<byte[]> packets = Stream.of(answers).map(HEX::parseHex).toList();
        return FakeResponder.start(address, 0, request -> packets);
    }

    @Test
    void everyDeviceIsSentTheCommandOnce() throws IOException {
        try (FakeResponder device = responder("127.10.9.1")) {
            to(device.address()).send(COMMAND, SHORT, 0);
            assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
                while (device.requests().isEmpty()) {
                    Thread.onSpinWait();
                }
            });
            assertEquals(
                    List.of("42010100000c0123111111112222222200000003"),
                    device.requests().stream().map(HEX::formatHex).toList());
        }
    }

    @Test
    void theAnswersOfAllAreCollectedAndNoLongerWaitedFor() throws IOException {
        try (FakeResponder first = responder("127.10.9.1", "0000010100000123");
                FakeResponder late = responder("127.10.9.2", "8016010100000123")) {
            List<ActionSender.Answer> answers = assertTimeoutPreemptively(
                    Duration.ofSeconds(10),
                    () -> to(first.address(), late.address()).send(COMMAND, LONG, 0));
            assertEquals(2, answers.size());
            for (ActionSender.Answer answer : answers) {
                assertEquals(
                        answer.device().equals(first.address()) ? GvcpStatus.SUCCESS : GvcpStatus.ACTION_LATE,
                        answer.status());
            }
        }
    }

    @Test
    void whoKeepsSilentIsNotAmongTheAnswers() throws IOException {
        try (FakeResponder first = responder("127.10.9.1", "0000010100000123");
                FakeResponder silent = responder("127.10.9.2")) {
            List<ActionSender.Answer> answers =
                    to(silent.address(), first.address()).send(COMMAND, SHORT, 0);
            assertEquals(List.of(new ActionSender.Answer(first.address(), GvcpStatus.SUCCESS)), answers);
        }
    }

    @Test
    void answersToSomethingElseAreDropped() throws IOException {
        try (FakeResponder device = responder("127.10.9.1", "0000010100000124", "0000008100000123", "00")) {
            assertEquals(List.of(), to(device.address()).send(COMMAND, SHORT, 0));
        }
    }

    @Test
    void theFirstAnswerOfADeviceCounts() throws IOException {
        try (FakeResponder first = responder("127.10.9.1", "0000010100000123", "8016010100000123");
                FakeResponder silent = responder("127.10.9.2")) {
            assertEquals(
                    List.of(new ActionSender.Answer(first.address(), GvcpStatus.SUCCESS)),
                    to(first.address(), silent.address()).send(COMMAND, SHORT, 0));
        }
    }

    @Test
    void waitingEndsWithTheExpectedNumberOfAnswers() throws IOException {
        try (FakeResponder first = responder("127.10.9.1", "0000010100000123");
                FakeResponder silent = responder("127.10.9.2")) {
            List<ActionSender.Answer> answers = assertTimeoutPreemptively(
                    Duration.ofSeconds(10),
                    () -> to(first.address(), silent.address()).send(COMMAND, LONG, 1));
            assertEquals(1, answers.size());
        }
    }

    @Test
    void aCommandThatWantsNoAnswerDoesNotWait() throws IOException {
        ActionCommand unanswered = new ActionCommand(1, false, 1, 1, 1, OptionalLong.of(5));
        try (FakeResponder silent = responder("127.10.9.1")) {
            assertTimeoutPreemptively(
                    Duration.ofSeconds(10),
                    () -> assertEquals(List.of(), to(silent.address()).send(unanswered, LONG, 0)));
        }
    }

    @Test
    void aBroadcastGoesToTheSubnetOfTheInterfaceOnce() throws IOException {
        try (FakeResponder everybody = responder("0.0.0.0", "0000010100000123")) {
            ActionSender sender = ActionSender.create(DiscoverySettings.defaults()
                    .withInterfaces(List.of("127.0.0.1"))
                    .withPort(everybody.address().getPort()));
            assertEquals(1, sender.send(COMMAND, LONG, 1).size());
            assertEquals(
                    List.of("42010100000c0123111111112222222200000003"),
                    everybody.requests().stream().map(HEX::formatHex).toList());
        }
    }

    @Test
    void nothingIsBroadcastWhereNoInterfaceIsNamed() {
        ActionSender nowhere = ActionSender.create(DiscoverySettings.defaults());
        assertThrows(DiscoveryException.class, () -> nowhere.send(COMMAND, SHORT, 0));
    }
}
