package io.peregrine.nativeio;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/** Binds classes of native methods to libraries that may not be there. */
final class SharedLibrary {
    private SharedLibrary() {}

    /**
     * Binds a class.
     *
     * @param type class whose native methods have the names of the library's functions
     * @param fileName file name of the library with its version: only that is there without development packages
     * @param packages which packages bring it, for people to read
     * @return why it is not possible; empty when it is
     */
    static String bind(Class<?> type, String fileName, String packages) {
        try {
            NativePlatform.check();
            if (!NativePlatform.linux()) {
                return fileName + " exists on Linux only";
            }
        } catch (NativeUnavailableException e) {
            return e.getMessage();
        }
        NativeLibrary library;
        try {
            library = NativeLibrary.getInstance(fileName);
        } catch (LinkageError e) {
            return fileName + " was not found: install " + packages;
        }
        try {
            Native.register(type, library);
            return "";
        } catch (LinkageError | RuntimeException e) {
            return fileName + " is too old: " + e.getMessage();
        }
    }
}
