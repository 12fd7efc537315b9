package io.peregrine.device;

import io.peregrine.genapi.Registration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What a program wants to do with its devices when it is asked to terminate (SIGTERM, Ctrl-C, {@code System.exit}): the
 * devices that are open then are closed afterwards, not meanwhile.
 */
public final class ProgramEnd {
    private static final System.Logger LOGGER = System.getLogger(ProgramEnd.class.getName());
    private static final List<Runnable> STEPS = new CopyOnWriteArrayList<>();

    private ProgramEnd() {}

    /**
     * Has a step run before open devices are closed for the program. Steps run one after another, on a thread of the
     * library, while all other threads of the program go on: a step may wait until another thread has finished its work
     * with a device. The program ends no sooner than the step returns.
     *
     * @param step what to do; it must end within seconds
     * @return closing it takes the step back
     */
    public static Registration beforeDevicesClose(Runnable step) {
        STEPS.add(step);
        return () -> STEPS.remove(step);
    }

    static void runSteps() {
        for (Runnable step : STEPS) {
            try {
                step.run();
            } catch (RuntimeException e) {
                LOGGER.log(System.Logger.Level.WARNING, "A step before the end of the program failed", e);
            }
        }
    }
}
