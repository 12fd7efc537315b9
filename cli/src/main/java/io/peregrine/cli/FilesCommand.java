package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.composite.internal.FileFailure;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFiles;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Works with the files in a camera. */
@Command(
        name = "files",
        description = "Lists, reads, writes and deletes the files in a camera, firmware among them.",
        subcommands = {
            FilesCommand.Show.class,
            FilesCommand.Get.class,
            FilesCommand.Put.class,
            FilesCommand.Delete.class,
            FilesCommand.Firmware.class
        },
        mixinStandardHelpOptions = true)
final class FilesCommand extends CommandGroup {

    @Command(name = "list", description = "Lists the files in a camera.", mixinStandardHelpOptions = true)
    static final class Show extends Step {
        @Override
        int work(Device device) {
            ArrayNode array = output.begin(Output.array());
            DeviceFiles files = device.files();
            for (String name : files.names()) {
                ObjectNode object = array.addObject().put("name", name);
                files.sizeBytes(name).ifPresent(bytes -> object.put("bytes", bytes));
                if (!output.json()) {
                    String size = object.has("bytes") ? object.get("bytes").asText() : "?";
                    output.print(String.format(Locale.ROOT, "%12s  %s", size, name));
                }
            }
            if (output.json()) {
                output.print(array);
            }
            return ExitCodes.OK;
        }
    }

    @Command(name = "get", description = "Copies a file of a camera to this host.", mixinStandardHelpOptions = true)
    static final class Get extends Step {
        @Parameters(index = "1", paramLabel = "NAME", description = "File in the camera")
        private String name;

        @Parameters(index = "2", paramLabel = "FILE", description = "File on this host")
        private Path file;

        @Override
        int work(Device device) {
            tell("read", name, transfer("read", name, progress -> device.files().download(name, file, progress)));
            return ExitCodes.OK;
        }
    }

    @Command(name = "put", description = "Copies a file of this host to a camera.", mixinStandardHelpOptions = true)
    static final class Put extends Step {
        @Parameters(index = "1", paramLabel = "FILE", description = "File on this host")
        private Path file;

        @Parameters(index = "2", paramLabel = "NAME", description = "File in the camera")
        private String name;

        @Option(names = "--verify", description = "Read the file back and compare. Exit code 1 when it differs")
        private boolean verify;

        @Override
        int work(Device device) {
            long bytes = transfer("write", name, progress -> device.files().upload(file, name, progress));
            if (verify && !same(device.files(), name, file)) {
                throw new CliException(ExitCodes.FAILED, name + " is not what was written to it");
            }
            tell(verify ? "wrote and compared" : "wrote", name, bytes);
            return ExitCodes.OK;
        }

        private static boolean same(DeviceFiles files, String name, Path file) {
            try (InputStream ours = new BufferedInputStream(Files.newInputStream(file));
                    InputStream theirs = new BufferedInputStream(files.read(name))) {
                int byteValue;
                do {
                    byteValue = ours.read();
                    if (byteValue != theirs.read()) {
                        return false;
                    }
                } while (byteValue >= 0);
                return true;
            } catch (IOException e) {
                throw new CliException(ExitCodes.FAILED, "Cannot compare: " + FileFailure.reason(e), e);
            }
        }
    }

    @Command(name = "delete", description = "Deletes a file in a camera.", mixinStandardHelpOptions = true)
    static final class Delete extends Step {
        @Parameters(index = "1", paramLabel = "NAME", description = "File in the camera")
        private String name;

        @Override
        int work(Device device) {
            device.files().delete(name);
            tell("deleted", name, 0);
            return ExitCodes.OK;
        }
    }

    @Command(
            name = "firmware",
            description =
                    "Writes firmware to a camera after looking at everything that this needs. Exit code 1 when a look"
                            + " finds something wrong; nothing is written then.",
            mixinStandardHelpOptions = true)
    static final class Firmware extends Step {
        @Parameters(index = "1", paramLabel = "FILE", description = "File on this host")
        private Path file;

        @Option(names = "--file", paramLabel = "NAME", description = "File in the camera, when it is not Firmware")
        private Optional<String> name = Optional.empty();

        @Option(names = "--dry-run", description = "Look, and write nothing")
        private boolean dryRun;

        @Override
        int work(Device device) {
            String target = name.orElseGet(() -> firmwareFile(device.files().names()));
            List<DeviceFiles.UploadCheck> checks = device.files().checkUpload(file, target);
            boolean good = checks.stream().allMatch(DeviceFiles.UploadCheck::passed);
            boolean written = good && !dryRun;
            if (written) {
                transfer("write", target, progress -> device.files().upload(file, target, progress));
            }
            if (output.json()) {
                ObjectNode object =
                        Output.object().put("file", target).put("passed", good).put("written", written);
                ArrayNode array = object.putArray("checks");
                checks.forEach(check -> array.addObject()
                        .put("check", check.what())
                        .put("passed", check.passed())
                        .put("evidence", check.evidence()));
                output.print(object);
            } else {
                checks.forEach(check -> output.print(String.format(
                        Locale.ROOT,
                        "%-4s  %-18s %s",
                        check.passed() ? "PASS" : "FAIL",
                        check.what(),
                        check.evidence())));
                output.print(
                        written
                                ? "written; most cameras run it after the next start: ./peregrine set " + camera.name()
                                        + " DeviceReset=1"
                                : "nothing was written");
            }
            return good ? ExitCodes.OK : ExitCodes.FAILED;
        }

        private static String firmwareFile(List<String> names) {
            return names.stream()
                    .filter(one -> one.toLowerCase(Locale.ROOT).contains("firmware"))
                    .findFirst()
                    .orElse("Firmware");
        }
    }

    /** What all have. */
    abstract static class Step implements Callable<Integer> {
        @Mixin
        NamedCamera camera;

        @Mixin
        Output output;

        abstract int work(Device device);

        @Override
        public Integer call() {
            try (Device device = camera.open()) {
                return work(device);
            }
        }

        private interface Transfer {
            long run(DeviceFiles.Progress progress);
        }

        /** Shows the progress, and ends it when the process is asked to terminate. */
        long transfer(String task, String name, Transfer transfer) {
            try (UntilEnded untilEnded = new UntilEnded();
                    Progress progress = output.progress(task + " " + name, Progress.Unit.KIBIBYTES, -1)) {
                return transfer.run((doneBytes, totalBytes) -> {
                    if (untilEnded.ended()) {
                        throw new CliException(
                                ExitCodes.FAILED,
                                "could not " + task + " " + name + ": ended after " + doneBytes + " of " + totalBytes
                                        + " bytes");
                    }
                    progress.at(doneBytes, totalBytes);
                });
            }
        }

        void tell(String done, String name, long bytes) {
            if (output.json()) {
                output.print(Output.object().put("file", name).put("done", done).put("bytes", bytes));
            } else {
                output.print(done + " " + name + (bytes == 0 ? "" : ", " + bytes + " bytes"));
            }
        }
    }
}
