package io.peregrine.genapi;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes that are under way: whether they keep to ranges, who may stop them, and who is notified. */
final class Writes {
    private final List<Consumer<Node>> listeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable Function<Node, Optional<String>> guard;
    private boolean writing;
    private boolean verifying;

    /** Whether the write that is under way is to keep to the ranges of all nodes it passes. */
    boolean verifying() {
        return verifying;
    }

    /**
     * Writes a node.
     *
     * @param node the node, which alone is reported and guarded, not those that are written for its sake
     * @param verify whether to keep to ranges
     * @param write the writing
     */
    void write(BaseNode node, boolean verify, Runnable write) {
        boolean before = verifying;
        boolean outermost = !writing;
        verifying = verify;
        writing = true;
        try {
            Function<Node, Optional<String>> asked = guard;
            if (outermost && asked != null) {
                asked.apply(node).ifPresent(reason -> {
                    throw new GenApiAccessException("Node " + node.name + " cannot be written: " + reason);
                });
            }
            write.run();
        } finally {
            verifying = before;
            writing = !outermost;
        }
        if (verify) {
            node.checkError();
        }
        if (outermost) {
            listeners.forEach(
                    listener -> Changes.call(listener, node, "A listener to the writing of " + node.name + " failed"));
        }
    }

    Registration onWrite(Consumer<Node> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    void guard(Function<Node, Optional<String>> reason) {
        guard = reason;
    }
}
