package io.peregrine.cli;

import io.peregrine.composite.FileFailure;
import io.peregrine.device.OpenParameter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.ListResourceBundle;
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
        version = "peregrine 0.1.0",
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        footerHeading = "%n",
        footer =
                "CAMERA is an IPv4 address (with or without :port), a serial number, a user-defined name, a MAC address"
                        + " or the access token of 'peregrine list --json'. 'peregrine COMMAND --help' tells more.",
        subcommands = {
            ListCommand.class,
            InfoCommand.class,
            GetCommand.class,
            SetCommand.class,
            SettingsCommand.class,
            FilesCommand.class,
            IpCommand.class,
            XmlCommand.class,
            StreamCommand.class,
            EventsCommand.class,
            ActionCommand.class,
            PtpCommand.class,
            RecordCommand.class,
            ReplayCommand.class,
            GenDcCommand.class,
            DoctorCommand.class,
            ReportCommand.class,
            CameraCommand.class,
            CompletionCommand.class
        })
public final class PeregrineMain implements Runnable {
    @Spec
    private CommandSpec spec;

    private final boolean terminal;

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
        PrintWriter err = new PrintWriter(System.err, true, charset());
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
        CommandLine command = commandLine(terminal);
        command.setOut(new PrintWriter(new OutputStreamWriter(out, charset())));
        command.setErr(err);
        int exitCode = command.execute(arguments);
        command.getOut().flush();
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

    /** That of the terminal, which is not always that of files. */
    private static Charset charset() {
        for (String property : List.of("stdout.encoding", "sun.stdout.encoding", "native.encoding")) {
            String name = System.getProperty(property, "");
            if (!name.isEmpty() && Charset.isSupported(name)) {
                return Charset.forName(name);
            }
        }
        return Charset.defaultCharset();
    }

    /** The command with its error handling, for running it in this process. */
    static CommandLine commandLine(boolean terminal) {
        CommandLine commandLine = new CommandLine(new PeregrineMain(terminal));
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        Converters.register(commandLine);
        commandLine.getCommandSpec().usageMessage().exitCodeList(ExitCodes.MEANINGS);
        commandLine.setResourceBundle(new Texts());
        IParameterExceptionHandler usage = commandLine.getParameterExceptionHandler();
        commandLine.setParameterExceptionHandler((wrong, arguments) -> {
            boolean json = List.of(arguments).contains("--json")
                    || Output.of(wrong.getCommandLine()).filter(Output::json).isPresent();
            if (json) {
                PrintWriter out = wrong.getCommandLine().getOut();
                out.println(TerminalText.json(
                        Output.object().put("error", wrong.getMessage()).toPrettyString()));
                out.flush();
            }
            return usage.handleParseException(wrong, arguments);
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

    /** Whether progress is shown. */
    boolean terminal() {
        return terminal;
    }

    /** Called when no command is named. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Name a command");
    }
}
