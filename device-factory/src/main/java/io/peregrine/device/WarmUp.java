package io.peregrine.device;

import io.peregrine.stream.PayloadType;
import io.peregrine.stream.engine.HandOff;
import io.peregrine.stream.engine.Threads;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts made-up frames through the code of a stream, on a separate thread. The first ones, while a device is opened,
 * load the classes. The others follow when it is open, and the JVM compiles what they run: it looks at a method each
 * time that it has run 128 times, and compiles it from 200 times on, but only from some thousand times on while many
 * others wait for the compiler, as they do while a device is opened. The acquisition starts when they are through, or
 * after a quarter of a second; a published stream, whose frames come as soon as it starts, is opened then. Until then,
 * three times as many follow at a rate that leaves the processor to others: what runs once per frame is compiled for
 * the last time after 5000 runs. Frames count for the whole process: the second device has nothing to do. Nothing
 * depends on it: a failure is logged at debug level.
 */
final class WarmUp {
    private static final System.Logger LOGGER = System.getLogger(WarmUp.class.getName());
    private static final long JOIN_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** Longest that the acquisition waits for it. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    /** While a device is opened. */
    private static final int FIRST_FRAMES = 20;

    /** Waking the two threads for each frame takes longer than the frame. */
    private static final int FRAMES_AT_ONCE = 8;

    /**
     * The second compiler takes what runs for each packet after some 1600 frames: before that, a stream ends and the
     * next one begins, so that it makes code for that, too.
     */
    private static final int FRAMES_OF_A_STREAM = 1400;

    /** For each frame that the acquisition waits for. */
    private static final int FRAMES_IN_ALL = 4;

    private static final int FRAMES_BETWEEN_PAUSES = 16;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Made-up frames of each payload type in this process. */
    private static final Map<Integer, Integer> MADE = new ConcurrentHashMap<>();

    private final int frames;
    private final Map<Integer, Integer> made;
    private final LongSupplier rehearsed;
    private final IntFunction<MadeUpStream> maker;
    // Guarded by this object.
    private int payloadType;
    private boolean opened;
    private boolean awaited;
    private boolean ended;
    private @Nullable Thread thread;

    /**
     * Makes one that has not begun.
     *
     * @param payloadType payload type that the stream will probably have
     * @param frames how many frames the acquisition waits for; 0 for none at all
     * @param made how many there were before, by payload type
     * @param rehearsed how many other threads made up
     * @param maker makes a stream of a payload type
     */
    WarmUp(
            int payloadType,
            int frames,
            Map<Integer, Integer> made,
            LongSupplier rehearsed,
            IntFunction<MadeUpStream> maker) {
        this.payloadType = payloadType;
        this.frames = frames;
        this.made = made;
        this.rehearsed = rehearsed;
        this.maker = maker;
    }

    /**
     * Begins one for a device that is about to be opened.
     *
     * @param published whether it is a stream that another program publishes: these are all of containers
     */
    static WarmUp begin(OpenParameters parameters, boolean published) {
        WarmUp begun = new WarmUp(
                published ? PayloadType.GENDC : likely(parameters),
                parameters.warmUpFrames(),
                MADE,
                RehearsedFrame::runs,
                type -> new MadeUpStream(type, parameters.handOff(), atOnce(parameters.handOff())));
        begun.begin();
        return begun;
    }

    /** None, for a device that sends nothing. */
    static WarmUp none() {
        return new WarmUp(PayloadType.IMAGE, 0, MADE, RehearsedFrame::runs, type -> {
            throw new IllegalStateException("No frames");
        });
    }

    private static int atOnce(HandOff handOff) {
        return handOff.newestOnly() ? 1 : FRAMES_AT_ONCE;
    }

    private static int likely(OpenParameters parameters) {
        return switch (parameters.payload()) {
            case AUTOMATIC -> parameters.rdma() == OpenOptions.Rdma.OFF ? PayloadType.IMAGE : PayloadType.GENDC;
            case IMAGE -> PayloadType.IMAGE;
            case MULTI_PART -> PayloadType.MULTI_PART;
            case GENDC -> PayloadType.GENDC;
        };
    }

    /** The device is open: what follows does not keep the compiler busy. */
    synchronized void opened() {
        opened = true;
        begin();
    }

    /** The payload type that the stream has is known. */
    synchronized void expect(int type) {
        payloadType = type;
        opened();
    }

    /** Begins with the first frames. */
    synchronized void begin() {
        if (thread == null && !enough(payloadType)) {
            thread = new Thread(this::run, "peregrine-warm-up");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Frames are about to come: returns when all frames were made up, and soon in any case. */
    void finish() {
        finish(PATIENCE_NANOS);
    }

    /** Ends it as {@link #end()}, after a wait for the frames that are missing. */
    void finish(long patienceNanos) {
        Thread running;
        synchronized (this) {
            awaited = true;
            running = thread;
        }
        if (running != null) {
            LockSupport.unpark(running);
            Threads.join(running, patienceNanos);
        }
        end();
    }

    /** Returns when it has ended, after the first frame of the payload type that is expected. */
    void end() {
        Thread running;
        synchronized (this) {
            ended = true;
            running = thread;
        }
        LockSupport.unpark(running);
        if (running != null && !Threads.join(running, JOIN_NANOS)) {
            LOGGER.log(System.Logger.Level.DEBUG, "The warm-up goes on beside the stream");
        }
    }

    private synchronized boolean enough(int type) {
        if (type != payloadType) {
            return true;
        }
        int before = made.getOrDefault(type, 0);
        if (before < Math.min(ended ? 1 : opened ? frames : FIRST_FRAMES, frames)) {
            return false;
        }
        return ended || awaited || !opened || compiled(before + rehearsed.getAsLong(), frames);
    }

    /**
     * Whether enough frames were made up for their code to be compiled.
     *
     * @param frames how many the acquisition waits for
     */
    static boolean compiled(long made, int frames) {
        return made >= (long) FRAMES_IN_ALL * frames;
    }

    /** How many frames of a payload type were made up in this process. */
    static int made(int type) {
        return MADE.getOrDefault(type, 0);
    }

    /** The payload type of the next frames; -1 at the end. */
    private synchronized int next() {
        if (!enough(payloadType)) {
            return payloadType;
        }
        thread = null;
        return -1;
    }

    private void run() {
        for (int type = next(); type >= 0; type = next()) {
            try (MadeUpStream stream = maker.apply(type)) {
                int frame = 0;
                while (frame < FRAMES_OF_A_STREAM && !enough(type)) {
                    stream.take();
                    frame++;
                    if (made.merge(type, 1, Integer::sum) >= frames && frame % FRAMES_BETWEEN_PAUSES == 0) {
                        LockSupport.parkNanos(this, PAUSE_NANOS);
                    }
                }
                if (frame == FRAMES_OF_A_STREAM) {
                    stream.end();
                }
            } catch (RuntimeException | Error e) {
                // It would fail again.
                made.put(type, Integer.MAX_VALUE / 2);
                LOGGER.log(System.Logger.Level.DEBUG, "The warm-up of streams failed", e);
            }
        }
    }
}
