package io.peregrine.gvsp;

import io.peregrine.stream.engine.FlowSet;
import java.util.ArrayDeque;

/**
 * Frames that ended while an adapter may still write into their memory, and those after them. Receives that were meant
 * for lost packets take the next packets, wherever those belong.
 */
final class HeldFrames {
    private final DirectPlacement placement;
    private final Delivery delivery;
    private final ArrayDeque<Held> waiting = new ArrayDeque<>();

    /** Takes frames that nothing writes any more. */
    interface Delivery {
        /** As {@link FrameSink#onFrame}. */
        void deliver(FlowSet frame, boolean overtaken);
    }

    private record Held(FlowSet frame, boolean overtaken) {}

    HeldFrames(DirectPlacement placement, Delivery delivery) {
        this.placement = placement;
        this.delivery = delivery;
    }

    /** Delivers a frame, now or as soon as it is not written any more. */
    void onFrame(FlowSet frame, boolean overtaken) {
        release();
        if (waiting.isEmpty() && !placement.writesInto(frame)) {
            delivery.deliver(frame, overtaken);
        } else {
            waiting.add(new Held(frame, overtaken));
        }
    }

    /** Delivers what is not written any more, in order. */
    void release() {
        while (!waiting.isEmpty() && !placement.writesInto(waiting.peek().frame())) {
            Held first = waiting.poll();
            delivery.deliver(first.frame(), first.overtaken());
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }
}
