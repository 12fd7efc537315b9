package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.CompositeStream;
import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.FreePort;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Archives in processes of their own, beside the publisher. */
@Timeout(120)
class ExternalArchiveTest {
    private static final int PORT_OF_DRIVER = FreePort.next();

    @TempDir
    Path directory;

    /** From the middle of what is recorded, and on with live frames. */
    private static void assertReplayed(ArchiveRig rig) {
        FramePublisher publisher = rig.publisher("line");
        ArchiveRig.send(publisher, 1, 40);
        rig.awaitRecorded(40);
        CompositeStream stream = rig.started("line@archive:frame=20");
        ArchiveRig.expect(stream, 20, 40);
        for (long id = 41; id <= 60; id++) {
            ArchiveRig.send(publisher, id, id);
            ArchiveRig.expect(stream, id, id);
        }
        assertEquals(0, stream.statistics().framesLost());
    }

    @Test
    void framesThatARecorderRecordsAreReplayedIntoLiveOnes() {
        try (ArchiveRig rig = new ArchiveRig(directory.resolve("archive"), "udp")) {
            rig.archiveProcess(Map.of());
            assertReplayed(rig);
        }
    }

    /** As the documents propose it for production. */
    @Test
    void framesInAnArchiveOfAeronThatRunsApartAreReplayedIntoLiveOnes() {
        try (ArchiveRig rig = new ArchiveRig(directory.resolve("unused"), "udp")) {
            String driver = directory.resolve("driver").toString();
            ChildProcess aeron = rig.keep(ChildProcess.start(ChildProcess.java(
                    List.of(
                            "--add-opens",
                            "java.base/java.util.zip=ALL-UNNAMED",
                            "-Daeron.dir=" + driver,
                            "-Daeron.threading.mode=SHARED",
                            "-Daeron.archive.threading.mode=SHARED",
                            "-Daeron.archive.dir=" + directory.resolve("archive"),
                            "-Daeron.archive.segment.file.length=64k",
                            "-Daeron.archive.record.checksum=io.aeron.archive.checksum.Crc32c",
                            "-Daeron.archive.control.channel=aeron:udp?endpoint="
                                    + System.getProperty(ArchiveSettings.ADDRESS),
                            "-Daeron.archive.control.response.channel=aeron:udp?endpoint=127.0.0.1:0",
                            "-Daeron.archive.replication.channel=aeron:udp?endpoint=127.0.0.1:" + PORT_OF_DRIVER,
                            "-Daeron.archive.recording.events.enabled=false"),
                    "io.aeron.archive.ArchivingMediaDriver",
                    List.of())));
            rig.archiveProcess(Map.of(
                    DistributionSettings.DRIVER,
                    "external",
                    DistributionSettings.DIRECTORY,
                    driver,
                    ArchiveSettings.DIRECTORY,
                    ""));
            assertReplayed(rig);
            assertTrue(aeron.alive(), aeron::toString);
        }
    }
}
