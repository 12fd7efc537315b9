package io.peregrine.verbs;

import io.peregrine.nativeio.Libc;
import io.peregrine.rdma.RdmaException;

/** Failures of native calls as exceptions. */
final class Errors {
    private Errors() {}

    /** Checks a call that returns -1 on failure and leaves the reason in errno. */
    static void check(int result, String what) {
        if (result != 0) {
            throw failed(what, Libc.errno());
        }
    }

    /** Checks a call that returns a pointer, null on failure with the reason in errno. */
    static long checkPointer(long pointer, String what) {
        if (pointer == 0) {
            throw failed(what, Libc.errno());
        }
        return pointer;
    }

    /** Checks a call that returns an error number; some drivers return -1 and leave the reason in errno. */
    static void checkNumber(int error, String what) {
        if (error != 0) {
            throw failed(what, error > 0 ? error : Libc.errno());
        }
    }

    static RdmaException failed(String what, int error) {
        return new RdmaException(what + " failed: " + Libc.text(error));
    }
}
