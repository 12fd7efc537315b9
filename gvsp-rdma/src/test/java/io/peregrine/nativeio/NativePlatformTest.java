package io.peregrine.nativeio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.ChildProcess;
import io.peregrine.testing.Needs;
import io.peregrine.testing.SmallDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativePlatformTest {
    private static final String FAILURE = "JNA cannot load its native part: ";
    private static final String REMEDY = ": give a folder from which programs may be run: -Djna.tmpdir=FOLDER";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/home/a b/jna1.tmp: failed to map segment from shared object",
                "/home/a b/jna1.tmp: failed to map segment from shared object: Operation not permitted",
                "Error loading shared library /tmp/jna1.tmp: Operation not permitted",
                "/tmp/jna1.tmp: cannot open shared object file: Permission denied",
                "Failed to create temporary file for /libjnidispatch.so library: No space left on device",
            })
    void aFolderWithoutProgramsIsToldWithTheOptionForAnother(String message) {
        assertEquals(FAILURE + message + REMEDY, NativePlatform.problem(new UnsatisfiedLinkError(message)));
    }

    @Test
    void aFileThatIsNamedTwiceIsToldOnce() {
        String file = "/home/a b/.cache/JNA/temp/jna1.tmp: ";
        assertEquals(
                FAILURE + file + "wrong ELF class",
                NativePlatform.problem(new UnsatisfiedLinkError(file + file + "wrong ELF class")));
    }

    @Test
    void anotherFailureHasNoOptionForTheFolder() {
        String message = "libjnidispatch.so not found in resource path";
        assertEquals(FAILURE + message, NativePlatform.problem(new UnsatisfiedLinkError(message)));
    }

    @Test
    void theFirstFailureIsToldWhenSomethingElseTriedBefore() {
        LinkageError second = new NoClassDefFoundError("Could not initialize class com.sun.jna.Native");
        second.initCause(new UnsatisfiedLinkError("failed to map segment"));
        assertEquals(FAILURE + "failed to map segment" + REMEDY, NativePlatform.problem(second));
    }

    private static void withoutPrograms(SmallDisk disk) {
        ChildProcess.run(
                Duration.ofSeconds(10),
                "mount",
                "-o",
                "remount,noexec",
                disk.path().toString());
    }

    @Test
    void aFolderWithoutProgramsIsRecognizedThoughTheSystemSpeaksAnotherLanguage(@TempDir Path folder) {
        Needs.that(NativePlatform.linux(), "Linux, for a file system without programs");
        try (SmallDisk disk = SmallDisk.mount(folder, "4m")) {
            withoutPrograms(disk);
            String message = disk.path() + "/jna1.tmp: Speicher konnte nicht zugeordnet werden";
            assertEquals(FAILURE + message + REMEDY, NativePlatform.problem(new UnsatisfiedLinkError(message)));
        }
    }

    @Test
    void aFolderThatRunsProgramsIsNotToBlame(@TempDir Path folder) {
        String message = folder + "/jna1.tmp: falsche ELF-Klasse";
        assertEquals(FAILURE + message, NativePlatform.problem(new UnsatisfiedLinkError(message)));
    }

    @Test
    void aProcessThatUnpacksWhereNoProgramMayRunSaysWhatToDo(@TempDir Path folder) {
        Needs.that(NativePlatform.linux(), "Linux, for a file system without programs");
        try (SmallDisk disk = SmallDisk.mount(folder, "4m")) {
            withoutPrograms(disk);
            String output = ChildProcess.runToEnd(
                    Duration.ofSeconds(60),
                    ChildProcess.java(List.of("-Djna.tmpdir=" + disk.path()), Main.class.getName(), List.of()));
            assertTrue(output.startsWith(FAILURE + disk.path()) && output.endsWith(REMEDY), output);
        }
    }

    /** Says why native calls are not possible. */
    static final class Main {
        private Main() {}

        public static void main(String[] arguments) {
            try {
                NativePlatform.check();
            } catch (NativeUnavailableException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
