package io.peregrine.conformance;

import io.peregrine.composite.Composite;
import io.peregrine.composite.Item;
import io.peregrine.virtualcamera.TestPattern;
import java.util.function.Predicate;

/** Compares what arrived from a virtual camera with what it sends, byte by byte. */
final class PatternCheck {
    private PatternCheck() {}

    /** Bytes of all items that are not as the camera sent them. */
    static long badBytes(Composite composite) {
        return badBytes(composite, item -> true);
    }

    /** The same for the items alone that are said to be complete. */
    static long badBytesOfCompleteItems(Composite composite) {
        return badBytes(composite, Item::complete);
    }

    private static long badBytes(Composite composite, Predicate<Item> which) {
        long bad = 0;
        for (Item item : composite.items()) {
            if (which.test(item)) {
                bad += TestPattern.countBadBytes(
                        item.typeId(), item.format().code(), composite.id(), item.width(), item.height(), item.data());
            }
        }
        return bad;
    }
}
