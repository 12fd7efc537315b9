package io.peregrine.distribution;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.StaticDelayGenerator;
import io.aeron.driver.ThreadingMode;
import io.peregrine.distribution.driver.RunReceiverSupplier;
import io.peregrine.distribution.driver.RunSenderSupplier;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BackoffIdleStrategy;

/** How a media driver inside a program is set up for frames: megabytes at once, and few consumers. */
final class EmbeddedDriver {
    /** A program that is stopped for less goes on afterwards. */
    static final Duration SUSPENDED = Duration.ofSeconds(60);

    private static final int SOCKET_BUFFER_BYTES = 4 << 20;
    /** After that a consumer that was stopped joins again, instead of after 10 s. */
    private static final long IMAGE_LIVENESS_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A gap is filled once in that time: several consumers may ask for the same. Aeron's default is 60 ms. */
    private static final long RESEND_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * A consumer of several asks for what is lost after that time, one gap at a time. With Aeron's default, about 8 ms
     * for each gap, one packet of 1500 bytes in a hundred lost leaves 16 MB/s. A channel's {@code nak-delay} does not
     * count for groups.
     */
    private static final long ASK_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    private EmbeddedDriver() {}

    /** A driver that is not started. */
    static MediaDriver.Context context(String directory, DistributionSettings settings) {
        SocketBuffers buffers = SocketBuffers.granted(Math.max(SOCKET_BUFFER_BYTES, settings.windowBytes()));
        return new MediaDriver.Context()
                .aeronDirectoryName(directory)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .warnIfDirectoryExists(false)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new BackoffIdleStrategy(1, 1, 1_000, 50_000))
                .termBufferSparseFile(true)
                .socketRcvbufLength(buffers.receiveBytes())
                .socketSndbufLength(buffers.sendBytes())
                .initialWindowLength(Math.min(settings.windowBytes(), buffers.receiveBytes()))
                .retransmitUnicastLingerNs(RESEND_AGAIN_NANOS)
                .multicastFeedbackDelayGenerator(new StaticDelayGenerator(ASK_NANOS, RESEND_AGAIN_NANOS))
                .sendChannelEndpointSupplier(new RunSenderSupplier())
                .receiveChannelEndpointSupplier(new RunReceiverSupplier())
                .multicastFlowControlSupplier(GroupFlowControl.supplier())
                .imageLivenessTimeoutNs(IMAGE_LIVENESS_NANOS)
                .clientLivenessTimeoutNs(SUSPENDED.toNanos())
                .publicationUnblockTimeoutNs(SUSPENDED.toNanos() * 3 / 2);
    }
}
