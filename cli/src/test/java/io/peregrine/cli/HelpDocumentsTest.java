package io.peregrine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.device.OpenParameter;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Help and documents have every parameter and exit code. */
class HelpDocumentsTest {

    @ParameterizedTest
    @ValueSource(strings = {"stream", "record"})
    void helpNamesEveryParameter(String command) {
        String help = PeregrineMain.commandLine(false)
                .getSubcommands()
                .get(command)
                .getUsageMessage(CommandLine.Help.Ansi.OFF);
        List<String> missing = OpenParameter.all().stream()
                .map(OpenParameter::name)
                .filter(name ->
                        !Pattern.compile("\\b" + name + "\\b").matcher(help).find())
                .toList();
        assertEquals(List.of(), missing);
    }

    @Test
    void exitCodesAreDocumentedAsTheHelpHasThem() throws IOException {
        Map<String, String> documented = new LinkedHashMap<>();
        for (String line : Files.readAllLines(root().resolve("docs/exit-codes.md"))) {
            Matcher row = Pattern.compile("\\| ([0-9, ]+) \\| (.+?) \\| .+ \\|").matcher(line);
            if (row.matches()) {
                documented.put(row.group(1), row.group(2));
            }
        }
        assertEquals(ExitCodes.MEANINGS, documented);
        assertTrue(PeregrineMain.commandLine(false)
                .getUsageMessage(CommandLine.Help.Ansi.OFF)
                .contains(ExitCodes.MEANINGS.get("4")));
    }

    @Test
    void everyExitCodeHasAMeaning() throws IllegalAccessException {
        List<String> codes = new ArrayList<>();
        for (Field field : ExitCodes.class.getDeclaredFields()) {
            if (field.getType() == int.class) {
                codes.add(Integer.toString(field.getInt(null)));
            }
        }
        assertEquals(
                new TreeSet<>(codes),
                new TreeSet<>(ExitCodes.MEANINGS.keySet().stream()
                        .filter(code -> !code.equals("130, 143"))
                        .toList()));
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/adr"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
