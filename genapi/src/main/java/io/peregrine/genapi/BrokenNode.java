package io.peregrine.genapi;

/** A node that could not be built; it is there, not implemented, so that others may refer to it (R32). */
final class BrokenNode extends BaseNode {
    BrokenNode(NodeMap map, Element element, String name) {
        super(map, element, name);
    }

    @Override
    AccessMode ownAccess() {
        return AccessMode.NI;
    }
}
