package io.peregrine.device;

import io.peregrine.genapi.Registration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a program does before its open devices are closed for it, see {@link DeviceFactory#beforeDevicesClose}. */
final class ProgramEnd {
    private static final System.Logger LOGGER = System.getLogger(ProgramEnd.class.getName());
    private static final List<Runnable> STEPS = new CopyOnWriteArrayList<>();

    private ProgramEnd() {}

    static Registration beforeDevicesClose(Runnable step) {
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
