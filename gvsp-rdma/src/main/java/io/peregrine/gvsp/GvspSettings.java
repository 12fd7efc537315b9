package io.peregrine.gvsp;

import io.peregrine.stream.StreamException;
import io.peregrine.stream.engine.ThreadScheduling;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How a GVSP stream is received.
 *
 * @param localAddress address of the interface that packets arrive at
 * @param localPort UDP port that packets arrive at; 0 takes a free one. That of a group is the group's
 * @param deviceAddress address that packets must come from
 * @param group group that the device sends to, joined at the interface of the local address; empty when it sends to
 *     that address
 * @param packetSizeBytes packet size that was set in the device, with IP, UDP and GVSP headers; a device that uses a
 *     smaller one is recognised by its packets
 * @param resendEnabled whether missing packets are asked for again
 * @param initialTimeout how long a missing packet may be late by reordering before it is asked for; less once the time
 *     between packets is known
 * @param packetTimeout how long to wait for an answer at most before a packet is asked for again, less once the time of
 *     answers is known; without resending, how long to wait for a missing packet at all
 * @param resendTries how often a packet is asked for at most
 * @param resendRatio most packets asked for in a block, as a fraction of its packets, each as often as it is asked for;
 *     64 are always allowed
 * @param frameRetention how long a block may stay without news before it is given up
 * @param openBlocks most blocks that are received at the same time
 * @param inOrder whether blocks are delivered in the order of their ids, so that a whole one waits for an older one for
 *     as long as that may still be completed; otherwise each is delivered when it ends
 * @param receiveBufferBytes size of the socket's buffer to ask for
 * @param thread where and how urgently the receiver thread runs
 * @param waiting how the receiver waits for packets
 * @param sharedThread name of the receiver thread that streams of this name share; each its own when empty
 * @param verbs how raw packets are received, for a receiver of that kind
 */
public record GvspSettings(
        InetAddress localAddress,
        int localPort,
        InetAddress deviceAddress,
        Optional<MulticastGroup> group,
        int packetSizeBytes,
        boolean resendEnabled,
        Duration initialTimeout,
        Duration packetTimeout,
        int resendTries,
        double resendRatio,
        Duration frameRetention,
        int openBlocks,
        boolean inOrder,
        int receiveBufferBytes,
        ThreadScheduling thread,
        ReceiverWaiting waiting,
        Optional<String> sharedThread,
        VerbsSettings verbs) {

    /** Size of the socket's buffer that is asked for by default: 50 ms at 10 Gbit/s. */
    public static final int DEFAULT_RECEIVE_BUFFER_BYTES = 64 << 20;

    private static final int MAX_PORT = 65535;
    private static final int MIN_PACKET_BYTES = 72;
    private static final int MAX_PACKET_BYTES = 65535;
    private static final int MAX_TRIES = 100;
    private static final int MAX_OPEN_BLOCKS = 1024;
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** Checks every value. */
    public GvspSettings {
        Objects.requireNonNull(localAddress, "localAddress");
        Objects.requireNonNull(deviceAddress, "deviceAddress");
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(thread, "thread");
        Objects.requireNonNull(waiting, "waiting");
        Objects.requireNonNull(sharedThread, "sharedThread");
        Objects.requireNonNull(verbs, "verbs");
        check("localPort", localPort, 0, MAX_PORT);
        check("packetSizeBytes", packetSizeBytes, MIN_PACKET_BYTES, MAX_PACKET_BYTES);
        check("resendTries", resendTries, 1, MAX_TRIES);
        check("openBlocks", openBlocks, 1, MAX_OPEN_BLOCKS);
        check("receiveBufferBytes", receiveBufferBytes, 4096, Integer.MAX_VALUE);
        if (!(resendRatio >= 0 && resendRatio <= 1000)) {
            throw new StreamException("resendRatio must be between 0 and 1000, not " + resendRatio);
        }
        check("initialTimeout", initialTimeout);
        check("packetTimeout", packetTimeout);
        check("frameRetention", frameRetention);
    }

    /**
     * Settings that suit most devices: packets of 1500 bytes, resending on, asked for after 1 ms at the latest and
     * again after 20 ms at the latest up to 8 times, blocks given up after 100 ms without news and delivered in order,
     * a buffer of 64 MiB in the kernel, which is 50 ms at 10 Gbit/s.
     */
    public static GvspSettings defaults(InetAddress localAddress, InetAddress deviceAddress) {
        return new GvspSettings(
                localAddress,
                0,
                deviceAddress,
                Optional.empty(),
                1500,
                true,
                Duration.ofMillis(1),
                Duration.ofMillis(20),
                8,
                2.0,
                Duration.ofMillis(100),
                16,
                true,
                DEFAULT_RECEIVE_BUFFER_BYTES,
                ThreadScheduling.DEFAULT,
                ReceiverWaiting.DEFAULT,
                Optional.empty(),
                VerbsSettings.DEFAULT);
    }

    /** The same at another port; 0 takes a free one. */
    public GvspSettings withLocalPort(int value) {
        return change(draft -> draft.localPort = value);
    }

    /** The same for a device that sends to a group. */
    public GvspSettings withGroup(MulticastGroup value) {
        return change(draft -> draft.group = Optional.of(value));
    }

    /** The same with another packet size, which counts IP, UDP and GVSP headers. */
    public GvspSettings withPacketSizeBytes(int value) {
        return change(draft -> draft.packetSizeBytes = value);
    }

    /** The same with resending on or off. */
    public GvspSettings withResendEnabled(boolean value) {
        return change(draft -> draft.resendEnabled = value);
    }

    /** The same with other times before the first and before each further request. */
    public GvspSettings withTimeouts(Duration initial, Duration packet) {
        return change(draft -> {
            draft.initialTimeout = initial;
            draft.packetTimeout = packet;
        });
    }

    /** The same with other limits for resending. */
    public GvspSettings withResendLimits(int tries, double ratio) {
        return change(draft -> {
            draft.resendTries = tries;
            draft.resendRatio = ratio;
        });
    }

    /** The same with another time before a block without news is given up. */
    public GvspSettings withFrameRetention(Duration value) {
        return change(draft -> draft.frameRetention = value);
    }

    /** The same with another number of blocks received at the same time. */
    public GvspSettings withOpenBlocks(int value) {
        return change(draft -> draft.openBlocks = value);
    }

    /** The same with blocks delivered in order or as they end. */
    public GvspSettings withInOrder(boolean value) {
        return change(draft -> draft.inOrder = value);
    }

    /** The same with another size of the socket's buffer to ask for. */
    public GvspSettings withReceiveBufferBytes(int value) {
        return change(draft -> draft.receiveBufferBytes = value);
    }

    /** The same with another scheduling of the receiver thread. */
    public GvspSettings withThread(ThreadScheduling value) {
        return change(draft -> draft.thread = value);
    }

    /** The same with another way to wait for packets. */
    public GvspSettings withWaiting(ReceiverWaiting value) {
        return change(draft -> draft.waiting = value);
    }

    /** The same with a receiver thread that streams share. */
    public GvspSettings withSharedThread(Optional<String> value) {
        return change(draft -> draft.sharedThread = value);
    }

    /** The same with another way to receive raw packets. */
    public GvspSettings withVerbs(VerbsSettings value) {
        return change(draft -> draft.verbs = value);
    }

    private GvspSettings change(Consumer<Draft> what) {
        Draft draft = new Draft(this);
        what.accept(draft);
        return draft.settings();
    }

    /** Settings while one of them is changed. */
    private static final class Draft {
        private final InetAddress localAddress;
        private final InetAddress deviceAddress;
        private int localPort;
        private Optional<MulticastGroup> group;
        private int packetSizeBytes;
        private boolean resendEnabled;
        private Duration initialTimeout;
        private Duration packetTimeout;
        private int resendTries;
        private double resendRatio;
        private Duration frameRetention;
        private int openBlocks;
        private boolean inOrder;
        private int receiveBufferBytes;
        private ThreadScheduling thread;
        private ReceiverWaiting waiting;
        private Optional<String> sharedThread;
        private VerbsSettings verbs;

        Draft(GvspSettings settings) {
            localAddress = settings.localAddress;
            localPort = settings.localPort;
            deviceAddress = settings.deviceAddress;
            group = settings.group;
            packetSizeBytes = settings.packetSizeBytes;
            resendEnabled = settings.resendEnabled;
            initialTimeout = settings.initialTimeout;
            packetTimeout = settings.packetTimeout;
            resendTries = settings.resendTries;
            resendRatio = settings.resendRatio;
            frameRetention = settings.frameRetention;
            openBlocks = settings.openBlocks;
            inOrder = settings.inOrder;
            receiveBufferBytes = settings.receiveBufferBytes;
            thread = settings.thread;
            waiting = settings.waiting;
            sharedThread = settings.sharedThread;
            verbs = settings.verbs;
        }

        GvspSettings settings() {
            return new GvspSettings(
                    localAddress,
                    localPort,
                    deviceAddress,
                    group,
                    packetSizeBytes,
                    resendEnabled,
                    initialTimeout,
                    packetTimeout,
                    resendTries,
                    resendRatio,
                    frameRetention,
                    openBlocks,
                    inOrder,
                    receiveBufferBytes,
                    thread,
                    waiting,
                    sharedThread,
                    verbs);
        }
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
