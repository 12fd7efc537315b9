package io.peregrine.browser.cameras;

import io.peregrine.browser.http.HttpProblem;
import io.peregrine.genapi.IntegerNode;
import io.peregrine.genapi.NodeMap;
import java.util.Optional;

/**
 * The region of the sensor that a camera sends: its features Width, Height, OffsetX and OffsetY.
 *
 * @param columns along x
 * @param lines along y
 */
public record Region(Span columns, Span lines) {
    /**
     * Writes the smallest region that the camera accepts and that holds this one. Most cameras refuse that while they
     * stream.
     *
     * @return what was written
     */
    Region writeTo(NodeMap nodes) {
        return new Region(
                write(columns, nodes.find("OffsetX", IntegerNode.class), size(nodes, "Width")),
                write(lines, nodes.find("OffsetY", IntegerNode.class), size(nodes, "Height")));
    }

    /** Writes the whole sensor. */
    static Region writeWhole(NodeMap nodes) {
        return new Region(new Span(0, Long.MAX_VALUE / 4), new Span(0, Long.MAX_VALUE / 4)).writeTo(nodes);
    }

    private static IntegerNode size(NodeMap nodes, String name) {
        return nodes.find(name, IntegerNode.class)
                .orElseThrow(() -> HttpProblem.conflict("the camera has no feature " + name));
    }

    private static Span write(Span wanted, Optional<IntegerNode> offset, IntegerNode size) {
        if (offset.isEmpty() || !offset.get().accessMode().writable()) {
            Span written = Span.Limits.of(size).around(new Span(0, wanted.size()));
            size.set(written.size());
            return written;
        }
        // At the smallest offset the size may be any.
        offset.get().set(offset.get().min());
        Span written = Span.Limits.of(offset.get(), size).around(wanted);
        size.set(written.size());
        offset.get().set(written.offset());
        return written;
    }
}
