package io.peregrine.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a completion script. */
@Command(
        name = "completion",
        description = "Prints a completion script for bash and zsh: source <(peregrine completion)",
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Output output;

    @Override
    public void run() {
        String script = AutoComplete.bash("peregrine", spec.root().commandLine());
        if (output.json()) {
            output.print(Output.object().put("script", script));
        } else {
            output.print(script);
        }
    }
}
