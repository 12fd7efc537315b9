package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.CncFileDescriptor;
import io.peregrine.testing.ChildProcess;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.BufferUtil;
import org.agrona.IoUtil;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A media driver that starts beside, or in, the directory of another program. */
class AeronHostTest {
    /** More than any process has. */
    private static final long NO_PROCESS = 99_999_999;
    /** A host of its own: those of other tests have other windows. */
    private static final DistributionSettings SETTINGS =
            DistributionSettings.load().with(DistributionSettings.WINDOW, "160k");

    @TempDir
    private Path folder;

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

    private static DistributionSettings in(Path directory) {
        return SETTINGS.with(DistributionSettings.DIRECTORY, directory.toString());
    }

    @Test
    void aDirectoryWithOtherFilesIsRefusedAndKeepsThem() throws IOException {
        Path file = Files.writeString(folder.resolve("results.csv"), "1,2");
        assertThrows(DistributionException.class, () -> AeronHost.open(in(folder)));
        assertTrue(Files.exists(file));
    }

    @Test
    void aDirectoryInWhichAMediaDriverRunsIsRefusedAndTheDriverGoesOn() {
        DistributionSettings first = in(folder.resolve("driver"));
        AeronHost running = AeronHost.open(first);
        try {
            DistributionException refusal = assertThrows(
                    DistributionException.class, () -> AeronHost.open(first.with(DistributionSettings.WINDOW, "192k")));
            assertTrue(String.valueOf(refusal.getMessage()).contains("distribution.driver=external"));
            assertTrue(Files.exists(folder.resolve("driver/cnc.dat")));
        } finally {
            running.close();
        }
    }

    @Test
    void theDirectoryOfAMediaDriverThatHasEndedIsUsedAgain() throws IOException {
        Path directory = folder.resolve("driver");
        AeronHost killed = AeronHost.open(in(directory));
        byte[] left;
        try {
            left = Files.readAllBytes(directory.resolve("cnc.dat"));
        } finally {
            killed.close();
        }
        Files.createDirectories(directory);
        silence(Files.write(directory.resolve("cnc.dat"), left));
        AeronHost.open(in(directory)).close();
    }

    private static DistributionException refused(Path directory) {
        return assertThrows(
                DistributionException.class,
                () -> AeronHost.open(in(directory).with(DistributionSettings.WINDOW, "192k")));
    }

    @Test
    void theDirectoryOfAMediaDriverThatSeemsToHaveEndedIsRefusedInItsProgram() {
        Path directory = folder.resolve("driver");
        AeronHost running = AeronHost.open(in(directory));
        try {
            silence(directory.resolve("cnc.dat"));
            refused(directory);
        } finally {
            running.close();
        }
    }

    /** As one that is held up for seconds, or ends just now. */
    @Test
    void theDirectoryOfAMediaDriverOfAnotherProgramThatSeemsToHaveEndedIsRefused() {
        Path directory = folder.resolve("driver");
        try (ChildProcess other = ChildProcess.start(ChildProcess.java(
                List.of("-D" + DistributionSettings.DIRECTORY + "=" + directory),
                DriverProcess.class.getName(),
                List.of()))) {
            other.awaitLine("media driver", DistributionRig.PATIENCE, line -> line.startsWith("running"));
            silence(directory.resolve("cnc.dat"));
            String reason = String.valueOf(refused(directory).getMessage());
            assertTrue(reason.contains(directory.toString()), reason);
            assertTrue(reason.contains("distribution.driver=external"), reason);
        }
    }

    @Test
    void aDirectoryInWhichAnotherMediaDriverIsJustStartedIsRefused() throws IOException {
        Path directory = folder.resolve("driver");
        DirectoryLock starting = DirectoryLock.take(directory).orElseThrow();
        try {
            refused(directory);
            assertFalse(Files.exists(directory));
        } finally {
            starting.close();
        }
    }

    @Test
    void theLockThatAKilledProgramLeftKeepsNoOtherAway() throws IOException {
        Path directory = folder.resolve("driver");
        Files.createFile(folder.resolve("driver" + DirectoryLock.SUFFIX));
        AeronHost.open(in(directory)).close();
    }

    @Test
    void nothingIsLeftNextToTheDirectory() throws IOException {
        AeronHost.open(in(folder.resolve("driver"))).close();
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void aDirectoryThatWasRefusedCanBeTakenLater() {
        Path directory = folder.resolve("driver");
        AeronHost running = AeronHost.open(in(directory));
        try {
            refused(directory);
        } finally {
            running.close();
        }
        AeronHost.open(in(directory)).close();
    }

    /** The driver has not said for long that it is alive. */
    private static void silence(Path commands) {
        MappedByteBuffer all = IoUtil.mapExistingFile(commands.toFile(), "commands");
        try {
            new ManyToOneRingBuffer(
                            CncFileDescriptor.createToDriverBuffer(all, CncFileDescriptor.createMetaDataBuffer(all)))
                    .consumerHeartbeatTime(0);
        } finally {
            BufferUtil.free(all);
        }
    }
}
