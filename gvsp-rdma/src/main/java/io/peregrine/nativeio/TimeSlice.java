package io.peregrine.nativeio;

import com.sun.jna.Platform;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * How long a thread runs before others that share its processor get their turn, on Linux 6.12 or later. Its share of
 * the processor's time stays the same: a thread with a short slice runs more often and shorter, so that it is not kept
 * waiting for the end of another's slice, typically 3 ms, when it is woken. Needs no right.
 */
public final class TimeSlice {
    /** The shortest that the system grants. */
    public static final Duration SHORTEST = Duration.ofNanos(100_000);

    /** {@code struct sched_attr} of its first version. */
    private static final int ATTRIBUTES_SIZE = 48;

    private static final int POLICY_AT = 4;
    private static final int RUNTIME_AT = 24;

    private static final int SCHED_OTHER = 0;
    private static final int SCHED_BATCH = 3;

    private static final int UNKNOWN = -1;

    /** Number of the call {@code sched_setattr} on Linux; that of {@code sched_getattr} follows it. */
    private static final int SET_ATTRIBUTES = switch (Platform.ARCH) {
        case "x86-64" -> 314;
        case "aarch64", "riscv64", "loongarch64" -> 274;
        case "ppc64le" -> 355;
        default -> UNKNOWN;
    };

    private TimeSlice() {}

    /**
     * Asks for the shortest slice for the calling thread, and leaves its policy and its nice value as they are.
     *
     * @return whether the system took it; before Linux 6.12 it takes it without effect. False for a real-time thread,
     *     which waits for no slice, and where the system or the processor is not known
     */
    public static boolean askForShortest() {
        ByteBuffer attributes = NativeMemory.allocate(ATTRIBUTES_SIZE);
        if (!read(attributes)) {
            return false;
        }
        int policy = attributes.getInt(POLICY_AT);
        if (policy != SCHED_OTHER && policy != SCHED_BATCH) {
            return false;
        }
        attributes.putInt(0, ATTRIBUTES_SIZE);
        attributes.putLong(RUNTIME_AT, SHORTEST.toNanos());
        return Libc.syscall(SET_ATTRIBUTES, 0, NativeMemory.address(attributes), 0, 0) == 0;
    }

    /** The slice of the calling thread; zero where the system does not report it. */
    public static Duration current() {
        ByteBuffer attributes = NativeMemory.allocate(ATTRIBUTES_SIZE);
        return read(attributes) ? Duration.ofNanos(attributes.getLong(RUNTIME_AT)) : Duration.ZERO;
    }

    /** Reads the attributes of the calling thread; false where the system does not give them. */
    private static boolean read(ByteBuffer attributes) {
        return NativePlatform.linux()
                && SET_ATTRIBUTES != UNKNOWN
                && Libc.problem().isEmpty()
                && Libc.syscall(SET_ATTRIBUTES + 1, 0, NativeMemory.address(attributes), ATTRIBUTES_SIZE, 0) == 0;
    }
}
