package io.peregrine.genapi;

/** Node: a name with predicates and no value. */
final class PlainNode extends BaseNode {
    PlainNode(NodeMap map, Element element, String name) {
        super(map, element, name);
    }

    @Override
    AccessMode ownAccess() {
        return AccessMode.RW;
    }
}
