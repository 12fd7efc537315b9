package io.peregrine.gvsp;

import io.peregrine.stream.StreamException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;

/**
 * How a GVSP stream is received.
 *
 * @param localAddress address of the interface that packets arrive at
 * @param deviceAddress address that packets must come from
 * @param packetSizeBytes packet size that the device was told, with IP, UDP and GVSP headers; a device that uses a
 *     smaller one is recognised by its packets
 * @param resendEnabled whether missing packets are asked for again
 * @param initialTimeout how long a missing packet may be late by reordering before it is asked for
 * @param packetTimeout how long to wait for an answer before a packet is asked for again; without resending, how long
 *     to wait for a missing packet at all
 * @param resendTries how often a packet is asked for at most
 * @param resendRatio most packets asked for in a block, as a fraction of its packets; 64 are always allowed
 * @param frameRetention how long a block may stay without news before it is given up
 * @param openBlocks most blocks that are received at the same time
 * @param receiveBufferBytes size of the socket's buffer to ask for
 */
public record GvspSettings(
        InetAddress localAddress,
        InetAddress deviceAddress,
        int packetSizeBytes,
        boolean resendEnabled,
        Duration initialTimeout,
        Duration packetTimeout,
        int resendTries,
        double resendRatio,
        Duration frameRetention,
        int openBlocks,
        int receiveBufferBytes) {

    private static final int SMALLEST_PACKET_BYTES = 72;
    private static final int LARGEST_PACKET_BYTES = 65535;
    private static final int MOST_TRIES = 100;
    private static final int MOST_OPEN_BLOCKS = 1024;
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** Checks every value. */
    public GvspSettings {
        Objects.requireNonNull(localAddress, "localAddress");
        Objects.requireNonNull(deviceAddress, "deviceAddress");
        check("packetSizeBytes", packetSizeBytes, SMALLEST_PACKET_BYTES, LARGEST_PACKET_BYTES);
        check("resendTries", resendTries, 1, MOST_TRIES);
        check("openBlocks", openBlocks, 1, MOST_OPEN_BLOCKS);
        check("receiveBufferBytes", receiveBufferBytes, 4096, Integer.MAX_VALUE);
        if (!(resendRatio >= 0 && resendRatio <= 1000)) {
            throw new StreamException("resendRatio must be between 0 and 1000, not " + resendRatio);
        }
        check("initialTimeout", initialTimeout);
        check("packetTimeout", packetTimeout);
        check("frameRetention", frameRetention);
    }

    /**
     * Settings that suit most devices: packets of 1500 bytes, resending on, asked for after 1 ms and again every 20 ms up
     * to 5 times, blocks given up after 100 ms without news.
     */
    public static GvspSettings defaults(InetAddress localAddress, InetAddress deviceAddress) {
        return new GvspSettings(
                localAddress,
                deviceAddress,
                1500,
                true,
                Duration.ofMillis(1),
                Duration.ofMillis(20),
                5,
                1.0,
                Duration.ofMillis(100),
                16,
                32 << 20);
    }

    /** The same with another packet size, which counts IP, UDP and GVSP headers. */
    public GvspSettings withPacketSizeBytes(int value) {
        return new GvspSettings(
                localAddress,
                deviceAddress,
                value,
                resendEnabled,
                initialTimeout,
                packetTimeout,
                resendTries,
                resendRatio,
                frameRetention,
                openBlocks,
                receiveBufferBytes);
    }

    /** The same with resending on or off. */
    public GvspSettings withResendEnabled(boolean value) {
        return new GvspSettings(
                localAddress,
                deviceAddress,
                packetSizeBytes,
                value,
                initialTimeout,
                packetTimeout,
                resendTries,
                resendRatio,
                frameRetention,
                openBlocks,
                receiveBufferBytes);
    }

    /** The same with other times before the first and before each further request. */
    public GvspSettings withTimeouts(Duration initial, Duration packet) {
        return new GvspSettings(
                localAddress,
                deviceAddress,
                packetSizeBytes,
                resendEnabled,
                initial,
                packet,
                resendTries,
                resendRatio,
                frameRetention,
                openBlocks,
                receiveBufferBytes);
    }

    /** The same with other limits for resending. */
    public GvspSettings withResendLimits(int tries, double ratio) {
        return new GvspSettings(
                localAddress,
                deviceAddress,
                packetSizeBytes,
                resendEnabled,
                initialTimeout,
                packetTimeout,
                tries,
                ratio,
                frameRetention,
                openBlocks,
                receiveBufferBytes);
    }

    /** The same with another time before a block without news is given up. */
    public GvspSettings withFrameRetention(Duration value) {
        return new GvspSettings(
                localAddress,
                deviceAddress,
                packetSizeBytes,
                resendEnabled,
                initialTimeout,
                packetTimeout,
                resendTries,
                resendRatio,
                value,
                openBlocks,
                receiveBufferBytes);
    }

    /** The same with another number of blocks received at the same time. */
    public GvspSettings withOpenBlocks(int value) {
        return new GvspSettings(
                localAddress,
                deviceAddress,
                packetSizeBytes,
                resendEnabled,
                initialTimeout,
                packetTimeout,
                resendTries,
                resendRatio,
                frameRetention,
                value,
                receiveBufferBytes);
    }

    /** The same with another size of the socket's buffer to ask for. */
    public GvspSettings withReceiveBufferBytes(int value) {
        return new GvspSettings(
                localAddress,
                deviceAddress,
                packetSizeBytes,
                resendEnabled,
                initialTimeout,
                packetTimeout,
                resendTries,
                resendRatio,
                frameRetention,
                openBlocks,
                value);
    }

    private static void check(String name, int value, int smallest, int largest) {
        if (value < smallest || value > largest) {
            throw new StreamException(name + " must be between " + smallest + " and " + largest + ", not " + value);
        }
    }

    private static void check(String name, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(LONGEST) > 0) {
            throw new StreamException(name + " must be more than zero and at most " + LONGEST + ", not " + value);
        }
    }
}
