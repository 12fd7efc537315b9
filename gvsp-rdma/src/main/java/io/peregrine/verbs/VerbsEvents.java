package io.peregrine.verbs;

import io.peregrine.nativeio.LibIbverbs;
import io.peregrine.nativeio.LibRdmaCm;
import io.peregrine.nativeio.NativeMemory;
import io.peregrine.nativeio.PollSet;
import io.peregrine.nativeio.WakeEvent;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;

/**
 * The thread that takes the events of the connection manager and of the device, and gives them to those they are about.
 * Every event is copied and acknowledged before anybody hears of it, so that a handler and the thread that destroys the
 * object in question cannot wait for each other.
 */
final class VerbsEvents implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(VerbsEvents.class.getName());

    private static final int CM = 0;
    private static final int ASYNC = 1;
    private static final int WAKE = 2;

    /**
     * Queue pairs of the whole process by address: the library opens a device once for all transports of a process, and
     * any of their threads may read an event of it.
     */
    private static final Map<Long, IntConsumer> QUEUE_PAIRS = new ConcurrentHashMap<>();

    private final long channel;
    private final long context;
    private final WakeEvent wake;
    private final PollSet descriptors;
    private final Map<Long, CmEvent.Handler> handlers = new ConcurrentHashMap<>();
    private final ByteBuffer memory = NativeMemory.allocate(8 + VerbsLayout.ASYNC_BYTES);
    private final long cmEventPointer = NativeMemory.address(memory);
    private final long asyncEvent = cmEventPointer + 8;
    private final Thread thread;
    private volatile boolean stopping;

    /**
     * Prepares the thread.
     *
     * @param channel the event channel; its descriptor must not block
     * @param channelDescriptor the event channel's descriptor
     * @param context the device
     * @param asyncDescriptor the descriptor of the device's events, which must not block
     * @param name name of the device
     */
    VerbsEvents(long channel, int channelDescriptor, long context, int asyncDescriptor, String name) {
        this.channel = channel;
        this.context = context;
        this.wake = new WakeEvent();
        this.descriptors = new PollSet(channelDescriptor, asyncDescriptor, wake.fileDescriptor());
        this.thread = new Thread(this::run, "peregrine-verbs-events-" + name);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Who takes the events of an identifier of the connection manager from now on. */
    void handle(long id, CmEvent.Handler handler) {
        handlers.put(id, handler);
    }

    void forget(long id) {
        handlers.remove(id);
    }

    /** Who takes the events of a queue pair, by their {@code ibv_event_type}, from now on. */
    static void handleQueuePair(long queuePair, IntConsumer handler) {
        QUEUE_PAIRS.put(queuePair, handler);
    }

    static void forgetQueuePair(long queuePair) {
        QUEUE_PAIRS.remove(queuePair);
    }

    private void run() {
        while (!stopping) {
            descriptors.await(-1);
            if (descriptors.ready(WAKE)) {
                wake.clear();
            }
            try {
                while (!stopping && takeCmEvent()) {
                    // one after the other
                }
                while (!stopping && takeAsyncEvent()) {
                    // one after the other
                }
            } catch (RuntimeException e) {
                LOGGER.log(System.Logger.Level.WARNING, "An RDMA event could not be handled", e);
            }
        }
    }

    private boolean takeCmEvent() {
        if (!descriptors.ready(CM) || LibRdmaCm.rdma_get_cm_event(channel, cmEventPointer) != 0) {
            return false;
        }
        long address = memory.getLong(0);
        ByteBuffer fields = NativeMemory.buffer(address, VerbsLayout.CM_EVENT_BYTES);
        int type = fields.getInt(VerbsLayout.CM_EVENT_TYPE);
        long data = fields.getLong(VerbsLayout.CM_EVENT_PRIVATE_DATA);
        int length = Byte.toUnsignedInt(fields.get(VerbsLayout.CM_EVENT_PRIVATE_DATA_LEN));
        byte[] privateData = new byte[data == 0 ? 0 : length];
        if (privateData.length > 0) {
            NativeMemory.buffer(data, privateData.length).get(0, privateData);
        }
        CmEvent event = new CmEvent(
                fields.getLong(VerbsLayout.CM_EVENT_ID), type, fields.getInt(VerbsLayout.CM_EVENT_STATUS), privateData);
        long receiver = type == CmEvent.CONNECT_REQUEST ? fields.getLong(VerbsLayout.CM_EVENT_LISTEN_ID) : event.id();
        LibRdmaCm.rdma_ack_cm_event(address);
        CmEvent.Handler handler = handlers.get(receiver);
        if (handler != null) {
            handler.onEvent(event);
        } else if (type == CmEvent.CONNECT_REQUEST) {
            // Its listener was closed meanwhile: destroying the new identifier refuses.
            LibRdmaCm.rdma_destroy_id(event.id());
        }
        return true;
    }

    private boolean takeAsyncEvent() {
        if (!descriptors.ready(ASYNC) || LibIbverbs.ibv_get_async_event(context, asyncEvent) != 0) {
            return false;
        }
        long element = memory.getLong(8 + VerbsLayout.ASYNC_ELEMENT);
        int type = memory.getInt(8 + VerbsLayout.ASYNC_TYPE);
        LibIbverbs.ibv_ack_async_event(asyncEvent);
        if (type == VerbsLayout.EVENT_DEVICE_FATAL) {
            QUEUE_PAIRS.values().forEach(handler -> handler.accept(type));
        } else if (aboutQueuePair(type)) {
            IntConsumer handler = QUEUE_PAIRS.get(element);
            if (handler != null) {
                handler.accept(type);
            }
        }
        return true;
    }

    private static boolean aboutQueuePair(int type) {
        return type == VerbsLayout.EVENT_QP_FATAL
                || type == VerbsLayout.EVENT_QP_REQ_ERR
                || type == VerbsLayout.EVENT_QP_ACCESS_ERR
                || type == VerbsLayout.EVENT_COMM_EST;
    }

    /** Ends the thread and waits for its end. */
    @Override
    public void close() {
        stopping = true;
        wake.set();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        wake.close();
    }
}
