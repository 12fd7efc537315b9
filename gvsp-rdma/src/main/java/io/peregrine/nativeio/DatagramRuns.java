package io.peregrine.nativeio;

import java.nio.ByteBuffer;

/**
 * Runs of datagrams at a UDP socket, also one that Java opened: the kernel cuts a run when it is sent, or leaves that
 * to the adapter, and joins what arrives to runs (udp(7)). Linux 4.18 and 5.0.
 */
public final class DatagramRuns {
    /** Most datagrams of a run. */
    public static final int MAX_DATAGRAMS = 64;

    static final int SOL_UDP = 17;
    static final int UDP_SEGMENT = 103;
    static final int UDP_GRO = 104;

    private DatagramRuns() {}

    /**
     * Lets the kernel cut what is sent from now on.
     *
     * @param fd the socket
     * @param bytes payload of each datagram but the last of a run; 0 cuts nothing
     * @return whether the system can
     */
    public static boolean cut(int fd, int bytes) {
        return set(fd, UDP_SEGMENT, bytes);
    }

    /**
     * Lets the kernel hand over runs of datagrams of the same sender and size, the last of which may be shorter, or
     * stop it.
     *
     * @param fd the socket
     * @param on whether to
     * @return whether the system can
     */
    public static boolean join(int fd, boolean on) {
        return set(fd, UDP_GRO, on ? 1 : 0);
    }

    private static boolean set(int fd, int option, int setting) {
        if (!Libc.problem().isEmpty()) {
            return false;
        }
        ByteBuffer value = NativeMemory.allocate(4);
        return Libc.setsockopt(fd, SOL_UDP, option, NativeMemory.address(value.putInt(0, setting)), 4) == 0;
    }

    /**
     * Port of a socket.
     *
     * @param fd a bound socket
     * @throws NativeUnavailableException if it is none
     */
    public static int localPort(int fd) {
        Libc.check();
        ByteBuffer value = NativeMemory.allocate(MessageVector.ADDRESS_BYTES + 8);
        long at = NativeMemory.address(value);
        value.putInt(MessageVector.ADDRESS_BYTES, MessageVector.ADDRESS_BYTES);
        if (Libc.getsockname(fd, at, at + MessageVector.ADDRESS_BYTES) != 0) {
            throw new NativeUnavailableException(
                    "the port of a socket cannot be read: " + Libc.text(Libc.errno()), null);
        }
        return Short.reverseBytes(value.getShort(2)) & 0xFFFF;
    }
}
