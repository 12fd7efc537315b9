package io.peregrine.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
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
        exitCodeList = {
            "0:everything worked",
            "1:the work failed: bad bytes, incomplete or lost frames, a feature error, an unreadable file",
            "2:the command line is wrong",
            "3:no such camera answered",
            "4:the camera refused access, or the connection failed"
        },
        footerHeading = "%n",
        footer = "CAMERA is an IPv4 address (with or without :port), a serial number, a user name, a hardware address"
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

    /** Creates the command; {@link #commandLine} does so. */
    public PeregrineMain() {}

    /**
     * Runs the command and ends the process with its exit code.
     *
     * @param arguments see {@code peregrine --help}
     */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** The command with its error handling, for running it in this process. */
    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new PeregrineMain());
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setExecutionExceptionHandler((failure, command, parsed) -> {
            if (failure instanceof ParameterException usage) {
                return command.getParameterExceptionHandler().handleParseException(usage, new String[0]);
            }
            String message = failure.getMessage();
            command.getErr().println("peregrine: " + (message == null ? failure.toString() : message));
            if (Boolean.getBoolean("peregrine.debug")) {
                failure.printStackTrace(command.getErr());
            }
            command.getErr().flush();
            return ExitCodes.of(failure);
        });
        return commandLine;
    }

    /** Called when no command is named. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Name a command");
    }
}
