package io.peregrine.nativeio;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.nio.ByteBuffer;

/**
 * The system's C library as far as it is needed, on 64-bit Linux. Pointers and sizes are {@code long}. A call that
 * fails returns -1 and leaves the reason in {@link #errno()}, to be read before the next native call of the same
 * thread.
 */
public final class Libc {
    /** Error: no right to do so. */
    public static final int EPERM = 1;
    /** Error: interrupted by a signal. */
    public static final int EINTR = 4;
    /** Error: nothing there now. */
    public static final int EAGAIN = 11;
    /** Error: not enough memory, or none that may be locked. */
    public static final int ENOMEM = 12;
    /** Error: not permitted. */
    public static final int EACCES = 13;
    /** Error number: operation not supported. */
    public static final int EOPNOTSUPP = 95;
    /** Error: the address is in use. */
    public static final int EADDRINUSE = 98;
    /** Error: the address is not one of this machine's. */
    public static final int EADDRNOTAVAIL = 99;
    /** Error: no one listens there. */
    public static final int ECONNREFUSED = 111;
    /** Error: the message is longer than the path allows. */
    public static final int EMSGSIZE = 90;
    /** Error: no buffer space. */
    public static final int ENOBUFS = 105;

    /** {@code poll}: something to read. */
    public static final int POLLIN = 1;
    /** {@code poll}: can be written. */
    public static final int POLLOUT = 4;
    /** {@code poll}: broken, whether asked for or not. */
    public static final int POLLERR = 8;

    /** {@code mmap}: memory to read. */
    static final int PROT_READ = 1;
    /** {@code mmap}: memory to read and write. */
    static final int PROT_READ_WRITE = 3;

    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final int EFD_CLOEXEC = 0x80000;
    private static final int EFD_NONBLOCK = 0x800;
    private static final int RLIMIT_MEMLOCK = 8;

    private static final String PROBLEM = bind();

    private Libc() {}

    private static String bind() {
        try {
            NativePlatform.check();
            if (!NativePlatform.linux()) {
                return "these native calls need Linux";
            }
            Native.register(Libc.class, NativeLibrary.getInstance("c"));
            return "";
        } catch (NativeUnavailableException e) {
            return e.getMessage();
        } catch (LinkageError e) {
            return "the C library cannot be called: " + e.getMessage();
        }
    }

    /** Why the calls of this class are not possible; empty when they are. */
    public static String problem() {
        return PROBLEM;
    }

    /**
     * Checks that the calls of this class are possible.
     *
     * @throws NativeUnavailableException with the reason if not
     */
    public static void check() {
        if (!PROBLEM.isEmpty()) {
            throw new NativeUnavailableException(PROBLEM, null);
        }
    }

    /** Error number of this thread's last native call. */
    public static int errno() {
        return Native.getLastError();
    }

    /** The system's text for an error number. */
    public static String text(int errno) {
        long text = strerror(errno);
        return text == 0 ? "error " + errno : new com.sun.jna.Pointer(text).getString(0) + " (error " + errno + ")";
    }

    /** {@code int socket(int, int, int)}. */
    public static native int socket(int domain, int type, int protocol);

    /** {@code int bind(int, const struct sockaddr *, socklen_t)}. */
    public static native int bind(int fd, long address, int addressLength);

    /** {@code int getsockname(int, struct sockaddr *, socklen_t *)}. */
    public static native int getsockname(int fd, long address, long addressLength);

    /** {@code int setsockopt(int, int, int, const void *, socklen_t)}. */
    public static native int setsockopt(int fd, int level, int name, long value, int valueLength);

    /** {@code int getsockopt(int, int, int, void *, socklen_t *)}. */
    public static native int getsockopt(int fd, int level, int name, long value, long valueLength);

    /** {@code int sendmmsg(int, struct mmsghdr *, unsigned int, int)}. */
    public static native int sendmmsg(int fd, long messages, int count, int flags);

    /** {@code int recvmmsg(int, struct mmsghdr *, unsigned int, int, struct timespec *)}. */
    public static native int recvmmsg(int fd, long messages, int count, int flags, long timeout);

    /** {@code ssize_t recvfrom(int, void *, size_t, int, struct sockaddr *, socklen_t *)}. */
    public static native long recvfrom(int fd, long buffer, long length, int flags, long address, long addressLength);

    /** {@code int poll(struct pollfd *, nfds_t, int)}. */
    public static native int poll(long fds, long count, int timeoutMillis);

    /** {@code int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *)}. */
    public static native int ppoll(long fds, long count, long timeout, long signalMask);

    /** {@code int eventfd(unsigned int, int)}. */
    private static native int eventfd(int initial, int flags);

    /** {@code ssize_t read(int, void *, size_t)}. */
    public static native long read(int fd, long buffer, long count);

    /** {@code ssize_t write(int, const void *, size_t)}. */
    public static native long write(int fd, long buffer, long count);

    /** {@code int close(int)}. */
    public static native int close(int fd);

    /** {@code int open(const char *, int, mode_t)}. */
    public static native int open(long path, int flags, int mode);

    /** {@code int posix_fallocate(int, off_t, off_t)}; an error number. */
    static native int posix_fallocate(int fd, long offset, long length);

    /** {@code int fcntl(int, int, long)}. */
    public static native int fcntl(int fd, int command, long argument);

    /** {@code int ioctl(int, unsigned long, void *)}. */
    public static native int ioctl(int fd, long request, long argument);

    /** {@code void *mmap(void *, size_t, int, int, int, off_t)}; -1 on failure. */
    public static native long mmap(long address, long length, int protection, int flags, int fd, long offset);

    /** {@code int munmap(void *, size_t)}. */
    public static native int munmap(long address, long length);

    /** {@code int madvise(void *, size_t, int)}. */
    static native int madvise(long address, long length, int advice);

    /** {@code int sched_setaffinity(pid_t, size_t, const cpu_set_t *)}; 0 is the calling thread. */
    public static native int sched_setaffinity(int thread, long maskLength, long mask);

    /** {@code int sched_getaffinity(pid_t, size_t, cpu_set_t *)}; 0 is the calling thread. */
    public static native int sched_getaffinity(int thread, long maskLength, long mask);

    /** {@code int setpriority(int, id_t, int)}; process 0 is the calling thread. */
    public static native int setpriority(int which, int who, int nice);

    /** {@code int getpriority(int, id_t)}; process 0 is the calling thread. */
    public static native int getpriority(int which, int who);

    /** {@code int sched_setscheduler(pid_t, int, const struct sched_param *)}; 0 is the calling thread. */
    public static native int sched_setscheduler(int thread, int policy, long parameter);

    /** {@code int sched_getscheduler(pid_t)}; 0 is the calling thread. */
    public static native int sched_getscheduler(int thread);

    /** {@code int prctl(int, unsigned long)}; for options of the calling thread. */
    public static native int prctl(int option, long argument);

    /** {@code long syscall(long, ...)}, for calls that the library has no function for. */
    static native long syscall(long number, long first, long second, long third, long fourth);

    private static native int getrlimit(int resource, long limit);

    private static native long strerror(int error);

    /** A new event counter that does not block, for waking a thread in {@code poll}. */
    public static int newEvent() {
        int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (fd < 0) {
            throw new NativeUnavailableException("eventfd failed: " + text(errno()), null);
        }
        return fd;
    }

    /**
     * Makes reading from a descriptor return instead of waiting.
     *
     * @return whether that worked
     */
    public static boolean setNonBlocking(int fd) {
        int flags = fcntl(fd, F_GETFL, 0);
        return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
    }

    /** Most bytes that this process may lock into memory; {@link Long#MAX_VALUE} without limit. */
    public static long lockableBytes() {
        ByteBuffer limit = NativeMemory.allocate(16);
        if (getrlimit(RLIMIT_MEMLOCK, NativeMemory.address(limit)) != 0) {
            return Long.MAX_VALUE;
        }
        long soft = limit.getLong(0);
        return soft < 0 ? Long.MAX_VALUE : soft;
    }
}
