package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.DeviceRegisters;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Port;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.EnabledIfPeers;
import io.peregrine.testing.Needs;
import io.peregrine.testing.TestData;
import io.peregrine.virtualcamera.Content;
import io.peregrine.virtualcamera.Scenario;
import io.peregrine.virtualcamera.StreamPayload;
import io.peregrine.virtualcamera.VirtualCamera;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The reference implementation of GenApi reads the description and the registers of the virtual camera. */
@EnabledIfPeers("g++")
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class GenApiReferenceTest {
    private static final Path SOURCE = Path.of("genapi", "reference-nodes.cpp");
    private static final Duration COMPILE_LIMIT = Duration.ofMinutes(2);
    private static final List<String> LIBRARIES =
            List.of("-lGenApi_gcc48_v3_4", "-lGCBase_gcc48_v3_4", "-lLog_gcc48_v3_4");

    @TempDir
    private static Path directory;

    private static Path libraries;
    private static Path program;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        Path reference = TestData.peer("genapi-reference-3.4");
        Needs.that(compilesFor32Bits(), "g++ for 32 bits (Debian: g++-multilib)");
        libraries = reference.resolve("lib-i386");
        program = directory.resolve("reference-nodes");
        List<String> command = new ArrayList<>(List.of(
                "g++",
                "-m32",
                "-Wall",
                "-D_GLIBCXX_USE_CXX11_ABI=0",
                "-isystem",
                reference.resolve("include").toString(),
                "-o",
                program.toString(),
                SOURCE.toString(),
                "-L" + libraries));
        command.addAll(LIBRARIES);
        ChildProcess.run(COMPILE_LIMIT, command.toArray(String[]::new));
    }

    private static boolean compilesFor32Bits() throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", "echo '#include <cstdint>' | g++ -m32 -x c++ -fsyntax-only -")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    /** What the reference said: messages and faults, and the access mode of each node. */
    private record Reading(List<String> complaints, Map<String, String> access, boolean ended) {}

    private static Reading read(byte[] xml, DeviceRegisters registers) throws IOException {
        Path file = Files.write(directory.resolve("description.xml"), xml);
        ProcessBuilder builder = new ProcessBuilder(program.toString(), file.toString());
        builder.environment().put("LD_LIBRARY_PATH", libraries.toString());
        Process process = builder.redirectErrorStream(true).start();
        List<String> complaints = new ArrayList<>();
        Map<String, String> access = new TreeMap<>();
        boolean ended = false;
        try (BufferedReader lines = process.inputReader();
                BufferedWriter answers = process.outputWriter()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", 4);
                switch (words[0]) {
                    case "read" -> {
                        byte[] bytes =
                                registers.read(Integer.parseUnsignedInt(words[1], 16), Integer.parseInt(words[2]));
                        answers.write(HexFormat.of().formatHex(bytes) + "\n");
                        answers.flush();
                    }
                    case "node" -> access.put(words[1], words[2]);
                    case "end" -> ended = true;
                    default -> complaints.add(line);
                }
            }
        } finally {
            process.destroyForcibly();
        }
        return new Reading(complaints, access, ended);
    }

    @ParameterizedTest
    @EnumSource(Content.class)
    void readsEveryNodeWithoutAComplaint(Content content) throws IOException {
        Scenario scenario = Scenario.builder()
                .bindAddress("127.86.0.1")
                .port(0)
                .content(content)
                .payload(StreamPayload.AUTOMATIC)
                .build();
        try (VirtualCamera camera = VirtualCamera.start(scenario);
                DeviceRegisters registers = Loopback.openRegisters(camera)) {
            byte[] xml = registers.description();
            Reading reading = read(xml, registers);
            assertTrue(reading.ended);
            assertEquals(List.of(), reading.complaints);
            NodeMap nodes = NodeMap.load(xml, new Port() {
                @Override
                public void read(long address, ByteBuffer destination) {
                    destination.put(registers.read((int) address, destination.remaining()));
                }

                @Override
                public void write(long address, ByteBuffer source) {
                    throw new AssertionError("nothing is written");
                }
            });
            List<String> differences = new ArrayList<>();
            reading.access.forEach((name, access) -> {
                String ours = nodes.node(name).accessMode().name();
                // A port of events before its first event: not implemented there, not available here.
                boolean event = name.startsWith("Event") && access.equals("NI");
                if (!event && !ours.equals(access)) {
                    differences.add(name + " is " + access + ", not " + ours);
                }
            });
            assertEquals(List.of(), differences);
        }
    }
}
