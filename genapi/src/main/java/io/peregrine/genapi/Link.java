package io.peregrine.genapi;

/** A property of a node that names another node, looked up once. */
final class Link {
    private final BaseNode owner;
    private final String target;
    private BaseNode node;

    Link(BaseNode owner, String target) {
        this.owner = owner;
        this.target = target;
    }

    /** The target, or null when the description has no node of this name. */
    BaseNode nodeOrNull() {
        if (node == null) {
            node = owner.map.base(target).orElse(null);
        }
        return node;
    }

    BaseNode node() {
        BaseNode found = nodeOrNull();
        if (found == null) {
            throw new GenApiAccessException(
                    "Node " + owner.name + " refers to " + target + ", which is not in the camera description");
        }
        if (found.isBroken()) {
            throw new GenApiAccessException("Node " + owner.name + " refers to " + target + ", which cannot be used"
                    + owner.map.reason(target));
        }
        return found;
    }

    NumberNode number() {
        BaseNode found = node();
        if (found instanceof NumberNode number) {
            return number;
        }
        throw new GenApiException(
                "Node " + owner.name + " uses " + target + " as a number, but it is a " + found.kind());
    }

    /** Writes the target, after checking what it takes when the whole operation does (R15). */
    void write(long value) {
        NumberNode target = number();
        if (owner.map.verifying()) {
            target.verify(value);
        }
        target.writeLong(value);
    }

    /** Writes the target, a whole one with the value it takes that is nearest (R19). */
    void write(double value) {
        NumberNode target = number();
        if (target instanceof IntegerAccess integer) {
            long nearest = integer.nearest(value);
            if (owner.map.verifying()) {
                integer.verifyRange(nearest);
            }
            integer.writeLong(nearest);
            return;
        }
        if (owner.map.verifying()) {
            target.verify(value);
        }
        target.writeDouble(value);
    }

    /** The target's access; a target that is missing is not implemented. */
    AccessMode access() {
        BaseNode found = nodeOrNull();
        return found == null ? AccessMode.NI : found.access();
    }
}
