package io.peregrine.benchmarks;

import io.peregrine.composite.Composite;
import io.peregrine.gendc.GenDcDescriptor;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.recording.Recorder;
import io.peregrine.recording.RecorderSettings;
import io.peregrine.recording.RecorderSettings.Form;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Writes the same amount to the same disk with the recorder and with {@code dd conv=fdatasync}, in turn, until it is on
 * the disk. Frames are there as fast as the recorder takes them. Arguments: directory, rounds, megabytes, megapixels of
 * a frame.
 *
 * <p>Zeros from {@code /dev/zero} come out of the processor's cache; frames lie in memory. So where there is room for
 * it, dd also copies the very bytes of the frames, from a file in memory. A file channel that writes the frames and is
 * forced at the end shows what the page cache allows from within a JVM.
 */
public final class RecordMain {
    private static final int DISTINCT_FRAMES = 8;
    private static final long MEGABYTE = 1 << 20;
    private static final Path MEMORY = Path.of("/dev/shm");

    private RecordMain() {}

    /** One way of writing. */
    private enum Way {
        DD("dd conv=fdatasync, zeros"),
        DD_FRAMES("dd conv=fdatasync, the frames' bytes"),
        CHANNEL("FileChannel, write and force"),
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
        Map<Way, double[]> rates = new EnumMap<>(Way.class);
        Path target = Files.createTempDirectory(directory, "record");
        Optional<Path> source = inMemory(frames, count, megapixels);
        List<Way> ways = new ArrayList<>(List.of(Way.values()));
        if (source.isEmpty()) {
            ways.remove(Way.DD_FRAMES);
            System.out.println("No room in " + MEMORY + " for the frames: without the row of dd that copies them");
        }
        try {
            for (Way way : List.of(Way.CHANNEL, Way.FILE, Way.DIRECTORY)) {
                write(way, target, frames, source, Math.min(count, 32), megapixels);
                clear(target);
            }
            for (int round = 0; round < rounds; round++) {
                for (Way way : ways) {
                    // What the way before left behind is not to be written now.
                    run("sync", "-f", target.toString());
                    long begin = System.nanoTime();
                    write(way, target, frames, source, count, megapixels);
                    double seconds = (System.nanoTime() - begin) / 1e9;
                    rates.computeIfAbsent(way, key -> new double[rounds])[round] =
                            count * megapixels * MEGABYTE / 1e6 / seconds;
                    clear(target);
                }
                // No way always comes after the same one.
                Collections.shuffle(ways, new Random(round));
            }
        } finally {
            clear(target);
            Files.delete(target);
            if (source.isPresent()) {
                Files.delete(source.get());
            }
        }
        print(rates, rounds, count, megapixels);
    }

    private static void write(
            Way way, Path target, List<ByteBuffer> frames, Optional<Path> source, long count, int megapixels)
            throws IOException {
        switch (way) {
            case DD -> dd("/dev/zero", target.resolve("dd"), count, megapixels, "conv=fdatasync");
            case DD_FRAMES ->
                dd(source.orElseThrow().toString(), target.resolve("dd"), count, megapixels, "conv=fdatasync");
            case DD_FILES -> ddFiles(target, count, megapixels);
            case CHANNEL -> channel(target.resolve("channel"), frames, count);
            case FILE, DIRECTORY -> record(way, target, frames, count);
        }
    }

    /** The bytes that will be recorded, if there is room for them. */
    private static Optional<Path> inMemory(List<ByteBuffer> frames, long count, int megapixels) throws IOException {
        long spareBytes = 1024 * MEGABYTE;
        if (!Files.isDirectory(MEMORY)
                || Files.getFileStore(MEMORY).getUsableSpace() < count * megapixels * MEGABYTE + spareBytes) {
            return Optional.empty();
        }
        Path source = Files.createTempFile(MEMORY, "record", ".frames");
        try (FileChannel channel = FileChannel.open(source, StandardOpenOption.WRITE)) {
            append(channel, frames, count);
        }
        return Optional.of(source);
    }

    private static void append(FileChannel channel, List<ByteBuffer> frames, long count) throws IOException {
        for (long i = 0; i < count; i++) {
            ByteBuffer frame = frames.get((int) (i % frames.size())).duplicate();
            while (frame.hasRemaining()) {
                channel.write(frame);
            }
        }
    }

    private static void channel(Path file, List<ByteBuffer> frames, long count) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            append(channel, frames, count);
            channel.force(false);
        }
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

    private static void record(Way way, Path directory, List<ByteBuffer> frames, long count) throws IOException {
        RecorderSettings settings =
                RecorderSettings.defaults().withForm(way == Way.DIRECTORY ? Form.DIRECTORY : Form.FILE);
        Path target = directory.resolve("run");
        try (Recorder recorder = Recorder.start(target, settings)) {
            for (long i = 0; i < count; i++) {
                try (Composite composite = Composite.of(frames.get((int) (i % frames.size())))) {
                    // One less: a frame can be written already and its memory not be given back yet.
                    while (recorder.statistics().framesQueued() >= settings.queueFrames() - 1) {
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

    private static void dd(String from, Path file, long count, int megapixels, String... more) throws IOException {
        run(Stream.concat(
                        Stream.of("dd", "if=" + from, "of=" + file, "bs=" + megapixels + "M", "count=" + count),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    private static void ddFiles(Path directory, long count, int megapixels) throws IOException {
        Path target = Files.createDirectory(directory.resolve("dd"));
        for (long i = 0; i < count; i++) {
            dd("/dev/zero", target.resolve("frame-" + i), 1, megapixels);
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

    private static void print(Map<Way, double[]> rates, int rounds, long count, int megapixels) {
        System.out.printf(
                Locale.ROOT,
                "%d frames of %d MiB, %d rounds in turn; medians, of ratios within a round%n%n"
                        + "| way | MB/s | lowest to highest | to dd, zeros | to dd, the frames' bytes |%n",
                count,
                megapixels,
                rounds);
        System.out.println("|---|---|---|---|---|");
        rates.forEach((way, own) -> {
            double[] sorted = own.clone();
            Arrays.sort(sorted);
            boolean files = way == Way.DD_FILES || way == Way.DIRECTORY;
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.0f | %.0f to %.0f | %s | %s |%n",
                    way.title,
                    sorted[rounds / 2],
                    sorted[0],
                    sorted[rounds - 1],
                    ratio(own, rates.get(files ? Way.DD_FILES : Way.DD)),
                    files ? "" : ratio(own, rates.get(Way.DD_FRAMES)));
        });
    }

    private static String ratio(double[] own, double[] peer) {
        if (peer == null) {
            return "";
        }
        double[] ratios = new double[own.length];
        for (int i = 0; i < own.length; i++) {
            ratios[i] = own[i] / peer[i];
        }
        Arrays.sort(ratios);
        return String.format(
                Locale.ROOT, "%.2f (%.2f to %.2f)", ratios[ratios.length / 2], ratios[0], ratios[ratios.length - 1]);
    }
}
