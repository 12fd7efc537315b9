package io.peregrine.genapi;

import java.util.List;

/** Features that belong together, categories among them. */
public interface CategoryNode extends Node {
    /** The features, in the order of the description. */
    List<Node> features();
}
