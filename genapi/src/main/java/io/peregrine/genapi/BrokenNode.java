package io.peregrine.genapi;

/** A node that could not be built; it is there, not implemented, so that others may refer to it (R32). */
final class BrokenNode extends BaseNode {
    BrokenNode(NodeContext context, Element element, String name) {
        super(context, element, name);
    }

    @Override
    AccessMode ownAccess() {
        return AccessMode.NI;
    }
}
