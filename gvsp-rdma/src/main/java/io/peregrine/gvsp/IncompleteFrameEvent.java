package io.peregrine.gvsp;

import io.peregrine.stream.IncompleteCause;
import java.util.Locale;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Reports to Flight Recorder a block that ended incomplete. Costs nothing while no recording runs, if this class is not
 * even asked before {@link jdk.jfr.FlightRecorder#isInitialized}: loading it starts much of Flight Recorder.
 */
@Name("io.peregrine.IncompleteFrame")
@Label("Incomplete Frame")
@Category("Peregrine")
@Description("A frame that ended with something missing")
@StackTrace(false)
final class IncompleteFrameEvent extends Event {
    /** Longest text that names the gaps. */
    private static final int MAX_MAP_LENGTH = 1000;

    private static final IncompleteFrameEvent STATE = new IncompleteFrameEvent();

    @Label("Block ID")
    long blockId;

    @Label("Cause")
    String cause = "";

    @Label("Expected Packets")
    @Description("Leader and trailer included; an estimate when the trailer is missing")
    int expectedPackets;

    @Label("Missing Packets")
    long missingPackets;

    @Label("Gaps")
    @Description("Ids of the missing packets as ranges; ends with ... when there are more")
    String gaps = "";

    @Label("Packets Asked For")
    long packetsAskedFor;

    @Label("Kernel Drops")
    @Description("Packets that the kernel had dropped in this stream by then")
    long kernelDrops;

    private IncompleteFrameEvent() {}

    /** Whether a recording wants the event. */
    static boolean on() {
        return STATE.isEnabled();
    }

    static void commit(OpenBlock block, int expectedPackets, long missing, IncompleteCause cause, long kernelDrops) {
        IncompleteFrameEvent event = new IncompleteFrameEvent();
        event.blockId = block.blockId();
        event.cause = cause.name();
        event.expectedPackets = expectedPackets;
        event.missingPackets = missing;
        event.gaps = gaps(block.packets(), expectedPackets);
        event.packetsAskedFor = block.resend().requestedPackets();
        event.kernelDrops = kernelDrops;
        event.commit();
    }

    /** Ranges such as {@code 3-5 9 12-20}. */
    static String gaps(PacketLedger packets, int end) {
        StringBuilder map = new StringBuilder();
        int first = packets.nextMissing(0);
        while (first < end) {
            int last = first;
            while (last + 1 < end && !packets.has(last + 1)) {
                last++;
            }
            map.append(map.length() == 0 ? "" : " ").append(first);
            if (last > first) {
                map.append(String.format(Locale.ROOT, "-%d", last));
            }
            if (map.length() > MAX_MAP_LENGTH) {
                return map.append(" ...").toString();
            }
            first = packets.nextMissing(last + 1);
        }
        return map.toString();
    }
}
