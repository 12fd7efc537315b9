package io.peregrine.nativeio;

import com.sun.jna.Platform;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.OptionalInt;

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

    private TimeSlice() {}

    /**
     * Asks for the shortest slice for the calling thread, and leaves its policy and its nice value as they are.
     *
     * @return whether the system took it; before Linux 6.12 it takes it without effect. False for a real-time thread,
     *     which waits for no slice, and where the system or the processor is not known
     */
    public static boolean askForShortest() {
        OptionalInt setAttributes = setAttributesCall();
        if (setAttributes.isEmpty() || !Libc.problem().isEmpty()) {
            return false;
        }
        ByteBuffer attributes = NativeMemory.allocate(ATTRIBUTES_SIZE);
        if (!read(setAttributes.getAsInt() + 1, attributes)) {
            return false;
        }
        int policy = attributes.getInt(POLICY_AT);
        if (policy != SCHED_OTHER && policy != SCHED_BATCH) {
            return false;
        }
        attributes.putInt(0, ATTRIBUTES_SIZE);
        attributes.putLong(RUNTIME_AT, SHORTEST.toNanos());
        return Libc.syscall(setAttributes.getAsInt(), 0, NativeMemory.address(attributes), 0, 0) == 0;
    }

    /** The slice of the calling thread; zero where the system does not report it. */
    public static Duration current() {
        OptionalInt setAttributes = setAttributesCall();
        ByteBuffer attributes = NativeMemory.allocate(ATTRIBUTES_SIZE);
        if (setAttributes.isEmpty() || !Libc.problem().isEmpty() || !read(setAttributes.getAsInt() + 1, attributes)) {
            return Duration.ZERO;
        }
        return Duration.ofNanos(attributes.getLong(RUNTIME_AT));
    }

    private static boolean read(int getAttributes, ByteBuffer attributes) {
        return Libc.syscall(getAttributes, 0, NativeMemory.address(attributes), ATTRIBUTES_SIZE, 0) == 0;
    }

    /** Number of the call {@code sched_setattr}; that of {@code sched_getattr} follows it. */
    private static OptionalInt setAttributesCall() {
        if (!NativePlatform.linux()) {
            return OptionalInt.empty();
        }
        return switch (Platform.ARCH) {
            case "x86-64" -> OptionalInt.of(314);
            case "aarch64", "riscv64", "loongarch64" -> OptionalInt.of(274);
            case "ppc64le" -> OptionalInt.of(355);
            default -> OptionalInt.empty();
        };
    }
}
