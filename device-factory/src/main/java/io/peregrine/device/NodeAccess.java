package io.peregrine.device;

import io.peregrine.genapi.AccessMode;
import io.peregrine.genapi.Node;
import io.peregrine.genapi.NodeMap;

/** Whether features that not every device has can be used now. */
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
}
