package io.peregrine.device;

import java.util.Set;

/** Where a program opened a device: the call that came from outside of this library. */
record OpenedAt(String place) {
    private static final Set<Class<?>> OWN = Set.of(
            OpenedAt.class, DeviceFactory.class, Devices.class, Device.class, CameraConnection.class, Holdings.class);

    /** The caller of this library, for people to look at. */
    static OpenedAt here() {
        return new OpenedAt(StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.filter(frame -> !OWN.contains(frame.getDeclaringClass()))
                        .findFirst()
                        .map(frame -> frame.toStackTraceElement().toString())
                        .orElse("an unknown place")));
    }

    @Override
    public String toString() {
        return place;
    }
}
