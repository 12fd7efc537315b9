package io.peregrine.genapi;

/** Node: a name with predicates and no value. */
final class PlainNode extends BaseNode {
    PlainNode(NodeContext context, Element element, String name) {
        super(context, element, name);
    }

    @Override
    AccessMode ownAccess() {
        return AccessMode.RW;
    }
}
