package io.peregrine.stream.engine;

import io.peregrine.stream.StreamException;

/** Allocates more than this program may have outside the heap, and then as much as it may. */
final class LargePoolMain {
    private static final long NO_LIMIT = 1L << 40;

    private LargePoolMain() {}

    /** Arguments: bytes of a flow, flow sets that do not fit, flow sets that do. */
    public static void main(String[] arguments) {
        long[] flow = {Long.parseLong(arguments[0])};
        try {
            FlowSetPool.allocate(Integer.parseInt(arguments[1]), flow, NO_LIMIT);
        } catch (StreamException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("then "
                + FlowSetPool.allocate(Integer.parseInt(arguments[2]), flow, NO_LIMIT)
                        .count());
    }
}
