package io.peregrine.cli;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.Item;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceException;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.DiscoveryInformation;
import io.peregrine.export.Images;
import io.peregrine.gendc.ComponentType;
import io.peregrine.virtualcamera.TestPattern;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What {@code ./demo} runs: a live table of composite frames, every byte checked, and two images. */
public final class Demo {
    private Demo() {}

    /**
     * Runs the demonstration; ends with 1 when a frame was incomplete, a byte wrong, or the camera lost.
     *
     * @param arguments the number of frames, the folder for the images, and the value of UseRdma
     */
    public static void main(String[] arguments) throws IOException {
        boolean good;
        try {
            good = run(Integer.parseInt(arguments[0]), Path.of(arguments[1]), arguments[2], System.out);
        } catch (DeviceException e) {
            System.err.println(e.getMessage());
            good = false;
        }
        System.exit(good ? 0 : 1);
    }

    static boolean run(int frames, Path folder, String useRdma, PrintStream out) throws IOException {
        DiscoveryInformation info = DeviceFactory.first();
        info.setParameter("UseRdma", useRdma);
        long complete = 0;
        long badBytes = 0;
        long bytes = 0;
        try (Device device = DeviceFactory.open(info);
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            out.println(device);
            stream.start();
            out.println("streaming by " + device.streamingMode());
            device.streamingMode().rdma().ifPresent(rdma -> out.println("because " + rdma.reason()));
            out.printf(
                    Locale.ROOT,
                    "%6s %6s %16s  %-58s %9s %6s%n",
                    "frame",
                    "id",
                    "timestamp",
                    "components",
                    "MB/s",
                    "lost");
            long started = System.nanoTime();
            int seen = 0;
            Optional<Composite> last = Optional.empty();
            for (Composite composite : stream) {
                try (composite) {
                    seen++;
                    complete += composite.complete() ? 1 : 0;
                    StringBuilder components = new StringBuilder();
                    for (Item item : composite.items()) {
                        bytes += item.sizeBytes();
                        badBytes += TestPattern.countBadBytes(
                                item.typeId(),
                                item.format().code(),
                                composite.blockId(),
                                item.width(),
                                item.height(),
                                item.data());
                        components
                                .append(components.length() == 0 ? "" : ", ")
                                .append(item.componentType().toString().toLowerCase(Locale.ROOT))
                                .append(' ')
                                .append(item.width())
                                .append('x')
                                .append(item.height())
                                .append(' ')
                                .append(item.format().name());
                    }
                    if (seen % Math.max(1, frames / 20) == 1 || seen == frames) {
                        double seconds = (System.nanoTime() - started) / 1e9;
                        out.printf(
                                Locale.ROOT,
                                "%6d %6d %16d  %-58s %9.1f %6d%n",
                                seen,
                                composite.blockId(),
                                composite.timestamp(),
                                components,
                                bytes / seconds / 1e6,
                                stream.statistics().framesLost());
                    }
                    if (seen == frames) {
                        last = Optional.of(composite.copy());
                    }
                }
                if (seen == frames) {
                    break;
                }
            }
            // What came after the last frame counts, too: it is known when the camera has stopped.
            stream.stop();
            if (last.isPresent()) {
                save(last.get(), folder, out);
            }
            out.printf(
                    Locale.ROOT,
                    "%d of %d frames complete, %d bad bytes, %s%n",
                    complete,
                    frames,
                    badBytes,
                    losses(stream, out));
        }
        return complete == frames && badBytes == 0;
    }

    /** How many frames were lost, and why; prints what is to be said of a stream that lost none. */
    private static String losses(CompositeStream stream, PrintStream out) {
        long lost = stream.statistics().framesLost();
        List<String> diagnosis = stream.diagnosis();
        String count = lost + (lost == 1 ? " frame lost" : " frames lost");
        if (lost == 0 || diagnosis.isEmpty()) {
            diagnosis.forEach(out::println);
            return count;
        }
        return count + ": " + String.join("; ", diagnosis);
    }

    private static void save(Composite composite, Path folder, PrintStream out) throws IOException {
        Files.createDirectories(folder);
        for (Item item : composite.items()) {
            Optional<BufferedImage> picture =
                    item.componentType() == ComponentType.CONFIDENCE ? Optional.empty() : PictureWriter.picture(item);
            if (picture.isPresent()) {
                Path file = folder.resolve(item.componentType().toString().toLowerCase(Locale.ROOT) + ".png");
                Images.writePng(picture.get(), file);
                out.println("wrote " + file);
            }
        }
    }
}
