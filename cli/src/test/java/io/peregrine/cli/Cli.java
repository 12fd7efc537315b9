package io.peregrine.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** What one run of the command gave. */
record Cli(int exitCode, String out, String err) {

    static Cli run(String... arguments) {
        return run(false, arguments);
    }

    /** As if somebody looked, at a terminal. */
    static Cli runAtTerminal(String... arguments) {
        return run(true, arguments);
    }

    private static Cli run(boolean terminal, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = PeregrineMain.commandLine(terminal, arguments);
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        int exitCode = command.execute(arguments);
        return new Cli(exitCode, out.toString(), err.toString());
    }

    JsonNode json() {
        try {
            return new ObjectMapper().readTree(out);
        } catch (JsonProcessingException e) {
            throw new AssertionError("Not JSON: " + out + err, e);
        }
    }
}
