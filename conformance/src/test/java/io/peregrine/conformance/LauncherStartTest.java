package io.peregrine.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.testing.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script starts the command from an archive of its classes, and as well without one. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LauncherStartTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    /** Where all tests start it: to make an archive takes as long as many starts. */
    @TempDir
    private static Path copy;

    private static Path built;
    private static String firstStart;
    private static Path archive;
    private static Path spare;

    @BeforeAll
    static void startOnce() throws IOException, InterruptedException {
        built = copyTheCommand(copy);
        firstStart = run("--version");
        List<Path> made = archives();
        assertEquals(1, made.size());
        archive = made.get(0);
        spare = Files.copy(archive, copy.resolve("spare"));
    }

    /** The archive as the first start left it. */
    @BeforeEach
    void restoreTheArchive() throws IOException {
        Files.copy(spare, archive, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Makes a script with a command of its own that is built, over the jars of the other modules. */
    private static Path copyTheCommand(Path folder) throws IOException {
        Path target = ROOT.resolve("cli/target");
        Needs.that(Files.exists(target.resolve("classpath.txt")), "the packaged command: mvn -pl cli -am package");
        Path made = Files.createDirectories(folder.resolve("cli/target"));
        Files.createDirectories(folder.resolve("cli/src/main"));
        Files.createDirectories(folder.resolve("config"));
        Files.copy(ROOT.resolve("peregrine"), folder.resolve("peregrine"));
        Files.copy(ROOT.resolve("config/toolchain.sh"), folder.resolve("config/toolchain.sh"));
        Files.copy(target.resolve("classpath.txt"), made.resolve("classpath.txt"));
        List<Path> jars = files(target, "peregrine-cli-");
        Needs.that(!jars.isEmpty(), "the packaged command: mvn -pl cli -am package");
        Path jar = jars.get(0);
        Files.copy(jar, made.resolve(jar.getFileName()));
        return made;
    }

    private static List<Path> files(Path folder, String start) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(start))
                    .filter(file -> !file.toString().contains("sources")
                            && !file.toString().contains("javadoc"))
                    .toList();
        }
    }

    private static List<Path> archives() throws IOException {
        return files(built, "peregrine-").stream()
                .filter(file -> file.toString().endsWith(".jsa"))
                .toList();
    }

    /** Standard output and error output, after the exit code. */
    private static String run(String... arguments) throws IOException, InterruptedException {
        return run(new ProcessBuilder(command(arguments)).redirectErrorStream(true));
    }

    private static String[] command(String... arguments) {
        return Stream.concat(Stream.of(copy.resolve("peregrine").toString()), Stream.of(arguments))
                .toArray(String[]::new);
    }

    private static String run(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + " " + output.strip();
    }

    @Test
    void theFirstStartMakesAnArchiveThatLaterOnesUse() throws IOException, InterruptedException {
        assertEquals("0 peregrine 0.1.0", firstStart);
        assertTrue(Files.size(archive) > 0);
        FileTime time = Files.getLastModifiedTime(archive);
        assertEquals("0 peregrine 0.1.0", run("--version"));
        assertEquals(time, Files.getLastModifiedTime(archive));
    }

    @Test
    void commandsThatRunLongStartFromTheArchiveToo() throws IOException, InterruptedException {
        String help = run("stream", "--help");
        assertTrue(help.startsWith("0 Usage: peregrine stream"), help);
        assertEquals(1, archives().size());
    }

    @Test
    void aWarningOfJavaIsNotAmongWhatACommandPrints() throws IOException, InterruptedException {
        // New objects would have more room than all objects, and Java says so.
        ProcessBuilder version = new ProcessBuilder(command("--version"));
        version.environment().put("JDK_JAVA_OPTIONS", "-Xmx40m");
        Path complaints = copy.resolve("complaints");
        assertEquals("0 peregrine 0.1.0", run(version.redirectError(complaints.toFile())));
        assertTrue(Files.readString(complaints).contains("warning"), Files.readString(complaints));
    }

    @Test
    void withoutALocaleTextsAreThoseOfUtf8() throws IOException, InterruptedException {
        String script = """
                cd "$0" && name=$(printf 'k\\303\\244se.xml') && printf '<A>\\303\\274</A>' >"$name" &&
                env -u LC_ALL -u LC_CTYPE -u LANG ./peregrine xml --file "$name"
                """;
        ProcessBuilder xml = new ProcessBuilder("bash", "-c", script, copy.toString()).redirectErrorStream(true);
        assertEquals("0 <A>\u00fc</A>", run(xml));
    }

    @Test
    void jsonKeepsCharactersThatTheOutputLacks() throws IOException, InterruptedException {
        Path file = Files.writeString(copy.resolve("camera.xml"), "<RegisterDescription ModelName=\"K\u00fch\"/>");
        ProcessBuilder check = new ProcessBuilder(command("xml", "--file", file.toString(), "--check", "--json"));
        check.environment().put("JDK_JAVA_OPTIONS", "-Dstdout.encoding=US-ASCII");
        String json = run(check.redirectError(ProcessBuilder.Redirect.DISCARD));
        assertTrue(json.contains("\"K\\u00FCh\""), json);
    }

    @Test
    void whatAnotherUserBuiltAndMayNotBeReadIsNamed(@TempDir Path other) throws IOException, InterruptedException {
        Needs.that("root".equals(System.getProperty("user.name")), "root, to be another user");
        Path others = copyTheCommand(other);
        Path setpriv = Needs.program("another user", "setpriv");
        Path secret = Files.createDirectory(
                other.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path jar = Files.createFile(secret.resolve("library.jar"));
        Files.writeString(others.resolve("classpath.txt"), jar.toString());
        Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwxr-xr-x"));
        String said = run(new ProcessBuilder(
                        setpriv.toString(),
                        "--reuid=65534",
                        "--regid=65534",
                        "--clear-groups",
                        other.resolve("peregrine").toString(),
                        "--version")
                .redirectErrorStream(true));
        assertTrue(said.startsWith("1 peregrine: root built it here, with " + jar), said);
    }

    @Test
    void anArchiveThatIsOlderThanAJarIsMadeAgain() throws IOException, InterruptedException {
        FileTime old = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
        Files.setLastModifiedTime(archive, old);
        assertEquals("0 peregrine 0.1.0", run("--version"));
        assertTrue(Files.getLastModifiedTime(archive).compareTo(old) > 0);
    }

    @Test
    void anArchiveThatTheJdkRefusesIsPassedOverInSilence() throws IOException, InterruptedException {
        Files.delete(archive);
        Files.write(archive, new byte[100_000]);
        assertEquals("0 peregrine 0.1.0", run("--version"));
        assertEquals(100_000, Files.size(archive));
    }

    @Test
    void withoutAnArchiveTheCommandRunsToo() throws IOException, InterruptedException {
        Files.delete(archive);
        // As it is left where an archive could not be made.
        Files.createFile(archive);
        assertEquals("0 peregrine 0.1.0", run("--version"));
        assertEquals(0, Files.size(archive));
    }

    @Test
    void aFileIsPrintedTheShortWayAsByTheWholeCommand() throws IOException, InterruptedException {
        Path file = Files.writeString(copy.resolve("camera.xml"), "<A>\r\n\u00e4 \u001b[2J</A>\n\n");
        String whole = run("xml", "--file", file.toString());
        assertTrue(whole.startsWith("0 <A>"), whole);
        assertEquals(whole, run("xml", file.toString()));
        Files.write(file, new byte[] {'P', 'K', 3, 4});
        String failed = run("xml", file.toString());
        assertTrue(failed.startsWith("1 peregrine: "), failed);
    }
}
