package io.peregrine.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.peregrine.distribution.AeronStreams;
import io.peregrine.distribution.DistributionException;
import io.peregrine.distribution.DistributionSettings;
import io.peregrine.distribution.archive.ArchiveCatalog;
import io.peregrine.distribution.archive.ArchiveCheck;
import io.peregrine.distribution.archive.ArchiveRecorder;
import io.peregrine.distribution.archive.ArchivedRecording;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Records published streams, and shows and replays what was recorded. */
@Command(
        name = "archive",
        description = "Records streams that other programs publish, and lists, checks and exports what was recorded."
                + " An archived stream is a camera for all other commands: aeron:NAME@archive.",
        subcommands = {
            ArchiveCommand.Recording.class,
            ArchiveCommand.Listing.class,
            ArchiveCommand.Check.class,
            ArchiveCommand.Export.class
        },
        mixinStandardHelpOptions = true)
final class ArchiveCommand extends CommandGroup {
    private static final String ADDRESS = "distribution.archive";
    private static final String DIRECTORY = "distribution.archive.directory";

    /** Where the archive is. */
    static final class Place {
        @Option(
                names = "--at",
                paramLabel = "ADDRESS",
                description = "Address and port of the archive; " + ADDRESS + " of distribution.properties by default")
        private Optional<String> address = Optional.empty();

        void use() {
            address.ifPresent(text -> System.setProperty(ADDRESS, text));
        }
    }

    private static CliException failed(DistributionException e) {
        return new CliException(ExitCodes.FAILED, e.getMessage(), e);
    }

    @Command(
            name = "record",
            description = "Records published streams until ended. Exit code 1 when frames are missing from the archive"
                    + " because recording was interrupted, or when it paused for lack of room.",
            mixinStandardHelpOptions = true)
    static final class Recording implements Callable<Integer> {
        private static final String RESTARTS = "--restarts";
        private static final Duration LOOK = Duration.ofMillis(500);

        @Spec
        private CommandSpec spec;

        @Mixin
        private Place place;

        @Mixin
        private Output output;

        @Parameters(paramLabel = "NAME", arity = "0..*", description = "Streams to record; all by default")
        private List<String> names = new ArrayList<>();

        @Option(
                names = "--from",
                paramLabel = "ROUTE",
                description = "Route that the publishers were given, or several with commas; those of"
                        + " distribution.properties by default")
        private Optional<String> routes = Optional.empty();

        @Option(
                names = "--directory",
                paramLabel = "DIR",
                description =
                        "Where the archive keeps its files; " + DIRECTORY + " of distribution.properties by default")
        private Optional<String> directory = Optional.empty();

        @Option(
                names = "--keep",
                paramLabel = "SIZE",
                description = "Delete the oldest frames when there are more bytes than that, for example 500g")
        private Optional<String> keep = Optional.empty();

        @Option(
                names = "--keep-for",
                paramLabel = "TIME",
                description = "Delete frames that are older than that, for example 12h or 7d")
        private Optional<String> keepFor = Optional.empty();

        @Option(
                names = "--supervised",
                description = "Record in a separate process, and start it again when it crashes or is killed. What it"
                        + " had not written is counted as missing")
        private boolean supervised;

        @Option(names = RESTARTS, hidden = true, description = "How often this was started again, by --supervised")
        private Optional<Integer> restarts = Optional.empty();

        @Override
        public Integer call() {
            if (supervised && restarts.isEmpty()) {
                List<String> arguments =
                        spec.root().commandLine().getParseResult().originalArgs();
                try (UntilEnded untilEnded = new UntilEnded()) {
                    return new Supervisor(arguments, RESTARTS, text -> output.say("the archive " + text))
                            .run(untilEnded);
                }
            }
            place.use();
            routes.ifPresent(text -> System.setProperty(DistributionSettings.ROUTES, text));
            directory.ifPresent(text -> System.setProperty(DIRECTORY, text));
            keep.ifPresent(text -> System.setProperty("distribution.archive.keep", text));
            keepFor.ifPresent(text -> System.setProperty("distribution.archive.keepFor", text));
            try (UntilEnded untilEnded = new UntilEnded()) {
                Optional<ProcessHandle> parent = ProcessHandle.current().parent();
                ArchiveRecorder recorder = AeronStreams.record(DistributionSettings.load(), names);
                try (recorder) {
                    output.say("recording");
                    int said = 0;
                    while (!untilEnded.await(LOOK) && !abandoned(parent)) {
                        List<String> all = recorder.diagnosis();
                        all.subList(said, all.size()).forEach(output::say);
                        said = all.size();
                    }
                }
                return report(recorder);
            } catch (DistributionException e) {
                throw failed(e);
            }
        }

        /** Without its supervisor, it would never be ended. */
        private boolean abandoned(Optional<ProcessHandle> parent) {
            return restarts.isPresent() && parent.filter(ProcessHandle::isAlive).isEmpty();
        }

        private int report(ArchiveRecorder recorder) {
            ArchiveRecorder.Statistics counted = recorder.statistics();
            if (output.json()) {
                ObjectNode object = Output.object();
                object.put("bytesRecorded", counted.bytesRecorded());
                object.put("framesMissing", counted.framesMissing());
                object.put("interruptions", counted.interruptions());
                object.put("pauses", counted.pauses());
                object.put("segmentsDeleted", counted.segmentsDeleted());
                restarts.ifPresent(count -> object.put("restarts", count));
                recorder.diagnosis().forEach(object.putArray("diagnosis")::add);
                output.print(object);
            } else {
                output.row("bytes recorded", Long.toString(counted.bytesRecorded()));
                output.row("frames missing", Long.toString(counted.framesMissing()));
                output.row("interruptions", Long.toString(counted.interruptions()));
                output.row("pauses", Long.toString(counted.pauses()));
                output.row("files deleted", Long.toString(counted.segmentsDeleted()));
                restarts.ifPresent(count -> output.row("restarts", Integer.toString(count)));
                recorder.diagnosis().forEach(sentence -> output.row("diagnosis", sentence));
            }
            return counted.framesMissing() == 0 && counted.pauses() == 0 ? ExitCodes.OK : ExitCodes.FAILED;
        }
    }

    @Command(
            name = "list",
            description = "Lists what the archive holds: a line for each recording without a break, with the numbers of"
                    + " its frames, and those that are missing before it.",
            mixinStandardHelpOptions = true)
    static final class Listing implements Callable<Integer> {
        @Mixin
        private Place place;

        @Mixin
        private Output output;

        @Override
        public Integer call() {
            place.use();
            try (ArchiveCatalog catalog = AeronStreams.archive(DistributionSettings.load())) {
                ArrayNode list = Output.array();
                for (ArchivedRecording one : catalog.recordings()) {
                    if (output.json()) {
                        ObjectNode object = list.addObject();
                        object.put("id", one.id());
                        object.put("name", one.name());
                        object.put("accessToken", one.accessToken());
                        object.put("route", one.route());
                        object.put("recording", one.active());
                        object.put("bytes", one.bytes());
                        one.firstFrame().ifPresent(frame -> object.put("firstFrame", frame));
                        one.lastFrame().ifPresent(frame -> object.put("lastFrame", frame));
                        one.firstTime().ifPresent(time -> object.put("firstTime", time.toString()));
                        one.lastTime().ifPresent(time -> object.put("lastTime", time.toString()));
                        object.put("framesMissingBefore", one.missingBefore());
                    } else {
                        output.print(line(one));
                    }
                }
                if (output.json()) {
                    output.print(list);
                }
                return ExitCodes.OK;
            } catch (DistributionException e) {
                throw failed(e);
            }
        }

        private static String line(ArchivedRecording one) {
            return one.id() + "  " + one.name() + "  frames "
                    + one.firstFrame().map(Object::toString).orElse("-") + " to "
                    + one.lastFrame().map(Object::toString).orElse("-") + "  "
                    + one.firstTime().map(Object::toString).orElse("-") + " to "
                    + one.lastTime().map(Object::toString).orElse("-") + "  " + one.bytes() + " bytes"
                    + (one.active() ? "  recording" : "")
                    + (one.missingBefore() > 0 ? "  " + one.missingBefore() + " frames missing before" : "");
        }
    }

    @Command(
            name = "check",
            description = "Reads recordings from begin to end, with their checksums. Exit code 1 when one is damaged.",
            mixinStandardHelpOptions = true)
    static final class Check implements Callable<Integer> {
        @Mixin
        private Place place;

        @Mixin
        private Output output;

        @Parameters(paramLabel = "ID", arity = "0..*", description = "Numbers of recordings; all by default")
        private List<Long> ids = new ArrayList<>();

        @Override
        public Integer call() {
            place.use();
            boolean good = true;
            try (ArchiveCatalog catalog = AeronStreams.archive(DistributionSettings.load())) {
                List<Long> wanted = ids.isEmpty() ? catalog.ids() : ids;
                for (long id : wanted) {
                    ArchiveCheck found = catalog.check(id);
                    good &= found.intact();
                    if (output.json()) {
                        ObjectNode object = Output.object();
                        object.put("id", found.id());
                        object.put("name", found.name());
                        object.put("framesComplete", found.framesComplete());
                        object.put("framesIncomplete", found.framesIncomplete());
                        object.put("framesNotReceived", found.framesNotReceived());
                        object.put("fragmentsMalformed", found.malformed());
                        found.problem().ifPresent(problem -> object.put("problem", problem));
                        output.printLine(object);
                    } else {
                        output.print(found.id() + "  " + found.name() + "  " + found.framesComplete() + " frames, "
                                + found.framesIncomplete() + " incomplete, " + found.framesNotReceived()
                                + " not received, "
                                + found.malformed() + " fragments malformed"
                                + found.problem()
                                        .map(problem -> "  DAMAGED: " + problem)
                                        .orElse(""));
                    }
                }
            } catch (DistributionException e) {
                throw failed(e);
            }
            return good ? ExitCodes.OK : ExitCodes.FAILED;
        }
    }

    @Command(
            name = "export",
            description = "Makes a .gendc file of an archived stream: 'peregrine record aeron:NAME@archive' up to now."
                    + " Takes the options of 'peregrine record' after --.",
            mixinStandardHelpOptions = true)
    static final class Export implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private Place place;

        @Mixin
        private Output output;

        @Parameters(index = "0", paramLabel = "NAME", description = "Name of the stream")
        private String name;

        @Parameters(index = "1", paramLabel = "FILE", description = "File to be made")
        private String file;

        @Parameters(index = "2..*", paramLabel = "OPTION", description = "Options of 'peregrine record', after --")
        private List<String> options = new ArrayList<>();

        @Option(
                names = "--begin",
                paramLabel = "TIME",
                description = "Time of the first frame, such as 2026-11-24T10:15:00Z or -10m; the oldest by default")
        private Optional<String> begin = Optional.empty();

        @Option(names = "--frame", paramLabel = "NUMBER", description = "Number of the first frame at its publisher")
        private Optional<Long> frame = Optional.empty();

        @Option(
                names = "--end",
                paramLabel = "TIME",
                defaultValue = "now",
                description = "Time of the last frame; now by default")
        private String end;

        @Override
        public Integer call() {
            place.use();
            List<String> where = new ArrayList<>();
            begin.ifPresent(time -> where.add("from=" + time));
            frame.ifPresent(number -> where.add("frame=" + number));
            where.add("to=" + end);
            List<String> arguments =
                    new ArrayList<>(List.of("record", "aeron:" + name + "@archive:" + String.join(",", where), file));
            arguments.add("--wait-for-disk");
            if (output.json()) {
                arguments.add("--json");
            }
            arguments.addAll(options);
            return ((PeregrineMain) spec.root().userObject()).runInstead(arguments.toArray(String[]::new));
        }
    }
}
