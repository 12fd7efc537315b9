package io.peregrine.pvaccess;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** The connection of one client: what it sends is checked, and its end is reported. */
final class ClientSocket extends Socket {
    private final AtomicReference<Optional<Queue<?>>> answers = new AtomicReference<>(Optional.empty());
    private final Consumer<ClientSocket> ended;

    ClientSocket(Consumer<ClientSocket> ended) {
        this.ended = ended;
    }

    /** What waits to be sent to the client. */
    void answers(Queue<?> queue) {
        answers.set(Optional.of(queue));
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new RequestFilter(super.getInputStream(), answers, this::isClosed);
    }

    /** The end is reported without the lock of the socket, or two threads could wait for each other. */
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public void close() throws IOException {
        super.close();
        ended.accept(this);
    }
}
