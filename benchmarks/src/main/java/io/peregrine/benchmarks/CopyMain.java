package io.peregrine.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;

/**
 * Copies the data of packets out of a ring into frames, here and in C, in turn, and prints the CPU time of both:
 * {@code C_PROGRAM [ROUNDS]}.
 */
public final class CopyMain {
    /** As the receiver has them at its defaults, beside twenty frames of 4 MiB. */
    private static final int RING_BYTES = 64 << 20;

    private static final int FRAMES_BYTES = 20 << 22;
    /** What lies between the data of two packets: heads of the ring, of IP, UDP and GVSP. */
    private static final int HEAD_BYTES = 108;

    private static final int COPIED_BYTES = 1 << 30;
    private static final int WARM_UP = 3;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final ByteBuffer ring = ByteBuffer.allocateDirect(RING_BYTES);
    private final ByteBuffer frames = ByteBuffer.allocateDirect(FRAMES_BYTES);
    private int from;
    private int to;

    private CopyMain() {}

    /**
     * Copies.
     *
     * @param arguments what the class's documentation says
     * @throws IOException if the C program cannot be started
     */
    public static void main(String[] arguments) throws IOException {
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 9;
        Process c = new ProcessBuilder(
                        arguments[0],
                        Integer.toString(RING_BYTES),
                        Integer.toString(FRAMES_BYTES),
                        Integer.toString(HEAD_BYTES),
                        Integer.toString(COPIED_BYTES))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader answers = c.inputReader();
                Writer commands = c.outputWriter()) {
            CopyMain here = new CopyMain();
            System.out.println("data of a packet   put s/GB   memcpy s/GB   to memcpy (lowest to highest)");
            for (int dataBytes : new int[] {1464, 8964}) {
                here.compare(dataBytes, rounds, commands, answers);
            }
        } finally {
            c.destroy();
        }
    }

    private void compare(int dataBytes, int rounds, Writer commands, BufferedReader answers) throws IOException {
        for (int i = 0; i < WARM_UP; i++) {
            copy(dataBytes);
        }
        double[] java = new double[rounds];
        double[] c = new double[rounds];
        double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            java[round] = copy(dataBytes);
            commands.write(dataBytes + "\n");
            commands.flush();
            c[round] = Double.parseDouble(answers.readLine()) / COPIED_BYTES;
            ratios[round] = java[round] / c[round];
        }
        Arrays.sort(java);
        Arrays.sort(c);
        Arrays.sort(ratios);
        int middle = rounds / 2;
        System.out.printf(
                Locale.ROOT,
                "%16d %10.3f %13.3f   %.2f (%.2f to %.2f)%n",
                dataBytes,
                java[middle],
                c[middle],
                ratios[middle],
                ratios[0],
                ratios[rounds - 1]);
    }

    /** Nanoseconds of the processor for a byte, which are seconds for a gigabyte. */
    private double copy(int dataBytes) {
        long start = threads.getCurrentThreadCpuTime();
        for (long copied = 0; copied < COPIED_BYTES; copied += dataBytes) {
            if (from + HEAD_BYTES + dataBytes > RING_BYTES) {
                from = 0;
            }
            if (to + dataBytes > FRAMES_BYTES) {
                to = 0;
            }
            frames.put(to, ring, from + HEAD_BYTES, dataBytes);
            from += HEAD_BYTES + dataBytes;
            to += dataBytes;
        }
        return (double) (threads.getCurrentThreadCpuTime() - start) / COPIED_BYTES;
    }
}
