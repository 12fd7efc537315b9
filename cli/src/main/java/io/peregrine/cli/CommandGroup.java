package io.peregrine.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that does nothing without one of its subcommands. */
abstract class CommandGroup implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Name one of " + String.join(", ", spec.subcommands().keySet()));
    }
}
