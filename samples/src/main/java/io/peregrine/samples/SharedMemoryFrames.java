package io.peregrine.samples;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.ExternalFlowSetPool;
import io.peregrine.composite.Item;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.stream.FlowInfo;
import io.peregrine.stream.FlowMemory;
import io.peregrine.stream.MemoryFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;

/**
 * Hands frames to another process without a copy: the camera's frames are received into a file in /dev/shm, which both
 * processes map. Start {@code acquire FILE FRAMES} in one terminal and {@code read FILE} in another.
 *
 * <p>The first page of the file says which frames may be read. The acquiring process keeps each frame that it
 * published, so that nothing is received there, until the reading one has given it back. Frames are given back in
 * order.
 */
public final class SharedMemoryFrames {
    private static final int FLOW_SETS = 8;
    private static final long POLL_NANOS = 100_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private SharedMemoryFrames() {}

    /**
     * Runs the sample.
     *
     * @param arguments {@code acquire}, a file, perhaps a number of frames (20); or {@code read} and the same file
     */
    public static void main(String[] arguments) throws Exception {
        Path path = Path.of(arguments.length > 1 ? arguments[1] : "/dev/shm/peregrine-frames");
        if (arguments.length > 0 && arguments[0].equals("read")) {
            read(path);
        } else {
            acquire(path, arguments.length > 2 ? Integer.parseInt(arguments[2]) : 20);
        }
    }

    // ---- the process with the camera

    private static void acquire(Path path, int frames) throws Exception {
        try (Device device = DeviceFactory.open(DeviceFactory.first());
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            List<FlowInfo> flows = stream.flowSetInfo();
            long setBytes =
                    flows.stream().mapToLong(flow -> pages(flow.sizeBytes())).sum();
            MemoryFile file = MemoryFile.create(path, Exchange.HEADER_BYTES + FLOW_SETS * setBytes);
            try {
                ExternalFlowSetPool.Builder pool = ExternalFlowSetPool.builder();
                long at = Exchange.HEADER_BYTES;
                for (int set = 0; set < FLOW_SETS; set++) {
                    List<FlowMemory> memory = new ArrayList<>();
                    for (FlowInfo flow : flows) {
                        memory.add(file.flow(at, flow.sizeBytes()));
                        at += pages(flow.sizeBytes());
                    }
                    pool.add(memory);
                }
                // Only then nothing can be written into the file any more.
                pool.onRelease(released -> file.close());
                stream.registerExternalFlowSetPool(pool.build());
                Exchange exchange = new Exchange(file);
                exchange.open();
                exchange.awaitReader(PATIENCE);
                stream.start();
                publish(stream, exchange, file.address(), frames);
                stream.stop();
            } finally {
                // Both processes still have it in memory.
                Files.delete(path);
            }
        }
    }

    private static long pages(long bytes) {
        return (bytes + FlowMemory.ALIGNMENT_BYTES - 1) / FlowMemory.ALIGNMENT_BYTES * FlowMemory.ALIGNMENT_BYTES;
    }

    private static void publish(CompositeStream stream, Exchange exchange, long fileAddress, int frames) {
        ArrayDeque<Composite> published = new ArrayDeque<>();
        try {
            long count = 0;
            while (count < frames && exchange.readerAlive()) {
                if (stream.waitFor(Duration.ofMillis(100)) instanceof WaitResult.Ok next) {
                    Composite composite = next.composite();
                    Item image = composite.image().orElse(null);
                    if (composite.complete() && image != null && image.address().isPresent()) {
                        System.out.println("published " + text(composite.blockId(), image.data()));
                        published.add(composite);
                        exchange.publish(image.address().getAsLong() - fileAddress, composite.blockId(), image);
                        count++;
                    } else {
                        composite.close();
                    }
                } else if (!stream.running()) {
                    throw new IllegalStateException("No further frame: " + stream.end() + " " + stream.diagnosis());
                }
                giveBack(published, exchange);
            }
            exchange.end();
            while (!published.isEmpty() && exchange.readerAlive()) {
                giveBack(published, exchange);
                LockSupport.parkNanos(POLL_NANOS);
            }
        } finally {
            // A reader that has ended reads no more.
            published.forEach(Composite::close);
        }
    }

    private static void giveBack(ArrayDeque<Composite> published, Exchange exchange) {
        while (exchange.outstanding() < published.size()) {
            published.remove().close();
        }
    }

    // ---- the process without

    private static void read(Path path) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!Files.isReadable(path) || !isOpen(path)) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("No one acquires into " + path);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        try (MemoryFile file = MemoryFile.open(path)) {
            Exchange exchange = new Exchange(file);
            exchange.enter();
            while (exchange.awaitFrame()) {
                System.out.println("read " + text(exchange.frameId(), exchange.frame()));
                exchange.giveBack();
            }
        }
    }

    private static boolean isOpen(Path path) {
        try (MemoryFile file = MemoryFile.openReadOnly(path)) {
            return new Exchange(file).isOpen();
        }
    }

    private static String text(long id, ByteBuffer bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes.duplicate());
        return "frame " + id + ", " + bytes.remaining() + " bytes, CRC-32 " + Long.toHexString(crc.getValue());
    }

    /** The first page of the file. Each number is written by one of the two processes only. */
    private static final class Exchange {
        static final int HEADER_BYTES = 4096;
        private static final long MAGIC = 0x50475248_53484D31L;

        private static final int OPEN = 0;
        /** How many frames were published; written by the process with the camera. */
        private static final int PUBLISHED = 64;
        /** 1 when no more will be. */
        private static final int ENDED = 128;
        /** How many frames were given back; written by the reader. */
        private static final int RETURNED = 192;
        /** Its process id. */
        private static final int READER = 256;
        /** The last frames that were published: place in the file, bytes, block id. */
        private static final int FRAMES = 320;

        private static final int FRAME_BYTES = 24;
        /** What is written before a release is seen after an acquire, in the other process, too. */
        private static final VarHandle NUMBER =
                MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

        private final MemoryFile file;
        private final ByteBuffer header;
        /** How many frames this process has published, or given back. */
        private long count;

        Exchange(MemoryFile file) {
            this.file = file;
            header = file.buffer(0, HEADER_BYTES);
        }

        private long get(int at) {
            return (long) NUMBER.getAcquire(header, at);
        }

        private void set(int at, long value) {
            NUMBER.setRelease(header, at, value);
        }

        private static int frameAt(long number) {
            return FRAMES + FRAME_BYTES * (int) (number % FLOW_SETS);
        }

        void open() {
            set(OPEN, MAGIC);
        }

        boolean isOpen() {
            return get(OPEN) == MAGIC;
        }

        void awaitReader(Duration patience) {
            long end = System.nanoTime() + patience.toNanos();
            while (get(READER) == 0) {
                if (System.nanoTime() - end > 0) {
                    throw new IllegalStateException("No one reads " + file.path());
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }

        boolean readerAlive() {
            return ProcessHandle.of(get(READER)).map(ProcessHandle::isAlive).orElse(false);
        }

        /** Each published frame holds a flow set, so that there are never more than the page has places for. */
        void publish(long place, long blockId, Item image) {
            int at = frameAt(count);
            set(at, place);
            set(at + 8, image.sizeBytes());
            set(at + 16, blockId);
            count++;
            set(PUBLISHED, count);
        }

        long outstanding() {
            return count - get(RETURNED);
        }

        void end() {
            set(ENDED, 1);
        }

        void enter() {
            set(READER, ProcessHandle.current().pid());
        }

        /** Waits for a frame that may be read; false when there will be none. */
        boolean awaitFrame() {
            while (true) {
                boolean last = get(ENDED) != 0;
                if (get(PUBLISHED) > count) {
                    return true;
                }
                if (last) {
                    return false;
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }

        long frameId() {
            return get(frameAt(count) + 16);
        }

        /** The frame itself, not a copy: until it is given back. */
        ByteBuffer frame() {
            int at = frameAt(count);
            return file.buffer(get(at), Math.toIntExact(get(at + 8)));
        }

        void giveBack() {
            count++;
            set(RETURNED, count);
        }
    }
}
