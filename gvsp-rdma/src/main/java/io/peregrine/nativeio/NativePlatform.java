package io.peregrine.nativeio;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether native calls are possible in this process. */
public final class NativePlatform {
    private static final Pattern REPEATED = Pattern.compile("(\\S.*?: )\\1");

    /** What JNA and the C libraries say of a folder on a file system without programs, or without room or right. */
    private static final Pattern BAD_FOLDER = Pattern.compile("failed to map segment|Operation not permitted"
            + "|Permission denied|Failed to create temporary file|is not writable");

    /** The C libraries begin with the file, and may go on in the language of the user. */
    private static final Pattern FILE_IN_FOLDER = Pattern.compile("^(/.*?)/[^/]*: ");

    private static final String PROBLEM = problem();

    private NativePlatform() {}

    private static String problem() {
        try {
            if (Native.POINTER_SIZE != 8 || Native.LONG_SIZE != 8) {
                return "native calls need a 64-bit system";
            }
            return "";
        } catch (LinkageError e) {
            return problem(e);
        }
    }

    /** The text of a failure, with what to do where the folder that JNA unpacks into is to blame. */
    static String problem(LinkageError error) {
        Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        // The system names the file, and Java names it again.
        String reason = REPEATED.matcher(String.valueOf(root.getMessage())).replaceFirst("$1");
        return "JNA cannot load its native part: " + reason
                + (BAD_FOLDER.matcher(reason).find() || namesFolderWithoutPrograms(reason)
                        ? ": give a folder from which programs may be run: -Djna.tmpdir=FOLDER"
                        : "");
    }

    private static boolean namesFolderWithoutPrograms(String reason) {
        Matcher file = FILE_IN_FOLDER.matcher(reason);
        return file.find() && !runsPrograms(file.group(1));
    }

    /** Whether a file there may be executed; of one that cannot be made, nothing is known. */
    private static boolean runsPrograms(String folder) {
        try {
            Path program = Files.createTempFile(
                    Path.of(folder),
                    "peregrine",
                    null,
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            try {
                return Files.isExecutable(program);
            } finally {
                Files.deleteIfExists(program);
            }
        } catch (IOException | UnsupportedOperationException | InvalidPathException e) {
            return true;
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
