package io.peregrine.cli;

import io.peregrine.device.DeviceAccessDeniedException;
import io.peregrine.device.DeviceLostException;
import io.peregrine.device.DeviceNotFoundException;
import io.peregrine.device.DeviceTimeoutException;

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

    /** Whoever read the output closed it: what programs end with that a signal for it ends. */
    static final int READER_GONE = 141;

    private ExitCodes() {}

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
