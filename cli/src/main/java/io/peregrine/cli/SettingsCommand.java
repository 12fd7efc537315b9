package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.device.Device;
import io.peregrine.genapi.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Saves and loads the settings of a camera. */
@Command(
        name = "settings",
        description = "Saves the settings of a camera to a file, or loads them. The file is the text that GenICam tools"
                + " exchange, or JSON when its name ends with .json.",
        subcommands = {SettingsCommand.Save.class, SettingsCommand.Load.class},
        mixinStandardHelpOptions = true)
final class SettingsCommand extends CommandGroup {

    @Command(
            name = "save",
            description =
                    "Saves all settings of a camera, also while another application controls it or streams. Exit code"
                            + " 1 when one could not be read.",
            mixinStandardHelpOptions = true)
    static final class Save extends Step {
        @Override
        public Integer call() {
            try (Device device = openForReading()) {
                Settings saved = device.settings().save(file);
                return tell("saved", saved.settings().size(), saved.settings().size(), saved.failures());
            }
        }

        /** Some selectors can be moved with control alone; where another application has it, the rest is saved. */
        private Device openForReading() {
            try {
                return camera.open();
            } catch (RuntimeException e) {
                if (ExitCodes.of(e) == ExitCodes.CONNECTION) {
                    return camera.openReadOnly();
                }
                throw e;
            }
        }
    }

    @Command(
            name = "load",
            description = "Sets a camera up as a file says, and reads everything back. Exit code 1 when something could"
                    + " not be set; the rest is.",
            mixinStandardHelpOptions = true)
    static final class Load extends Step {
        @Override
        public Integer call() {
            try (Device device = camera.open()) {
                Settings settings = device.settings().readFile(file);
                List<Settings.Failure> failures = device.settings().apply(settings);
                return tell(
                        "loaded", set(settings, failures), settings.settings().size(), failures);
            }
        }

        /** How many were set: each that was not has its own failure. */
        private static int set(Settings settings, List<Settings.Failure> failures) {
            List<String> notSet =
                    failures.stream().map(Settings.Failure::feature).collect(Collectors.toCollection(ArrayList::new));
            return (int) settings.settings().stream()
                    .filter(setting -> !notSet.remove(setting.feature()))
                    .count();
        }
    }

    /** What both have. */
    abstract static class Step implements Callable<Integer> {
        @Mixin
        NamedCamera camera;

        @Mixin
        private Output output;

        @Parameters(index = "1", paramLabel = "FILE", description = "File with the settings")
        Path file;

        int tell(String done, int count, int all, List<Settings.Failure> failures) {
            if (output.json()) {
                ObjectNode object = Output.object()
                        .put("file", file.toString())
                        .put(done, count)
                        .put("values", all);
                ArrayNode array = object.putArray("failures");
                for (Settings.Failure failure : failures) {
                    array.addObject().put("feature", failure.feature()).put("reason", failure.reason());
                }
                output.print(object);
            } else {
                output.print(done + " " + count + (count == all ? "" : " of " + all) + " values, " + failures.size()
                        + " failures");
                failures.forEach(failure -> output.print("  " + failure));
            }
            return failures.isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
        }
    }
}
