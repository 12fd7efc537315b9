package io.peregrine.gvsp;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What a thread takes of the heap. */
final class AllocatedBytes {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private AllocatedBytes() {}

    /** Bytes that the calling thread allocated so far. */
    static long ofThisThread() {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}
