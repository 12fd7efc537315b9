package io.peregrine.conformance;

import io.peregrine.genapi.Port;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.NetworkNamespace;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A camera that a vendor's GenTL producer opened, in a process of its own; a port for node maps. */
final class GenTlClient implements Port, AutoCloseable {
    private static final Path SOURCE = Path.of("gentl", "gentl-client.c");
    private static final Duration COMPILE_LIMIT = Duration.ofSeconds(60);
    /** Less than what a producer reads in one GVCP command has to be split by nobody. */
    private static final int MAX_READ_BYTES = 16_384;

    /** A chunk as the producer found it. */
    record Chunk(long id, long offsetBytes, long lengthBytes) {}

    /** A part as the producer found it. */
    record Part(int offsetBytes, int lengthBytes, int dataType, int format, int width, int height) {}

    /** A frame as the producer delivered it. */
    record Frame(
            long id,
            boolean incomplete,
            int payloadType,
            int width,
            int height,
            List<Chunk> chunks,
            List<Part> parts,
            ByteBuffer data) {}

    private final Process process;
    private final BufferedReader answers;
    private final BufferedWriter commands;
    private final Path frameFile;

    private GenTlClient(Process process, Path frameFile) {
        this.process = process;
        this.frameFile = frameFile;
        answers = process.inputReader();
        commands = process.outputWriter();
    }

    /** Compiles the program. */
    static Path compile(Path directory) {
        Path program = directory.resolve("gentl-client");
        ChildProcess.run(COMPILE_LIMIT, "gcc", "-Wall", "-Werror", "-o", program.toString(), SOURCE.toString(), "-ldl");
        return program;
    }

    /** Opens the first device of the namespace whose id contains a text. */
    static GenTlClient open(NetworkNamespace namespace, Path program, Path producer, String idText) {
        try {
            Process process = new ProcessBuilder(
                            "ip",
                            "netns",
                            "exec",
                            namespace.toString(),
                            "timeout",
                            Long.toString(ChildProcess.LIFE_LIMIT.toSeconds()),
                            program.toString(),
                            producer.toString(),
                            idText)
                    .redirectErrorStream(true)
                    .start();
            GenTlClient client = new GenTlClient(process, Files.createTempFile("peregrine", ".frame"));
            try {
                client.answer("open");
            } catch (AssertionError e) {
                client.close();
                throw e;
            }
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String ask(String command) {
        try {
            commands.write(command + "\n");
            commands.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return answer(command);
    }

    private String answer(String command) {
        try {
            String line = answers.readLine();
            if (line == null || !line.startsWith("ok")) {
                throw new AssertionError(command + ": " + line);
            }
            return line.substring(2).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The GenICam XML, from where the producer says it is in the device. */
    byte[] xml() {
        String[] url = ask("url").split(";", -1);
        ByteBuffer xml = ByteBuffer.allocate(Integer.parseInt(url[2].strip(), 16));
        read(Long.parseLong(url[1].strip(), 16), xml);
        return xml.array();
    }

    @Override
    public void read(long address, ByteBuffer destination) {
        long at = address;
        while (destination.hasRemaining()) {
            int bytes = Math.min(MAX_READ_BYTES, destination.remaining());
            destination.put(HexFormat.of().parseHex(ask("read " + Long.toHexString(at) + " " + bytes)));
            at += bytes;
        }
    }

    @Override
    public void write(long address, ByteBuffer source) {
        byte[] bytes = new byte[source.remaining()];
        source.get(bytes);
        ask("write " + Long.toHexString(address) + " " + HexFormat.of().formatHex(bytes));
    }

    /** Announces buffers and starts the data stream. */
    void start(int buffers, long bufferBytes) {
        ask("start " + buffers + " " + bufferBytes);
    }

    /** Waits for a frame. */
    Frame frame(Duration limit) {
        String answer = ask("frame " + limit.toMillis() + " " + frameFile);
        long id = 0;
        boolean incomplete = false;
        int payloadType = 0;
        int width = 0;
        int height = 0;
        List<Chunk> chunks = new ArrayList<>();
        List<Part> parts = new ArrayList<>();
        for (String item : answer.split(" ", -1)) {
            String value = item.substring(item.indexOf('=') + 1);
            String[] fields = value.split(":", -1);
            switch (item.substring(0, item.indexOf('='))) {
                case "id" -> id = Long.parseLong(value);
                case "incomplete" -> incomplete = !value.equals("0");
                case "payload" -> payloadType = Integer.parseInt(value);
                case "width" -> width = Integer.parseInt(value);
                case "height" -> height = Integer.parseInt(value);
                case "chunk" ->
                    chunks.add(new Chunk(
                            Long.parseLong(fields[0], 16), Long.parseLong(fields[1]), Long.parseLong(fields[2])));
                case "part" ->
                    parts.add(new Part(
                            Integer.parseInt(fields[0]),
                            Integer.parseInt(fields[1]),
                            Integer.parseInt(fields[2]),
                            (int) Long.parseLong(fields[3]),
                            Integer.parseInt(fields[4]),
                            Integer.parseInt(fields[5])));
                default -> {} // What no test looks at.
            }
        }
        try {
            ByteBuffer data = ByteBuffer.wrap(Files.readAllBytes(frameFile));
            return new Frame(id, incomplete, payloadType, width, height, chunks, parts, data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops the data stream. */
    void stop() {
        ask("stop");
    }

    /** Closes the device and ends the program, which must be a success. */
    void end() {
        ask("close");
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError("The producer's program did not end well: " + process);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", e);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            Files.deleteIfExists(frameFile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
