package io.peregrine.nativeio;

import com.sun.jna.Native;
import com.sun.jna.Platform;

/** Whether native calls are possible in this process. */
public final class NativePlatform {

    private static final String PROBLEM = problem();

    private NativePlatform() {}

    private static String problem() {
        try {
            if (Native.POINTER_SIZE != 8 || Native.LONG_SIZE != 8) {
                return "native calls need a 64-bit system";
            }
            return "";
        } catch (LinkageError e) {
            return "JNA cannot load its native part: " + e.getMessage();
        }
    }

    /** Whether this is Linux. */
    public static boolean linux() {
        return Platform.isLinux();
    }

    /** Whether native calls are possible. */
    public static boolean available() {
        return PROBLEM.isEmpty();
    }

    /**
     * Checks that native calls are possible.
     *
     * @throws NativeUnavailableException with the reason if not
     */
    public static void check() {
        if (!PROBLEM.isEmpty()) {
            throw new NativeUnavailableException(PROBLEM, null);
        }
    }
}
