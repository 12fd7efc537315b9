package io.peregrine.browser.frames;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * Sends frames as JPEG of 8 bits instead of the values, for lines that are too slow for these. One thread encodes for
 * all viewers, each of which has one message with it at most. Safe for use by several threads.
 */
public final class JpegSender implements AutoCloseable {
    private final Jpeg jpeg = new Jpeg();
    private final LayerImage images = new LayerImage();
    private final ExecutorService thread;

    /** Starts the thread with the first frame. */
    public JpegSender() {
        thread = Executors.newSingleThreadExecutor(task -> {
            Thread created = new Thread(task, "peregrine-browser-jpeg");
            created.setDaemon(true);
            return created;
        });
    }

    /**
     * A sink that gets messages with a {@link LayerHeader} and JPEG after it.
     *
     * @param quality 1 to 100
     */
    public Viewer.Sink messages(Viewer.Sink sink, IntSupplier quality) {
        return new Viewer.Sink() {
            @Override
            public void send(ByteBuffer message, Runnable done, Consumer<Throwable> failed) {
                encode(message, quality.getAsInt(), failed, file -> {
                    ByteBuffer sent = ByteBuffer.allocate(LayerHeader.BYTES + file.length);
                    sent.put(message.duplicate().limit(LayerHeader.BYTES)).put(file);
                    sent.order(ByteOrder.LITTLE_ENDIAN);
                    sent.put(23, (byte) (sent.get(23) | LayerHeader.CONVERTED | LayerHeader.JPEG));
                    sink.send(sent.flip(), done, failed);
                });
            }

            @Override
            public void send(String text, Runnable done, Consumer<Throwable> failed) {
                sink.send(text, done, failed);
            }
        };
    }

    /**
     * A sink that gets JPEG files, and no descriptions.
     *
     * @param quality 1 to 100
     */
    public Viewer.Sink files(Viewer.Sink sink, int quality) {
        return new Viewer.Sink() {
            @Override
            public void send(ByteBuffer message, Runnable done, Consumer<Throwable> failed) {
                encode(message, quality, failed, file -> sink.send(ByteBuffer.wrap(file), done, failed));
            }

            @Override
            public void send(String text, Runnable done, Consumer<Throwable> failed) {
                done.run();
            }
        };
    }

    private void encode(ByteBuffer message, int quality, Consumer<Throwable> failed, Consumer<byte[]> next) {
        try {
            thread.execute(() -> {
                byte[] file;
                try {
                    file = jpeg.write(images.of(message), quality);
                } catch (RuntimeException e) {
                    failed.accept(e);
                    return;
                }
                next.accept(file);
            });
        } catch (RejectedExecutionException e) {
            failed.accept(e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
