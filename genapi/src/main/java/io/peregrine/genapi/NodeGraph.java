package io.peregrine.genapi;

import io.peregrine.genapi.Node.Linkage;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The nodes of a map by name, and how they hang together; complete once the map is built. */
interface NodeGraph {
    /** The node of exactly this name, or null. */
    @Nullable
    BaseNode node(String name);

    /** The node of a name, which can have a name space in front. */
    Optional<Node> find(String name);

    /** Features whose meaning depends on a selector. */
    List<Node> selectedBy(BaseNode selector);

    /** Selectors that the meaning of a node depends on. */
    List<Node> selectorsOf(BaseNode node);

    /** Nodes that are linked with one. */
    List<Node> linked(BaseNode node, Linkage linkage);
}
