package io.peregrine.conformance;

import io.peregrine.testing.ChildProcess;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The ten lines of README.md as a program. */
final class ReadmeProgram {
    private static final String NAME = "TenLines";
    private static final Pattern BLOCK =
            Pattern.compile("(?s)## Ten lines\\R\\R```java\\R(?<imports>(?:import [^;]+;\\R)+)\\R(?<lines>.*?)```");

    private final Path classes;

    private ReadmeProgram(Path classes) {
        this.classes = classes;
    }

    /** The lines as they stand in README.md, below their imports. */
    static String lines() {
        return part("lines");
    }

    private static String part(String name) {
        try {
            Matcher matcher = BLOCK.matcher(Files.readString(Path.of("..", "README.md")));
            if (!matcher.find()) {
                throw new AssertionError("README.md has no ten lines of Java below their imports");
            }
            return matcher.group(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Compiles lines into a program. */
    static ReadmeProgram compile(Path directory, String lines) {
        try {
            Path source = Files.writeString(
                    directory.resolve(NAME + ".java"),
                    part("imports") + "public class " + NAME + " { public static void main(String[] arguments) {\n"
                            + lines + "} }\n");
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
                StringWriter output = new StringWriter();
                boolean done = compiler.getTask(
                                output,
                                files,
                                null,
                                List.of("-proc:none", "-cp", classPath(), "-d", directory.toString()),
                                null,
                                files.getJavaFileObjects(source))
                        .call();
                if (!done) {
                    throw new AssertionError("README's lines do not compile:\n" + output);
                }
            }
            return new ReadmeProgram(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** Starts it; it looks for a camera at an address alone. */
    ChildProcess start(String camera) {
        return start(camera, Optional.empty());
    }

    /** The same, run by another main class. */
    ChildProcess start(String camera, Optional<Class<?>> launcher) {
        // Patient, so that a machine with much else to do does not make it fail otherwise than a test expects.
        List<String> options = List.of(
                "-Dperegrine.discovery.addresses=" + camera,
                "-Dperegrine.discovery.broadcast=false",
                "-Dperegrine.discovery.window=2s",
                "-Dperegrine.control.heartbeatTimeout=60s");
        String main = launcher.map(Class::getName).orElse(NAME);
        List<String> command =
                new ArrayList<>(ChildProcess.java(options, main, launcher.isPresent() ? List.of(NAME) : List.of()));
        int path = command.indexOf("-cp") + 1;
        command.set(path, command.get(path) + System.getProperty("path.separator") + classes);
        return ChildProcess.start(command);
    }
}
