package io.peregrine.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Stands for libibverbs, librdmacm and an adapter with raw packet queues: a library over packet sockets, compiled with
 * the system's headers of rdma-core. A process uses it with {@code -Djna.library.path} set to its folder.
 */
public final class VerbsDouble {
    /** The folder below the double's with the adapter's counters, as in {@code /sys/class/infiniband}. */
    public static final String COUNTERS = "infiniband";

    private static final String SOURCE = "verbs-double.c";

    private static final Set<Path> COMPILED = new HashSet<>();

    private VerbsDouble() {}

    /**
     * Compiles the double, unless that was done. Skips the test where a compiler, the headers, or the right to open
     * packet sockets is missing.
     *
     * @param folder where to put the libraries
     */
    public static synchronized void compile(Path folder) {
        Needs.that(System.getProperty("user.name").equals("root"), "root, to open packet sockets");
        Needs.that(
                Files.exists(Path.of("/usr/include/infiniband/verbs.h"))
                        && Files.exists(Path.of("/usr/include/rdma/rdma_cma.h")),
                "the headers of rdma-core: install libibverbs-dev and librdmacm-dev");
        if (!COMPILED.add(folder)) {
            return;
        }
        try {
            Files.createDirectories(folder);
            Path counters = folder.resolve(COUNTERS + "/double0/ports/1/hw_counters");
            Files.createDirectories(counters);
            Files.deleteIfExists(counters.resolve("out_of_buffer"));
            Path source = folder.resolve(SOURCE);
            try (InputStream in = VerbsDouble.class.getResourceAsStream(SOURCE)) {
                Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
            }
            Path unfinished = folder.resolve("unfinished.so");
            run(List.of(
                    "gcc",
                    "-O2",
                    "-shared",
                    "-fPIC",
                    "-pthread",
                    "-DDROPS_FILE=\"" + counters.resolve("out_of_buffer") + "\"",
                    "-Wl,-soname,libibverbs.so.1",
                    "-o",
                    unfinished.toString(),
                    source.toString()));
            Path library = folder.resolve("libibverbs.so.1");
            Files.move(unfinished, library, StandardCopyOption.REPLACE_EXISTING);
            // The same file, so that both names are one library.
            Path manager = folder.resolve("librdmacm.so.1");
            if (!Files.exists(manager)) {
                Files.createSymbolicLink(manager, library.getFileName());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The double of libibverbs cannot be compiled", e);
        }
    }

    private static void run(List<String> command) throws IOException {
        Process compiler;
        try {
            compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw Needs.missing("a C compiler: install gcc");
        }
        String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!compiler.waitFor(60, TimeUnit.SECONDS) || compiler.exitValue() != 0) {
                throw new AssertionError("The double of libibverbs does not compile: " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
