package io.peregrine.rdma;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * What {@code rping} of rdma-core does, in both roles: tries out all that a connection is for. In a round the client
 * names memory to the server by a message; the server reads it, and says so by a message; the client names other
 * memory; the server writes there what it read, and says so; the client compares. Speaks with {@code rping -c} and
 * {@code rping -s} as well as with itself.
 *
 * <p>A message is 16 bytes, big-endian: address 8, key 4, length 4. Those of the server are there only to be received.
 *
 * <p>For one thread.
 */
public final class RdmaPing implements AutoCloseable {
    /** Largest round that {@code rping} can make. */
    public static final int RPING_MAX_BYTES = 65_535;

    private static final int MESSAGE_BYTES = 16;
    private static final int RECEIVES = 2;
    private static final int OUTGOING_AT = RECEIVES * MESSAGE_BYTES;
    /** Work ids above those of the receives. */
    private static final int SEND = RECEIVES;

    private static final int READ = SEND + 1;
    private static final int WRITE = READ + 1;
    private static final int FIRST_LETTER = 'A';
    private static final int LETTERS = 'z' - FIRST_LETTER + 1;

    /** Memory of the peer, as a message names it. */
    private record Named(long address, int key, int lengthBytes) {}

    private final Duration timeout;
    private final CompletionQueue completions;
    private final ByteBuffer messages = ByteBuffer.allocateDirect(OUTGOING_AT + MESSAGE_BYTES);
    private final MemoryRegion messageRegion;
    private final ByteBuffer data;
    private final MemoryRegion dataRegion;
    private final ByteBuffer returned;
    private final MemoryRegion returnedRegion;
    private final RdmaConnection connection;
    private final ArrayDeque<Named> received = new ArrayDeque<>();
    private final boolean[] done = new boolean[WRITE + 1];
    private int rounds;

    /** Makes the connection, not connected yet. */
    private interface Preparation {
        RdmaConnection prepare(ConnectionSettings settings);
    }

    private RdmaPing(RdmaTransport transport, Preparation preparation, boolean client, int bytes, Duration timeout) {
        if (bytes < 1) {
            throw new RdmaException("A round of " + bytes + " bytes is not possible: give 1 or more");
        }
        this.timeout = timeout;
        completions = transport.completionQueue(CompletionQueueSettings.of(RECEIVES + 3));
        messageRegion = transport.register(RdmaMemory.of(messages));
        data = ByteBuffer.allocateDirect(bytes);
        dataRegion = transport.register(RdmaMemory.of(data), client ? RemoteAccess.READ : RemoteAccess.NONE);
        returned = ByteBuffer.allocateDirect(client ? bytes : 1);
        returnedRegion = transport.register(RdmaMemory.of(returned), client ? RemoteAccess.WRITE : RemoteAccess.NONE);
        connection = preparation.prepare(
                ConnectionSettings.of(completions, 3, RECEIVES).withMaxReads(1));
        for (int slot = 0; slot < RECEIVES; slot++) {
            postReceive(slot);
        }
    }

    /**
     * Connects as the client.
     *
     * @param transport where from; the caller's to close
     * @param server address and port of the server
     * @param bytes bytes of a round; {@code rping -s} takes up to {@link #RPING_MAX_BYTES}
     * @param timeout how long to wait for each step of the server
     * @throws RdmaException if it cannot be connected
     */
    public static RdmaPing connect(RdmaTransport transport, InetSocketAddress server, int bytes, Duration timeout) {
        return connected(
                new RdmaPing(transport, settings -> transport.prepare(server, settings), true, bytes, timeout),
                ping -> ping.connection.connect(new byte[0], timeout));
    }

    /**
     * Accepts a request as the server.
     *
     * @param transport the transport of the listener that took the request; the caller's to close
     * @param request the request
     * @param maxBytes most bytes that the client may have in a round; a client with more is let down
     * @param timeout how long to wait for each step of the client
     * @throws RdmaException if the connection was not made
     */
    public static RdmaPing accept(RdmaTransport transport, ConnectionRequest request, int maxBytes, Duration timeout) {
        return connected(
                new RdmaPing(transport, request::prepare, false, maxBytes, timeout),
                ping -> ping.connection.accept(new byte[0], timeout));
    }

    private interface Step {
        void take(RdmaPing ping);
    }

    private static RdmaPing connected(RdmaPing ping, Step step) {
        try {
            step.take(ping);
            return ping;
        } catch (RdmaException e) {
            ping.close();
            throw e;
        }
    }

    /**
     * Makes a round as the client.
     *
     * @return how long it took
     * @throws RdmaException if the bytes came back changed, the server does not answer in time, or the connection ended
     */
    public Duration ping() {
        fill();
        long start = System.nanoTime();
        sendNamed(dataRegion);
        awaitMessage();
        sendNamed(returnedRegion);
        awaitMessage();
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        int different = data.clear().mismatch(returned.clear());
        if (different >= 0) {
            throw new RdmaException("Round " + rounds + " with " + connection.remoteAddress()
                    + ": the bytes came back changed, the first at " + different + " of " + data.capacity());
        }
        rounds++;
        return took;
    }

    /** The text of rping: ends with a zero and has no other, since the server of rping writes no further. */
    private void fill() {
        byte[] text = new byte[data.capacity()];
        byte[] head = ("rdma-ping-" + rounds + ": ").getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < text.length - 1; i++) {
            text[i] = i < head.length ? head[i] : (byte) (FIRST_LETTER + (rounds + i - head.length) % LETTERS);
        }
        data.clear().put(text);
        Arrays.fill(text, (byte) -1);
        returned.clear().put(text);
    }

    /**
     * Serves a round as the server.
     *
     * @return bytes of the round; empty if the client has ended the connection
     * @throws RdmaException if the client does not keep to the protocol or does not go on in time, or the connection
     *     broke
     */
    public OptionalInt serve() {
        if (!awaitMessageOrEnd()) {
            return OptionalInt.empty();
        }
        Named source = received.remove();
        checkLength(source);
        post(READ, source);
        sendNamed(messageRegion);
        Named target = awaitMessage();
        if (target.lengthBytes < source.lengthBytes) {
            throw new RdmaException(connection.remoteAddress() + " wants " + source.lengthBytes
                    + " bytes written into memory of " + target.lengthBytes);
        }
        post(WRITE, new Named(target.address, target.key, source.lengthBytes));
        sendNamed(messageRegion);
        rounds++;
        return OptionalInt.of(source.lengthBytes);
    }

    private void checkLength(Named source) {
        if (source.lengthBytes < 0 || source.lengthBytes > data.capacity()) {
            throw new RdmaException(connection.remoteAddress() + " wants "
                    + Integer.toUnsignedLong(source.lengthBytes) + " bytes read: " + data.capacity()
                    + " are allowed here");
        }
    }

    /** Rounds that were completed. */
    public int rounds() {
        return rounds;
    }

    // ---- work

    private void postReceive(int slot) {
        connection.postReceive(slot, messageRegion, (long) slot * MESSAGE_BYTES, MESSAGE_BYTES);
    }

    /** Sends a message that names a region, and waits until it has arrived. */
    private void sendNamed(MemoryRegion region) {
        messages.putLong(OUTGOING_AT, region.remoteAddress())
                .putInt(OUTGOING_AT + 8, region.remoteKey())
                .putInt(OUTGOING_AT + 12, (int) region.lengthBytes());
        done[SEND] = false;
        connection.postSend(SEND, messageRegion, OUTGOING_AT, MESSAGE_BYTES);
        awaitWork(SEND);
    }

    private void post(int what, Named peer) {
        done[what] = false;
        if (what == READ) {
            connection.postRead(READ, dataRegion, 0, peer.lengthBytes, peer.address, peer.key);
        } else {
            connection.postWrite(WRITE, dataRegion, 0, peer.lengthBytes, peer.address, peer.key);
        }
        awaitWork(what);
    }

    private void awaitWork(int what) {
        long deadline = deadline();
        while (!done[what]) {
            if (!poll(deadline)) {
                throw ended();
            }
        }
    }

    private Named awaitMessage() {
        if (!awaitMessageOrEnd()) {
            throw ended();
        }
        return received.remove();
    }

    private boolean awaitMessageOrEnd() {
        long deadline = deadline();
        while (received.isEmpty()) {
            if (!poll(deadline)) {
                return false;
            }
        }
        return true;
    }

    private long deadline() {
        return System.nanoTime() + timeout.toNanos();
    }

    /** Waits for something to happen. False if the connection ended in good order. */
    private boolean poll(long deadlineNanos) {
        if (completions.poll(this::onCompletion) > 0) {
            return true;
        }
        if (connection.state() != RdmaConnection.State.CONNECTED) {
            if (connection.failure().isPresent()) {
                throw connection.failure().get();
            }
            return false;
        }
        if (System.nanoTime() - deadlineNanos >= 0) {
            throw new RdmaException(connection.remoteAddress() + " did not go on within " + timeout.toMillis()
                    + " ms, in round " + rounds);
        }
        completions.await(deadlineNanos);
        return true;
    }

    private RdmaException ended() {
        return new RdmaException(
                connection.remoteAddress() + " ended the connection in round " + rounds + ", before it was done");
    }

    private void onCompletion(Completion completion) {
        int id = (int) completion.workId();
        if (completion.status() == Completion.Status.FLUSHED) {
            return;
        }
        if (completion.status() != Completion.Status.SUCCESS) {
            throw new RdmaException(
                    completion.operation() + " with " + connection.remoteAddress() + " failed: " + completion.status());
        }
        if (completion.operation() != Completion.Operation.RECEIVE) {
            done[id] = true;
            return;
        }
        if (completion.lengthBytes() != MESSAGE_BYTES) {
            throw new RdmaException(connection.remoteAddress() + " sent a message of " + completion.lengthBytes()
                    + " bytes instead of " + MESSAGE_BYTES + ": it does not speak as rping does");
        }
        int at = id * MESSAGE_BYTES;
        received.add(new Named(messages.getLong(at), messages.getInt(at + 8), messages.getInt(at + 12)));
        if (connection.state() == RdmaConnection.State.CONNECTED) {
            postReceive(id);
        }
    }

    /** Disconnects, and releases all. Idempotent. */
    @Override
    public void close() {
        connection.close();
        dataRegion.close();
        returnedRegion.close();
        messageRegion.close();
        completions.close();
    }
}
