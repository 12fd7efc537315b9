package io.peregrine.nativeio;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An IPv4 UDP socket that is bound, and how it is set up: buffers, offloads, groups, filters. */
final class UdpOptions {
    private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_REUSEADDR = 2;
    private static final int SO_SNDBUF = 7;
    private static final int SO_RCVBUF = 8;
    private static final int SO_SNDBUFFORCE = 32;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int SO_DETACH_FILTER = 27;
    private static final int SO_RXQ_OVFL = 40;
    private static final int SO_BUSY_POLL = 46;
    private static final int UDP_HEADER_BYTES = 8;
    private static final int IPPROTO_IP = 0;
    private static final int IP_TOS = 1;
    private static final int IP_MTU_DISCOVER = 10;
    private static final int IP_PMTUDISC_DO = 2;
    private static final int IP_ADD_MEMBERSHIP = 35;
    private static final int IP_ADD_SOURCE_MEMBERSHIP = 39;
    private static final int IP_MULTICAST_ALL = 49;
    private static final long SIOCETHTOOL = 0x8946;
    private static final int ETHTOOL_GGRO = 0x2B;
    private static final int INTERFACE_NAME_BYTES = 16;
    private static final int INTERFACE_REQUEST_BYTES = 40;

    private final int fd;
    private final int localPort;
    private final int receiveBufferBytes;
    private final boolean takesRuns;
    private final boolean segmentationOffload;
    /** Made when it is needed. */
    private @Nullable PacketFilter ofShare;

    private UdpOptions(int fd, int localPort, int receiveBufferBytes, boolean takesRuns, boolean segmentationOffload) {
        this.fd = fd;
        this.localPort = localPort;
        this.receiveBufferBytes = receiveBufferBytes;
        this.takesRuns = takesRuns;
        this.segmentationOffload = segmentationOffload;
    }

    /**
     * Opens and binds a socket.
     *
     * @param address local IPv4 address, or that of a group
     * @param port local port; 0 takes a free one
     * @param bufferBytes size of the socket's buffers to ask for; the system may grant less
     * @param shared whether other sockets of this host may use the port, for a group
     * @throws NativeUnavailableException if that is not possible, with the reason; {@link PortInUseException} if the
     *     port is taken
     */
    static UdpOptions open(int address, int port, int bufferBytes, boolean shared) {
        Libc.check();
        int fd = Libc.socket(MessageVector.AF_INET, SOCK_DGRAM_CLOEXEC, 0);
        if (fd < 0) {
            throw new NativeUnavailableException("no socket: " + Libc.text(Libc.errno()), null);
        }
        try {
            ByteBuffer value = NativeMemory.allocate(MessageVector.ADDRESS_BYTES);
            long at = NativeMemory.address(value);
            setOption(fd, IPPROTO_IP, IP_MTU_DISCOVER, value, IP_PMTUDISC_DO, "don't fragment");
            for (int[] option : new int[][] {{SO_RCVBUFFORCE, SO_RCVBUF}, {SO_SNDBUFFORCE, SO_SNDBUF}}) {
                value.putInt(0, bufferBytes);
                if (Libc.setsockopt(fd, SOL_SOCKET, option[0], at, 4) != 0) {
                    Libc.setsockopt(fd, SOL_SOCKET, option[1], at, 4);
                }
            }
            value.putInt(0, 0).putInt(4, 4);
            Libc.getsockopt(fd, SOL_SOCKET, SO_RCVBUF, at, at + 4);
            int granted = value.getInt(0);
            boolean runs = DatagramRuns.join(fd, true);
            value.putInt(0, 1);
            Libc.setsockopt(fd, SOL_SOCKET, SO_RXQ_OVFL, at, 4);
            boolean segmentation = DatagramRuns.cut(fd, 0);
            if (shared) {
                setOption(fd, SOL_SOCKET, SO_REUSEADDR, value, 1, "sharing a port");
                // Else what others of this host joined at other interfaces came here too.
                setOption(fd, IPPROTO_IP, IP_MULTICAST_ALL, value, 0, "the groups of this socket alone");
            }
            MessageVector.putAddress(value, 0, address, port);
            if (Libc.bind(fd, at, MessageVector.ADDRESS_BYTES) != 0) {
                int error = Libc.errno();
                if (error == Libc.EADDRINUSE) {
                    throw new PortInUseException("UDP port " + port + " is in use");
                }
                throw new NativeUnavailableException(
                        "UDP port " + port + " cannot be bound: " + Libc.text(error), null);
            }
            return new UdpOptions(fd, DatagramRuns.localPort(fd), granted, runs, segmentation);
        } catch (RuntimeException e) {
            Libc.close(fd);
            throw e;
        }
    }

    private static void setOption(int fd, int level, int name, ByteBuffer value, int setting, String what) {
        value.putInt(0, setting);
        if (Libc.setsockopt(fd, level, name, NativeMemory.address(value), 4) != 0) {
            throw new NativeUnavailableException(what + " cannot be set: " + Libc.text(Libc.errno()), null);
        }
    }

    int fileDescriptor() {
        return fd;
    }

    int localPort() {
        return localPort;
    }

    int receiveBufferBytes() {
        return receiveBufferBytes;
    }

    /** Whether the kernel can cut runs of datagrams. */
    boolean segmentationOffload() {
        return segmentationOffload;
    }

    /**
     * Whether the kernel joins what arrives at an interface to runs before this socket gets it: since Linux 5.0 if
     * generic receive offload is on there (ethtool -k). True also where the system does not report it.
     *
     * @param interfaceName name of the interface
     */
    boolean getsRunsFrom(String interfaceName) {
        byte[] name = interfaceName.getBytes(StandardCharsets.UTF_8);
        if (!takesRuns || name.length >= INTERFACE_NAME_BYTES) {
            return takesRuns;
        }
        // struct ifreq, and struct ethtool_value behind it
        ByteBuffer request = NativeMemory.allocate(INTERFACE_REQUEST_BYTES + 8);
        long at = NativeMemory.address(request);
        request.put(0, name)
                .putLong(INTERFACE_NAME_BYTES, at + INTERFACE_REQUEST_BYTES)
                .putInt(INTERFACE_REQUEST_BYTES, ETHTOOL_GGRO);
        return Libc.ioctl(fd, SIOCETHTOOL, at) != 0 || request.getInt(INTERFACE_REQUEST_BYTES + 4) != 0;
    }

    /**
     * Lets the kernel ask the adapter for packets before a thread sleeps.
     *
     * @param micros how long
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    void busyPoll(int micros) {
        setOption(fd, SOL_SOCKET, SO_BUSY_POLL, NativeMemory.allocate(4), micros, "polling the adapter");
    }

    /**
     * Sets the type of service of what is sent from now on, and the priority of the socket with it (ip(7)).
     *
     * @param value DSCP times 4
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    void typeOfService(int value) {
        setOption(fd, IPPROTO_IP, IP_TOS, NativeMemory.allocate(4), value, "the type of service");
    }

    /**
     * Joins a group for all who send to it, until the socket is closed (ip(7)).
     *
     * @param group IPv4 address of the group
     * @param local IPv4 address of the interface
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    void join(int group, int local) {
        addMembership(IP_ADD_MEMBERSHIP, group, local);
    }

    /**
     * Joins a group for one who sends to it, or for all where the system cannot tell them apart. Until the socket is
     * closed.
     *
     * @param group IPv4 address of the group
     * @param local IPv4 address of the interface
     * @param source IPv4 address of the one
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    void join(int group, int local, int source) {
        try {
            addMembership(IP_ADD_SOURCE_MEMBERSHIP, group, local, source);
        } catch (NativeUnavailableException e) {
            join(group, local);
        }
    }

    private void addMembership(int option, int... addresses) {
        int bytes = 4 * addresses.length;
        ByteBuffer value = NativeMemory.allocate(bytes).order(ByteOrder.BIG_ENDIAN);
        for (int i = 0; i < addresses.length; i++) {
            value.putInt(4 * i, addresses[i]);
        }
        if (Libc.setsockopt(fd, IPPROTO_IP, option, NativeMemory.address(value), bytes) != 0) {
            throw new NativeUnavailableException("a group cannot be joined: " + Libc.text(Libc.errno()), null);
        }
    }

    /**
     * From now on nothing that arrives is kept: the socket only holds its port.
     *
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    void keepNothing() {
        PacketFilter.NOTHING.attach(fd);
    }

    /** From now on no packets are joined to runs, for others that listen at the interface either. */
    void joinNothing() {
        DatagramRuns.join(fd, false);
    }

    /**
     * Keeps all that arrives from now on, or that of a share of the numbers. What is not kept counts as dropped.
     *
     * @param number where a datagram has the number that decides
     * @param share the share, from 1 to {@link NumberField#PARTS}
     * @throws NativeUnavailableException if the system does not allow it, with the reason
     */
    void keepShare(NumberField number, int share) {
        if (share < NumberField.PARTS) {
            if (ofShare == null) {
                ofShare = PacketFilter.ofShare(number, UDP_HEADER_BYTES, false);
            }
            ofShare.share(share).attach(fd);
        } else if (ofShare != null
                && Libc.setsockopt(fd, SOL_SOCKET, SO_DETACH_FILTER, NativeMemory.address(NativeMemory.allocate(4)), 4)
                        != 0) {
            // The value means nothing.
            throw new NativeUnavailableException("the end of a filter cannot be set: " + Libc.text(Libc.errno()), null);
        }
    }
}
