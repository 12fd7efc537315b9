package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.driver.MediaDriver;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EmbeddedDriverTest {
    private static final int WINDOW = 192 << 10;

    private final DistributionSettings settings =
            DistributionSettings.load(Optional.empty(), key -> null, Path.of("no-such-folder"));

    private MediaDriver.Context context(int window) {
        return EmbeddedDriver.context("unused", settings.with(DistributionSettings.WINDOW, Integer.toString(window)));
    }

    @Test
    void windowIsThatOfTheSettingsWhereTheHostGrantsTheBuffer() {
        int granted = SocketBuffers.granted(WINDOW).receiveBytes();
        assertEquals(granted, context(WINDOW).initialWindowLength());
    }

    @Test
    void windowFitsIntoTheBufferOfTheSocket() {
        MediaDriver.Context context = context(256 << 20);
        assertTrue(context.initialWindowLength() <= context.socketRcvbufLength());
    }

    @Test
    void aGapInAGroupIsAskedForWithinAMillisecond() {
        assertTrue(
                context(WINDOW).multicastFeedbackDelayGenerator().generateDelayNs() < TimeUnit.MILLISECONDS.toNanos(1));
    }
}
