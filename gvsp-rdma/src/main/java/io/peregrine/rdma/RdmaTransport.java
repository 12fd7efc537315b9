package io.peregrine.rdma;

import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.util.Map;

/**
 * One local interface's way to speak RoCEv2: reliable connections between registered memory. Implementations are
 * interchangeable; an adapter, the kernel's Soft-RoCE and software over an ordinary UDP socket all stand behind it.
 *
 * <p>Everything made by a transport belongs to it; {@link #close()} closes what is still open. Methods may be called
 * from any thread unless they say otherwise.
 */
public interface RdmaTransport extends AutoCloseable {

    /** Name of the provider, for example {@code verbs} or {@code software}. */
    String provider();

    /** Name of the device, for example {@code rxe0} or {@code udp}. */
    String deviceName();

    /** Address of the local interface. */
    Inet4Address localAddress();

    /** The global identifier of the local port, for example {@code ::ffff:10.0.0.1}. */
    String gid();

    /** Largest path MTU that the local port can use: 256, 512, 1024, 2048 or 4096 bytes of payload a packet. */
    int activeMtuBytes();

    /**
     * Registers memory so that the transport may read and write it.
     *
     * @param memory what to register
     * @param access what a connected peer that knows the key may do with it
     * @return the registration, until it is closed
     * @throws RdmaException if the memory cannot be registered, for example for lack of lockable memory
     */
    MemoryRegion register(RdmaMemory memory, RemoteAccess access);

    /** Registers memory that no peer may write or read. */
    default MemoryRegion register(RdmaMemory memory) {
        return register(memory, RemoteAccess.NONE);
    }

    /** Makes a completion queue. It is the caller's to close, after the connections that use it. */
    CompletionQueue completionQueue(CompletionQueueSettings settings);

    /**
     * Makes a receive queue that several connections take their receives from, in the order of posting.
     *
     * @param depth most receives that may be posted at a time
     */
    SharedReceiveQueue sharedReceiveQueue(int depth);

    /**
     * Makes a connection that is not connected yet: post receives first, then {@link RdmaConnection#connect}.
     *
     * @param remote address and port of the listening side
     * @param settings depths, retries, queues
     * @throws RdmaException if there is no way to the address
     */
    RdmaConnection prepare(InetSocketAddress remote, ConnectionSettings settings);

    /**
     * Listens for connections.
     *
     * @param port port in the TCP port space of the RDMA connection manager, 0 for any free one
     * @throws RdmaException if the port is in use
     */
    RdmaListener listen(int port);

    /**
     * Makes the transport commit faults on the packets that it sends from now on, on all connections of its address.
     *
     * @throws RdmaException if this provider cannot
     */
    default void injectFaults(PacketFaults faults) {
        if (faults.any()) {
            throw new RdmaException("The provider " + provider() + " cannot commit faults: use software");
        }
    }

    /**
     * Sets the type of service (DSCP times 4) of the packets of connections that are made from now on; their other side
     * takes it over. In software of all packets from the address.
     *
     * @param value 0 to 255; 0 leaves it to the system
     * @throws RdmaException if this provider, or the system, cannot
     */
    default void typeOfService(int value) {
        if (value != 0) {
            throw new RdmaException("The provider " + provider() + " sets no class of service");
        }
    }

    /** The transport's own counters by name, for people to read. */
    Map<String, Long> counters();

    /**
     * Those of the {@linkplain #counters() counters} that grow when packets are lost, sent again or held up, for all
     * connections of this process at the address. Empty where the driver counts them, by names of its choice.
     */
    default Map<String, Long> packetLosses() {
        return Map.of();
    }

    /** Closes all that is open. Idempotent. Ends every thread of the transport. */
    @Override
    void close();
}
