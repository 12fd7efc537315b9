package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.conformance.genapi.ReferenceGenApi;
import io.peregrine.device.DeviceRegisters;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.Port;
import io.peregrine.testing.EnabledIfPeers;
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
    @TempDir
    private static Path directory;

    private static ReferenceGenApi reference;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        reference = ReferenceGenApi.compile(directory);
    }

    /** What the reference said: messages and faults, and the access mode of each node. */
    private record Reading(List<String> complaints, Map<String, String> access, boolean ended) {}

    private static Reading read(byte[] xml, DeviceRegisters registers) throws IOException {
        Path file = Files.write(directory.resolve("description.xml"), xml);
        Process process = reference.program().start();
        List<String> complaints = new ArrayList<>();
        Map<String, String> access = new TreeMap<>();
        boolean ended = false;
        try (BufferedReader lines = process.inputReader();
                BufferedWriter answers = process.outputWriter()) {
            answers.write("load " + file + "\nport parent\ndump\n");
            answers.flush();
            for (String line = lines.readLine(); line != null; line = ended ? null : lines.readLine()) {
                String[] words = line.split(" ", 4);
                if (words[0].equals("read")) {
                    byte[] bytes = registers.read(Integer.parseUnsignedInt(words[1], 16), Integer.parseInt(words[2]));
                    answers.write(HexFormat.of().formatHex(bytes) + "\n");
                    answers.flush();
                } else if (line.contains("\t")) {
                    node(line.split("\t", -1), complaints, access);
                } else if (line.equals(".")) {
                    ended = true;
                } else if (!line.equals("loaded") && !line.equals("connected")) {
                    complaints.add(line);
                }
            }
        } finally {
            process.destroyForcibly();
        }
        return new Reading(complaints, access, ended);
    }

    private static void node(String[] cells, List<String> complaints, Map<String, String> access) {
        Map<String, String> properties = new TreeMap<>();
        for (int i = 1; i < cells.length; i++) {
            String[] parts = cells[i].split("=", 2);
            properties.put(parts[0], parts[1]);
        }
        String mode = properties.get("access");
        access.put(cells[0], mode);
        if (mode.equals("RO") || mode.equals("RW")) {
            properties.forEach((property, value) -> {
                if (value.startsWith("!")) {
                    complaints.add(cells[0] + " " + property + " " + value);
                }
            });
        }
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
