package io.peregrine.samples;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.export.Images;
import io.peregrine.gendc.ComponentType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** Saves one frame: intensity as it is, range in colours. */
public final class SaveFramesAsPng {
    private SaveFramesAsPng() {}

    /**
     * Runs the sample.
     *
     * @param arguments the folder for the images, the working directory when absent
     */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments.length > 0 ? arguments[0] : ".");
        try (Device device = DeviceFactory.open(DeviceFactory.first());
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            WaitResult result = stream.waitFor(Duration.ofSeconds(5));
            if (!(result instanceof WaitResult.Ok frame)) {
                throw new IllegalStateException("No frame came, " + result + " " + stream.diagnosis());
            }
            try (Composite composite = frame.composite()) {
                save(composite, folder);
            }
            stream.stop();
        }
    }

    static void save(Composite composite, Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Item item : composite.items()) {
            if (item.componentType() == ComponentType.INTENSITY || item.componentType() == ComponentType.RANGE) {
                Path file = folder.resolve(item.componentType().name().toLowerCase(Locale.ROOT) + ".png");
                Images.writePng(Images.forDisplay(item), file);
                System.out.println("wrote " + file);
            }
        }
    }
}
