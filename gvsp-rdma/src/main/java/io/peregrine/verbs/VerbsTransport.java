package io.peregrine.verbs;

import io.peregrine.nativeio.LibIbverbs;
import io.peregrine.nativeio.LibRdmaCm;
import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.VerbsOps;
import io.peregrine.rdma.CompletionQueue;
import io.peregrine.rdma.CompletionQueueSettings;
import io.peregrine.rdma.ConnectionSettings;
import io.peregrine.rdma.MemoryRegion;
import io.peregrine.rdma.RdmaConnection;
import io.peregrine.rdma.RdmaException;
import io.peregrine.rdma.RdmaListener;
import io.peregrine.rdma.RdmaMemory;
import io.peregrine.rdma.RdmaTransport;
import io.peregrine.rdma.RdmaUnavailableException;
import io.peregrine.rdma.RemoteAccess;
import io.peregrine.rdma.SharedReceiveQueue;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/** RDMA on one port of a device, by libibverbs and librdmacm. */
final class VerbsTransport implements RdmaTransport {
    static final String PROVIDER = "verbs";
    private static final int MAX_TYPE_OF_SERVICE = 255;

    private final Inet4Address address;
    private final RdmaDevices devices;
    private final RdmaDevices.Port port;
    private final long channel;
    /** Bound to the interface as long as the transport lives; it keeps the device open. */
    private final long anchor;

    private final long context;
    private final long domain;
    private final int completionVectors;
    private final int maxWork;
    private final int maxReadsServed;
    private final int maxReadsAsked;
    private final int maxCompletions;
    private final int maxSharedReceives;
    private final int activeMtuBytes;
    private final VerbsEvents events;

    private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();
    /** Making something holds the read lock, so that nothing is made any more once closing has begun. */
    private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();

    private boolean closing;
    private volatile int typeOfService;

    private VerbsTransport(
            Inet4Address address, RdmaDevices devices, RdmaDevices.Port port, long channel, long anchor, long context) {
        this.address = address;
        this.devices = devices;
        this.port = port;
        this.channel = channel;
        this.anchor = anchor;
        this.context = context;
        ByteBuffer fields = NativeMemory.buffer(context, VerbsLayout.CONTEXT_BYTES_READ);
        this.completionVectors = Math.max(1, fields.getInt(VerbsLayout.CONTEXT_NUM_COMP_VECTORS));
        ByteBuffer device = NativeMemory.allocate(VerbsLayout.DEVICE_ATTR_BYTES);
        Errors.checkNumber(
                LibIbverbs.ibv_query_device(context, NativeMemory.address(device)), "Asking " + port.device());
        this.maxWork = device.getInt(VerbsLayout.DEVICE_ATTR_MAX_QP_WR);
        this.maxReadsServed = device.getInt(VerbsLayout.DEVICE_ATTR_MAX_QP_RD_ATOM);
        this.maxReadsAsked = device.getInt(VerbsLayout.DEVICE_ATTR_MAX_QP_INIT_RD_ATOM);
        this.maxCompletions = device.getInt(VerbsLayout.DEVICE_ATTR_MAX_CQE);
        this.maxSharedReceives = device.getInt(VerbsLayout.DEVICE_ATTR_MAX_SRQ_WR);
        ByteBuffer attributes = NativeMemory.allocate(VerbsLayout.PORT_ATTR_BYTES);
        Errors.checkNumber(
                LibIbverbs.ibv_query_port(context, port.number(), NativeMemory.address(attributes)),
                "Asking port " + port.number() + " of " + port.device());
        this.activeMtuBytes = VerbsLayout.mtuBytes(attributes.getInt(VerbsLayout.PORT_ATTR_ACTIVE_MTU));
        int channelDescriptor = NativeMemory.buffer(channel, 4).getInt(0);
        int asyncDescriptor = fields.getInt(VerbsLayout.CONTEXT_ASYNC_FD);
        if (!Libc.setNonBlocking(channelDescriptor) || !Libc.setNonBlocking(asyncDescriptor)) {
            throw Errors.failed("Preparing the event channels", Libc.errno());
        }
        this.domain = Errors.checkPointer(LibIbverbs.ibv_alloc_pd(context), "Making a protection domain");
        this.events = new VerbsEvents(channel, channelDescriptor, context, asyncDescriptor, port.device());
    }

    /**
     * Opens a transport.
     *
     * @throws RdmaUnavailableException if that is not possible here, with the reason
     */
    static VerbsTransport open(Inet4Address address, RdmaDevices devices) {
        RdmaDevices.Port port = devices.at(address);
        checkDriver(port.device());
        long channel = LibRdmaCm.rdma_create_event_channel();
        if (channel == 0) {
            throw new RdmaUnavailableException("the RDMA connection manager cannot be opened: "
                    + Libc.text(Libc.errno()) + "; is the kernel module rdma_ucm loaded, and may this user open"
                    + " /dev/infiniband/rdma_cm?");
        }
        long anchor = 0;
        try {
            anchor = create(channel);
            ByteBuffer socketAddress = SocketAddresses.write(address, 0);
            if (LibRdmaCm.rdma_bind_addr(anchor, NativeMemory.address(socketAddress)) != 0) {
                int error = Libc.errno();
                throw new RdmaUnavailableException("device " + port.device() + " cannot be used: " + Libc.text(error)
                        + "; is its file /dev/infiniband/uverbs* there, and may this user open it?");
            }
            ByteBuffer id = NativeMemory.buffer(anchor, VerbsLayout.CM_ID_BYTES_READ);
            long context = id.getLong(VerbsLayout.CM_ID_VERBS);
            if (id.getLong(VerbsLayout.CM_ID_CHANNEL) != channel
                    || id.getInt(VerbsLayout.CM_ID_PS) != VerbsLayout.PS_TCP) {
                throw unknownLayout("rdma_cm_id");
            }
            if (context == 0) {
                throw new RdmaUnavailableException("device " + port.device() + " was not opened for its address");
            }
            checkContext(context);
            String name = NativeMemory.text(LibIbverbs.ibv_get_device_name(
                    NativeMemory.buffer(context, 8).getLong(VerbsLayout.CONTEXT_DEVICE)));
            int number = Byte.toUnsignedInt(id.get(VerbsLayout.CM_ID_PORT_NUM));
            VerbsTransport transport =
                    new VerbsTransport(address, devices, new RdmaDevices.Port(name, number), channel, anchor, context);
            transport.events.start();
            return transport;
        } catch (RuntimeException e) {
            if (anchor != 0) {
                LibRdmaCm.rdma_destroy_id(anchor);
            }
            LibRdmaCm.rdma_destroy_event_channel(channel);
            throw e instanceof RdmaUnavailableException ? e : new RdmaUnavailableException(e.getMessage(), e);
        }
    }

    /** The library knows only devices that it has a driver for. */
    private static void checkDriver(String device) {
        ByteBuffer count = NativeMemory.allocate(8);
        long list = LibIbverbs.ibv_get_device_list(NativeMemory.address(count));
        List<String> names = new ArrayList<>();
        if (list != 0) {
            ByteBuffer devices = NativeMemory.buffer(list, 8 * Math.max(1, count.getInt(0)));
            for (int i = 0; i < count.getInt(0); i++) {
                names.add(NativeMemory.text(LibIbverbs.ibv_get_device_name(devices.getLong(8 * i))));
            }
            LibIbverbs.ibv_free_device_list(list);
        }
        if (!names.contains(device)) {
            throw new RdmaUnavailableException("the kernel has device " + device + " but " + LibIbverbs.FILE_NAME
                    + " has no driver for it: install ibverbs-providers (Debian, Ubuntu) or rdma-core");
        }
    }

    /** Everything is called through this structure, so it must be what it is taken for. */
    private static void checkContext(long context) {
        ByteBuffer fields = NativeMemory.buffer(context, VerbsLayout.CONTEXT_BYTES_READ);
        int asyncDescriptor = fields.getInt(VerbsLayout.CONTEXT_ASYNC_FD);
        List<String> maps;
        try {
            String kind = Files.readSymbolicLink(Path.of("/proc/self/fd/" + asyncDescriptor))
                    .toString();
            if (!kind.contains("infinibandevent")) {
                throw unknownLayout("ibv_context");
            }
            maps = Files.readAllLines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new RdmaUnavailableException("the device cannot be checked: " + e.getMessage(), e);
        }
        for (VerbsOps.Op function : VerbsOps.functions(context)) {
            if (maps.stream().noneMatch(line -> holdsCode(line, function.address()))) {
                throw unknownLayout("ibv_context_ops." + function.name());
            }
        }
    }

    /** Whether a line of {@code /proc/self/maps}, "from-to rights ...", is of executable memory with an address. */
    static boolean holdsCode(String line, long address) {
        int dash = line.indexOf('-');
        int blank = line.indexOf(' ', dash);
        return dash > 0
                && blank > 0
                && line.length() > blank + 3
                && line.charAt(blank + 3) == 'x'
                && Long.compareUnsigned(address, Long.parseUnsignedLong(line.substring(0, dash), 16)) >= 0
                && Long.compareUnsigned(address, Long.parseUnsignedLong(line.substring(dash + 1, blank), 16)) < 0;
    }

    static RdmaUnavailableException unknownLayout(String structure) {
        return new RdmaUnavailableException(
                "this version of rdma-core is not known: its structure " + structure + " looks different");
    }

    private static long create(long channel) {
        ByteBuffer memory = NativeMemory.allocate(8);
        Errors.check(
                LibRdmaCm.rdma_create_id(channel, NativeMemory.address(memory), 0, VerbsLayout.PS_TCP),
                "Making an identifier of the connection manager");
        return memory.getLong(0);
    }

    /** A new identifier of the connection manager, whose events are not taken yet. */
    long newId() {
        return whileOpen(() -> create(channel));
    }

    private <T> T whileOpen(Supplier<T> make) {
        life.readLock().lock();
        try {
            if (closing) {
                throw new RdmaException("The transport is closed");
            }
            T made = make.get();
            if (made instanceof AutoCloseable resource) {
                open.add(resource);
            }
            return made;
        } finally {
            life.readLock().unlock();
        }
    }

    /** Remembers something to close with the transport; false if that is closing. */
    boolean keep(AutoCloseable resource) {
        life.readLock().lock();
        try {
            return !closing && open.add(resource);
        } finally {
            life.readLock().unlock();
        }
    }

    /** Forgets what is being closed; false if that was forgotten already. */
    boolean forget(AutoCloseable resource) {
        return open.remove(resource);
    }

    long context() {
        return context;
    }

    long domain() {
        return domain;
    }

    VerbsEvents events() {
        return events;
    }

    int completionVectors() {
        return completionVectors;
    }

    int maxWork() {
        return maxWork;
    }

    /** Reads of a peer that a queue pair serves at a time. */
    int maxReadsServed() {
        return maxReadsServed;
    }

    /** Outgoing reads that a queue pair has outstanding at a time. */
    int maxReadsAsked() {
        return maxReadsAsked;
    }

    int maxCompletions() {
        return maxCompletions;
    }

    int maxSharedReceives() {
        return maxSharedReceives;
    }

    @Override
    public String provider() {
        return PROVIDER;
    }

    @Override
    public String deviceName() {
        return port.device();
    }

    @Override
    public Inet4Address localAddress() {
        return address;
    }

    @Override
    public String gid() {
        return "::ffff:" + address.getHostAddress();
    }

    @Override
    public int activeMtuBytes() {
        return activeMtuBytes;
    }

    @Override
    public MemoryRegion register(RdmaMemory memory, RemoteAccess access) {
        return whileOpen(() -> VerbsMemoryRegion.open(this, memory, access));
    }

    @Override
    public CompletionQueue completionQueue(CompletionQueueSettings settings) {
        return whileOpen(() -> VerbsCompletionQueue.open(this, settings));
    }

    @Override
    public SharedReceiveQueue sharedReceiveQueue(int depth) {
        return whileOpen(() -> VerbsSharedReceiveQueue.open(this, depth));
    }

    @Override
    public RdmaConnection prepare(InetSocketAddress remote, ConnectionSettings settings) {
        return VerbsConnection.outgoing(this, remote, settings);
    }

    @Override
    public RdmaListener listen(int listenPort) {
        return whileOpen(() -> {
            long id = create(channel);
            try {
                ByteBuffer socketAddress = SocketAddresses.write(address, listenPort);
                String what = "Listening at " + address.getHostAddress() + ", port " + listenPort + ",";
                Errors.check(LibRdmaCm.rdma_bind_addr(id, NativeMemory.address(socketAddress)), what);
                int bound = VerbsLayout.networkOrder((short) LibRdmaCm.rdma_get_src_port(id)) & 0xFFFF;
                VerbsListener listener = new VerbsListener(this, id, bound);
                events.handle(id, listener);
                Errors.check(LibRdmaCm.rdma_listen(id, VerbsListener.BACKLOG), what);
                return listener;
            } catch (RuntimeException e) {
                events.forget(id);
                LibRdmaCm.rdma_destroy_id(id);
                throw e;
            }
        });
    }

    @Override
    public void typeOfService(int value) {
        if (value < 0 || value > MAX_TYPE_OF_SERVICE) {
            throw new RdmaException("The class of service " + value + " is not possible: 0 to 255 are");
        }
        typeOfService = value;
    }

    int typeOfService() {
        return typeOfService;
    }

    @Override
    public Map<String, Long> counters() {
        return devices.counters(port);
    }

    @Override
    public void close() {
        life.writeLock().lock();
        try {
            if (closing) {
                return;
            }
            closing = true;
        } finally {
            life.writeLock().unlock();
        }
        RuntimeException problem = new RdmaException("The RDMA transport was not closed in good order");
        closeAll(List.of(VerbsListener.class, VerbsConnectionRequest.class, VerbsConnection.class), problem);
        closeAll(List.of(VerbsCompletionQueue.class), problem);
        closeAll(List.of(VerbsSharedReceiveQueue.class, VerbsMemoryRegion.class), problem);
        events.close();
        int error = LibIbverbs.ibv_dealloc_pd(domain);
        LibRdmaCm.rdma_destroy_id(anchor);
        LibRdmaCm.rdma_destroy_event_channel(channel);
        if (error != 0) {
            problem.addSuppressed(Errors.failed("Closing the protection domain", error));
        }
        if (problem.getSuppressed().length > 0) {
            throw problem;
        }
    }

    private void closeAll(List<Class<?>> kinds, RuntimeException problem) {
        for (Class<?> kind : kinds) {
            for (AutoCloseable resource : open) {
                if (kind.isInstance(resource)) {
                    try {
                        resource.close();
                    } catch (Exception e) {
                        problem.addSuppressed(e);
                    }
                }
            }
        }
    }
}
