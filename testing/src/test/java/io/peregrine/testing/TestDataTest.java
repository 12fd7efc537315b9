package io.peregrine.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

class TestDataTest {
    private final String before = System.getProperty(TestData.PROPERTY);

    @TempDir
    private Path folder;

    @AfterEach
    void restore() {
        set(before);
    }

    private static void set(String value) {
        if (value == null) {
            System.clearProperty(TestData.PROPERTY);
        } else {
            System.setProperty(TestData.PROPERTY, value);
        }
    }

    @Test
    void aFileIsReadFromTheFolderOfTheProperty() throws IOException {
        Path file = Files.createFile(folder.resolve("list.csv"));
        set(folder.toString());

        assertEquals(file, TestData.file("list.csv"));
    }

    @Test
    void aMissingFileSkipsTheTestAndSaysWhatItNeeds() {
        set(folder.toString());

        TestAbortedException skip = assertThrows(TestAbortedException.class, () -> TestData.file("gendc/none"));
        assertTrue(skip.getMessage().startsWith("needs test data gendc/none: "), skip::getMessage);
    }

    @Test
    void aFolderThatWasNamedAndIsNotThereFailsTheTest() {
        Path missing = folder.resolve("none");
        set(missing.toString());

        IllegalStateException failure = assertThrows(IllegalStateException.class, () -> TestData.file("gendc/none"));
        assertTrue(failure.getMessage().contains(missing.toString()), failure::getMessage);
    }
}
