package io.peregrine.verbs;

import io.peregrine.nativeio.LibIbverbs;
import io.peregrine.nativeio.LibRdmaCm;
import io.peregrine.nativeio.Libc;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.NativeUnavailableException;
import io.peregrine.nativeio.VerbsOps;
import io.peregrine.verbs.RdmaDevices.Port;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The adapter of a network interface, opened for raw packets, and the memory that it may write. */
final class RawDevice {
    private static final String MLX4_OPTIONS = "ConnectX-3 and ConnectX-3 Pro need 'options mlx4_core"
            + " log_num_mgm_entry_size=-1' and 'options mlx4_core fast_drop=1' in /etc/modprobe.d, and a restart of the"
            + " driver";
    /** Of mlx5 and mlx4; others have none. */
    private static final String DROPS_COUNTER = "out_of_buffer";

    private final RdmaDevices devices;
    private final Port port;
    private final long context;
    private final long domain;
    private final int completionVectors;
    private final int maxPosted;
    private final int maxPieces;
    private final boolean steers;
    private final byte[] mac;
    private final List<Long> regions = new ArrayList<>();

    private RawDevice(
            RdmaDevices devices, Port port, long context, long domain, ByteBuffer attributes, Inet4Address local) {
        this.devices = devices;
        this.port = port;
        this.context = context;
        this.domain = domain;
        completionVectors = Math.max(
                1,
                NativeMemory.buffer(context, VerbsLayout.CONTEXT_BYTES_READ)
                        .getInt(VerbsLayout.CONTEXT_NUM_COMP_VECTORS));
        maxPosted = Math.min(
                attributes.getInt(VerbsLayout.DEVICE_ATTR_MAX_QP_WR),
                attributes.getInt(VerbsLayout.DEVICE_ATTR_MAX_CQE));
        maxPieces = attributes.getInt(VerbsLayout.DEVICE_ATTR_MAX_SGE);
        steers = (attributes.getInt(VerbsLayout.DEVICE_ATTR_CAP_FLAGS) & VerbsLayout.DEVICE_MANAGED_FLOW_STEERING) != 0
                && VerbsOps.hasFlowRules(context);
        mac = mac(local);
    }

    /**
     * Opens the adapter of an address.
     *
     * @param cleanup closes it
     * @throws NativeUnavailableException if that is not possible, with what is missing
     */
    static RawDevice open(Inet4Address local, RdmaDevices devices, Cleanup cleanup) {
        long channel = cleanup.add(LibRdmaCm.rdma_create_event_channel(), LibRdmaCm::rdma_destroy_event_channel);
        if (channel == 0) {
            throw unavailable("the RDMA connection manager cannot be opened (is the kernel module rdma_ucm loaded, and"
                    + " may this user open /dev/infiniband/rdma_cm?)");
        }
        ByteBuffer memory = NativeMemory.allocate(8);
        if (LibRdmaCm.rdma_create_id(channel, NativeMemory.address(memory), 0, VerbsLayout.PS_UDP) != 0) {
            throw unavailable("the RDMA connection manager makes no identifier");
        }
        long id = cleanup.add(memory.getLong(0), LibRdmaCm::rdma_destroy_id);
        if (LibRdmaCm.rdma_bind_addr(id, NativeMemory.address(SocketAddresses.write(local, 0))) != 0) {
            throw unavailable("no adapter with verbs is behind " + local.getHostAddress() + " (there is "
                    + devices.names() + "; is its driver loaded, and may this user open /dev/infiniband/uverbs*?)");
        }
        ByteBuffer fields = NativeMemory.buffer(id, VerbsLayout.CM_ID_BYTES_READ);
        long context = fields.getLong(VerbsLayout.CM_ID_VERBS);
        if (fields.getLong(VerbsLayout.CM_ID_CHANNEL) != channel
                || fields.getInt(VerbsLayout.CM_ID_PS) != VerbsLayout.PS_UDP) {
            throw unknownLayout("rdma_cm_id");
        }
        if (context == 0) {
            throw new NativeUnavailableException(
                    "the adapter of " + local.getHostAddress() + " was not opened for its address", null);
        }
        String name = NativeMemory.text(
                LibIbverbs.ibv_get_device_name(NativeMemory.buffer(context, 8).getLong(VerbsLayout.CONTEXT_DEVICE)));
        ByteBuffer attributes = NativeMemory.allocate(VerbsLayout.DEVICE_ATTR_BYTES);
        int error = LibIbverbs.ibv_query_device(context, NativeMemory.address(attributes));
        if (error != 0) {
            throw new NativeUnavailableException(name + " cannot be asked: " + Libc.text(error), null);
        }
        long domain = cleanup.add(LibIbverbs.ibv_alloc_pd(context), LibIbverbs::ibv_dealloc_pd);
        if (domain == 0) {
            throw unavailable(name + " makes no protection domain");
        }
        Port port = new Port(name, Byte.toUnsignedInt(fields.get(VerbsLayout.CM_ID_PORT_NUM)));
        RawDevice device = new RawDevice(devices, port, context, domain, attributes, local);
        cleanup.add(device::deregister);
        return device;
    }

    /**
     * Checks that the adapter gives packets of one stream to a queue, each spread over several pieces of memory.
     *
     * @throws NativeUnavailableException if it does not, with what is missing
     */
    void requireSteering(int pieces) {
        if (!steers) {
            throw new NativeUnavailableException(
                    devices.isIwarp(name())
                            ? RdmaDevices.iwarp(name())
                            : name() + " has no flow steering, which gives it the packets of one stream. "
                                    + MLX4_OPTIONS,
                    null);
        }
        requirePieces(pieces);
    }

    /** Checks that a packet may be in several pieces of memory. */
    void requirePieces(int pieces) {
        if (maxPieces < pieces) {
            throw new NativeUnavailableException(
                    name() + " spreads a packet over " + maxPieces + " pieces of memory at most, and " + pieces
                            + " are needed",
                    null);
        }
    }

    private static byte[] mac(Inet4Address local) {
        try {
            NetworkInterface at = NetworkInterface.getByInetAddress(local);
            byte[] found = at == null ? null : at.getHardwareAddress();
            return found == null ? new byte[6] : found;
        } catch (SocketException e) {
            throw new NativeUnavailableException("the MAC address of " + local.getHostAddress() + " is unknown", e);
        }
    }

    /** With the reason that the last call left in errno. */
    static NativeUnavailableException unavailable(String what) {
        return new NativeUnavailableException(what + ": " + Libc.text(Libc.errno()), null);
    }

    static NativeUnavailableException unknownLayout(String structure) {
        return new NativeUnavailableException(
                "this version of rdma-core is not known: its structure " + structure + " looks different", null);
    }

    int register(long address, long lengthBytes) {
        return key(region(address, lengthBytes));
    }

    /** Registers memory until it is {@link #deregister}ed or the device closed; returns the {@code ibv_mr}. */
    long region(long address, long lengthBytes) {
        long region = LibIbverbs.ibv_reg_mr(domain, address, lengthBytes, VerbsLayout.ACCESS_LOCAL_WRITE);
        if (region == 0) {
            int error = Libc.errno();
            throw new NativeUnavailableException(
                    error == Libc.ENOMEM
                            ? VerbsMemoryRegion.cannotLock(lengthBytes)
                            : "the adapter cannot use " + lengthBytes + " bytes of memory: " + Libc.text(error),
                    null);
        }
        regions.add(region);
        ByteBuffer fields = NativeMemory.buffer(region, VerbsLayout.MR_BYTES);
        if (fields.getLong(VerbsLayout.MR_PD) != domain
                || fields.getLong(VerbsLayout.MR_ADDR) != address
                || fields.getLong(VerbsLayout.MR_LENGTH) != lengthBytes) {
            throw unknownLayout("ibv_mr");
        }
        return region;
    }

    /** The key of a region. */
    static int key(long region) {
        return NativeMemory.buffer(region, VerbsLayout.MR_BYTES).getInt(VerbsLayout.MR_LKEY);
    }

    /** The adapter no longer uses the memory of a region. */
    void deregister(long region) {
        if (regions.remove(region)) {
            LibIbverbs.ibv_dereg_mr(region);
        }
    }

    private void deregister() {
        regions.forEach(LibIbverbs::ibv_dereg_mr);
        regions.clear();
    }

    /** Packets that the adapter dropped for lack of a receive; 0 where its driver does not report them. */
    long drops() {
        return devices.counters(port).getOrDefault(DROPS_COUNTER, 0L);
    }

    String name() {
        return port.device();
    }

    int portNumber() {
        return port.number();
    }

    long context() {
        return context;
    }

    long domain() {
        return domain;
    }

    int completionVectors() {
        return completionVectors;
    }

    /** Most receives, and most sends, that a queue pair may have posted. */
    int maxPosted() {
        return maxPosted;
    }

    /** MAC address of the interface; zeros where it has none. */
    byte[] mac() {
        return mac.clone();
    }
}
