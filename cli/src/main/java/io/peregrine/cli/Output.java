package io.peregrine.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The option {@code --json}, and the writers of a command. */
final class Output {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--json", description = "Print JSON instead of text")
    private boolean json;

    boolean json() {
        return json;
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    PrintWriter err() {
        return spec.commandLine().getErr();
    }

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** The tree of an object in JSON that the library wrote. */
    static ObjectNode parse(String json) {
        try {
            return MAPPER.readValue(json, ObjectNode.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    void print(JsonNode tree) {
        try {
            print(MAPPER.writeValueAsString(tree));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    void print(String line) {
        out().println(line);
        out().flush();
    }
}
