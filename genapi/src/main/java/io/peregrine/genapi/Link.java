package io.peregrine.genapi;

import org.jspecify.annotations.Nullable;

/** A property of a node that names another node, looked up once. */
final class Link {
    private final BaseNode owner;
    private final String target;
    private @Nullable BaseNode node;

    Link(BaseNode owner, String target) {
        this.owner = owner;
        this.target = target;
    }

    /** The target, or null when the description has no node of this name. */
    @Nullable
    BaseNode nodeOrNull() {
        if (node == null) {
            node = owner.context.graph.node(target);
        }
        return node;
    }

    BaseNode node() {
        BaseNode found = nodeOrNull();
        if (found == null) {
            throw new GenApiAccessException(
                    "Node " + owner.name + " refers to " + target + ", which is not in the device description");
        }
        if (found.isBroken()) {
            throw new GenApiAccessException("Node " + owner.name + " refers to " + target + ", which cannot be used"
                    + owner.context.reason(target));
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
        if (owner.context.writes.verifying()) {
            target.verify(value);
        }
        target.writeLong(value);
    }

    /** Writes the target with a value that was checked against all that the target takes. */
    void writeChecked(long value) {
        NumberNode target = number();
        if (node().imposedRange().none()) {
            target.writeLong(value);
        } else {
            write(value);
        }
    }

    /** Writes the target with a value that was checked against all that the target takes. */
    void writeChecked(double value) {
        NumberNode target = number();
        // A real number can be in the range and not among the values that a whole one lists.
        boolean again = !target.isFloat() || !node().imposedRange().none();
        target.writeNearest(value, again && owner.context.writes.verifying());
    }

    /** Writes the target, a whole one with the value it takes that is nearest (R19). */
    void write(double value) {
        number().writeNearest(value, owner.context.writes.verifying());
    }

    /** The target's access; a target that is missing is not implemented. */
    AccessMode access() {
        BaseNode found = nodeOrNull();
        return found == null ? AccessMode.NI : found.access();
    }
}
