package io.peregrine.virtualcamera;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The message channel: sends events on its own thread, one after the other, and again until they are acknowledged.
 * Those without data that occurred meanwhile share one command.
 */
final class EventSender implements AutoCloseable {
    /** Where events go, and how. A timeout of 0 asks for no answer. */
    record Channel(InetSocketAddress destination, int timeoutMillis, int retries, boolean extendedIds) {}

    /**
     * An event.
     *
     * @param id event id
     * @param streamChannel stream channel that it is about, or {@link #NO_STREAM_CHANNEL}
     * @param blockId block that it is about, 0 for none
     * @param timestamp when
     * @param data numbers of 64 bits; with any of them it is sent as EVENTDATA
     */
    record Event(int id, int streamChannel, long blockId, long timestamp, List<Long> data) {
        boolean hasData() {
            return !data.isEmpty();
        }
    }

    static final int NO_STREAM_CHANNEL = 0xFFFF;

    private static final System.Logger LOGGER = System.getLogger(EventSender.class.getName());
    private static final int MAX_WAITING = 256;
    private static final int STANDARD_HEAD_BYTES = 16;
    private static final int EXTENDED_HEAD_BYTES = 24;
    private static final int MAX_TIMEOUT_MILLIS = 60_000;
    /** As many as fit into the 540 bytes that a message has at most. */
    private static final int MAX_TOGETHER = (540 - Gvcp.HEADER_BYTES) / EXTENDED_HEAD_BYTES;

    private final DatagramSocket socket;
    private final Counters counters;
    private final BlockingQueue<Event> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final DatagramPacket answer = new DatagramPacket(new byte[64], 64);
    private final Thread thread;
    private volatile Optional<Channel> channel = Optional.empty();
    private volatile int wanted;
    private volatile boolean closed;
    private int requestId;

    EventSender(InetAddress bindAddress, Counters counters) throws IOException {
        this.counters = counters;
        socket = new DatagramSocket(new InetSocketAddress(bindAddress, 0));
        thread = new Thread(this::run, "peregrine-camera-events-" + bindAddress.getHostAddress());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    int sourcePort() {
        return socket.getLocalPort();
    }

    /** Opens the channel, or closes it by an empty one. */
    void channel(Optional<Channel> newChannel) {
        channel = newChannel;
    }

    void wanted(EventKind kind, boolean on) {
        int bit = 1 << kind.ordinal();
        wanted = on ? wanted | bit : wanted & ~bit;
    }

    /** Sends an event if the application enabled it. Never blocks. */
    void post(EventKind kind, long blockId, long timestamp) {
        if ((wanted & 1 << kind.ordinal()) != 0) {
            post(new Event(
                    kind.id(),
                    kind.ofStream() ? 0 : NO_STREAM_CHANNEL,
                    blockId,
                    timestamp,
                    kind.data() ? List.of(blockId) : List.of()));
        }
    }

    /** Sends an event while the channel is open. Never blocks. */
    void post(Event event) {
        if (channel.isPresent() && !waiting.offer(event)) {
            counters.eventsLost.increment();
        }
    }

    private void run() {
        List<Event> next = new ArrayList<>();
        while (!closed) {
            try {
                if (next.isEmpty()) {
                    next.add(waiting.take());
                }
                Optional<Channel> to = channel;
                if (to.isPresent()) {
                    send(next, to.get());
                }
                next.clear();
                if (to.isPresent() && to.get().timeoutMillis > 0) {
                    gather(next);
                }
            } catch (InterruptedException e) {
                return;
            } catch (IOException e) {
                if (closed) {
                    return;
                }
                counters.eventsLost.add(next.size());
                next.clear();
                LOGGER.log(System.Logger.Level.DEBUG, "An event could not be sent", e);
            }
        }
    }

    /** Takes what waits and can go in one command: an event with data, or several without. */
    private void gather(List<Event> into) {
        for (Event event = waiting.peek();
                event != null && into.size() < MAX_TOGETHER && (into.isEmpty() || !event.hasData());
                event = waiting.peek()) {
            into.add(waiting.remove());
            if (event.hasData()) {
                return;
            }
        }
    }

    private void send(List<Event> events, Channel to) throws IOException {
        requestId = requestId % 0xFFFF + 1;
        boolean data = events.get(0).hasData();
        byte[] command = encode(events, data, to, requestId);
        DatagramPacket packet = new DatagramPacket(command, command.length, to.destination);
        for (int attempt = 0; attempt <= to.retries && !closed; attempt++) {
            socket.send(packet);
            if (attempt > 0) {
                counters.eventsRepeated.increment();
            }
            if (to.timeoutMillis == 0 || answered(data, to)) {
                counters.eventsSent.add(events.size());
                return;
            }
        }
        counters.eventsLost.add(events.size());
    }

    private static byte[] encode(List<Event> events, boolean data, Channel to, int requestId) {
        int headBytes = to.extendedIds ? EXTENDED_HEAD_BYTES : STANDARD_HEAD_BYTES;
        int bytes = 0;
        for (Event event : events) {
            bytes += headBytes + Long.BYTES * event.data.size();
        }
        int flags = (to.timeoutMillis > 0 ? Gvcp.FLAG_ACKNOWLEDGE : 0) | (to.extendedIds ? Gvcp.FLAG_EXTENDED_IDS : 0);
        ByteBuffer out = ByteBuffer.allocate(Gvcp.HEADER_BYTES + bytes);
        out.put((byte) Gvcp.KEY)
                .put((byte) flags)
                .putShort((short) (data ? Gvcp.EVENTDATA : Gvcp.EVENT))
                .putShort((short) bytes)
                .putShort((short) requestId);
        for (Event event : events) {
            // Only the extended EVENTDATA has the size of its item.
            out.putShort((short) (data && to.extendedIds ? bytes : 0))
                    .putShort((short) event.id)
                    .putShort((short) event.streamChannel);
            if (to.extendedIds) {
                out.putShort((short) 0).putLong(event.blockId);
            } else {
                out.putShort((short) event.blockId);
            }
            out.putLong(event.timestamp);
            event.data.forEach(out::putLong);
        }
        return out.array();
    }

    private boolean answered(boolean data, Channel to) throws IOException {
        int expected = (data ? Gvcp.EVENTDATA : Gvcp.EVENT) + 1;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(to.timeoutMillis);
        while (!closed) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            try {
                socket.setSoTimeout((int) Math.min(left, MAX_TIMEOUT_MILLIS));
                socket.receive(answer);
            } catch (SocketTimeoutException e) {
                return false;
            }
            ByteBuffer in = ByteBuffer.wrap(answer.getData(), 0, answer.getLength());
            if (answer.getSocketAddress().equals(to.destination)
                    && in.remaining() >= Gvcp.HEADER_BYTES
                    && (in.getShort(2) & 0xFFFF) == expected
                    && (in.getShort(6) & 0xFFFF) == requestId) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        closed = true;
        socket.close();
        thread.interrupt();
        try {
            thread.join(2000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
