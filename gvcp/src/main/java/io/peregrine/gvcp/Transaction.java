package io.peregrine.gvcp;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * One command and its answer: how often it is sent, how long each attempt waits, which datagram answers it. Neither
 * sends nor waits itself; the time is passed in, in nanoseconds of any clock that only goes forward. Not thread-safe.
 *
 * @param <A> type of the decoded answer
 */
final class Transaction<A> {
    private final int id;
    private final int code;
    private final int address;
    private final String device;
    private final Function<ByteBuffer, A> decoder;
    private final GvcpSettings settings;
    private final int attempts;
    private final ControlCounters counters;
    private final long limitNanos;
    private int begun;
    private long endNanos;
    private String trouble = "";

    /**
     * Starts a transaction; its first attempt starts with {@link #nextAttempt}.
     *
     * @param id the request id that the answer must repeat
     * @param code command code
     * @param address register that the command is about, for messages
     * @param device name of the device, for messages
     * @param decoder turns a successful answer into its value; throws {@link MalformedPacketException} where it cannot
     * @param settings how long to wait
     * @param attempts how often to send at most
     * @param counters counts what happens
     * @param nowNanos the time now; the limit of all PENDING_ACKs counts from it
     */
    Transaction(
            int id,
            int code,
            int address,
            String device,
            Function<ByteBuffer, A> decoder,
            GvcpSettings settings,
            int attempts,
            ControlCounters counters,
            long nowNanos) {
        this.id = id;
        this.code = code;
        this.address = address;
        this.device = device;
        this.decoder = decoder;
        this.settings = settings;
        this.attempts = attempts;
        this.counters = counters;
        limitNanos = nowNanos + settings.pendingLimit().toNanos();
        counters.commands.increment();
    }

    /** Starts the next attempt: the command is to be sent now. False if there were enough. */
    boolean nextAttempt(long nowNanos) {
        if (begun == attempts) {
            return false;
        }
        if (begun > 0) {
            counters.repetitions.increment();
        }
        begun++;
        endNanos = nowNanos + settings.timeout().toNanos();
        return true;
    }

    /** How long the present attempt still waits; 0 or less if it is over. */
    long remainingNanos(long nowNanos) {
        return endNanos - nowNanos;
    }

    /** Whether a datagram comes from the device in answer to this command, also as a failure or PENDING_ACK. */
    private boolean isAnswer(AckHeader header) {
        return header.ackId() == id && (header.acknowledge() == code + 1 || pending(header));
    }

    private static boolean pending(AckHeader header) {
        return header.acknowledge() == Gvcp.PENDING_ACK;
    }

    /**
     * Takes a datagram.
     *
     * @param datagram from position to limit; not changed
     * @param nowNanos the time now
     * @param onAnswer runs if the device answered this command in whatever way
     * @return the decoded answer; empty if the datagram was none, or asks for more time
     * @throws GvcpStatusException if the device answered with a failure
     */
    Optional<A> onDatagram(ByteBuffer datagram, long nowNanos, Runnable onAnswer) {
        try {
            AckHeader header = AckHeader.decode(datagram);
            if (!isAnswer(header)) {
                counters.staleAnswers.increment();
                return Optional.empty();
            }
            onAnswer.run();
            if (!header.status().success()) {
                counters.failures.increment();
                throw GvcpStatusException.of(
                        header.status(), Gvcp.name(code), BootstrapRegister.describe(address), device);
            }
            if (pending(header)) {
                extend(PendingAck.decode(datagram), nowNanos);
                return Optional.empty();
            }
            return Optional.of(decoder.apply(datagram));
        } catch (MalformedPacketException e) {
            counters.malformedAnswers.increment();
            trouble = e.getMessage();
            return Optional.empty();
        }
    }

    private void extend(PendingAck pending, long nowNanos) {
        counters.pendingAnswers.increment();
        long wantedNanos = nowNanos
                + TimeUnit.MILLISECONDS.toNanos(pending.timeToCompletionMs())
                + settings.timeout().toNanos();
        if (wantedNanos - limitNanos > 0) {
            wantedNanos = limitNanos;
            trouble = "the device kept asking for more time, longer than "
                    + settings.pendingLimit().toMillis() + " ms";
        }
        if (wantedNanos - endNanos > 0) {
            endNanos = wantedNanos;
        }
    }

    /** Remembers why there may be no answer, for the message; empty if there is no reason any more. */
    void trouble(String reason) {
        trouble = reason;
    }

    /** The failure when no attempt was answered. */
    GvcpTimeoutException timeout() {
        counters.timeouts.increment();
        return new GvcpTimeoutException(this + ": no answer to " + attempts + " attempts of "
                + settings.timeout().toMillis() + " ms"
                + (trouble.isEmpty() ? "; some devices stay silent when they refuse a command" : "; " + trouble));
    }

    /** Command, register and device, for messages. */
    @Override
    public String toString() {
        return Gvcp.name(code) + " of " + BootstrapRegister.describe(address) + " on " + device;
    }
}
