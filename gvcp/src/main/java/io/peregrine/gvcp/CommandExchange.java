package io.peregrine.gvcp;

import java.io.IOException;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Runs transactions over the socket, one at a time, and closes it. Any thread may call any method. An interrupt does
 * not break a transaction, which is bounded in time anyway; the interrupt status is kept.
 */
final class CommandExchange {
    private static final int RECEIVE_BUFFER_BYTES = 2048;
    private static final int MAX_DRAINED = 1024;
    /** How long a device may put off an answer by PENDING_ACK while the connection is closed. */
    private static final Duration CLOSING_PENDING_LIMIT = Duration.ofSeconds(2);

    private final ControlSocket socket;
    private final GvcpSettings settings;
    private final ControlCounters counters;
    private final ConnectionLoss loss;
    private final ReentrantLock lock = new ReentrantLock();
    private final ByteBuffer received = ByteBuffer.allocateDirect(RECEIVE_BUFFER_BYTES);
    private final AtomicInteger requestIds = new AtomicInteger();
    private volatile boolean closing;
    /** How long a command may be put off now that the connection is being closed; empty as long as it is not. */
    private volatile Optional<Duration> hurriedLimit = Optional.empty();

    private volatile long lastAnswerNanos = System.nanoTime();

    CommandExchange(ControlSocket socket, GvcpSettings settings, ControlCounters counters, ConnectionLoss loss) {
        this.socket = socket;
        this.settings = settings;
        this.counters = counters;
        this.loss = loss;
    }

    /** The next request id; never 0, which the standard forbids. */
    int nextRequestId() {
        return requestIds.updateAndGet(id -> id >= 0xFFFF ? 1 : id + 1);
    }

    /** When the device last answered a command, by {@link System#nanoTime}. */
    long lastAnswerNanos() {
        return lastAnswerNanos;
    }

    String deviceName() {
        return socket.deviceName();
    }

    /**
     * Sends a command and waits for its answer, as often as the settings allow.
     *
     * @param command makes the command with a request id
     * @param code command code
     * @param address register that it is about, for messages
     * @param decoder decodes a successful answer
     * @param limit by when the thread that calls has to be done
     * @throws GvcpException if there is none, or the channel is closed or the device lost
     */
    <A> A run(
            IntFunction<GvcpCommand> command,
            int code,
            int address,
            Function<ByteBuffer, A> decoder,
            Optional<TimeLimit> limit) {
        return run(command, code, address, decoder, Patience.of(settings, limit), false);
    }

    /** The same for the last command of a closing channel: sent at most twice, and though the channel is closing. */
    <A> A runLast(IntFunction<GvcpCommand> command, int code, int address, Function<ByteBuffer, A> decoder) {
        return run(command, code, address, decoder, Patience.last(settings), true);
    }

    private <A> A run(
            IntFunction<GvcpCommand> command,
            int code,
            int address,
            Function<ByteBuffer, A> decoder,
            Patience patience,
            boolean evenIfClosing) {
        lock(patience.limit());
        try {
            int id = nextRequestId();
            Transaction<A> transaction = new Transaction<>(
                    id, code, address, socket.deviceName(), decoder, patience, counters, System.nanoTime());
            return run(transaction, ByteBuffer.wrap(command.apply(id).encode()), evenIfClosing);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the commands of other threads as long as the limit allows; an interrupt does not shorten that. */
    private void lock(Optional<TimeLimit> limit) {
        if (limit.isEmpty()) {
            lock.lock();
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            while (!tryLock(limit.get())) {
                interrupted = true;
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** False if it was interrupted. */
    private boolean tryLock(TimeLimit limit) {
        try {
            if (!lock.tryLock(limit.remainingNanos(), TimeUnit.NANOSECONDS)) {
                throw limit.over("the command of another thread to " + deviceName() + " is not answered yet");
            }
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private <A> A run(Transaction<A> transaction, ByteBuffer packet, boolean evenIfClosing) {
        boolean interrupted = false;
        try {
            drain(transaction);
            while (transaction.nextAttempt(System.nanoTime())) {
                requireUsable(transaction, evenIfClosing);
                try {
                    socket.send(packet.rewind());
                    while (true) {
                        Optional<A> answer = receive(transaction);
                        if (answer.isPresent()) {
                            return answer.get();
                        }
                        requireUsable(transaction, evenIfClosing);
                        long nowNanos = System.nanoTime();
                        hurriedLimit.ifPresent(limit -> transaction.hurry(limit, nowNanos));
                        long remainingNanos = transaction.remainingNanos(nowNanos);
                        if (remainingNanos <= 0) {
                            break;
                        }
                        interrupted |= Thread.interrupted();
                        socket.await(remainingNanos);
                    }
                } catch (PortUnreachableException e) {
                    transaction.trouble("nothing listens on that port");
                } catch (IOException e) {
                    transaction.trouble(String.valueOf(e.getMessage()));
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (hurriedLimit.isPresent() && transaction.askedTooLong()) {
            // It had its time: each of the commands that are left would last as long.
            hurriedLimit = Optional.of(Duration.ZERO);
        }
        throw transaction.timeout();
    }

    private <A> Optional<A> receive(Transaction<A> transaction) throws IOException {
        if (!socket.receive(received)) {
            return Optional.empty();
        }
        long nowNanos = System.nanoTime();
        return transaction.onDatagram(received, nowNanos, () -> lastAnswerNanos = nowNanos);
    }

    /** Drops what earlier transactions left, and the errors that earlier datagrams caused. */
    private void drain(Transaction<?> transaction) {
        for (int i = 0; i < MAX_DRAINED; i++) {
            try {
                if (!socket.receive(received)) {
                    return;
                }
                counters.staleAnswers.increment();
            } catch (PortUnreachableException e) {
                transaction.trouble("");
            } catch (IOException e) {
                transaction.trouble(String.valueOf(e.getMessage()));
                return;
            }
        }
    }

    private void requireUsable(Transaction<?> transaction, boolean evenIfClosing) {
        if (closing && !evenIfClosing) {
            throw new GvcpException(transaction + ": the channel is closed");
        }
        loss.reason().ifPresent(reason -> {
            throw new ConnectionLostException(transaction + ": " + reason.getMessage(), reason);
        });
    }

    /** Sends a command without waiting for an answer. */
    void sendOnly(IntFunction<GvcpCommand> command) throws IOException {
        socket.send(ByteBuffer.wrap(command.apply(nextRequestId()).encode()));
    }

    /** Gives the device little time for PENDING_ACK from now on, also for the command under way. */
    void hurry() {
        if (hurriedLimit.isEmpty()) {
            hurriedLimit = Optional.of(CLOSING_PENDING_LIMIT);
        }
        socket.wake();
    }

    /** Lets commands fail from now on, but for {@link #runLast}; one under way fails at once. */
    void beginClose() {
        closing = true;
        hurry();
    }

    /** Closes the socket after the transaction under way. */
    void endClose() {
        lock.lock();
        try {
            socket.close();
        } finally {
            lock.unlock();
        }
    }
}
