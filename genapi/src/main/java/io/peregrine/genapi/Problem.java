package io.peregrine.genapi;

/**
 * Something in a device description that was skipped.
 *
 * @param node name of the node, empty text for the file as a whole
 * @param message what is wrong
 */
public record Problem(String node, String message) {
    @Override
    public String toString() {
        return node.isEmpty() ? message : node + ": " + message;
    }
}
