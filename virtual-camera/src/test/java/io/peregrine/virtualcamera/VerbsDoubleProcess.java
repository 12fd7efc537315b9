package io.peregrine.virtualcamera;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import io.peregrine.testing.VerbsDouble;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The double of libibverbs in this process: sets what it does, and sets it back when closed. */
final class VerbsDoubleProcess implements AutoCloseable {
    private final Map<String, Long> before = new LinkedHashMap<>();

    /** Compiles the double where that was not done. Only in a process whose {@code jna.library.path} is its folder. */
    VerbsDoubleProcess() {
        VerbsDouble.compile(Path.of(System.getProperty("jna.library.path")));
    }

    private static Function function(String name) {
        return NativeLibrary.getInstance("libibverbs.so.1").getFunction(name);
    }

    /** Value of a knob or a count. */
    long get(String name) {
        return function("verbs_double_get").invokeLong(new Object[] {name});
    }

    /** Sets a knob until this is closed. */
    VerbsDoubleProcess set(String name, long value) {
        before.putIfAbsent(name, get(name));
        function("verbs_double_set").invokeVoid(new Object[] {name, value});
        return this;
    }

    @Override
    public void close() {
        Map.copyOf(before).forEach(this::set);
    }
}
