package io.peregrine.cli;

import io.peregrine.composite.Item;
import io.peregrine.composite.internal.FileFailure;
import io.peregrine.export.ExportException;
import io.peregrine.export.Images;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Writes PNG files beside the receiving thread, because compressing takes longer than receiving. When too many images
 * wait, the caller writes one itself.
 */
final class PictureWriter implements AutoCloseable {
    private static final int MAX_WAITING = 64;

    private final Path directory;
    private final ThreadPoolExecutor writers;
    private final AtomicLong saved = new AtomicLong();
    private final AtomicReference<CliException> failure = new AtomicReference<>();

    PictureWriter(Path directory) {
        this.directory = directory;
        int threads = Runtime.getRuntime().availableProcessors();
        writers = new ThreadPoolExecutor(
                threads,
                threads,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MAX_WAITING),
                new ThreadPoolExecutor.CallerRunsPolicy());
    }

    /** Loads what writing the first image needs, which takes longer than many frames. */
    static void prepare() {
        for (int type : new int[] {BufferedImage.TYPE_BYTE_GRAY, BufferedImage.TYPE_INT_RGB}) {
            try {
                Images.writePng(new BufferedImage(1, 1, type), OutputStream.nullOutputStream());
            } catch (IOException e) {
                throw new CliException(ExitCodes.FAILED, "Cannot write PNG images: " + FileFailure.reason(e), e);
            }
        }
    }

    /** The image of an item to look at; empty when it is not complete or nothing can be seen in it. */
    static Optional<BufferedImage> picture(Item item) {
        try {
            return Optional.of(Images.forDisplay(item));
        } catch (ExportException e) {
            return Optional.empty();
        }
    }

    void write(BufferedImage picture, String name) {
        writers.execute(() -> {
            try {
                Images.writePng(picture, directory.resolve(name));
                saved.incrementAndGet();
            } catch (IOException e) {
                failure.compareAndSet(
                        null,
                        new CliException(
                                ExitCodes.FAILED,
                                "Cannot write " + name + " in " + directory + ": " + FileFailure.reason(e),
                                e));
            }
        });
    }

    /** Waits for the images that are not written yet, and returns the number of files. */
    long finish() {
        close();
        return saved.get();
    }

    /** Why an image could not be written; empty while all is well. */
    Optional<CliException> failure() {
        return Optional.ofNullable(failure.get());
    }

    @Override
    public void close() {
        writers.shutdown();
        try {
            while (!writers.awaitTermination(1, TimeUnit.SECONDS)) {
                Thread.onSpinWait();
            }
        } catch (InterruptedException e) {
            writers.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
