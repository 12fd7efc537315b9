package io.peregrine.cli;

import io.peregrine.composite.internal.FileFailure;
import io.peregrine.device.OpenParameter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ListResourceBundle;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code peregrine} command: finds cameras, reads and writes their features, receives and checks their frames. */
@Command(
        name = "peregrine",
        description = "Finds GigE Vision cameras, reads and writes their features, receives and checks their frames.",
        mixinStandardHelpOptions = true,
        version = PeregrineMain.VERSION,
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        footerHeading = "%n",
        footer =
                "CAMERA is an IPv4 address (with or without :port), a serial number, a user-defined name, a MAC address"
                        + " or the access token of 'peregrine list --json'. 'peregrine COMMAND --help' has more.")
public final class PeregrineMain implements Runnable, Output.Root {
    static final String VERSION = "peregrine 0.1.0";

    /** By name, in the order in which they are listed. */
    private static final Map<String, Class<?>> COMMANDS = commands();

    @Spec
    private CommandSpec spec;

    private final boolean terminal;

    private static Map<String, Class<?>> commands() {
        Map<String, Class<?>> commands = new LinkedHashMap<>();
        commands.put("list", ListCommand.class);
        commands.put("info", InfoCommand.class);
        commands.put("get", GetCommand.class);
        commands.put("set", SetCommand.class);
        commands.put("settings", SettingsCommand.class);
        commands.put("files", FilesCommand.class);
        commands.put("ip", IpCommand.class);
        commands.put("xml", XmlCommand.class);
        commands.put("browser", BrowserCommand.class);
        commands.put("stream", StreamCommand.class);
        commands.put("events", EventsCommand.class);
        commands.put("action", ActionCommand.class);
        commands.put("ptp", PtpCommand.class);
        commands.put("record", RecordCommand.class);
        commands.put("replay", ReplayCommand.class);
        commands.put("publish", PublishCommand.class);
        commands.put("subscribe", SubscribeCommand.class);
        commands.put("archive", ArchiveCommand.class);
        commands.put("pvaccess", PvaccessCommand.class);
        commands.put("gendc", GenDcCommand.class);
        commands.put("doctor", DoctorCommand.class);
        commands.put("rdma-test", RdmaTestCommand.class);
        commands.put("report", ReportCommand.class);
        commands.put("gvrsp-record", GvrspRecordCommand.class);
        commands.put("camera", CameraCommand.class);
        commands.put("completion", CompletionCommand.class);
        return Collections.unmodifiableMap(commands);
    }

    /**
     * Creates the command; {@link #commandLine} does so.
     *
     * @param terminal whether somebody looks, so that progress is shown
     */
    PeregrineMain(boolean terminal) {
        this.terminal = terminal;
    }

    /**
     * Runs the command and ends the process with its exit code.
     *
     * @param arguments see {@code peregrine --help}
     */
    public static void main(String[] arguments) {
        PrintWriter err = new PrintWriter(System.err, true, OutputCharset.get());
        if (asksForVersion(arguments)) {
            // Without what only commands need: it would take longer than the answer.
            System.exit(print(VERSION, new StandardOutput(new FileOutputStream(FileDescriptor.out)), err));
        }
        Optional<String> xml = XmlCommand.textOfFile(arguments);
        if (xml.isPresent()) {
            System.exit(print(xml.get(), new StandardOutput(new FileOutputStream(FileDescriptor.out)), err));
        }
        LogLines.install(err);
        UntilEnded.holdProcess();
        int exitCode;
        try {
            exitCode = run(new FileOutputStream(FileDescriptor.out), err, Progress.terminal(), arguments);
        } finally {
            UntilEnded.releaseProcess();
        }
        System.exit(exitCode);
    }

    /** Runs the command, and sees to it that what it prints arrives. */
    static int run(OutputStream stdout, PrintWriter err, boolean terminal, String... arguments) {
        StandardOutput out = new StandardOutput(stdout);
        CommandLine command = commandLine(terminal, arguments);
        command.setOut(new PrintWriter(new OutputStreamWriter(out, OutputCharset.get())));
        command.setErr(err);
        int exitCode = command.execute(arguments);
        command.getOut().flush();
        return ended(exitCode, out, err);
    }

    private static boolean asksForVersion(String... arguments) {
        return arguments.length == 1 && (arguments[0].equals("--version") || arguments[0].equals("-V"));
    }

    private static int print(String text, StandardOutput stdout, PrintWriter err) {
        PrintWriter out = new PrintWriter(new OutputStreamWriter(stdout, OutputCharset.get()));
        out.println(text);
        out.flush();
        return ended(ExitCodes.OK, stdout, err);
    }

    private static int ended(int exitCode, StandardOutput out, PrintWriter err) {
        err.flush();
        if (out.failure().isEmpty()) {
            return exitCode;
        }
        if (out.readerGone()) {
            return ExitCodes.READER_GONE;
        }
        Output.say(
                err,
                "the output cannot be written: "
                        + FileFailure.reason(out.failure().get()));
        return exitCode == ExitCodes.OK ? ExitCodes.FAILED : exitCode;
    }

    /**
     * The command with its error handling, for running it in this process.
     *
     * @param arguments those that it will run with: where they begin with the name of a command, only this one is set
     *     up, since setting up all of them takes longer than most of them run
     */
    static CommandLine commandLine(boolean terminal, String... arguments) {
        CommandLine commandLine = new CommandLine(new PeregrineMain(terminal));
        String first = arguments.length == 0 ? "" : arguments[0];
        boolean one = COMMANDS.containsKey(first) && COMMANDS.get(first) != CompletionCommand.class;
        COMMANDS.forEach((name, type) -> {
            if (!one || name.equals(first)) {
                commandLine.addSubcommand(name, type);
            }
        });
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        Converters.register(commandLine);
        commandLine.getCommandSpec().usageMessage().exitCodeList(ExitCodes.MEANINGS);
        commandLine.setResourceBundle(new Texts());
        IParameterExceptionHandler usage = commandLine.getParameterExceptionHandler();
        commandLine.setParameterExceptionHandler((wrong, given) -> {
            boolean json = List.of(given).contains("--json")
                    || Output.of(wrong.getCommandLine()).filter(Output::json).isPresent();
            if (json) {
                PrintWriter out = wrong.getCommandLine().getOut();
                out.println(TerminalText.json(
                        Output.object().put("error", wrong.getMessage()).toPrettyString()));
                out.flush();
            }
            return usage.handleParseException(wrong, given);
        });
        commandLine.setExecutionExceptionHandler((failure, command, parsed) -> {
            if (failure instanceof ParameterException wrong) {
                return command.getParameterExceptionHandler().handleParseException(wrong, new String[0]);
            }
            if (Boolean.getBoolean("peregrine.debug")) {
                Output.trace(command.getErr(), failure);
            }
            if (!(failure instanceof OutputException)) {
                fail(command, Messages.of(failure));
            }
            return ExitCodes.of(failure);
        });
        return commandLine;
    }

    /** Runs another command in place of the one that was given. */
    int runInstead(String... arguments) {
        CommandLine command = commandLine(terminal, arguments);
        command.setOut(spec.commandLine().getOut());
        command.setErr(spec.commandLine().getErr());
        return command.execute(arguments);
    }

    /** What the help takes from the registry of parameters. */
    private static final class Texts extends ListResourceBundle {
        @Override
        protected Object[][] getContents() {
            String names = OpenParameter.all().stream().map(OpenParameter::name).collect(Collectors.joining(", "));
            return new Object[][] {{Reception.PARAMETERS, names}};
        }
    }

    private static void fail(CommandLine command, String message) {
        try {
            Output.of(command)
                    .ifPresentOrElse(output -> output.fail(message), () -> Output.say(command.getErr(), message));
        } catch (OutputException e) {
            // The message stands on the error output; that the results do not arrive is said when the command ends.
            command.getErr().flush();
        }
    }

    @Override
    public boolean terminal() {
        return terminal;
    }

    /** Called when no command is named. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Name a command");
    }
}
