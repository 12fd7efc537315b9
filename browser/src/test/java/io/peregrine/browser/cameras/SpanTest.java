package io.peregrine.browser.cameras;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.browser.cameras.Span.Limits;
import org.junit.jupiter.api.Test;

/** A wanted range of the sensor, fitted to what a camera accepts. */
class SpanTest {
    private static final Limits ANY = new Limits(0, 1, 1, 1000, 1);
    private static final Limits STEPS = new Limits(0, 8, 16, 1000, 4);

    private static Span around(Limits limits, long offset, long size) {
        return limits.around(new Span(offset, size));
    }

    @Test
    void aRangeThatTheCameraAcceptsStays() {
        assertEquals(new Span(10, 20), around(ANY, 10, 20));
    }

    @Test
    void aRangeGrowsToTheStepsOfTheCamera() {
        assertEquals(new Span(8, 20), around(STEPS, 10, 17));
    }

    @Test
    void aSmallRangeGrowsToTheSmallestSize() {
        assertEquals(new Span(48, 16), around(STEPS, 50, 3));
    }

    @Test
    void aRangeEndsWithTheSensor() {
        assertEquals(new Span(952, 48), around(STEPS, 959, 500));
    }

    @Test
    void aRangeBeyondTheSensorIsTheLastThatFits() {
        assertEquals(new Span(984, 16), around(STEPS, 5000, 100));
    }

    @Test
    void aRangeBeforeTheSensorBeginsWithIt() {
        assertEquals(new Span(0, 20), around(STEPS, -30, 50));
    }

    @Test
    void moreThanTheSensorIsTheSensor() {
        assertEquals(new Span(0, 1000), around(STEPS, 0, Long.MAX_VALUE / 4));
    }

    @Test
    void stepsCountFromTheSmallestValue() {
        assertEquals(new Span(13, 22), around(new Limits(3, 10, 2, 100, 20), 17, 10));
    }
}
