package io.peregrine.device;

import io.peregrine.genapi.AccessMode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Whether features that not every device has can be used now, and use of several that belong together. */
final class NodeAccess {
    private NodeAccess() {}

    static boolean writable(NodeMap nodes, String name) {
        return nodes.find(name).filter(Node::writable).isPresent();
    }

    static boolean readable(NodeMap nodes, String name) {
        return nodes.find(name)
                .filter(node -> node.accessMode() != AccessMode.NI && node.readable())
                .isPresent();
    }

    /** Does something with nodes that no other thread gets between. */
    static <T> T together(NodeMap nodes, Supplier<T> operations) {
        List<T> result = new ArrayList<>(1);
        nodes.together(() -> result.add(operations.get()));
        return result.get(0);
    }
}
