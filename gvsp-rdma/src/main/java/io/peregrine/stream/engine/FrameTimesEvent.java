package io.peregrine.stream.engine;

import io.peregrine.stream.BlockInfo;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * Reports to Flight Recorder where the time of a frame went. One for each frame, so only where a recording asks for it.
 */
@Name("io.peregrine.FrameTimes")
@Label("Frame Times")
@Category("Peregrine")
@Description("Where the time of a frame went, from its first packet until the program had its composite")
@Enabled(false)
@StackTrace(false)
final class FrameTimesEvent extends Event {
    private static final FrameTimesEvent STATE = new FrameTimesEvent();

    @Label("Stream")
    @Description("Address of the device and port of the stream")
    String stream = "";

    @Label("Block ID")
    long blockId;

    @Label("Complete")
    boolean complete;

    @Label("Arrival")
    @Description("First packet until last packet, both as the receiver took them")
    @Timespan
    long arrival;

    @Label("Receiver Delay")
    @Description("Time stamp of the system on the last packet until the receiver took it; only from a packet ring")
    @Timespan
    long receiverDelay;

    @Label("Assembly")
    @Description("Last packet until the frame was put into the queue; older frames that it waited for included")
    @Timespan
    long assembly;

    @Label("Queue")
    @Description("In the queue until a thread of the program had it: its waking, or what else it did meanwhile")
    @Timespan
    long queue;

    @Label("Mapping")
    @Description("Making the composite")
    @Timespan
    long mapping;

    @Label("Ready At")
    @Description("System.nanoTime() when the frame was put into the queue")
    long readyAt;

    private FrameTimesEvent() {}

    /** Whether a recording wants the event. */
    static boolean on() {
        return STATE.isEnabled();
    }

    static void commit(FrameTimes times, BlockInfo block, long mappedAt) {
        long kernelAt = monotonic(times.lastPacketEpochNanos());
        long readyAt = times.readyAt();
        long lastPacketAt = times.lastPacketAt();
        if (kernelAt != FrameTimes.UNKNOWN && kernelAt - lastPacketAt > 0) {
            // The receiver asks for the time once for several packets.
            lastPacketAt = kernelAt - readyAt < 0 ? kernelAt : readyAt;
            kernelAt = lastPacketAt;
        }
        FrameTimesEvent event = new FrameTimesEvent();
        event.stream = times.stream();
        event.blockId = block.blockId();
        event.complete = block.complete();
        event.arrival = between(times.firstPacketAt(), lastPacketAt);
        event.receiverDelay = between(kernelAt, lastPacketAt);
        event.assembly = between(lastPacketAt, readyAt);
        event.queue = between(readyAt, times.takenAt());
        event.mapping = between(times.takenAt(), mappedAt);
        event.readyAt = readyAt;
        event.commit();
    }

    /** Flight Recorder shows a time span of that value as unknown. */
    private static long between(long from, long to) {
        return from == FrameTimes.UNKNOWN || to == FrameTimes.UNKNOWN ? FrameTimes.UNKNOWN : to - from;
    }

    /** A time of the wall clock in that of {@link System#nanoTime()}. */
    private static long monotonic(long epochNanos) {
        if (epochNanos == FrameTimes.UNKNOWN) {
            return FrameTimes.UNKNOWN;
        }
        Instant wall = Instant.now();
        long now = System.nanoTime();
        return now - (TimeUnit.SECONDS.toNanos(wall.getEpochSecond()) + wall.getNano() - epochNanos);
    }
}
