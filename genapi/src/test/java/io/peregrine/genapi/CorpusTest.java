package io.peregrine.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real camera descriptions, read where they lie; skipped where they are not. */
@Timeout(300)
class CorpusTest {
    @TempDir
    Path folder;

    /** Answers every read with zeros. */
    private static final class ZeroPort implements Port {
        @Override
        public void read(long address, ByteBuffer destination) {
            destination.put(new byte[destination.remaining()]);
        }

        @Override
        public void write(long address, ByteBuffer source) {
            source.position(source.limit());
        }
    }

    private List<Path> files() throws IOException, InterruptedException {
        Path archive = Path.of("").toAbsolutePath();
        while (archive != null && !Files.exists(archive.resolve("shared/data/genicam-xml/corpus.tar.xz"))) {
            archive = archive.getParent();
        }
        assumeTrue(archive != null, "the collection of camera descriptions is not beside the project");
        Process tar = new ProcessBuilder(
                        "tar",
                        "-xJf",
                        archive.resolve("shared/data/genicam-xml/corpus.tar.xz").toString(),
                        "-C",
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        tar.getInputStream().readAllBytes();
        assumeTrue(tar.waitFor() == 0, "tar with xz is not installed");
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(".xml")).sorted().toList();
        }
    }

    @Test
    void everyDescriptionLoadsAndEveryNodeReadsOrSaysWhyNot() throws IOException, InterruptedException {
        List<Path> files = files();
        assertFalse(files.isEmpty());
        List<String> surprises = new ArrayList<>();
        for (Path file : files) {
            NodeMap nodes = NodeMap.load(Files.readAllBytes(file), new ZeroPort());
            for (Node node : nodes.nodes()) {
                try {
                    if (node.readable()
                            && !(node instanceof CategoryNode)
                            && !node.kind().equals("Port")) {
                        node.valueAsText();
                    }
                } catch (GenApiException e) {
                    if (e.getMessage() == null || e.getCause() instanceof Error) {
                        surprises.add(file.getFileName() + " " + node + ": " + e);
                    }
                } catch (RuntimeException e) {
                    surprises.add(file.getFileName() + " " + node + ": " + e);
                }
            }
        }
        assertEquals(List.of(), surprises);
    }

    @Test
    void fewNodesAreLostToProblems() throws IOException, InterruptedException {
        int nodes = 0;
        int broken = 0;
        for (Path file : files()) {
            NodeMap map = NodeMap.load(Files.readAllBytes(file), new ZeroPort());
            nodes += map.nodes().size();
            broken += (int)
                    map.nodes().stream().filter(BrokenNode.class::isInstance).count();
        }
        assertEquals(0, broken, "of " + nodes);
    }
}
