package io.peregrine.discovery.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thousand devices that all answer at once. */
@Timeout(60)
class CrowdTest {
    private static final int DEVICES = 1000;

    private static List<byte[]> answers(byte[] request) {
        // 127.11.0.0 and on.
        return IntStream.range(0, DEVICES)
                .mapToObj(i -> FakeResponder.answer(FakeResponder.id(request), i + 1L, 0x7F0B0000 + i, "S" + i))
                .toList();
    }

    private static DiscoverySettings loopback(FakeResponder crowd) {
        return DiscoverySettings.defaults()
                .withInterfaces(List.of("lo"))
                .withPort(crowd.address().getPort());
    }

    @Test
    void isFoundToTheLast() throws IOException {
        try (FakeResponder crowd = FakeResponder.start("0.0.0.0", 0, CrowdTest::answers)) {
            Discovery discovery = Discovery.create(loopback(crowd));
            assertEquals(DEVICES, discovery.discover(Duration.ofSeconds(1)).size());
        }
    }

    /** The kernel's count goes up by 7 with each look, as many times as are given. */
    private static ToLongFunction<Set<Integer>> dropping(int times) {
        AtomicInteger looks = new AtomicInteger(-1);
        return ports -> 7L * Math.min(looks.incrementAndGet(), times);
    }

    private static int questions(int lossyRounds) throws IOException {
        try (FakeResponder silent = FakeResponder.start("127.11.8.1", 0, r -> List.of())) {
            DiscoverySettings settings =
                    DiscoverySettings.defaults().withBroadcast(false).withUnicast(List.of(silent.address()));
            new Discovery(settings, dropping(lossyRounds)).discover(Duration.ofMillis(200));
            return silent.requests().size();
        }
    }

    @Test
    void isAskedTwiceWhenNothingIsLost() throws IOException {
        assertEquals(2, questions(0));
    }

    @Test
    void isAskedAgainWhenAnswersWereLost() throws IOException {
        assertEquals(3, questions(1));
    }

    @Test
    void isNotAskedWithoutEnd() throws IOException {
        assertEquals(4, questions(Integer.MAX_VALUE));
    }

    @Test
    void whatIsLostIsCounted() throws IOException {
        try (FakeResponder silent = FakeResponder.start("127.11.8.2", 0, r -> List.of())) {
            DiscoverySettings settings =
                    DiscoverySettings.defaults().withBroadcast(false).withUnicast(List.of(silent.address()));
            Discovery discovery = new Discovery(settings, dropping(2));
            discovery.discover(Duration.ofMillis(80));
            assertEquals(14, discovery.lostAnswers());
        }
    }
}
