package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.virtualcamera.TestPattern;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Frames of the virtual camera, with every byte compared. */
final class Frames {
    private Frames() {}

    static Composite next(CompositeStream stream) {
        WaitResult result = stream.waitFor(LosableCamera.LONG);
        return assertInstanceOf(WaitResult.Ok.class, result, result::toString).composite();
    }

    /** Takes frames until some of them were whole. */
    static void takeWhole(CompositeStream stream, int frames, int width) {
        takeWhole(stream, frames, width, new HashSet<>());
    }

    /**
     * Takes frames until some of them were whole.
     *
     * @param delivered block id and timestamp of what was delivered so far: nothing may be twice
     */
    static void takeWhole(CompositeStream stream, int frames, int width, Set<List<Long>> delivered) {
        int whole = 0;
        while (whole < frames) {
            try (Composite composite = next(stream)) {
                if (composite.complete()) {
                    whole++;
                    assertTrue(
                            delivered.add(List.of(composite.blockId(), composite.timestamp())),
                            () -> composite + " was delivered twice");
                    compare(composite, width);
                }
            }
        }
    }

    static void compare(Composite composite, int width) {
        for (Item item : composite.items()) {
            assertEquals(width, item.width());
            assertEquals(0, badBytes(composite, item));
        }
    }

    /** How many bytes of an item are not as the camera sent them. */
    static long badBytes(Composite composite, Item item) {
        return TestPattern.countBadBytes(
                item.typeId(), item.format().code(), composite.blockId(), item.width(), item.height(), item.data());
    }

    /** What waiting gives after all that is left. */
    static WaitResult drained(CompositeStream stream) {
        WaitResult result = stream.waitFor(LosableCamera.LONG);
        while (result instanceof WaitResult.Ok ok) {
            ok.composite().close();
            result = stream.waitFor(LosableCamera.LONG);
        }
        return result;
    }
}
