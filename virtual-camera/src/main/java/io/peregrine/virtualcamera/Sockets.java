package io.peregrine.virtualcamera;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;

/** The calls of the C library that sending in batches needs, on 64-bit Linux. */
final class Sockets {
    static final int AF_INET = 2;
    static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
    static final int SOL_SOCKET = 1;
    static final int SO_SNDBUF = 7;
    static final int IPPROTO_IP = 0;
    static final int IP_MULTICAST_IF = 32;
    static final int IP_MULTICAST_TTL = 33;
    static final int SOL_UDP = 17;
    static final int UDP_SEGMENT = 103;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int ENOBUFS = 105;

    private static final String PROBLEM = bind();

    private Sockets() {}

    private static String bind() {
        try {
            if (!Platform.isLinux() || Native.POINTER_SIZE != 8 || Native.LONG_SIZE != 8) {
                return "sending in batches needs 64-bit Linux";
            }
            Native.register(Sockets.class, NativeLibrary.getInstance("c"));
            return "";
        } catch (LinkageError | RuntimeException e) {
            return "the C library cannot be called: " + e.getMessage();
        }
    }

    /** Why the calls are not possible; empty when they are. */
    static String problem() {
        return PROBLEM;
    }

    /** {@code int socket(int, int, int)}. */
    static native int socket(int domain, int type, int protocol);

    /** {@code int bind(int, const struct sockaddr *, socklen_t)}. */
    static native int bind(int fd, long address, int addressLength);

    /** {@code int getsockname(int, struct sockaddr *, socklen_t *)}. */
    static native int getsockname(int fd, long address, long addressLength);

    /** {@code int setsockopt(int, int, int, const void *, socklen_t)}. */
    static native int setsockopt(int fd, int level, int name, long value, int valueLength);

    /** {@code int sendmmsg(int, struct mmsghdr *, unsigned int, int)}. */
    static native int sendmmsg(int fd, long messages, int count, int flags);

    /** {@code int close(int)}. */
    static native int close(int fd);
}
