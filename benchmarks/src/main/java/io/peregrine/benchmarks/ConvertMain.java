package io.peregrine.benchmarks;

import com.sun.management.ThreadMXBean;
import io.peregrine.pfnc.PfncCodes;
import io.peregrine.pfnc.PixelConverter;
import io.peregrine.pfnc.PixelFormat;
import io.peregrine.pfnc.PixelLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/**
 * Converts images here and in a process of plain C loops, in turn, and prints the CPU time of both and their ratio. The
 * results are compared, too.
 *
 * <pre>
 * C_PROGRAM [ROUNDS] [WIDTH] [HEIGHT]
 * </pre>
 */
public final class ConvertMain {
    private static final int WARM_UP = 60;
    private static final int REPEATS = 20;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final PrintStream out = System.out;
    private final PixelConverter converter = new PixelConverter();
    private final int rounds;
    private final int width;
    private final int height;
    private final ByteBuffer source;

    private ConvertMain(int rounds, int width, int height) {
        this.rounds = rounds;
        this.width = width;
        this.height = height;
        byte[] bytes = new byte[width * height * 3 / 2];
        new Random(1).nextBytes(bytes);
        source = ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
    }

    /**
     * Runs the comparison.
     *
     * @param arguments what the class's documentation says
     * @throws IOException if the C program cannot be started
     */
    public static void main(String[] arguments) throws IOException {
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 7;
        int width = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 2448;
        int height = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 2048;
        if (width % 2 != 0) {
            // The C loop knows only lines that end on a byte.
            throw new IllegalArgumentException("The width must be even, not " + width);
        }
        new ConvertMain(rounds, width, height).run(arguments[0]);
    }

    private interface Conversion {
        void run();
    }

    private void run(String program) throws IOException {
        Path images = Files.createTempFile("convert", ".bytes");
        try {
            byte[] bytes = new byte[source.capacity()];
            source.get(0, bytes);
            Files.write(images, bytes);
            Process c = new ProcessBuilder(
                            program, Integer.toString(width), Integer.toString(height), images.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (BufferedReader answers =
                            new BufferedReader(new InputStreamReader(c.getInputStream(), StandardCharsets.UTF_8));
                    Writer commands = c.outputWriter(StandardCharsets.UTF_8)) {
                out.println("conversion               Java ns/pixel   C ns/pixel   of C's speed   "
                        + "bytes allocated an image");
                compareMono12p(commands, answers);
                compareBayer(commands, answers);
            } finally {
                c.destroy();
            }
        } finally {
            Files.deleteIfExists(images);
        }
    }

    private void compareMono12p(Writer commands, BufferedReader answers) throws IOException {
        PixelLayout layout = PixelLayout.of(PixelFormat.of(PfncCodes.MONO12P), width, height);
        short[] target = new short[width * height];
        ByteBuffer view = ByteBuffer.allocate(2 * target.length).order(ByteOrder.LITTLE_ENDIAN);
        compare(
                "Mono12p",
                "Mono12p to 16 bits",
                () -> converter.toRaw16(layout, 0, source, target),
                () -> view.asShortBuffer().put(target),
                view,
                commands,
                answers);
    }

    private void compareBayer(Writer commands, BufferedReader answers) throws IOException {
        PixelLayout layout = PixelLayout.of(PixelFormat.of(PfncCodes.BAYER_RG8), width, height);
        byte[] target = new byte[3 * width * height];
        compare(
                "BayerRG8",
                "BayerRG8 to RGB8",
                () -> converter.toRgb8(layout, source, target),
                () -> {},
                ByteBuffer.wrap(target),
                commands,
                answers);
    }

    private void compare(
            String name,
            String title,
            Conversion conversion,
            Conversion view,
            ByteBuffer result,
            Writer commands,
            BufferedReader answers)
            throws IOException {
        for (int i = 0; i < WARM_UP; i++) {
            conversion.run();
        }
        double[] java = new double[rounds];
        double[] c = new double[rounds];
        double[] ratios = new double[rounds];
        long allocated = 0;
        long checksum = 0;
        for (int round = 0; round < rounds; round++) {
            commands.write(name + " " + REPEATS + "\n");
            commands.flush();
            String[] answer = answers.readLine().split(" ", -1);
            c[round] = Double.parseDouble(answer[0]) / width / height;
            checksum = Long.parseLong(answer[1]);
            long allocatedBefore = threads.getCurrentThreadAllocatedBytes();
            long start = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < REPEATS; i++) {
                conversion.run();
            }
            java[round] = (double) (threads.getCurrentThreadCpuTime() - start) / REPEATS / width / height;
            allocated += threads.getCurrentThreadAllocatedBytes() - allocatedBefore;
            ratios[round] = c[round] / java[round];
        }
        view.run();
        if (checksum(result) != checksum) {
            throw new UncheckedIOException(new IOException(name + " became something else in C than in Java"));
        }
        out.printf(
                Locale.ROOT,
                "%-22s %15.3f %12.3f %12.2f %26d%n",
                title,
                median(java),
                median(c),
                median(ratios),
                allocated / ((long) rounds * REPEATS));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static long checksum(ByteBuffer bytes) {
        int sum = 0;
        for (int i = 0; i < bytes.capacity(); i++) {
            sum = 31 * sum + (bytes.get(i) & 0xFF);
        }
        return Integer.toUnsignedLong(sum);
    }
}
