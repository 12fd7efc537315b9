package io.peregrine.genapi;

/** Told of a change. */
@FunctionalInterface
public interface ChangeListener {
    /**
     * Called when the node's value, range or access may have changed: after the whole operation that changed it, on its
     * thread, outside the lock of the node map. Reading the node gives its present value.
     *
     * @param node the node
     */
    void changed(Node node);
}
