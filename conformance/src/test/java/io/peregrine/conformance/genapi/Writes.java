package io.peregrine.conformance.genapi;

import io.peregrine.genapi.BooleanNode;
import io.peregrine.genapi.CommandNode;
import io.peregrine.genapi.EnumerationNode;
import io.peregrine.genapi.FloatNode;
import io.peregrine.genapi.GenApiException;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import io.peregrine.genapi.RegisterNode;
import io.peregrine.genapi.StringNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Commands that write each feature: its smallest, its largest and a middle value, each symbol, both truth values. */
final class Writes {
    private static final int LONGEST_REGISTER = 64;

    private Writes() {}

    /** Commands; what was written to a feature is taken back before the next one. */
    static List<String> of(NodeMap nodes) {
        List<String> commands = new ArrayList<>();
        for (Node node : nodes.features()) {
            Set<String> values;
            try {
                if (!node.writable()) {
                    continue;
                }
                values = values(node);
            } catch (GenApiException e) {
                // Its limits cannot be read: no value is known.
                continue;
            }
            for (String value : values) {
                commands.add("set " + node.name() + " " + value);
            }
            commands.add("undo");
        }
        return commands;
    }

    private static Set<String> values(Node node) {
        Set<String> values = new LinkedHashSet<>();
        if (node instanceof CommandNode) {
            values.add("1");
        } else if (node instanceof EnumerationNode enumeration) {
            values.addAll(enumeration.symbols());
        } else if (node instanceof BooleanNode) {
            values.addAll(List.of("1", "0"));
        } else if (node instanceof IntegerNode integer) {
            long min = integer.min();
            long max = integer.max();
            if (min <= max) {
                long step = Math.max(1, integer.increment());
                long steps = Long.divideUnsigned(max - min, step);
                values.add(Long.toString(min));
                values.add(Long.toString(min + steps * step));
                values.add(Long.toString(min + (steps >>> 1) * step));
            }
        } else if (node instanceof FloatNode floating) {
            double min = floating.min();
            double max = floating.max();
            values.add(NodeProperties.number(min));
            values.add(NodeProperties.number(max));
            values.add(NodeProperties.number(min / 2 + max / 2));
        } else if (node instanceof StringNode) {
            values.addAll(List.of("", "6162"));
        } else if (node instanceof RegisterNode register && register.lengthBytes() <= LONGEST_REGISTER) {
            values.add("5a".repeat((int) register.lengthBytes()));
        }
        return values;
    }
}
