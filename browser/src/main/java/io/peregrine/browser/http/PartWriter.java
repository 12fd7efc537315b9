package io.peregrine.browser.http;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Writes an answer that has no end, part by part; the client ends it. One part is written at a time. */
public final class PartWriter {
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final AtomicBoolean ended = new AtomicBoolean();

    PartWriter(Request request, Response response, Callback callback) {
        this.request = request;
        this.response = response;
        this.callback = callback;
    }

    /** Notifies of a client that went away, or that nothing was written to for long. */
    public void onEnd(Runnable listener) {
        request.addFailureListener(failure -> {
            listener.run();
            end(failure);
        });
    }

    /** Writes a part; its memory must be left alone until it is done. */
    public void write(ByteBuffer part, Runnable done, Consumer<Throwable> failed) {
        response.write(false, part, Callback.from(done, failure -> {
            failed.accept(failure);
            end(failure);
        }));
    }

    private void end(Throwable failure) {
        if (ended.compareAndSet(false, true)) {
            callback.failed(failure);
        }
    }
}
