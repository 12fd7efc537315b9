package io.peregrine.genapi;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Builds the nodes of a map from the elements of its description, and links them. What is wrong costs its node. */
final class NodeBuilder {
    private static final Set<String> OF_ANOTHER_BUS =
            Set.of("ConfRom", "TextDesc", "IntKey", "AdvFeatureLock", "SmartFeature");

    private final NodeContext context;
    private final Map<String, BaseNode> nodes;
    private final ChunkMemory chunkMemory;
    private final Function<String, @Nullable Port> portsByName;

    private NodeBuilder(
            NodeContext context,
            Map<String, BaseNode> nodes,
            ChunkMemory chunkMemory,
            Function<String, @Nullable Port> portsByName) {
        this.context = context;
        this.nodes = nodes;
        this.chunkMemory = chunkMemory;
        this.portsByName = portsByName;
    }

    /**
     * Builds all nodes.
     *
     * @param root the description
     * @param context what the nodes share
     * @param nodes receives them, by name in the order of the description
     * @param chunkMemory what chunk ports read
     * @param portsByName gives the port of a name, or null where there is none
     */
    static void build(
            Element root,
            NodeContext context,
            Map<String, BaseNode> nodes,
            ChunkMemory chunkMemory,
            Function<String, @Nullable Port> portsByName) {
        NodeBuilder builder = new NodeBuilder(context, nodes, chunkMemory, portsByName);
        Deque<Element> open = new ArrayDeque<>(root.children());
        while (!open.isEmpty()) {
            Element element = open.remove();
            if (element.name().equals("Group")) {
                open.addAll(element.children());
            } else if (!element.name().equals("Extension")) {
                builder.build(element);
            }
        }
        nodes.values().forEach(builder::connect);
        Chains.check(nodes, context::problem).forEach((name, reason) -> {
            nodes.get(name).markBroken();
            context.problemOfBroken(name, reason);
        });
    }

    private void build(Element element) {
        if (element.name().equals("StructReg")) {
            for (Element entry : element.all("StructEntry")) {
                build(inherited(element, entry));
            }
            return;
        }
        Optional<String> name = element.attribute("Name");
        if (name.isEmpty()) {
            context.problem("", "an element " + element.name() + " without a name was skipped");
            return;
        }
        String id = name.get();
        if (nodes.containsKey(id)) {
            context.problem(id, "there are two nodes of this name; the first is used");
            return;
        }
        BaseNode node;
        try {
            node = create(element, id);
        } catch (GenApiException e) {
            context.problemOfBroken(id, e.getMessage());
            node = new BrokenNode(context, element, id);
            node.markBroken();
        }
        nodes.put(id, node);
        if (node instanceof EnumerationImpl enumeration) {
            enumeration.builtEntries().forEach(entry -> nodes.putIfAbsent(entry.name, entry));
        }
    }

    /** An entry of a StructReg is a MaskedIntReg with everything it does not say itself from the StructReg (R11). */
    private static Element inherited(Element struct, Element entry) {
        Set<String> own = new HashSet<>();
        entry.children().forEach(child -> own.add(child.name()));
        List<Element> children = new ArrayList<>(entry.children());
        for (Element child : struct.children()) {
            if (!child.name().equals("StructEntry") && !own.contains(child.name())) {
                children.add(child);
            }
        }
        return new Element("StructEntry", entry.attributes(), "", List.copyOf(children));
    }

    private BaseNode create(Element element, String id) {
        return switch (element.name()) {
            case "Integer" -> new IntegerImpl(context, element, id);
            case "IntReg", "MaskedIntReg", "StructEntry" -> new IntegerRegister(context, element, id);
            case "Float" -> new FloatImpl(context, element, id);
            case "FloatReg" -> new FloatImpl.InRegister(context, element, id);
            case "SwissKnife", "Converter" -> new FormulaNode.OfFloat(context, element, id);
            case "IntSwissKnife", "IntConverter" -> new FormulaNode.OfInteger(context, element, id);
            case "Boolean" -> new BooleanImpl(context, element, id);
            case "Enumeration" -> new EnumerationImpl(context, element, id);
            case "Command" -> new CommandImpl(context, element, id);
            case "String" -> new StringImpl(context, element, id);
            case "StringReg" -> new StringImpl.InRegister(context, element, id);
            case "Register" -> new RegisterImpl(context, element, id);
            case "Category" -> new CategoryImpl(context, element, id);
            case "Port" -> {
                if (element.first("ChunkID").isPresent()
                        || element.first("pChunkID").isPresent()) {
                    yield new ChunkPortNode(context, element, id, chunkMemory);
                }
                if (element.first("EventID").isPresent()) {
                    yield new EventPortNode(context, element, id);
                }
                yield new DevicePortNode(context, element, id, Optional.ofNullable(portsByName.apply(id)));
            }
            case "Node" -> new PlainNode(context, element, id);
            default ->
                throw new GenApiException(
                        OF_ANOTHER_BUS.contains(element.name())
                                ? "elements of the kind " + element.name() + " belong to IEEE 1394, not to GigE Vision"
                                : "elements of the kind " + element.name() + " are not known");
        };
    }

    private void connect(BaseNode node) {
        for (Element child : node.element.children()) {
            if (Links.ALL.contains(child.name())) {
                BaseNode target = nodes.get(child.text());
                if (target == null) {
                    context.problem(node.name, child.name() + " refers to " + child.text() + ", which does not exist");
                } else {
                    target.dependents.add(node);
                }
                if (!child.attributes().isEmpty()) {
                    child.attribute("pOffset").map(nodes::get).ifPresent(offset -> offset.dependents.add(node));
                }
            } else if (child.name().equals("pSelected")) {
                BaseNode target = nodes.get(child.text());
                if (target != null) {
                    node.dependents.add(target);
                }
            } else if (child.name().equals("IntSwissKnife")) {
                for (Element variable : child.all("pVariable")) {
                    Optional.ofNullable(nodes.get(variable.text())).ifPresent(target -> target.dependents.add(node));
                }
            } else if (child.name().equals("EnumEntry") && node instanceof EnumerationImpl) {
                for (String predicate : List.of("pIsImplemented", "pIsAvailable")) {
                    child.value(predicate).map(nodes::get).ifPresent(target -> target.dependents.add(node));
                }
            }
        }
    }
}
