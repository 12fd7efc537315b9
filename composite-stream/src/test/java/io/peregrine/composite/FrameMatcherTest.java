package io.peregrine.composite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameMatcherTest {
    private static final long TOLERANCE = 10;
    private static final long PATIENCE = 1000;

    private FrameMatcher<String> matcher = matcher(2, 4);

    private static FrameMatcher<String> matcher(int sources, int maxHeld) {
        return new FrameMatcher<>(sources, TOLERANCE, PATIENCE, maxHeld);
    }

    /** What is ready, with a dash for each frame that is missing. */
    private List<String> ready(int sources) {
        List<String> found = new ArrayList<>();
        for (Optional<FrameMatcher.Match<String>> match = matcher.next(); match.isPresent(); match = matcher.next()) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < sources; i++) {
                text.append(match.get().frame(i).orElse("-"));
            }
            found.add(text.toString());
        }
        return found;
    }

    private List<String> ready() {
        return ready(2);
    }

    @Test
    void framesWithinTheToleranceBelongTogether() {
        matcher.accept(0, 100, "a", 0);
        assertEquals(List.of(), ready());
        matcher.accept(1, 110, "b", 0);
        assertEquals(List.of("ab"), ready());
    }

    @Test
    void theDistanceOfAllFramesCounts() {
        matcher = matcher(3, 4);
        matcher.accept(0, 100, "a", 0);
        matcher.accept(1, 94, "b", 0);
        assertEquals(List.of(), ready(3));
        matcher.accept(2, 105, "c", 0);
        assertEquals(List.of("ab-"), ready(3));
    }

    @Test
    void aPartnerIsMissingAsSoonAsItsStreamHasGoneOn() {
        matcher.accept(0, 100, "a", 0);
        matcher.accept(1, 200, "b", 0);
        assertEquals(List.of("a-"), ready());
        matcher.accept(0, 201, "c", 0);
        assertEquals(List.of("cb"), ready());
    }

    @Test
    void aPartnerIsMissingWhenThePatienceIsOver() {
        matcher.accept(0, 100, "a", 50);
        matcher.onTime(50 + PATIENCE - 1);
        assertEquals(List.of(), ready());
        assertEquals(1, matcher.nanosUntilNext(50 + PATIENCE - 1));
        matcher.onTime(50 + PATIENCE);
        assertEquals(List.of("a-"), ready());
        assertEquals(Long.MAX_VALUE, matcher.nanosUntilNext(50 + PATIENCE));
    }

    @Test
    void aFrameThatComesTooLateIsGivenAlone() {
        matcher.accept(0, 100, "a", 0);
        matcher.onTime(PATIENCE);
        matcher.accept(0, 200, "b", PATIENCE);
        matcher.accept(1, 101, "late", PATIENCE);
        assertEquals(List.of("a-", "-late"), ready());
        matcher.accept(1, 199, "c", PATIENCE);
        assertEquals(List.of("bc"), ready());
    }

    @Test
    void noMoreFramesOfASourceAreHeldThanAllowed() {
        for (int i = 0; i < 6; i++) {
            matcher.accept(0, 100L * i, Integer.toString(i), 0);
        }
        assertEquals(List.of("0-", "1-"), ready());
        matcher.accept(1, 200, "b", 0);
        assertEquals(List.of("2b"), ready());
    }

    @Test
    void theNearestPartnerIsTaken() {
        matcher.accept(0, 100, "a", 0);
        matcher.accept(0, 108, "b", 0);
        matcher.accept(1, 107, "c", 0);
        assertEquals(List.of("bc"), ready());
    }

    @Test
    void nobodyWaitsForASourceThatHasEnded() {
        matcher.accept(0, 100, "a", 0);
        matcher.end(1, 0);
        assertEquals(List.of("a-"), ready());
        matcher.accept(0, 200, "b", 0);
        assertEquals(List.of("b-"), ready());
        matcher.restart();
        matcher.accept(0, 300, "c", 0);
        assertEquals(List.of(), ready());
    }

    @Test
    void framesOfTwoRunsDoNotMeet() {
        matcher.accept(0, 1, "old", 0);
        matcher.restart();
        matcher.accept(1, 1, "new", 0);
        matcher.accept(0, 1, "newer", 0);
        assertEquals(List.of("old-", "newernew"), ready());
    }

    @Test
    void aFrameWithoutAKeyIsGivenAtOnce() {
        matcher.accept(0, 5, "a", 0);
        matcher.acceptAlone(1, "x", 0);
        matcher.accept(1, 5, "b", 0);
        assertEquals(List.of("-x", "ab"), ready());
    }

    @Test
    void keysFromOneEndOfTheRangeToTheOtherDoNotOverflow() {
        matcher.accept(0, Long.MIN_VALUE, "a", 0);
        matcher.accept(1, Long.MAX_VALUE, "b", 0);
        assertEquals(List.of("a-"), ready());
        matcher.accept(0, Long.MAX_VALUE - 3, "c", 0);
        assertEquals(List.of("cb"), ready());
    }

    @Test
    void theOldestMatchSaysWhomItWaitsFor() {
        assertEquals(-1, matcher.missingSource());
        matcher.accept(1, 5, "b", 0);
        assertEquals(0, matcher.missingSource());
        matcher.end(0, 0);
        assertEquals(-1, matcher.missingSource());
    }

    /**
     * Three sources with jitter, losses and clocks that jump: each frame once, none held too long, none too far apart.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyFrameComesOutOnceAndInItsPlace(long seed) {
        Random random = new Random(seed);
        matcher = matcher(3, 3);
        Map<String, Long> keys = new HashMap<>();
        List<String> given = new ArrayList<>();
        long jump = 0;
        for (int i = 0; i < 2000; i++) {
            jump += random.nextInt(400) == 0 ? random.nextInt(100_000) - 50_000 : 0;
            for (int source = 0; source < 3; source++) {
                if (random.nextInt(10) > 0) {
                    long key = 40L * i + jump + random.nextInt(11);
                    String frame = "[" + source + ":" + i + "]";
                    keys.put(frame, key);
                    matcher.accept(source, key, frame, 40L * i);
                    collect(given, keys);
                    assertTrue(keys.size() <= 3 * 3, () -> "held: " + keys.keySet());
                }
            }
        }
        matcher.flush();
        collect(given, keys);
        assertEquals(Map.of(), keys);
        assertTrue(given.stream().filter(text -> !text.contains("-")).count() > 1000, () -> "complete of " + given);
    }

    private void collect(List<String> given, Map<String, Long> keys) {
        for (Optional<FrameMatcher.Match<String>> match = matcher.next(); match.isPresent(); match = matcher.next()) {
            StringBuilder text = new StringBuilder();
            List<Long> own = new ArrayList<>();
            for (int source = 0; source < 3; source++) {
                String frame = match.get().frame(source).orElse("-");
                text.append(frame);
                if (!frame.equals("-")) {
                    Long key = keys.remove(frame);
                    assertTrue(key != null, () -> frame + " comes twice");
                    own.add(key);
                }
            }
            long spread = own.stream().mapToLong(key -> key).max().orElseThrow()
                    - own.stream().mapToLong(key -> key).min().orElseThrow();
            assertTrue(spread <= TOLERANCE, text::toString);
            assertEquals(spread, match.get().spread());
            given.add(text.toString());
        }
    }
}
