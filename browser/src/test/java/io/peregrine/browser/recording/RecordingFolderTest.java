package io.peregrine.browser.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.browser.http.HttpProblem;
import io.peregrine.recording.Recorder;
import io.peregrine.recording.RecorderSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No name that a page gives leads out of the folder. */
class RecordingFolderTest {
    @TempDir
    Path above;

    private RecordingFolder folder;

    @BeforeEach
    void name() {
        folder = new RecordingFolder(above.resolve("recordings"));
    }

    private static void record(Path target) {
        Recorder.start(target, RecorderSettings.defaults()).close();
    }

    @Test
    void aNewRecordingIsInTheFolder() {
        assertEquals(folder.path(), folder.newTarget("run").getParent());
    }

    @Test
    void nothingIsOverwritten() {
        Path first = folder.newTarget("run");
        record(first);
        assertNotEquals(first, folder.newTarget("run"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../x", "a/b", "a\\b", ".", "a.b", "a b", "\u0000", "12345678901234567890123456789012345678901"})
    void whatIsNoLabelIsRefused(String label) {
        assertEquals(
                400,
                assertThrows(HttpProblem.class, () -> folder.newTarget(label)).status());
    }

    @Test
    void aRecordingIsFoundByItsName() {
        Path target = folder.newTarget("run");
        record(target);
        assertEquals(target, folder.find(target.getFileName().toString()));
    }

    @Test
    void aRecordingOutsideIsNotFound() {
        folder.newTarget("run");
        record(above.resolve("secret.pgr"));
        assertThrows(HttpProblem.class, () -> folder.find("../secret.pgr"));
    }

    @Test
    void whatIsNoRecordingIsNotListed() throws IOException {
        Files.writeString(folder.newTarget("run"), "text");
        assertEquals(List.of(), folder.list());
    }

    @Test
    void aFolderThatIsMissingHasNoRecordings() {
        assertEquals(List.of(), folder.list());
    }

    @Test
    void freeSpaceIsKnownBeforeTheFolderIsMade() {
        assertTrue(folder.freeBytes() > 0);
    }
}
