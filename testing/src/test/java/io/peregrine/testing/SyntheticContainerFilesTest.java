package io.peregrine.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The generated containers beside those of the optional test data, which another program made from the standard. */
class SyntheticContainerFilesTest {
    private static Map<String, String> generated() {
        Map<String, String> files = new TreeMap<>();
        for (SyntheticContainer container : SyntheticContainer.values()) {
            files.put("syn_" + container.name().toLowerCase(Locale.ROOT) + ".gendc", hex(container.bytes()));
        }
        files.put("syn_two_flows.flow0.bin", hex(TwoFlows.flow0()));
        files.put("syn_two_flows.flow1.bin", hex(TwoFlows.flow1()));
        files.put("syn_two_flows.flowtable.bin", hex(TwoFlows.table()));
        return files;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void everySyntheticFileIsGeneratedByteForByte() throws IOException {
        Map<String, String> there = new TreeMap<>();
        try (Stream<Path> files = Files.list(TestData.file("gendc"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = file.getFileName().toString();
                if (name.startsWith("syn_")) {
                    there.put(name, hex(Files.readAllBytes(file)));
                }
            }
        }
        assertEquals(there, generated());
    }
}
