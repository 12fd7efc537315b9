package io.peregrine.rdma;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** A completion queue of one channel, polled by its own thread. */
final class DedicatedCompletionPort implements CompletionPort, CompletionHandler {
    private static final long MESSAGE = 1L << 63;

    private final Handler handler;
    private final CompletionQueue completions;
    private final Optional<MessageSlots> slots;
    private final ReentrantLock waking = new ReentrantLock();
    private boolean closed;
    private RdmaConnection connection;
    private int postedReceives;

    /**
     * Makes a port.
     *
     * @param capacity most work that is posted at a time, messages not counted
     * @param messages most messages of the device that may be on their way
     * @param messageBytes bytes of the largest message; 0 if there are none
     */
    DedicatedCompletionPort(
            RdmaTransport transport,
            RdmaStreamSettings settings,
            Handler handler,
            int capacity,
            int messages,
            int messageBytes) {
        this.handler = handler;
        completions = transport.completionQueue(new CompletionQueueSettings(
                capacity + messages, settings.completionVector(), settings.maxPoll(), true));
        boolean done = false;
        try {
            slots = messageBytes == 0
                    ? Optional.empty()
                    : Optional.of(new MessageSlots(transport, messages, messageBytes));
            done = true;
        } finally {
            if (!done) {
                completions.close();
            }
        }
    }

    @Override
    public ConnectionSettings settings(int sendDepth, int flowReceives) {
        return ConnectionSettings.of(
                completions,
                sendDepth,
                flowReceives + slots.map(MessageSlots::count).orElse(0));
    }

    @Override
    public void attach(RdmaConnection made) {
        connection = made;
        postedReceives = 0;
        for (int i = 0; slots.isPresent() && i < slots.get().count(); i++) {
            post(slots.get(), i);
        }
    }

    private void post(MessageSlots memory, int slot) {
        connection.postReceive(MESSAGE | slot, memory.region(), memory.offsetBytes(slot), memory.slotBytes());
        postedReceives++;
    }

    @Override
    public void detach() {
        connection = null;
        postedReceives = 0;
    }

    @Override
    public int postedReceives() {
        return postedReceives;
    }

    @Override
    public int poll() {
        return completions.poll(this);
    }

    @Override
    public void onCompletion(Completion completion) {
        // What is left of a connection that was closed comes here too.
        if (completion.connection() != connection) {
            return;
        }
        if (completion.workId() >= 0) {
            handler.onCompletion(completion);
            return;
        }
        postedReceives--;
        MessageSlots memory = slots.orElseThrow();
        int slot = (int) completion.workId();
        handler.onMessage(completion, memory.view(slot));
        if (completion.status() == Completion.Status.SUCCESS) {
            try {
                post(memory, slot);
            } catch (RdmaException e) {
                // The connection has ended, and its state tells so.
                return;
            }
        }
    }

    @Override
    public void await(long deadlineNanos) {
        completions.await(deadlineNanos);
    }

    @Override
    public void settle(long deadlineNanos) {
        int handled = completions.poll(this);
        while (handled > 0) {
            handled = completions.poll(this);
        }
    }

    @Override
    public void wake() {
        waking.lock();
        try {
            if (!closed) {
                completions.wakeUp();
            }
        } finally {
            waking.unlock();
        }
    }

    @Override
    public void close() {
        waking.lock();
        try {
            closed = true;
        } finally {
            waking.unlock();
        }
        try {
            completions.close();
        } finally {
            slots.ifPresent(MessageSlots::close);
        }
    }
}
