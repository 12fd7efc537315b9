package io.peregrine.genapi;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Builds the nodes of a map from the elements of its description, and links them. What is wrong costs its node. */
final class NodeBuilder {
    private static final Set<String> OF_ANOTHER_BUS =
            Set.of("ConfRom", "TextDesc", "IntKey", "AdvFeatureLock", "SmartFeature");

    /** What decides whether there is an entry of an enumeration, and with it the access to all of it. */
    private static final List<String> CONDITIONS = List.of("pIsImplemented", "pIsAvailable", "pIsLocked");

    /** Sixty times what entries of the largest real description have from their StructRegs, all together. */
    private static final int MAX_INHERITED = 500_000;

    private final NodeContext context;
    private final Map<String, BaseNode> nodes;
    private final ChunkMemory chunkMemory;
    private final Function<String, @Nullable Port> portsByName;
    private final Chains chains;
    private long inherited;

    private NodeBuilder(
            NodeContext context,
            Map<String, BaseNode> nodes,
            ChunkMemory chunkMemory,
            Function<String, @Nullable Port> portsByName) {
        this.context = context;
        this.nodes = nodes;
        this.chunkMemory = chunkMemory;
        this.portsByName = portsByName;
        chains = new Chains();
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
        builder.buildAll(root.children());
        int index = 0;
        for (BaseNode node : nodes.values()) {
            node.index = index++;
        }
        for (BaseNode node : nodes.values()) {
            builder.chains.begin(node);
            builder.connect(node);
        }
        for (Map.Entry<String, String> refused : builder.chains.check(context).entrySet()) {
            builder.refuse(refused.getKey(), refused.getValue());
        }
    }

    private void refuse(String name, String reason) {
        nodes.get(name).markBroken();
        context.problemOfBroken(name, reason);
    }

    /** What is in a group comes after what is beside it. */
    private void buildAll(Element[] elements) {
        Deque<Element> groups = new ArrayDeque<>();
        Element[] next = elements;
        while (true) {
            for (Element element : next) {
                if (element.name().equals("Group")) {
                    groups.add(element);
                } else if (!element.name().equals("Extension")) {
                    build(element);
                }
            }
            if (groups.isEmpty()) {
                return;
            }
            next = groups.remove().children();
        }
    }

    private void build(Element element) {
        if (element.name().equals("StructReg")) {
            buildEntries(element);
            return;
        }
        String id = element.attributeOrNull("Name");
        if (id == null) {
            context.problem("", "an element " + element.name() + " without a name was skipped");
            return;
        }
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
            for (BaseNode entry : enumeration.builtEntries()) {
                nodes.putIfAbsent(entry.name, entry);
            }
        }
    }

    /** Entries are nodes for themselves: what they share counts once for each. */
    private void buildEntries(Element struct) {
        List<Element> entries = new ArrayList<>();
        List<Element> shared = new ArrayList<>();
        for (Element child : struct.children()) {
            (child.name().equals("StructEntry") ? entries : shared).add(child);
        }
        inherited += (long) shared.size() * entries.size();
        if (inherited > MAX_INHERITED) {
            throw new GenApiException("The entries of StructRegs have more elements from these than in any real device "
                    + "description: more than " + MAX_INHERITED);
        }
        for (Element entry : entries) {
            build(inherited(shared, entry));
        }
    }

    /** An entry of a StructReg is a MaskedIntReg with everything it does not say itself from the StructReg (R11). */
    private static Element inherited(List<Element> shared, Element entry) {
        Set<String> own = new HashSet<>();
        List<Element> children = new ArrayList<>();
        for (Element child : entry.children()) {
            own.add(child.name());
            children.add(child);
        }
        for (Element child : shared) {
            if (!own.contains(child.name())) {
                children.add(child);
            }
        }
        return new Element("StructEntry", entry.attributes(), "", children.toArray(Element.NO_CHILDREN));
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
                if (element.has("ChunkID") || element.has("pChunkID")) {
                    yield new ChunkPortNode(context, element, id, chunkMemory);
                }
                if (element.has("EventID")) {
                    yield new EventPortNode(context, element, id);
                }
                yield new DevicePortNode(context, element, id, portsByName.apply(id));
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
            String property = child.name();
            int kind = Links.kind(property);
            if (kind != Links.NO_LINK) {
                connect(node, child, kind);
            } else if (property.equals("IntSwissKnife")) {
                needForKnife(child, node);
            } else if (property.equals("EnumEntry") && node instanceof EnumerationImpl) {
                for (String condition : CONDITIONS) {
                    need(child.valueOrNull(condition), node, Links.DEPENDENCY | Links.ENTRY);
                }
            }
        }
    }

    private void connect(BaseNode node, Element child, int kind) {
        BaseNode target = nodes.get(child.text());
        if (target != null) {
            chains.add(target, kind);
        }
        if ((kind & Links.DEPENDENCY) != 0) {
            if (target == null) {
                context.problem(node.name, child.name() + " refers to " + child.text() + ", which does not exist");
            } else {
                target.addDependent(node);
            }
            need(child.attributeOrNull("pOffset"), node, kind);
        } else if ((kind & Links.SELECTION) != 0 && target != null) {
            node.addDependent(target);
        }
    }

    /** Links a node with what is named deeper inside it than by a property. */
    private void need(@Nullable String target, BaseNode node, int kind) {
        BaseNode found = target == null ? null : nodes.get(target);
        if (found != null) {
            chains.add(found, kind);
            if ((kind & Links.DEPENDENCY) != 0) {
                found.addDependent(node);
            }
        }
    }

    /** What the formula in an address needs, its node needs. */
    private void needForKnife(Element knife, BaseNode node) {
        for (Element child : knife.children()) {
            int kind = Links.kind(child.name());
            if (kind != Links.NO_LINK) {
                need(child.text(), node, kind);
            } else if (child.name().equals("IntSwissKnife")) {
                needForKnife(child, node);
            }
        }
    }
}
