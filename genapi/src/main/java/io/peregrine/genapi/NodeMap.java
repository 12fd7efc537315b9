package io.peregrine.genapi;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a device description, linked, over their ports (GenICam standard 2.1.1).
 *
 * <p>An error in a description affects only the node concerned and is listed in {@link #problems()}; only a file that
 * is no device description at all is refused. Safe for use by several threads: one lock guards the map.
 */
@SuppressWarnings("exports") // Only compilers that check for null need JSpecify.
public final class NodeMap {
    /** How far the chunk data of a frame could be understood. */
    public enum ChunkEnding {
        /** Every byte belongs to a chunk or its tag. */
        COMPLETE("the chunk data is complete"),
        /** There was nothing to walk. */
        EMPTY("there is no chunk data"),
        /** Fewer bytes than a tag has are left at the start. */
        BYTES_LEFT("fewer bytes than a tag has are left at the start of the chunk data"),
        /** A tag gives more bytes than there are in front of it. */
        LENGTH_OUTSIDE("a tag of the chunk data gives a chunk more bytes than there are in front of the tag"),
        /** A tag is all zero, as memory is that nothing was written to. */
        ZERO_TAG("a tag of the chunk data is all zero"),
        /** There are more chunks than the layout can hold. */
        TOO_MANY("there are more chunks than any device sends");

        private final String text;

        ChunkEnding(String text) {
            this.text = text;
        }

        /** What it means, in words. */
        public String text() {
            return text;
        }
    }

    private final Description description;
    private final NodeTable table = new NodeTable();
    private final NodeContext context;
    private final ChunkMemory chunkMemory = new ChunkMemory();
    private final List<ChunkPortNode> chunkPorts = new ArrayList<>();
    private final Polling polling;
    private final EventNodes events;

    NodeMap(Description description, Function<String, @Nullable Port> portsByName) {
        this.description = description;
        context = new NodeContext(table, description.root());
        NodeBuilder.build(description.root(), context, table.nodes, chunkMemory, portsByName);
        Collection<BaseNode> nodes = table.nodes.values();
        polling = new Polling(nodes, context);
        events = new EventNodes(nodes, context);
        for (BaseNode node : nodes) {
            if (node instanceof ChunkPortNode port) {
                chunkPorts.add(port);
            }
        }
    }

    /**
     * Loads a description whose nodes all live behind one port.
     *
     * @param xml the description, zipped or not
     * @param port the port, whatever the description calls it
     * @throws GenApiException if it is no device description
     */
    public static NodeMap load(byte[] xml, Port port) {
        return Description.parse(xml).nodeMap(port);
    }

    /**
     * Loads a description.
     *
     * @param xml the description, zipped or not
     * @param portsByName gives the port of a name, or null where there is none: its registers are not implemented then
     * @throws GenApiException if it is no device description
     */
    public static NodeMap load(byte[] xml, Function<String, @Nullable Port> portsByName) {
        return Description.parse(xml).nodeMap(portsByName);
    }

    // ---- Finding

    /**
     * The node of a name, if there is one.
     *
     * @param name its name; {@code Std::} or {@code Cust::} in front asks for a name of the standard or of the vendor
     *     only
     */
    public Optional<Node> find(String name) {
        return table.find(name);
    }

    /**
     * The node of a name.
     *
     * @throws GenApiException if there is none
     */
    public Node node(String name) {
        return find(name).orElseThrow(() -> table.missing(name, modelName()));
    }

    /**
     * The node of a name, if there is one of the type.
     *
     * @param name its name, in the forms that {@link #find(String)} takes
     * @param type what it is to be, for example {@link IntegerNode}
     */
    public <T extends Node> Optional<T> find(String name, Class<T> type) {
        return find(name).filter(type::isInstance).map(type::cast);
    }

    private <T> T typed(String name, Class<T> type, String wanted) {
        Node node = node(name);
        if (!type.isInstance(node)) {
            throw new GenApiException("Node " + name + " is a " + node.kind() + ", not " + wanted);
        }
        return type.cast(node);
    }

    /** The integer node of a name. */
    public IntegerNode integer(String name) {
        return typed(name, IntegerNode.class, "an integer");
    }

    /** The floating point node of a name. */
    public FloatNode floating(String name) {
        return typed(name, FloatNode.class, "a floating point number");
    }

    /** The boolean node of a name. */
    public BooleanNode bool(String name) {
        return typed(name, BooleanNode.class, "a boolean");
    }

    /** The enumeration of a name. */
    public EnumerationNode enumeration(String name) {
        return typed(name, EnumerationNode.class, "an enumeration");
    }

    /** The command of a name. */
    public CommandNode command(String name) {
        return typed(name, CommandNode.class, "a command");
    }

    /** The text of a name. */
    public StringNode string(String name) {
        return typed(name, StringNode.class, "a text");
    }

    /** The register of a name. */
    public RegisterNode register(String name) {
        return typed(name, RegisterNode.class, "a register");
    }

    /** The category of a name. */
    public CategoryNode category(String name) {
        return typed(name, CategoryNode.class, "a category");
    }

    /** All nodes, in the order of the description. */
    public Collection<Node> nodes() {
        return table.all();
    }

    /** Features: what the category Root and the categories below it hold, without the categories themselves. */
    public List<Node> features() {
        return table.features();
    }

    /**
     * Features that are meant for a user.
     *
     * @param highest what the user is: Beginner sees the features for beginners alone, Guru all but those for programs
     * @return the features, in the order of the categories
     */
    public List<Node> features(Visibility highest) {
        return NodeTable.visible(features(), highest);
    }

    /**
     * Features of a category and of those below it, as far as they are meant for a user.
     *
     * @param category name of the category
     * @param highest what the user is
     * @throws GenApiException if there is no such category
     */
    public List<Node> features(String category, Visibility highest) {
        return NodeTable.visible(NodeTable.below(category(category)), highest);
    }

    // ---- Operations on all nodes

    /**
     * Calls a listener with each node whose value was set, or which was executed, through this map: at once, on the
     * thread that did it, before any other thread can change something. Nodes that were written for its sake are not
     * reported.
     *
     * @return closes when the listener is to be called no longer
     */
    public Registration onWrite(Consumer<Node> listener) {
        return context.writes.onWrite(listener);
    }

    /**
     * Has a guard asked before a node is set or executed, but for nodes that are written for its sake. Access modes
     * stay as they are.
     *
     * @param guard gives the reason why the node is not to be written, a sentence without a full stop; empty to allow
     *     it
     */
    public void guardWrites(Function<Node, Optional<String>> guard) {
        context.writes.guard(guard);
    }

    /**
     * Runs several operations as one: no other thread comes between them, and listeners are notified after all of them.
     *
     * @param operations what to do with nodes; to start, stop or change a stream of the device here, or to close one of
     *     them, is an {@link IllegalStateException}: another thread that does so may wait for the nodes
     */
    public void together(Runnable operations) {
        context.operations.hold();
        try {
            operations.run();
        } finally {
            context.operations.release();
        }
    }

    /**
     * Whether the calling thread keeps other threads from the nodes: in the midst of {@link #together}, or called by an
     * operation on a node. It must not wait for threads that use nodes.
     */
    public boolean inOperation() {
        return context.operations.heldHere();
    }

    /**
     * Fetches what is needed to read nodes, with access mode and range, in as few transfers as the port can, so that
     * reading them afterwards asks the device for nothing but what must not be remembered. What cannot be read is
     * skipped: reading it says why.
     *
     * @param wanted nodes that will be read
     * @return number of registers that were fetched
     */
    public int prefetch(Collection<? extends Node> wanted) {
        int links =
                wanted.stream().mapToInt(node -> ((BaseNode) node).links).max().orElse(0);
        Operations operations = context.operations;
        if (operations.tooDeep(links)) {
            return operations.onOwnStack(links, () -> prefetch(wanted));
        }
        operations.enter();
        try {
            return new ReadAhead(context).fetch(wanted);
        } catch (StackOverflowError e) {
            throw operations.atEndOfStack(e);
        } finally {
            operations.exit();
        }
    }

    /**
     * Makes nodes forget their value whose polling time is over (R25). To be called from time to time; does not read.
     *
     * @param elapsed time since the last call
     */
    public void poll(Duration elapsed) {
        context.operations.enter();
        try {
            polling.poll(elapsed.toMillis());
        } finally {
            context.operations.exit();
        }
    }

    /**
     * Delivers an event of the device: connects its data to the event ports of this id, and makes the nodes of this id
     * forget what they know.
     *
     * @param eventId id of the event
     * @param data the event from the byte that has address 0, position to limit; it is copied
     * @return whether the description has nodes for events of this id
     */
    public boolean deliverEvent(long eventId, ByteBuffer data) {
        context.operations.enter();
        try {
            return events.deliver(eventId, data);
        } finally {
            context.operations.exit();
        }
    }

    /**
     * Features of the events of an id: those whose value comes from an event port of it, or that have the id
     * themselves.
     *
     * @param eventId id of the event
     * @return the features in the order of the description; empty where it has none
     */
    public List<Node> eventFeatures(long eventId) {
        Set<Node> concerned = events.concernedBy(eventId);
        return features().stream().filter(concerned::contains).toList();
    }

    /** What was skipped, and why. */
    public List<Problem> problems() {
        return context.problems();
    }

    /**
     * What is legal in the description, but means something else to other implementations of GenApi. The description is
     * checked with each call.
     */
    public List<Problem> warnings() {
        return Lint.of(table.nodes.values());
    }

    // ---- Chunks

    /**
     * Connects the chunk ports to the chunk data of a frame, in place of that of the frame before. The data is not
     * copied: it must stay as it is until other data is attached or {@link #detachChunks()} is called.
     *
     * @param data chunk data from position to limit, its tags in the byte order of the buffer: big-endian for payloads
     *     of GigE Vision, little-endian for GenDC
     * @return how far the data could be understood; ports of chunks that were found until then are connected
     */
    public ChunkEnding attachChunks(ByteBuffer data) {
        return attachChunks(data, () -> true);
    }

    /**
     * Connects the chunk ports to the chunk data of a frame whose memory can go away.
     *
     * @param data as for {@link #attachChunks(ByteBuffer)}
     * @param valid asked before and after every access: once it says false, reading chunk features fails
     * @return how far the data could be understood
     */
    public ChunkEnding attachChunks(ByteBuffer data, BooleanSupplier valid) {
        context.operations.enter();
        try {
            ChunkEnding ending = chunkMemory.attach(data, valid);
            chunksChanged();
            return ending;
        } finally {
            context.operations.exit();
        }
    }

    /** Disconnects the chunk ports: features behind them are not available until data is attached again. */
    public void detachChunks() {
        context.operations.enter();
        try {
            chunkMemory.detach();
            chunksChanged();
        } finally {
            context.operations.exit();
        }
    }

    private void chunksChanged() {
        for (ChunkPortNode port : chunkPorts) {
            port.run(port::attached);
        }
        for (ChunkPortNode port : chunkPorts) {
            context.changes.changed(port);
        }
    }

    /** Grows with every change that was made through this node map, and whenever it is made to forget what it knows. */
    public long changeCount() {
        return context.changes.count();
    }

    /** Forgets everything that was read. */
    public void invalidateAll() {
        together(() -> {
            context.changes.countOne();
            for (BaseNode node : table.nodes.values()) {
                if (node instanceof AbstractPort) {
                    node.dropCache();
                }
                context.changes.tell(node);
            }
        });
    }

    /** What the node map was made from, for making others. */
    public Description description() {
        return description;
    }

    /** Name of the model, as the description gives it. */
    public String modelName() {
        return description.modelName();
    }

    /** Name of the vendor, as the description gives it. */
    public String vendorName() {
        return description.vendorName();
    }

    /** Version of the schema that the description follows, for example 1.1.0. */
    public String schemaVersion() {
        return description.schemaVersion();
    }

    @Override
    public String toString() {
        return "NodeMap[" + vendorName() + " " + modelName() + ", " + table.nodes.size() + " nodes]";
    }
}
