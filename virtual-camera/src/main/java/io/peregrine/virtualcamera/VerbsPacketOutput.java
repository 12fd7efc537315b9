package io.peregrine.virtualcamera;

import io.peregrine.rdma.RawSendProvider;
import io.peregrine.rdma.RawSendQueue;
import io.peregrine.rdma.RdmaException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends packets by the verbs of an adapter, past the kernel: headers from a slot, data from the memory of the block,
 * without a copy where the adapter may read it. A socket has the port; what verbs cannot send, leaves by it: packets
 * that are larger than the interface takes, to hosts whose MAC address the kernel does not know yet, and all after the
 * adapter has failed.
 */
final class VerbsPacketOutput implements PacketOutput {
    private static final System.Logger LOGGER = System.getLogger(VerbsPacketOutput.class.getName());
    private static final Path KERNEL_TABLES = Path.of("/proc/net");
    private static final int MAX_DATA_BYTES = 65507;
    private static final int UNICAST_TTL = 64;
    private static final int NO_REGION = -1;
    private static final int MAX_ROUTES = 64;
    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Memory that packets are read from, and the number of the last one. */
    private static final class Source {
        private final int region;
        private long lastNumber = -1;

        private Source(int region) {
            this.region = region;
        }
    }

    /** How packets reach a destination: with these headers, or by the socket. */
    private static final class Route {
        private @Nullable UdpFrame frame;
        private byte[] mac = new byte[0];
        private String problem = "";
        private long validUntil;
    }

    /** What an interface is to this class. */
    private record Port(String name, int mtuBytes, boolean loopback) {
        private static Port of(InetAddress address) throws IOException {
            NetworkInterface found = NetworkInterface.getByInetAddress(address);
            return found == null
                    ? new Port("lo", MAX_DATA_BYTES + PathOutput.UDP_HEADERS, true)
                    : new Port(found.getName(), found.getMTU(), found.isLoopback());
        }
    }

    private final PacketOutput socket;
    private final RawSendQueue queue;
    private final InetSocketAddress source;
    private final Port port;
    private final int multicastTtl;
    private final Counters counters;
    private final Neighbours neighbours;
    private final String pace;
    private final boolean paced;

    private final int maxDataBytes;
    private final int slotBytes;
    private final ByteBuffer slots;
    private final int[] packetBytes;
    private final int slotsRegion;
    private final IdentityHashMap<ByteBuffer, Source> sources = new IdentityHashMap<>();
    private final Map<InetSocketAddress, Route> routes = new HashMap<>();

    /** Number of the next packet. */
    private long next;

    private Route route = new Route();
    private InetSocketAddress destination = new InetSocketAddress(0);
    private ByteBuffer memory = ByteBuffer.allocateDirect(0);
    private Source memorySource = new Source(NO_REGION);
    private @Nullable ByteBuffer oversize;
    /** Why nothing is sent by verbs any more; empty while it is. */
    private volatile String failure = "";

    private volatile String routeProblem = "";
    private boolean closed;

    private VerbsPacketOutput(
            PacketOutput socket,
            RawSendQueue queue,
            InetAddress address,
            Port port,
            Scenario scenario,
            Counters counters) {
        this.socket = socket;
        this.queue = queue;
        this.port = port;
        this.counters = counters;
        source = new InetSocketAddress(address, socket.port());
        multicastTtl = scenario.multicastTtl();
        neighbours = new Neighbours(KERNEL_TABLES, port.name);
        maxDataBytes = maxDataBytes(port);
        slotBytes = UdpFrame.BYTES + maxDataBytes;
        slots = ByteBuffer.allocateDirect(queue.depth() * slotBytes);
        packetBytes = new int[queue.depth()];
        slotsRegion = queue.register(slots);
        int megabits = scenario.linkSpeedMegabits();
        String refusal = megabits == 0 ? "" : queue.limitRate(1000L * megabits);
        paced = megabits > 0 && refusal.isEmpty();
        pace = megabits == 0
                ? ""
                : paced ? ", paced by the adapter" : ", paced by this program (of the adapter: " + refusal + ")";
    }

    private static int maxDataBytes(Port port) {
        return Math.min(MAX_DATA_BYTES, port.mtuBytes - PathOutput.UDP_HEADERS);
    }

    /**
     * Opens an output.
     *
     * @param socket has the port, and sends what verbs cannot; closed with the output
     * @throws RdmaException if this host cannot send by verbs, with what is missing; the socket stays open
     */
    static VerbsPacketOutput open(PacketOutput socket, InetAddress address, Scenario scenario, Counters counters)
            throws IOException {
        Port port = Port.of(address);
        Scenario.Sending wanted = scenario.sending();
        int depth = Math.max(4, wanted.bufferBytes() / (UdpFrame.BYTES + maxDataBytes(port)));
        RawSendQueue queue = RawSendProvider.openFirst(new RawSendProvider.Request(
                (Inet4Address) address, depth, wanted.completionVector(), wanted.maxPoll()));
        try {
            return new VerbsPacketOutput(socket, queue, address, port, scenario, counters);
        } catch (RuntimeException e) {
            queue.close();
            throw e;
        }
    }

    @Override
    public int port() {
        return socket.port();
    }

    @Override
    public String state() {
        if (!failure.isEmpty()) {
            return socket.state() + ", since verbs failed: " + failure;
        }
        String problem = routeProblem;
        return "by verbs (" + queue.deviceName() + ")" + pace
                + (problem.isEmpty() ? "" : "; packets by the socket: " + problem);
    }

    @Override
    public boolean paced() {
        return paced && failure.isEmpty();
    }

    // ---- where to

    private Route route(InetSocketAddress to) {
        Route known = routes.get(to);
        long now = System.nanoTime();
        if (known == null) {
            if (routes.size() >= MAX_ROUTES) {
                routes.clear();
            }
            known = new Route();
            known.validUntil = now;
            routes.put(to, known);
        }
        if (now - known.validUntil >= 0) {
            Neighbours.Answer answer = port.loopback && !to.getAddress().isMulticastAddress()
                    // Loopback interfaces have no MAC addresses.
                    ? new Neighbours.Answer(Optional.of(new byte[6]), "")
                    : neighbours.find(to.getAddress());
            follow(known, to, answer);
            known.validUntil = now + (known.frame == null ? RETRY_NANOS : REFRESH_NANOS);
        }
        routeProblem = known.problem;
        return known;
    }

    private void follow(Route known, InetSocketAddress to, Neighbours.Answer answer) {
        known.problem = answer.problem();
        if (answer.mac().isEmpty()) {
            known.frame = null;
        } else if (known.frame == null || !Arrays.equals(known.mac, answer.mac().get())) {
            known.mac = answer.mac().get();
            int ttl = to.getAddress().isMulticastAddress() ? multicastTtl : UNICAST_TTL;
            known.frame = new UdpFrame(queue.mac(), known.mac, source, to, ttl);
        }
    }

    // ---- sending

    @Override
    public synchronized void send(ByteBuffer packet, InetSocketAddress to) {
        int bytes = packet.remaining();
        UdpFrame frame = failure.isEmpty() && bytes <= maxDataBytes ? route(to).frame : null;
        if (frame == null || !begun()) {
            socket.send(packet, to);
            return;
        }
        int at = slotAt();
        frame.write(slots, at, bytes);
        slots.put(at + UdpFrame.BYTES, packet, packet.position(), bytes);
        packet.position(packet.limit());
        queue.piece(slotsRegion, at, UdpFrame.BYTES + bytes);
        ended(bytes);
        post();
    }

    @Override
    public synchronized void begin(InetSocketAddress to, ByteBuffer data) {
        flush();
        destination = to;
        memory = data;
        route = failure.isEmpty() ? route(to) : new Route();
        if (route.frame == null) {
            socket.begin(to, data);
        } else {
            memorySource = data.capacity() == 0 ? new Source(NO_REGION) : source(data);
        }
    }

    private Source source(ByteBuffer data) {
        Source known = sources.get(data);
        if (known == null) {
            int region = NO_REGION;
            try {
                region = queue.register(data);
            } catch (RdmaException e) {
                LOGGER.log(
                        Level.WARNING,
                        "Blocks are copied for the adapter, which cannot read their memory: {0}",
                        e.getMessage());
            }
            known = new Source(region);
            sources.put(data, known);
        }
        return known;
    }

    @Override
    public synchronized void add(ByteBuffer head, int offset, int lengthBytes) {
        UdpFrame frame = route.frame;
        if (frame == null || !failure.isEmpty()) {
            socket.add(head, offset, lengthBytes);
            return;
        }
        int headBytes = head.remaining();
        int bytes = headBytes + lengthBytes;
        if (bytes > maxDataBytes) {
            sendOversize(head, offset, lengthBytes);
            return;
        }
        if (!begun()) {
            socket.add(head, offset, lengthBytes);
            return;
        }
        int at = slotAt();
        frame.write(slots, at, bytes);
        slots.put(at + UdpFrame.BYTES, head, head.position(), headBytes);
        if (lengthBytes > 0 && memorySource.region != NO_REGION) {
            queue.piece(slotsRegion, at, UdpFrame.BYTES + headBytes);
            queue.piece(memorySource.region, offset, lengthBytes);
            memorySource.lastNumber = next;
        } else {
            slots.put(at + UdpFrame.BYTES + headBytes, memory, offset, lengthBytes);
            queue.piece(slotsRegion, at, UdpFrame.BYTES + bytes);
        }
        ended(bytes);
    }

    /** The kernel cuts it into fragments. */
    private void sendOversize(ByteBuffer head, int offset, int lengthBytes) {
        if (oversize == null) {
            oversize = ByteBuffer.allocateDirect(1 << 16);
        }
        oversize.clear().put(head);
        oversize.put(oversize.position(), memory, offset, lengthBytes);
        socket.send(oversize.position(oversize.position() + lengthBytes).flip(), destination);
    }

    private int slotAt() {
        return (int) (next % packetBytes.length) * slotBytes;
    }

    /** Begins the next packet, when there is a slot for it; false if the adapter has failed. */
    private boolean begun() {
        try {
            long reused = next - packetBytes.length;
            if (reused >= 0 && queue.sent() < reused) {
                queue.flush();
                if (!queue.await(reused, PATIENCE_NANOS)) {
                    failed("the adapter sends nothing");
                    return false;
                }
            }
            queue.post(next);
            return true;
        } catch (RdmaException e) {
            failed(e.getMessage());
            return false;
        }
    }

    private void ended(int bytes) {
        packetBytes[(int) (next % packetBytes.length)] = bytes;
        next++;
        counters.packetsSent.increment();
        counters.packetsSentByVerbs.increment();
        counters.bytesSent.add(bytes);
    }

    private void post() {
        try {
            queue.flush();
        } catch (RdmaException e) {
            failed(e.getMessage());
        }
    }

    /** From now on packets leave by the socket. */
    private void failed(String reason) {
        failure = reason;
        LOGGER.log(Level.WARNING, "Stream packets are sent by a socket from now on, not by verbs: {0}", reason);
        long sent = -1;
        try {
            sent = queue.sent();
        } catch (RdmaException e) {
            LOGGER.log(Level.DEBUG, "It is unknown which packets were sent", e);
        }
        for (long lost = Math.max(sent + 1, next - packetBytes.length); lost < next; lost++) {
            counters.packetsSent.decrement();
            counters.packetsSentByVerbs.decrement();
            counters.bytesSent.add(-packetBytes[(int) (lost % packetBytes.length)]);
            counters.sendFailures.increment();
        }
        socket.begin(destination, memory);
    }

    @Override
    public synchronized void flush() {
        if (failure.isEmpty()) {
            post();
        }
        socket.flush();
    }

    // ---- memory

    @Override
    public synchronized void awaitSent(ByteBuffer data) {
        Source known = sources.get(data);
        if (known != null && known.lastNumber >= 0 && failure.isEmpty()) {
            await(known.lastNumber);
        }
    }

    private void await(long number) {
        try {
            queue.flush();
            if (!queue.await(number, PATIENCE_NANOS)) {
                failed("the adapter sends nothing");
            }
        } catch (RdmaException e) {
            failed(e.getMessage());
        }
    }

    @Override
    public synchronized void forget() {
        if (next > 0 && failure.isEmpty()) {
            await(next - 1);
        }
        for (Source known : sources.values()) {
            if (known.region != NO_REGION) {
                queue.unregister(known.region);
            }
        }
        sources.clear();
        memory = slots;
        memorySource = new Source(NO_REGION);
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            if (next > 0 && failure.isEmpty()) {
                await(next - 1);
            }
            failure = "closed";
            queue.close();
            socket.close();
        }
    }
}
