package io.peregrine.verbs;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import io.peregrine.nativeio.LibIbverbs;
import io.peregrine.testing.VerbsDouble;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Sets what the double of libibverbs does, and sets it back when closed. */
public final class VerbsDoubleKnobs implements AutoCloseable {
    private final Map<String, Long> before = new LinkedHashMap<>();

    /** Compiles the double where that was not done. Only in a process whose {@code jna.library.path} is its folder. */
    public VerbsDoubleKnobs() {
        VerbsDouble.compile(folder());
    }

    private static Path folder() {
        return Path.of(System.getProperty("jna.library.path"));
    }

    /** Opens queues of the double. */
    public static RawVerbsProvider provider() {
        return new RawVerbsProvider(folder().resolve(VerbsDouble.COUNTERS));
    }

    private static Function function(String name) {
        return NativeLibrary.getInstance(LibIbverbs.FILE_NAME).getFunction(name);
    }

    /** Value of a knob or a count. */
    public long get(String name) {
        return function("verbs_double_get").invokeLong(new Object[] {name});
    }

    /** Sets a knob until this is closed. */
    public VerbsDoubleKnobs set(String name, long value) {
        before.putIfAbsent(name, get(name));
        function("verbs_double_set").invokeVoid(new Object[] {name, value});
        return this;
    }

    @Override
    public void close() {
        Map<String, Long> values = Map.copyOf(before);
        values.forEach(this::set);
    }
}
