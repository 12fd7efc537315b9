package io.peregrine.conformance.genapi;

import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.Needs;
import io.peregrine.testing.TestData;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The reference implementation of GenApi, which is not part of the project: see "Test data" in CONTRIBUTING.md. */
public final class ReferenceGenApi {
    private static final Path SOURCE = Path.of("genapi", "reference-server.cpp");
    private static final Duration COMPILE_LIMIT = Duration.ofMinutes(2);
    private static final List<String> LIBRARIES =
            List.of("-lGenApi_gcc48_v3_4", "-lGCBase_gcc48_v3_4", "-lLog_gcc48_v3_4");

    private static final Duration START_LIMIT = Duration.ofMinutes(1);

    private final Path directory;
    private final List<String> command;
    private final Path libraries;

    private ReferenceGenApi(Path directory, List<String> command, Path libraries) {
        this.directory = directory;
        this.command = command;
        this.libraries = libraries;
    }

    /**
     * Compiles the program that drives it; skips the test where it is missing, cannot be compiled for 32 bits, or can
     * neither be run nor emulated.
     *
     * @param directory for temporary files
     */
    public static ReferenceGenApi compile(Path directory) throws IOException, InterruptedException {
        Path reference = TestData.peer("genapi-reference-3.4");
        Needs.that(compilesFor32Bits(), "g++ for 32 bits (Debian: g++-multilib)");
        Path libraries = reference.resolve("lib-i386");
        Path program = directory.resolve("reference-server");
        List<String> compiler = new ArrayList<>(List.of(
                "g++",
                "-m32",
                "-O1",
                "-Wall",
                "-D_GLIBCXX_USE_CXX11_ABI=0",
                "-isystem",
                reference.resolve("include").toString(),
                "-o",
                program.toString(),
                SOURCE.toString(),
                "-L" + libraries));
        compiler.addAll(LIBRARIES);
        ChildProcess.run(COMPILE_LIMIT, compiler.toArray(String[]::new));
        ReferenceGenApi compiled = new ReferenceGenApi(directory, List.of(program.toString()), libraries);
        if (compiled.runs()) {
            return compiled;
        }
        Path emulator = Needs.program("32-bit programs where the kernel runs none (Debian: qemu-user)", "qemu-i386");
        return new ReferenceGenApi(directory, List.of(emulator.toString(), program.toString()), libraries);
    }

    /** Whether the program ends without an error when it gets no command. A kernel may run no 32-bit programs. */
    private boolean runs() throws IOException, InterruptedException {
        Process process = program()
                .redirectInput(Files.createTempFile(directory, "commands", "").toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return process.waitFor(START_LIMIT.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0;
        } finally {
            process.destroyForcibly();
        }
    }

    private static boolean compilesFor32Bits() throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", "echo '#include <cstdint>' | g++ -m32 -x c++ -fsyntax-only -")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    /** The program, which takes commands on its standard input; the caller ends it. */
    public ProcessBuilder program() {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("LD_LIBRARY_PATH", libraries.toString());
        return builder.redirectErrorStream(true);
    }

    /** Gives commands, and hands on the answers in their order as they come. */
    void obey(List<String> commands, AnswerReader reader) throws IOException {
        Path script = Files.write(Files.createTempFile(directory, "commands", ""), commands);
        Process process = program().redirectInput(script.toFile()).start();
        try (BufferedReader lines = process.inputReader(StandardCharsets.ISO_8859_1)) {
            for (String command : commands) {
                reader.read(command, answer(command, lines));
            }
        } catch (EOFException e) {
            throw new AssertionError("the reference ended: " + commands.get(0), e);
        } finally {
            process.destroyForcibly();
            Files.delete(script);
        }
    }

    private static Answer answer(String command, BufferedReader lines) throws IOException {
        String line = line(lines);
        if (line.startsWith(Answer.REFUSED)) {
            return Answer.of(line);
        }
        List<String> nodes = new ArrayList<>();
        switch (command.split(" ", 2)[0]) {
            case "show" -> nodes.add(line);
            case "dump", "properties" -> {
                for (; !line.equals("."); line = line(lines)) {
                    nodes.add(line);
                }
            }
            default -> {
                return Answer.of(line);
            }
        }
        return Answer.ofLines(nodes);
    }

    private static String line(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        if (line == null) {
            throw new EOFException("no more answers");
        }
        return line;
    }

    /** Takes answers. */
    interface AnswerReader {
        void read(String command, Answer answer) throws IOException;
    }
}
