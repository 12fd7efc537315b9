package io.peregrine.genapi;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** One node of a node map: a feature, or something that features are made of. */
public interface Node {
    /** Name, unique in the node map. */
    String name();

    /** Element name in the device description, for example {@code IntReg}. */
    String kind();

    /** Name for people; the name where the description gives none. */
    String displayName();

    /** Long description, empty text where there is none. */
    String description();

    /** Short description, empty text where there is none. */
    String toolTip();

    /** For whom the node is meant. */
    Visibility visibility();

    /**
     * Hides the node from users for whom the description means it.
     *
     * @param least least experienced user it is for from now on; {@link Visibility#BEGINNER} gives back what the
     *     description says
     */
    void imposeVisibility(Visibility least);

    /** Address of a page about the node, where the description gives one. */
    Optional<String> documentationUrl();

    /** Whether the description says that the node should no longer be used. */
    boolean deprecated();

    /** What may be done with the node now. May ask the device. */
    AccessMode accessMode();

    /** Whether the node can be read now. */
    default boolean readable() {
        return accessMode().readable();
    }

    /** Whether the node can be written now. */
    default boolean writable() {
        return accessMode().writable();
    }

    /** Features whose meaning depends on the value of this one, a selector; empty for what is none. */
    List<Node> selected();

    /** Selectors that this node's meaning depends on; empty where there are none. */
    List<Node> selecting();

    /** Another node that stands for the same, where the description names one. */
    Optional<Node> alias();

    /** The node that gives the same value as another type, where the description names one. */
    Optional<Node> castAlias();

    /** Whether the name is of the standard feature naming convention. */
    boolean standardName();

    /** Whether the feature belongs to the settings that are saved and loaded. */
    boolean streamable();

    /** How long the value may be remembered: the weakest mode on the way to the device. */
    CachingMode cachingMode();

    /** Whether the value is known, so that reading it asks the device for nothing; false for what has no value. */
    boolean valueCached();

    /**
     * After what time the value should be read again, where it changes by itself.
     *
     * @see NodeMap#poll
     */
    Optional<Duration> pollingTime();

    /**
     * Id of the event that changes the node, where the description gives one.
     *
     * @see NodeMap#deliverEvent
     */
    OptionalLong eventId();

    /**
     * All properties of the node as the description gives them, in its order: attributes of the element first, then the
     * elements inside, among which one name can come several times. Without entries of enumerations, which are nodes.
     */
    List<Property> properties();

    /**
     * The first property of a name, as the description gives it; empty where it gives none.
     *
     * @param property for example {@code pValue}, {@code Address} or {@code NameSpace}
     */
    Optional<String> property(String property);

    /**
     * A property of a node.
     *
     * @param name its name
     * @param value its text, with all its blanks
     * @param attributes of its element, for example the {@code Name} of a {@code pVariable}
     */
    record Property(String name, String value, Map<String, String> attributes) {}

    /**
     * Narrows what may be done with the node, on top of what the description allows.
     *
     * @param mode what may be done at most; {@link AccessMode#RW} gives back everything
     */
    void imposeAccessMode(AccessMode mode);

    /**
     * Calls a listener whenever value, range or access of the node may have changed.
     *
     * @return closes when the listener is to be called no longer
     */
    Registration onChange(Consumer<Node> listener);

    /**
     * Forgets what this node itself read, and what depends on it. The nodes that its value comes from keep what they
     * know.
     */
    void invalidate();

    /** Forgets what this node and those that its value comes from have read, so that the next read asks the device. */
    void refresh();

    /** Nodes that the description links with this one. */
    List<Node> linked(Linkage linkage);

    /**
     * Value as text, in the form that {@link #setFromText} takes.
     *
     * @throws GenApiException if the node has no value or cannot be read
     */
    default String valueAsText() {
        throw new GenApiException("Node " + name() + " is a " + kind() + ", which has no value");
    }

    /**
     * Sets the value from text: a number (decimal, or hexadecimal after {@code 0x}), true or false, the symbol of an
     * entry, or the text itself. A command is executed by {@code 1} or {@code true}.
     *
     * @throws GenApiException if the text is not of the node's kind, outside its range, or the node cannot be written
     */
    default void setFromText(String text) {
        throw new GenApiException("Node " + name() + " is a " + kind() + ", whose value cannot be set");
    }

    /** Unit of the value, where the description gives one. */
    Optional<String> unit();

    /** How a node can hang together with others. */
    enum Linkage {
        /** Nodes that a write to this one writes directly. */
        WRITTEN,
        /** Nodes that this one reads directly: for its value, its range, its address, its conditions. */
        READ,
        /** Nodes that a write to this one ends at: registers and own values. */
        TERMINAL,
        /** Nodes that read this one directly. */
        PARENTS,
        /** Nodes that forget what they know when this one changes, directly or through others. */
        DEPENDING,
        /** Nodes whose change makes this one forget what it knows, directly. */
        INVALIDATING
    }
}
