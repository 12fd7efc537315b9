package io.peregrine.benchmarks;

import io.peregrine.composite.Composite;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.recording.Recorder;
import io.peregrine.recording.RecorderSettings;
import io.peregrine.recording.RecorderSettings.Form;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Writes the same amount to the same disk with the recorder and with {@code dd conv=fdatasync}, in turn, until it is on the
 * disk. Frames are there as fast as the recorder takes them. Arguments: directory, rounds, megabytes, megapixels of a
 * frame.
 */
public final class RecordMain {
    private static final int DISTINCT_FRAMES = 8;
    private static final long MEGABYTE = 1 << 20;

    private RecordMain() {}

    /** One way of writing. */
    private enum Way {
        DD("dd conv=fdatasync"),
        FILE("Recorder, one file"),
        DD_FILES("dd, a file for each frame, and sync"),
        DIRECTORY("Recorder, a file for each frame, and sync");

        private final String title;

        Way(String title) {
            this.title = title;
        }
    }

    /**
     * Compares.
     *
     * @param arguments what the class's documentation says
     * @throws Exception if writing fails
     */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments.length > 0 ? arguments[0] : ".");
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
        long megabytes = arguments.length > 2 ? Long.parseLong(arguments[2]) : 4096;
        int megapixels = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 8;
        List<ByteBuffer> frames = frames(megapixels);
        long count = megabytes / megapixels;
        double[][] rates = new double[Way.values().length][rounds];
        Path target = Files.createTempDirectory(directory, "record");
        try {
            write(Way.FILE, target, frames, Math.min(count, 64));
            clear(target);
            for (int round = 0; round < rounds; round++) {
                for (Way way : Way.values()) {
                    long begin = System.nanoTime();
                    switch (way) {
                        case DD -> dd(target.resolve("dd"), count, megapixels, "conv=fdatasync");
                        case DD_FILES -> ddFiles(target, count, megapixels);
                        default -> write(way, target, frames, count);
                    }
                    double seconds = (System.nanoTime() - begin) / 1e9;
                    rates[way.ordinal()][round] = count * megapixels * MEGABYTE / 1e6 / seconds;
                    clear(target);
                }
            }
        } finally {
            clear(target);
            Files.delete(target);
        }
        print(rates, count, megapixels);
    }

    private static List<ByteBuffer> frames(int megapixels) {
        GenDcDescriptor descriptor = GenDcDescriptor.builder()
                .component(component ->
                        component.typeId(1).format(PfncCodes.MONO8).part2d(part -> part.size(1024, 1024 * megapixels)))
                .build();
        Random random = new Random(1);
        List<ByteBuffer> frames = new ArrayList<>();
        for (int i = 0; i < DISTINCT_FRAMES; i++) {
            byte[] bytes = new byte[(int) descriptor.containerSizeBytes()];
            random.nextBytes(bytes);
            ByteBuffer frame = ByteBuffer.allocateDirect(bytes.length);
            frames.add(frame.put(bytes).put(0, descriptor.toBytes()).flip());
        }
        return frames;
    }

    private static void write(Way way, Path directory, List<ByteBuffer> frames, long count) throws IOException {
        RecorderSettings settings =
                RecorderSettings.defaults().withForm(way == Way.DIRECTORY ? Form.DIRECTORY : Form.FILE);
        Path target = directory.resolve("run");
        try (Recorder recorder = Recorder.start(target, settings)) {
            for (long i = 0; i < count; i++) {
                try (Composite composite = Composite.of(frames.get((int) (i % frames.size())))) {
                    while (recorder.statistics().framesQueued() == settings.queueFrames()) {
                        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
                    }
                    if (!recorder.record(composite)) {
                        throw new IllegalStateException("A frame was dropped: " + recorder);
                    }
                }
            }
        }
        if (way == Way.DIRECTORY) {
            sync(target);
        }
    }

    /** Each file, as dd does with its own: the recorder forces only its index. */
    private static void sync(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            run(Stream.concat(Stream.of("sync", "-d"), files.map(Path::toString))
                    .toArray(String[]::new));
        }
    }

    private static void dd(Path file, long count, int megapixels, String... more) throws IOException {
        run(Stream.concat(
                        Stream.of("dd", "if=/dev/zero", "of=" + file, "bs=" + megapixels + "M", "count=" + count),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    private static void ddFiles(Path directory, long count, int megapixels) throws IOException {
        Path target = Files.createDirectory(directory.resolve("dd"));
        for (long i = 0; i < count; i++) {
            dd(target.resolve("frame-" + i), 1, megapixels);
        }
        sync(target);
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (process.waitFor() != 0) {
                throw new IOException(command[0] + " failed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static void clear(Path directory) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(directory)) {
            all = files.filter(file -> !file.equals(directory))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
        for (Path file : all) {
            Files.delete(file);
        }
    }

    private static void print(double[][] rates, long count, int megapixels) {
        System.out.printf(
                Locale.ROOT,
                "%d frames of %d MiB, %d rounds in turn; medians%n%n| way | MB/s | to dd | lowest to highest MB/s |%n",
                count,
                megapixels,
                rates[0].length);
        System.out.println("|---|---|---|---|");
        double[] medians = new double[rates.length];
        for (Way way : Way.values()) {
            double[] sorted = rates[way.ordinal()].clone();
            Arrays.sort(sorted);
            medians[way.ordinal()] = sorted[sorted.length / 2];
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.0f | %.2f | %.0f to %.0f |%n",
                    way.title,
                    medians[way.ordinal()],
                    medians[way.ordinal()] / medians[way == Way.DIRECTORY ? Way.DD_FILES.ordinal() : Way.DD.ordinal()],
                    sorted[0],
                    sorted[sorted.length - 1]);
        }
    }
}
