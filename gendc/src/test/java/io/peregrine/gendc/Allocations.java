package io.peregrine.gendc;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** How much the current thread has allocated. By handles, because the module itself needs nothing but java.base. */
final class Allocations {
    private static final MethodHandle BYTES = handle();

    private Allocations() {}

    static long bytes() {
        try {
            return (long) BYTES.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException("This JVM does not count allocations", e);
        }
    }

    private static MethodHandle handle() {
        try {
            Object bean = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
            Class<?> type = Class.forName("com.sun.management.ThreadMXBean");
            return MethodHandles.publicLookup()
                    .findVirtual(type, "getCurrentThreadAllocatedBytes", MethodType.methodType(long.class))
                    .bindTo(bean);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
