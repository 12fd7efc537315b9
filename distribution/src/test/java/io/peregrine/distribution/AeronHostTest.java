package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A media driver that starts beside the directory of a program that has ended. */
class AeronHostTest {
    /** More than any process has. */
    private static final long NO_PROCESS = 99_999_999;
    /** A host of its own: those of other tests have other windows. */
    private static final DistributionSettings SETTINGS =
            DistributionSettings.load().with(DistributionSettings.WINDOW, "160k");

    private Path left;

    @BeforeEach
    void setUp() throws IOException {
        Path memory = Path.of("/dev/shm");
        Path parent = Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
        left = Files.createDirectory(parent.resolve(
                "peregrine-aeron-" + NO_PROCESS + "-" + ProcessHandle.current().pid()));
    }

    @AfterEach
    void tearDown() throws IOException {
        Files.deleteIfExists(left.resolve("cnc.dat"));
        Files.deleteIfExists(left);
    }

    private void start() throws IOException {
        Files.setLastModifiedTime(left, FileTime.from(Instant.EPOCH));
        AeronHost host = AeronHost.open(SETTINGS);
        try {
            assertFalse(host.aeron().isClosed());
        } finally {
            host.close();
        }
    }

    @Test
    void whatAProgramLeftThatWasKilledIsRemoved() throws IOException {
        start();
        assertFalse(Files.exists(left));
    }

    @Test
    void whatCannotBeReadBecauseItIsBeingRemovedOrIsNoDriversDoesNotKeepItFromStarting() throws IOException {
        byte[] foreign = new byte[1 << 16];
        Arrays.fill(foreign, (byte) 1);
        Files.write(left.resolve("cnc.dat"), foreign);
        start();
    }
}
