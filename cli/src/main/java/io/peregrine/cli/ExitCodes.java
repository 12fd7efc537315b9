package io.peregrine.cli;

import io.peregrine.device.DeviceAccessDeniedException;
import io.peregrine.device.DeviceLostException;
import io.peregrine.device.DeviceNotFoundException;
import io.peregrine.device.DeviceTimeoutException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the exit codes of the command mean. */
final class ExitCodes {
    /** Everything worked. */
    static final int OK = 0;
    /** The work itself failed: bad bytes, incomplete frames, a feature error, a file that cannot be read. */
    static final int FAILED = 1;
    /** The command line is wrong. */
    static final int USAGE = 2;
    /** No such camera answered. */
    static final int NOT_FOUND = 3;
    /** The camera refused access, or the connection failed. */
    static final int CONNECTION = 4;

    /** The reader of the output closed it: the exit code of programs that SIGPIPE ends. */
    static final int READER_GONE = 141;

    /** What each exit code means, for the help. */
    static final Map<String, String> MEANINGS = meanings();

    private ExitCodes() {}

    private static Map<String, String> meanings() {
        Map<String, String> meanings = new LinkedHashMap<>();
        meanings.put(Integer.toString(OK), "everything worked");
        meanings.put(
                Integer.toString(FAILED),
                "the work failed: bad bytes, incomplete or lost frames, a feature error, an unreadable file");
        meanings.put(Integer.toString(USAGE), "the command line is wrong");
        meanings.put(Integer.toString(NOT_FOUND), "no such camera answered, or there is no such recording");
        meanings.put(Integer.toString(CONNECTION), "the camera refused access, or the connection failed");
        meanings.put("130, 143", "ended by Ctrl-C or by a signal");
        meanings.put(Integer.toString(READER_GONE), "the reader of the output, such as head, closed it");
        return Collections.unmodifiableMap(meanings);
    }

    /** The code for a failure, by its nearest cause that has one. */
    static int of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CliException own) {
                return own.exitCode();
            }
            if (cause instanceof DeviceNotFoundException) {
                return NOT_FOUND;
            }
            if (cause instanceof DeviceAccessDeniedException
                    || cause instanceof DeviceTimeoutException
                    || cause instanceof DeviceLostException) {
                return CONNECTION;
            }
        }
        return FAILED;
    }
}
