package io.peregrine.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The option {@code --json}, and what a command prints: results, messages and progress. */
final class Output {
    /** Set up only by commands that read or print JSON, since that takes longer than some commands run. */
    private static final class Mappers {
        static final ObjectMapper IN_A_LINE = new ObjectMapper();
        static final ObjectMapper INDENTED = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    }

    /** The command that all others belong to. */
    interface Root {
        /** Whether progress is shown. */
        boolean terminal();
    }

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--json", description = "Print JSON instead of text")
    private boolean json;

    private Optional<JsonNode> begun = Optional.empty();
    private boolean lines;
    private Progress progress = Progress.NONE;

    /** The output of a command that has the option. */
    static Optional<Output> of(CommandLine command) {
        return command.getCommandSpec().mixins().values().stream()
                .map(CommandSpec::userObject)
                .filter(Output.class::isInstance)
                .map(Output.class::cast)
                .findFirst();
    }

    boolean json() {
        return json;
    }

    /** Name and version of the program. */
    String version() {
        return String.join(" ", spec.root().version());
    }

    /** Only this class writes to it: what is printed has passed {@link TerminalText}. */
    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    /** A number of 64 bits without a sign. */
    static JsonNode unsigned(long value) {
        return value >= 0
                ? LongNode.valueOf(value)
                : BigIntegerNode.valueOf(new BigInteger(Long.toUnsignedString(value)));
    }

    /** The tree of an object in JSON that the library wrote. */
    static ObjectNode parse(String json) {
        return parse(json, ObjectNode.class);
    }

    /** The tree of an array in JSON that the library wrote. */
    static ArrayNode parseArray(String json) {
        return parse(json, ArrayNode.class);
    }

    private static <T extends JsonNode> T parse(String json, Class<T> type) {
        try {
            return Mappers.IN_A_LINE.readValue(json, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Keeps a result that is being filled: if the command fails, what is in it until then is printed with the error.
     */
    <T extends JsonNode> T begin(T result) {
        begun = Optional.of(result);
        return result;
    }

    void print(JsonNode tree) {
        write(text(Mappers.INDENTED, tree));
    }

    /** Prints one of several results, each in a line. */
    void printLine(JsonNode tree) {
        lines = true;
        write(text(Mappers.IN_A_LINE, tree));
    }

    private static String text(ObjectMapper mapper, JsonNode tree) {
        try {
            String text = mapper.writeValueAsString(tree);
            // What the encoding of the output lacks would come out as question marks.
            return TerminalText.json(
                    OutputCharset.encodes(text)
                            ? text
                            : mapper.writer()
                                    .with(JsonWriteFeature.ESCAPE_NON_ASCII)
                                    .writeValueAsString(tree));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Prints a line.
     *
     * @throws OutputException if it could not be written
     */
    void print(String line) {
        write(TerminalText.line(line));
    }

    /**
     * Prints lines, the last with its end or without.
     *
     * @throws OutputException if they could not be written
     */
    void printLines(String text) {
        write(withoutLastEnd(text));
    }

    /** Lines as a terminal may see them, without the end of the last one. */
    static String withoutLastEnd(String text) {
        return TerminalText.lines(text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
    }

    private void write(String line) {
        progress.clear();
        out().println(line);
        if (out().checkError()) {
            throw new OutputException();
        }
    }

    /** Prints a line of a table. */
    void row(String name, String value) {
        print(String.format(Locale.ROOT, "%-28s %s", name, value));
    }

    /** Says something to the user, on the error output. */
    void say(String message) {
        progress.clear();
        say(spec.commandLine().getErr(), message);
    }

    static void say(PrintWriter err, String message) {
        err.println("peregrine: " + TerminalText.line(message));
        err.flush();
    }

    /** Prints where a failure came from, for those who look for it. */
    static void trace(PrintWriter err, Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        err.print(TerminalText.lines(trace.toString()));
        err.flush();
    }

    /** Says why the command failed, and with {@code --json} prints it as well, with what was read until then. */
    void fail(String message) {
        say(message);
        if (!json) {
            return;
        }
        ObjectNode result = object();
        begun.ifPresent(tree -> {
            if (tree instanceof ObjectNode object) {
                result.setAll(object);
            } else {
                result.set("results", tree);
            }
        });
        result.put("error", message);
        if (lines) {
            printLine(result);
        } else {
            print(result);
        }
    }

    /**
     * Shows how far the command is, on a terminal, until it is closed.
     *
     * @param task what is done
     * @param unit what is counted
     * @param total how many there are; -1 if that is not known
     */
    Progress progress(String task, Progress.Unit unit, long total) {
        boolean terminal = spec.root().userObject() instanceof Root root && root.terminal();
        if (terminal) {
            progress = Progress.show(spec.commandLine().getErr(), TerminalText.line(task), unit, total);
        }
        return progress;
    }
}
