package io.peregrine.device;

import java.util.ArrayList;
import java.util.List;

/** Where a program opened a device: the call that came from outside of this library. */
record OpenedAt(String place) {
    /**
     * The caller of this library, for people to look at.
     *
     * @param doors classes of the library by which programs open devices
     */
    static OpenedAt outside(Class<?>... doors) {
        List<Class<?>> own = new ArrayList<>(List.of(doors));
        own.add(OpenedAt.class);
        return new OpenedAt(StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.filter(frame -> !own.contains(frame.getDeclaringClass()))
                        .findFirst()
                        .map(frame -> frame.toStackTraceElement().toString())
                        .orElse("an unknown place")));
    }

    @Override
    public String toString() {
        return place;
    }
}
