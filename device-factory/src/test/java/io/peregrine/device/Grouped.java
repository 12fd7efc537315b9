package io.peregrine.device;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.peregrine.genapi.NodeMap;
import java.time.Duration;

/** Operations of a group, while another thread is in the middle of the same ones. */
final class Grouped {
    private Grouped() {}

    /** Fails if one of the two waits for the other for longer than a limit. */
    static void besideAnotherThread(NodeMap nodes, Duration limit, Runnable others, Runnable operations)
            throws InterruptedException {
        Thread other = new Thread(others);
        Thread group = new Thread(() -> nodes.together(() -> {
            other.start();
            while (other.isAlive() && other.getState() == Thread.State.RUNNABLE) {
                Thread.onSpinWait();
            }
            operations.run();
        }));
        other.setDaemon(true);
        group.setDaemon(true);
        group.start();
        group.join(limit.toMillis());
        assertFalse(group.isAlive());
        other.join(limit.toMillis());
        assertFalse(other.isAlive());
    }
}
