package io.peregrine.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The documents list the settings as they are. With {@code -Dperegrine.docs.write=true} the list is written instead.
 */
class DistributionDocumentsTest {

    private static Path page() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/adr"))) {
            folder = folder.getParent();
        }
        return folder.resolve("docs/distribution.md");
    }

    @Test
    void settingsAreDocumentedAsRegistered() throws IOException {
        StringBuilder table = new StringBuilder("\n| key | default | meaning |\n|---|---|---|\n");
        for (DistributionSetting setting : DistributionSetting.all()) {
            String value = setting.defaultValue();
            table.append("| `").append(setting.key()).append("` | ");
            table.append(value.isEmpty() ? "" : "`" + value + "` ").append("| ");
            table.append(setting.meaning()).append(" |\n");
        }
        String text = Files.readString(page());
        Matcher section = Pattern.compile("(<!-- generated[^>]*-->\n)(.*)(\n<!-- end -->)", Pattern.DOTALL)
                .matcher(text);
        assertTrue(section.find());
        if (Boolean.getBoolean("peregrine.docs.write")) {
            Files.writeString(
                    page(),
                    section.replaceFirst(found -> Matcher.quoteReplacement(found.group(1) + table + found.group(3))));
        } else {
            assertEquals(table.toString(), section.group(2));
        }
    }
}
