package io.peregrine.rocev2;

import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.PacketFaults;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaListener;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.rdma.RemoteAccess;
import io.peregrine.rdma.SharedReceiveQueue;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One user of a {@link RocePort}. */
final class SoftwareTransport implements RdmaTransport {
    /** Without those that also grow when a connection ends in good order. */
    private static final List<String> LOSSES = List.of(
            "sequenceGaps",
            "packetsDuplicate",
            "packetsRetransmitted",
            "acknowledgeTimeouts",
            "receiverNotReadyWaits",
            "congestionNotifications",
            "packetsDamaged",
            "packetsMalformed",
            "sendFailures");

    private final Inet4Address localAddress;
    private final RocePort port;
    // Both guarded by the port's lock.
    private final Set<AutoCloseable> open = new LinkedHashSet<>();
    private boolean closed;

    SoftwareTransport(Inet4Address localAddress, RocePort port) {
        this.localAddress = localAddress;
        this.port = port;
    }

    RocePort port() {
        return port;
    }

    @Override
    public String provider() {
        return SoftwareRoceProvider.NAME;
    }

    @Override
    public String deviceName() {
        return "udp";
    }

    @Override
    public Inet4Address localAddress() {
        return localAddress;
    }

    @Override
    public String gid() {
        return "::ffff:" + localAddress.getHostAddress();
    }

    @Override
    public int activeMtuBytes() {
        return port.pathMtuBytes();
    }

    @Override
    public MemoryRegion register(RdmaMemory memory, RemoteAccess access) {
        if (!memory.hostAccess()) {
            throw new RdmaException("Memory of a device (GPU) is written by an adapter, and the provider software has"
                    + " none: set RdmaProvider=verbs");
        }
        port.lock().lock();
        try {
            checkOpen();
            SoftwareRegion region = new SoftwareRegion(port.endpoint().regions().register(memory, access, this));
            open.add(region);
            return region;
        } finally {
            port.lock().unlock();
        }
    }

    @Override
    public CompletionQueue completionQueue(CompletionQueueSettings settings) {
        return new SoftwareCompletionQueue(settings, port);
    }

    @Override
    public SharedReceiveQueue sharedReceiveQueue(int depth) {
        if (depth < 1 || depth > 1 << 16) {
            throw new RdmaException("A shared receive queue of " + depth + " receives is not possible: 1 to 65536");
        }
        return new SoftwareSharedReceiveQueue(new ReceiveRing(depth));
    }

    @Override
    public RdmaConnection prepare(InetSocketAddress remote, ConnectionSettings settings) {
        if (!(remote.getAddress() instanceof Inet4Address)) {
            throw new RdmaException(remote + " is not an IPv4 address and port");
        }
        return create(remote, settings, Optional.empty());
    }

    SoftwareConnection create(
            InetSocketAddress remote, ConnectionSettings settings, Optional<SoftwareRequest> request) {
        if (!(settings.completions() instanceof SoftwareCompletionQueue queue)) {
            throw new RdmaException("The completion queue is of another transport");
        }
        Optional<ReceiveRing> shared = settings.sharedReceives().map(SoftwareTransport::ring);
        port.lock().lock();
        try {
            checkOpen();
            SoftwareConnection connection = new SoftwareConnection(this, remote, settings, queue, request);
            connection.attach(port.endpoint()
                    .createQueuePair(
                            this, settings.sendDepth(), Math.max(1, settings.receiveDepth()), shared, connection));
            open.add(connection);
            return connection;
        } finally {
            port.lock().unlock();
        }
    }

    private static ReceiveRing ring(SharedReceiveQueue queue) {
        if (queue instanceof SoftwareSharedReceiveQueue software) {
            return software.ring;
        }
        throw new RdmaException("The shared receive queue is of another transport");
    }

    @Override
    public RdmaListener listen(int wanted) {
        if (wanted < 0 || wanted > 65535) {
            throw new RdmaException("RDMA port " + wanted + " is not possible: 0 to 65535");
        }
        port.lock().lock();
        try {
            checkOpen();
            SoftwareListener listener = new SoftwareListener(this);
            listener.begin(port.endpoint().connections().listen(wanted, listener));
            open.add(listener);
            return listener;
        } finally {
            port.lock().unlock();
        }
    }

    @Override
    public void injectFaults(PacketFaults faults) {
        port.injectFaults(faults);
    }

    @Override
    public void typeOfService(int value) {
        CmMessage.check("typeOfService", value, 8);
        port.typeOfService(value);
    }

    @Override
    public Map<String, Long> counters() {
        return port.counters();
    }

    @Override
    public Map<String, Long> packetLosses() {
        Map<String, Long> losses = port.counters();
        losses.keySet().retainAll(LOSSES);
        return losses;
    }

    /** Takes note that something made here was closed. With the port's lock. */
    void forget(AutoCloseable closedOne) {
        open.remove(closedOne);
    }

    private void checkOpen() {
        if (closed) {
            throw new RdmaException("The transport is closed");
        }
    }

    @Override
    public void close() {
        List<AutoCloseable> left;
        port.lock().lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            left = new ArrayList<>(open);
        } finally {
            port.lock().unlock();
        }
        // The last made first: connections before the memory that they use.
        for (int i = left.size() - 1; i >= 0; i--) {
            try {
                left.get(i).close();
            } catch (Exception e) {
                throw new RdmaException("Closing " + left.get(i) + " failed", e);
            }
        }
        port.release();
    }

    @Override
    public String toString() {
        return "software RoCEv2 at " + localAddress.getHostAddress();
    }

    static int ipv4(Inet4Address address) {
        return ByteBuffer.wrap(address.getAddress()).getInt();
    }

    /** Memory registered by this transport. */
    private final class SoftwareRegion implements MemoryRegion {
        private final MemoryTable.Region region;

        SoftwareRegion(MemoryTable.Region region) {
            this.region = region;
        }

        @Override
        public RdmaMemory memory() {
            return region.memory();
        }

        @Override
        public long remoteAddress() {
            return region.address();
        }

        @Override
        public int remoteKey() {
            return region.key();
        }

        @Override
        public void close() {
            port.lock().lock();
            try {
                port.endpoint().regions().remove(region);
                forget(this);
            } finally {
                port.lock().unlock();
            }
        }
    }

    /** Receives that connections of this transport share. */
    private final class SoftwareSharedReceiveQueue implements SharedReceiveQueue {
        private final ReceiveRing ring;
        private boolean ended;

        SoftwareSharedReceiveQueue(ReceiveRing ring) {
            this.ring = ring;
        }

        @Override
        public void postReceive(long workId, MemoryRegion region, long offsetBytes, int lengthBytes) {
            RdmaMemory memory = MemoryTable.checked(region, offsetBytes, lengthBytes);
            port.lock().lock();
            try {
                if (ended) {
                    throw new RdmaException("The shared receive queue is closed");
                }
                ring.post(workId, memory, offsetBytes, lengthBytes);
            } finally {
                port.lock().unlock();
            }
        }

        @Override
        public void close() {
            port.lock().lock();
            try {
                ended = true;
            } finally {
                port.lock().unlock();
            }
        }
    }
}
