package io.peregrine.conformance.genapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.peregrine.testing.EnabledIfPeers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Peregrine and the reference implementation of GenApi read while a device is at work on a command. */
@EnabledIfPeers("g++")
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class GenApiCommandLifeTest {
    private static final List<String> REGISTERS = List.of("10", "20", "30", "40", "50");

    /** What changes while a command runs. */
    private static final List<String> COMPARED = List.of("int.value", "enum.current", "bool.value", "done", "access");

    @TempDir
    private static Path directory;

    private static ReferenceGenApi reference;
    private static Path description;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        reference = ReferenceGenApi.compile(directory);
        description = directory.resolve("commands.xml");
        try (InputStream in = GenApiCommandLifeTest.class.getResourceAsStream("commands.xml")) {
            Files.copy(in, description);
        }
    }

    private static List<String> start() {
        return new ArrayList<>(List.of("load " + description, "port zero"));
    }

    /** The device gives all registers but that of the command a value. */
    private static void change(List<String> commands, String value) {
        REGISTERS.forEach(address -> commands.add("poke " + address + " 000000" + value));
    }

    /** Gives both the same commands, and compares all that they answer. */
    private static List<Answer> assertSame(List<String> commands) throws IOException {
        Peregrine ours = new Peregrine();
        List<Answer> theirs = new ArrayList<>();
        reference.obey(commands, (command, answer) -> theirs.add(answer));
        for (int i = 0; i < commands.size(); i++) {
            Answer answer = ours.obey(commands.get(i));
            String step = "step " + i + " of " + commands;
            assertEquals(theirs.get(i).refused(), answer.refused(), () -> step);
            if (commands.get(i).startsWith("set")) {
                assertEquals(theirs.get(i).text(), answer.text(), () -> step);
            }
            assertEquals(readable(theirs.get(i), answer), readable(answer, answer), () -> step);
        }
        return theirs;
    }

    private static Map<String, String> readable(Answer answer, Answer names) {
        Map<String, String> values = new TreeMap<>();
        answer.nodes().forEach((node, properties) -> {
            if (names.nodes().containsKey(node)) {
                for (String property : COMPARED) {
                    String value = properties.get(property);
                    if (value != null) {
                        values.put(node + " " + property, value.startsWith("!") ? "!" : value);
                    }
                }
            }
        });
        return values;
    }

    private static String last(List<Answer> answers, String node, String property) {
        return answers.get(answers.size() - 1).nodes().get(node).get(property);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Load", "LoadThrough", "LoadLinked", "LoadPolled", "LoadIndexed"})
    void whatWasCachedIsReadAgainWhenACommandIsDone(String command) throws IOException {
        List<String> commands = start();
        commands.add("dump");
        commands.add("set " + command + " 1");
        commands.add("show " + command);
        change(commands, "05");
        commands.add("dump");
        change(commands, "09");
        commands.add("dump");
        commands.add("poke 0 00000000");
        commands.add("dump");
        commands.add("show " + command);
        commands.add("dump");
        List<Answer> answers = assertSame(commands);
        assertEquals("9", last(answers, "ByRegister", "int.value"));
    }

    @Test
    void aCommandThatCannotBeReadIsDoneAtOnce() throws IOException {
        List<String> commands = start();
        change(commands, "05");
        commands.add("dump");
        commands.add("set LoadBlind 1");
        change(commands, "09");
        commands.add("show LoadBlind");
        commands.add("dump");
        List<Answer> answers = assertSame(commands);
        assertEquals("1", last(answers, "LoadBlind", "done"));
    }

    @Test
    void aCommandThatWasNotExecutedIsDoneWhateverItsRegisterHolds() throws IOException {
        List<String> commands = start();
        commands.add("poke 0 00000001");
        commands.add("dump");
        List<Answer> answers = assertSame(commands);
        assertEquals("1", last(answers, "Load", "done"));
    }

    @Test
    void aPolledCommandIsLookedAtWhenItsTimeHasCome() throws IOException {
        List<String> commands = start();
        change(commands, "05");
        commands.add("dump");
        commands.add("set LoadPolled 1");
        change(commands, "09");
        commands.add("poke 0 00000000");
        commands.add("poll 500");
        commands.add("show ByRegister");
        commands.add("poll 600");
        commands.add("show ByRegister");
        assertSame(commands);
    }

    @Test
    void aWriteToTheRegisterOfACommandIsNoExecution() throws IOException {
        List<String> commands = start();
        change(commands, "05");
        commands.add("dump");
        commands.add("set LoadRegister 1");
        change(commands, "09");
        commands.add("show Load");
        commands.add("dump");
        assertSame(commands);
    }
}
