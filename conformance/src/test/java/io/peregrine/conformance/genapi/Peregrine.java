package io.peregrine.conformance.genapi;

import io.peregrine.genapi.BooleanNode;
import io.peregrine.genapi.CategoryNode;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.Description;
import io.peregrine.genapi.EnumerationNode;
import io.peregrine.genapi.FloatNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.RegisterNode;
import io.peregrine.genapi.StringNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Peregrine, driven by the commands of {@code reference-server.cpp}. */
final class Peregrine {
    private final Registers registers = new Registers("zero");
    private Description description;
    private NodeMap nodes;
    private Set<Node> features = Set.of();

    NodeMap nodes() {
        return nodes;
    }

    Answer obey(String command) {
        String[] words = command.split(" ", -1);
        try {
            return obey(words[0], words.length > 1 ? words[1] : "", words.length > 2 ? words[2] : "");
        } catch (GenApiException e) {
            return Answer.refused(e);
        }
    }

    private Answer obey(String command, String first, String second) {
        switch (command) {
            case "load" -> {
                try {
                    description = Description.parse(Files.readAllBytes(Path.of(first)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return Answer.of("loaded");
            }
            case "port" -> {
                registers.become(first);
                nodes = description.nodeMap(registers);
                features = new HashSet<>();
                nodes.find("Root", CategoryNode.class).ifPresent(this::addFeatures);
                return Answer.of("connected");
            }
            case "become" -> {
                registers.become(first);
                return Answer.of("became");
            }
            case "poke" -> {
                registers.poke(Long.parseUnsignedLong(first, 16), HexFormat.of().parseHex(second));
                return Answer.of("poked");
            }
            case "poll" -> {
                nodes.poll(Duration.ofMillis(Long.parseLong(first)));
                return Answer.of("polled");
            }
            case "undo" -> {
                registers.undo();
                nodes.invalidateAll();
                return Answer.of("undone");
            }
            case "set" -> {
                registers.takeLog();
                set(nodes.node(first), second);
                return Answer.of("wrote" + registers.takeLog());
            }
            case "show" -> {
                return rows(node -> node.name().equals(first), node -> NodeProperties.of(node, features));
            }
            case "dump" -> {
                return rows(node -> true, node -> NodeProperties.of(node, features));
            }
            case "properties" -> {
                return rows(node -> true, NodeProperties::ofDescription);
            }
            default -> throw new IllegalArgumentException("no command " + command);
        }
    }

    /** All that can be reached from a category, categories among them. */
    private void addFeatures(Node node) {
        if (features.add(node) && node instanceof CategoryNode category) {
            category.features().forEach(this::addFeatures);
        }
    }

    private Answer rows(Predicate<Node> wanted, Function<Node, Map<String, String>> properties) {
        Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        for (Node node : nodes.nodes()) {
            if (wanted.test(node)) {
                rows.put(node.name(), properties.apply(node));
            }
        }
        return new Answer("", rows);
    }

    private static void set(Node node, String value) {
        if (node instanceof CommandNode command) {
            command.execute();
        } else if (node instanceof EnumerationNode enumeration) {
            enumeration.set(value);
        } else if (node instanceof BooleanNode bool) {
            bool.set(value.equals("1"));
        } else if (node instanceof IntegerNode integer) {
            integer.set(Long.parseLong(value));
        } else if (node instanceof FloatNode floating) {
            floating.set(Double.longBitsToDouble(Long.parseUnsignedLong(value.substring(2), 16)));
        } else if (node instanceof StringNode text) {
            text.set(new String(HexFormat.of().parseHex(value), StandardCharsets.UTF_8));
        } else if (node instanceof RegisterNode register) {
            register.set(HexFormat.of().parseHex(value));
        } else {
            throw new GenApiException("Node " + node.name() + " has nothing to write");
        }
    }
}
