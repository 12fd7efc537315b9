package io.peregrine.samples;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Holds many frames at the same time, which needs more flow sets than usual. */
public final class ResizeFlowSetPool {
    private ResizeFlowSetPool() {}

    /** Runs the sample; it takes no arguments. */
    public static void main(String[] arguments) {
        int held = 20;
        try (Device device = DeviceFactory.open(DeviceFactory.first());
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            // Two more than are held, so that there is always one to fill.
            stream.registerManagedFlowSetPool(held + 2);
            stream.start();
            List<Composite> composites = new ArrayList<>();
            while (composites.size() < held && stream.waitFor(Duration.ofSeconds(5)) instanceof WaitResult.Ok next) {
                composites.add(next.composite());
            }
            System.out.println("Holding " + composites.size() + " frames");
            composites.forEach(Composite::close);
            if (composites.size() < held) {
                throw new IllegalStateException("No further frame arrived, " + stream.end() + " " + stream.diagnosis());
            }
            stream.stop();
        }
    }
}
