package io.peregrine.virtualcamera;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.InterfaceAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Answers GVCP on one thread, which also watches the heartbeat. */
final class ControlServer implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ControlServer.class.getName());
    private static final long MAX_SELECT_MS = 1000;
    private static final int MAX_DELAYED = 64;

    /** An acknowledge that goes out later, after a PENDING_ACK. */
    private record Delayed(long dueNanos, InetSocketAddress to, int requestId, ByteBuffer acknowledge) {}

    private final GevDevice device;
    private final Counters counters;
    private final Faults faults;
    private final Selector selector;
    private final DatagramChannel channel;
    private final List<DatagramChannel> broadcastChannels = new ArrayList<>();
    private final InetSocketAddress localAddress;
    private final ByteBuffer in = ByteBuffer.allocate(2048);
    private final ByteBuffer out = ByteBuffer.allocate(2048);
    private final List<Delayed> delayed = new ArrayList<>();
    private final Thread thread;
    private volatile boolean closed;

    /**
     * Binds the sockets.
     *
     * @param at address and port of the device; port 0 takes a free one
     * @param broadcasts whether the device receives broadcasts, for which it needs the well-known port
     */
    ControlServer(InetSocketAddress at, boolean broadcasts, GevDevice device, Counters counters, Faults faults)
            throws IOException {
        this.device = device;
        this.counters = counters;
        this.faults = faults;
        selector = Selector.open();
        channel = DatagramChannel.open();
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_BROADCAST, true);
            channel.bind(at);
            channel.register(selector, SelectionKey.OP_READ);
            localAddress = (InetSocketAddress) channel.getLocalAddress();
            if (broadcasts && at.getPort() != 0) {
                listenForBroadcast(at);
            }
        } catch (IOException e) {
            closeChannels();
            throw e;
        }
        thread = new Thread(
                this::run, "peregrine-camera-control-" + at.getAddress().getHostAddress());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    InetSocketAddress localAddress() {
        return localAddress;
    }

    private void listenForBroadcast(InetSocketAddress at) throws IOException {
        InetAddress bind = at.getAddress();
        List<InetAddress> addresses = new ArrayList<>();
        addresses.add(InetAddress.getByAddress(new byte[] {-1, -1, -1, -1}));
        Optional<InetAddress> directed = HostNetwork.interfaceAddress(bind).map(InterfaceAddress::getBroadcast);
        if (directed.isPresent()) {
            addresses.add(directed.get());
        } else if (bind.isLoopbackAddress()) {
            addresses.add(InetAddress.getByAddress(new byte[] {127, -1, -1, -1}));
        }
        for (InetAddress address : addresses) {
            DatagramChannel listener = DatagramChannel.open();
            try {
                listener.configureBlocking(false);
                listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                listener.bind(new InetSocketAddress(address, at.getPort()));
                listener.register(selector, SelectionKey.OP_READ);
                broadcastChannels.add(listener);
            } catch (IOException e) {
                listener.close();
                // A JVM without IPv6, or with java.net.preferIPv4Stack, refuses to bind broadcast addresses.
                LOGGER.log(
                        bind.isLoopbackAddress() ? System.Logger.Level.INFO : System.Logger.Level.WARNING,
                        "The camera does not receive broadcasts to {0}: {1}",
                        address.getHostAddress(),
                        e.getMessage());
            }
        }
    }

    private void run() {
        while (!closed) {
            try {
                long now = System.nanoTime();
                long wait = Math.min(device.checkHeartbeat(now), sendDelayed(now));
                long millis = wait == Long.MAX_VALUE ? MAX_SELECT_MS : wait / 1_000_000 + 1;
                selector.select(Math.min(MAX_SELECT_MS, millis));
                if (closed) {
                    return;
                }
                selector.selectedKeys().clear();
                drain(channel, false);
                for (DatagramChannel listener : broadcastChannels) {
                    drain(listener, true);
                }
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException | RuntimeException e) {
                LOGGER.log(System.Logger.Level.WARNING, "A control packet could not be handled", e);
            }
        }
    }

    private void drain(DatagramChannel from, boolean broadcast) throws IOException {
        for (int i = 0; i < 64; i++) {
            in.clear();
            InetSocketAddress source = (InetSocketAddress) from.receive(in);
            if (source == null) {
                return;
            }
            in.flip();
            counters.controlPackets.increment();
            handle(source, broadcast);
        }
    }

    private void handle(InetSocketAddress source, boolean broadcast) throws IOException {
        if (in.remaining() < Gvcp.HEADER_BYTES || (in.get(0) & 0xFF) != Gvcp.KEY) {
            counters.malformedControlPackets.increment();
            return;
        }
        int flags = in.get(1) & 0xFF;
        int command = in.getShort(2) & 0xFFFF;
        int length = in.getShort(4) & 0xFFFF;
        int requestId = in.getShort(6) & 0xFFFF;
        if (requestId == 0) {
            counters.malformedControlPackets.increment();
            return;
        }
        if (broadcast && !answersBroadcast(command, source)) {
            return;
        }
        device.heardFrom(source, System.nanoTime());
        for (Delayed item : delayed) {
            if (item.requestId == requestId && item.to.equals(source)) {
                return; // asked again while the answer is on its way
            }
        }
        boolean wantsAnswer = (flags & Gvcp.FLAG_ACKNOWLEDGE) != 0;
        in.position(Gvcp.HEADER_BYTES);
        out.clear().position(Gvcp.HEADER_BYTES);
        Optional<Location> forced = Optional.empty();
        int status;
        if (length != in.remaining() || length > Gvcp.MAX_PAYLOAD_BYTES) {
            counters.malformedControlPackets.increment();
            status = Gvcp.INVALID_HEADER;
        } else {
            switch (command) {
                case Gvcp.DISCOVERY -> {
                    device.discovery(out);
                    status = Gvcp.SUCCESS;
                }
                case Gvcp.FORCEIP -> {
                    Optional<Location> wanted = forceIp();
                    if (wanted.isEmpty()) {
                        return;
                    }
                    status = wanted.get().possible() ? Gvcp.SUCCESS : Gvcp.INVALID_PARAMETER;
                    forced = wanted.filter(Location::possible);
                }
                case Gvcp.PACKETRESEND -> {
                    resend(source, (flags & Gvcp.FLAG_EXTENDED_IDS) != 0);
                    return;
                }
                case Gvcp.ACTION -> {
                    OptionalInt asserted = device.action(in, (flags & Gvcp.FLAG_SCHEDULED) != 0);
                    if (asserted.isEmpty()) {
                        return;
                    }
                    status = asserted.getAsInt();
                }
                case Gvcp.READREG -> status = readRegisters(source);
                case Gvcp.WRITEREG -> status = writeRegisters(source);
                case Gvcp.READMEM -> status = readMemory(source);
                case Gvcp.WRITEMEM -> status = writeMemory(source);
                default -> status = Gvcp.NOT_IMPLEMENTED;
            }
        }
        if (status != Gvcp.SUCCESS) {
            counters.refusedCommands.increment();
        }
        forced.ifPresent(device::moveTo); // It waits for this thread, and so for the answer.
        if (wantsAnswer) {
            answer(answerTo(source, command, flags), command, requestId, status);
        }
    }

    /** An application on a foreign subnet receives an answer by broadcast only. */
    private InetSocketAddress answerTo(InetSocketAddress source, int command, int flags) {
        boolean broadcast = (command == Gvcp.DISCOVERY || command == Gvcp.FORCEIP)
                && (flags & Gvcp.FLAG_BROADCAST_ACKNOWLEDGE) != 0;
        return broadcast && !device.location().contains(source.getAddress())
                ? new InetSocketAddress(Location.address(-1), source.getPort())
                : source;
    }

    private boolean answersBroadcast(int command, InetSocketAddress source) {
        boolean reachable = !localAddress.getAddress().isLoopbackAddress()
                || source.getAddress().isLoopbackAddress();
        return reachable && (command == Gvcp.DISCOVERY || command == Gvcp.FORCEIP || command == Gvcp.ACTION);
    }

    private void answer(InetSocketAddress to, int command, int requestId, int status) throws IOException {
        out.flip();
        out.putShort(0, (short) status);
        out.putShort(2, (short) (command + 1));
        out.putShort(4, (short) (out.limit() - Gvcp.HEADER_BYTES));
        out.putShort(6, (short) requestId);
        long delayNanos = faults.plan().pendingAcknowledge().toNanos();
        boolean write = command == Gvcp.WRITEREG || command == Gvcp.WRITEMEM;
        if (delayNanos > 0 && write && delayed.size() < MAX_DELAYED && device.pendingAcknowledgeEnabled()) {
            byte[] later = new byte[out.remaining()];
            out.get(later);
            delayed.add(new Delayed(System.nanoTime() + delayNanos, to, requestId, ByteBuffer.wrap(later)));
            out.clear();
            out.putShort((short) Gvcp.SUCCESS);
            out.putShort((short) Gvcp.PENDING_ACK);
            out.putShort((short) 4);
            out.putShort((short) requestId);
            out.putShort((short) 0);
            out.putShort((short) Math.min(0xFFFF, delayNanos / 1_000_000 + 1));
            out.flip();
        }
        transmit(out, to);
    }

    /** Sends what is due; gives the time until the next one, in ns. */
    private long sendDelayed(long nowNanos) throws IOException {
        long next = Long.MAX_VALUE;
        for (int i = 0; i < delayed.size(); ) {
            Delayed item = delayed.get(i);
            long left = item.dueNanos - nowNanos;
            if (left <= 0) {
                delayed.remove(i);
                device.heardFrom(item.to, nowNanos);
                transmit(item.acknowledge, item.to);
            } else {
                next = Math.min(next, left);
                i++;
            }
        }
        return next;
    }

    private void transmit(ByteBuffer data, InetSocketAddress to) throws IOException {
        try {
            channel.send(data, to);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "No answer possible to " + to, e);
        }
    }

    /**
     * The address that the command assigns. Only a device with the MAC address of the command, and without a
     * controller, takes it.
     */
    private Optional<Location> forceIp() {
        if (in.remaining() < 56) {
            counters.malformedControlPackets.increment();
            return Optional.empty();
        }
        int at = in.position();
        if (!device.macMatches(in.slice(at + 2, 6)) || device.controller().isPresent()) {
            return Optional.empty();
        }
        int ip = in.getInt(at + 20);
        return Optional.of(
                ip == 0 ? device.configuredLocation() : new Location(ip, in.getInt(at + 36), in.getInt(at + 52)));
    }

    private void resend(InetSocketAddress source, boolean extended) {
        int at = in.position();
        if (in.remaining() < (extended ? 20 : 12)) {
            counters.malformedControlPackets.increment();
            return;
        }
        if (!device.mayAskForResend(source.getAddress())) {
            counters.refusedCommands.increment();
            return;
        }
        long blockId = extended ? in.getLong(at + 12) : in.getShort(at + 2) & 0xFFFF;
        int mask = extended ? 0xFFFFFFFF : 0xFFFFFF;
        long first = Integer.toUnsignedLong(in.getInt(at + 4) & mask);
        long last = Integer.toUnsignedLong(in.getInt(at + 8) & mask);
        if (last < first) {
            counters.malformedControlPackets.increment();
            return;
        }
        if (!device.resend(in.getShort(at) & 0xFFFF, blockId, first, last, extended)) {
            counters.refusedCommands.increment();
        }
    }

    private int readRegisters(InetSocketAddress source) {
        int length = in.remaining();
        if (length == 0 || length % 4 != 0) {
            return malformed();
        }
        try {
            while (in.hasRemaining()) {
                device.read(source, in.getInt(), 4, out);
            }
            return Gvcp.SUCCESS;
        } catch (RegisterException e) {
            return e.status();
        }
    }

    private int writeRegisters(InetSocketAddress source) {
        int length = in.remaining();
        if (length == 0 || length % 8 != 0) {
            return malformed();
        }
        int written = 0;
        int status = Gvcp.SUCCESS;
        try {
            while (in.hasRemaining()) {
                int address = in.getInt();
                ByteBuffer value = in.slice(in.position(), 4);
                in.position(in.position() + 4);
                device.write(source, address, value);
                written++;
            }
        } catch (RegisterException e) {
            status = e.status();
        }
        out.putShort((short) 0);
        out.putShort((short) written);
        return status;
    }

    private int readMemory(InetSocketAddress source) {
        if (in.remaining() != 8) {
            return malformed();
        }
        int address = in.getInt();
        in.getShort();
        int count = in.getShort() & 0xFFFF;
        if (count == 0 || count > Gvcp.MAX_PAYLOAD_BYTES - 4) {
            return Gvcp.INVALID_PARAMETER;
        }
        try {
            out.putInt(address);
            device.read(source, address, count, out);
            return Gvcp.SUCCESS;
        } catch (RegisterException e) {
            out.position(Gvcp.HEADER_BYTES);
            return e.status();
        }
    }

    private int writeMemory(InetSocketAddress source) {
        if (in.remaining() < 8) {
            return malformed();
        }
        int address = in.getInt();
        int count = in.remaining();
        int status = Gvcp.SUCCESS;
        try {
            device.write(source, address, in.slice());
        } catch (RegisterException e) {
            status = e.status();
            count = 0;
        }
        out.putShort((short) 0);
        out.putShort((short) count);
        return status;
    }

    private int malformed() {
        counters.malformedControlPackets.increment();
        return Gvcp.INVALID_HEADER;
    }

    private void closeChannels() throws IOException {
        selector.close();
        channel.close();
        for (DatagramChannel listener : broadcastChannels) {
            listener.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join(2000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            closeChannels();
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "Closing the control socket failed", e);
        }
    }
}
