package io.peregrine.gvcp;

import java.nio.ByteBuffer;
import java.time.Duration;
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
    private final Patience patience;
    private final ControlCounters counters;
    /** When the {@link TimeLimit} is over, if there is one. */
    private final long limitNanos;

    /** From when on no PENDING_ACK extends an attempt. */
    private long pendingEndNanos;
    /** What it was too long for that the device asked for more time, for messages. */
    private String pendingLimit;

    private int begun;
    private long attemptEndNanos;
    /** The end of the present attempt as far as PENDING_ACKs have extended it. */
    private long endNanos;

    private boolean hurried;
    private boolean askedTooLong;
    private boolean limitOver;
    private String trouble = "";

    /**
     * Starts a transaction; its first attempt starts with {@link #nextAttempt}.
     *
     * @param id the request id that the answer must repeat
     * @param code command code
     * @param address register that the command is about, for messages
     * @param device name of the device, for messages
     * @param decoder turns a successful answer into its value; throws {@link MalformedPacketException} where it cannot
     * @param patience how long to wait
     * @param counters counts what happens
     * @param nowNanos the time now; all limits count from it
     */
    Transaction(
            int id,
            int code,
            int address,
            String device,
            Function<ByteBuffer, A> decoder,
            Patience patience,
            ControlCounters counters,
            long nowNanos) {
        this.id = id;
        this.code = code;
        this.address = address;
        this.device = device;
        this.decoder = decoder;
        this.patience = patience;
        this.counters = counters;
        limitNanos = nowNanos + patience.limit().map(TimeLimit::remainingNanos).orElse(0L);
        pendingEndNanos = withinLimit(nowNanos + patience.pendingLimit().toNanos());
        pendingLimit = ", longer than " + patience.pendingLimit().toMillis() + " ms";
        counters.commands.increment();
    }

    private long withinLimit(long nanos) {
        return patience.limit().isPresent() && nanos - limitNanos > 0 ? limitNanos : nanos;
    }

    /** Starts the next attempt: the command is to be sent now. False if there were enough, or the time is over. */
    boolean nextAttempt(long nowNanos) {
        limitOver = patience.limit().isPresent() && nowNanos - limitNanos >= 0;
        if (limitOver || begun == patience.attempts()) {
            return false;
        }
        if (begun > 0) {
            counters.repetitions.increment();
        }
        begun++;
        attemptEndNanos = withinLimit(nowNanos + patience.timeout().toNanos());
        endNanos = attemptEndNanos;
        return true;
    }

    /** The connection is being closed: PENDING_ACK extends the command by so long at most, from the first call on. */
    void hurry(Duration limit, long nowNanos) {
        if (hurried) {
            return;
        }
        hurried = true;
        long hurriedEndNanos = nowNanos + limit.toNanos();
        if (pendingEndNanos - hurriedEndNanos > 0) {
            pendingEndNanos = hurriedEndNanos;
            pendingLimit = " while its connection was closed";
        }
        if (endNanos - attemptEndNanos > 0) {
            endNanos = Math.max(granted(endNanos) - attemptEndNanos, 0) + attemptEndNanos;
        }
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
        long wantedNanos = granted(nowNanos
                + TimeUnit.MILLISECONDS.toNanos(pending.timeToCompletionMs())
                + patience.timeout().toNanos());
        if (wantedNanos - endNanos > 0) {
            endNanos = wantedNanos;
        }
    }

    /** As long as a device gets that wants time until then. */
    private long granted(long wantedNanos) {
        if (wantedNanos - pendingEndNanos <= 0) {
            return wantedNanos;
        }
        askedTooLong = true;
        trouble = "the device kept asking for more time" + (pendingEndNanos == limitNanos ? "" : pendingLimit);
        return pendingEndNanos;
    }

    /** Whether the device asked for more time than it gets. */
    boolean askedTooLong() {
        return askedTooLong;
    }

    /** Remembers why there may be no answer, for the message; empty if there is no reason any more. */
    void trouble(String reason) {
        trouble = reason;
    }

    /** The failure when no attempt was answered. */
    GvcpTimeoutException timeout() {
        counters.timeouts.increment();
        if (limitOver) {
            return patience.limit()
                    .orElseThrow()
                    .over(this + " is not answered yet" + (trouble.isEmpty() ? "" : "; " + trouble));
        }
        return new GvcpTimeoutException(this + ": no answer to " + patience.attempts() + " attempts of "
                + patience.timeout().toMillis() + " ms"
                + (trouble.isEmpty() ? "; some devices stay silent when they refuse a command" : "; " + trouble));
    }

    /** Command, register and device, for messages. */
    @Override
    public String toString() {
        return Gvcp.name(code) + " of " + BootstrapRegister.describe(address) + " on " + device;
    }
}
