package io.peregrine.rdma;

import io.peregrine.stream.RdmaMode;
import io.peregrine.stream.engine.ThreadScheduling;
import java.net.Inet4Address;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How a stream is received by RDMA.
 *
 * @param provider name of the provider, or {@link RdmaProviders#AUTO}
 * @param interfaceAddress address of the local interface; empty for the one that leads to the device
 * @param completionVector negative: busy polling; otherwise the vector (interrupt) to use, modulo those available
 * @param maxPoll most completions handled at a time
 * @param mode how bytes come; empty for whatever the device can do, {@link RdmaMode#SEND} first
 * @param ackTimeoutExponent see {@link ConnectionSettings#ackTimeoutExponent()}
 * @param connectTimeout how long to wait for the device when connecting
 * @param reconnect what to do when the connection breaks
 * @param thread how the receiver thread is scheduled; that of a group as its first member asks
 * @param shared whether to be in a {@link RdmaStreamGroup} with other devices on the same interface where the mode
 *     allows
 */
public record RdmaStreamSettings(
        String provider,
        Optional<Inet4Address> interfaceAddress,
        int completionVector,
        int maxPoll,
        Optional<RdmaMode> mode,
        int ackTimeoutExponent,
        Duration connectTimeout,
        ReconnectPolicy reconnect,
        ThreadScheduling thread,
        boolean shared) {
    // The receiver thread may be connecting when the stream is stopped, and stopping waits for it for 5 s.
    private static final Duration MAX_CONNECT = Duration.ofSeconds(4);

    /** Checks what {@link ConnectionSettings} and {@link CompletionQueueSettings} do not. */
    public RdmaStreamSettings {
        Objects.requireNonNull(provider, "provider");
        Objects.requireNonNull(interfaceAddress, "interfaceAddress");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(reconnect, "reconnect");
        Objects.requireNonNull(thread, "thread");
        if (connectTimeout.isNegative() || connectTimeout.isZero() || connectTimeout.compareTo(MAX_CONNECT) > 0) {
            throw new RdmaException("connectTimeout is " + connectTimeout + ": give up to " + MAX_CONNECT);
        }
    }

    /** Any provider on the interface that leads to the device, sleeping when idle, reconnecting for some seconds. */
    public static RdmaStreamSettings defaults() {
        return new RdmaStreamSettings(
                RdmaProviders.AUTO,
                Optional.empty(),
                0,
                CompletionQueueSettings.DEFAULT_MAX_POLL,
                Optional.empty(),
                ConnectionSettings.DEFAULT_ACK_TIMEOUT_EXPONENT,
                Duration.ofSeconds(2),
                ReconnectPolicy.defaults(),
                ThreadScheduling.DEFAULT,
                false);
    }

    /** The same with another provider and interface. */
    public RdmaStreamSettings withProvider(String name, Optional<Inet4Address> localAddress) {
        return change(draft -> {
            draft.provider = name;
            draft.interfaceAddress = localAddress;
        });
    }

    /** The same with other polling. */
    public RdmaStreamSettings withPolling(int vector, int most) {
        return change(draft -> {
            draft.completionVector = vector;
            draft.maxPoll = most;
        });
    }

    /** The same with another mode. */
    public RdmaStreamSettings withMode(Optional<RdmaMode> value) {
        return change(draft -> draft.mode = value);
    }

    /** The same with another policy for broken connections. */
    public RdmaStreamSettings withReconnect(ReconnectPolicy policy) {
        return change(draft -> draft.reconnect = policy);
    }

    /** The same with other times. */
    public RdmaStreamSettings withTimeouts(int ackExponent, Duration connect) {
        return change(draft -> {
            draft.ackTimeoutExponent = ackExponent;
            draft.connectTimeout = connect;
        });
    }

    /** The same with another scheduling of the receiver thread. */
    public RdmaStreamSettings withThread(ThreadScheduling value) {
        return change(draft -> draft.thread = value);
    }

    /** The same with or without sharing. */
    public RdmaStreamSettings withShared(boolean value) {
        return change(draft -> draft.shared = value);
    }

    private RdmaStreamSettings change(Consumer<Draft> what) {
        Draft draft = new Draft(this);
        what.accept(draft);
        return draft.settings();
    }

    /** Settings while one of them is changed. */
    private static final class Draft {
        private String provider;
        private Optional<Inet4Address> interfaceAddress;
        private int completionVector;
        private int maxPoll;
        private Optional<RdmaMode> mode;
        private int ackTimeoutExponent;
        private Duration connectTimeout;
        private ReconnectPolicy reconnect;
        private ThreadScheduling thread;
        private boolean shared;

        Draft(RdmaStreamSettings settings) {
            provider = settings.provider;
            interfaceAddress = settings.interfaceAddress;
            completionVector = settings.completionVector;
            maxPoll = settings.maxPoll;
            mode = settings.mode;
            ackTimeoutExponent = settings.ackTimeoutExponent;
            connectTimeout = settings.connectTimeout;
            reconnect = settings.reconnect;
            thread = settings.thread;
            shared = settings.shared;
        }

        RdmaStreamSettings settings() {
            return new RdmaStreamSettings(
                    provider,
                    interfaceAddress,
                    completionVector,
                    maxPoll,
                    mode,
                    ackTimeoutExponent,
                    connectTimeout,
                    reconnect,
                    thread,
                    shared);
        }
    }
}
