package io.peregrine.stream.engine;

import io.peregrine.stream.IncompleteCause;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Explains what the counters of a stream mean, and what to do about it. */
public final class StreamDiagnosis {
    private static final int MAX_USUAL_BUFFER_BYTES = 64 << 20;

    private StreamDiagnosis() {}

    /**
     * How a stream is received.
     *
     * @param grantedBufferBytes size of the socket's buffer that the system granted; 0 when it is not known
     * @param wantedBufferBytes size that was asked for
     * @param resendEnabled whether missing packets are asked for again
     * @param flowSetCount number of flow sets
     * @param longestRunPackets most packets that the kernel counts as one when it drops them; 1 where it joins none
     */
    public record Reception(
            int grantedBufferBytes,
            int wantedBufferBytes,
            boolean resendEnabled,
            int flowSetCount,
            int longestRunPackets) {}

    /**
     * Explains the losses of a GVSP stream. A frame that was cut off by the end of the stream is none.
     *
     * @param counters counters of one run
     * @param reception how it was received
     * @return one sentence for each cause, most severe first; empty when nothing is lost
     */
    public static List<String> of(StreamStatistics counters, Reception reception) {
        List<String> found = new ArrayList<>();
        long reconnects = counters.get(Counter.RECONNECTS);
        if (reconnects > 0) {
            found.add("The device was lost and found again " + times(reconnects, "time")
                    + ", and the frames in between are lost: check its power, its cable and the switch");
        }
        long drops = counters.get(Counter.KERNEL_DROPS);
        if (drops > 0) {
            found.add(kernelDrops(drops, counters.get(Counter.FRAMES_SHED) > 0, reception));
        }
        long shed = counters.get(Counter.FRAMES_SHED);
        if (shed > 0) {
            found.add(times(shed, "frame")
                    + " were dropped entirely because this host did not keep up, so that others are"
                    + " complete: lower the frame rate, use larger packets, or a faster host");
        }
        long noFlowSet = counters.get(Counter.FRAMES_DROPPED_NO_FLOW_SET);
        if (noFlowSet > 0) {
            found.add(times(noFlowSet, "frame") + " found all " + reception.flowSetCount()
                    + " flow sets in use: close composites earlier, or raise FlowSetCount");
        }
        long inNetwork = lostInNetwork(counters, reception.longestRunPackets());
        if (inNetwork > 0) {
            found.add(lostInNetwork(inNetwork, counters, reception));
        }
        long unavailable = counters.get(Counter.RESENDS_UNAVAILABLE);
        if (unavailable > 0) {
            found.add("The device could not send " + times(unavailable, "packet")
                    + " again because they had left its memory: lower its rate or give it a packet delay, so that"
                    + " fewer are lost");
        }
        long gaps = counters.get(Counter.BLOCK_ID_GAPS);
        if (gaps > 0) {
            found.add(gaps(gaps));
        }
        whatTheDeviceSent(counters, found);
        long foreign = counters.get(Counter.PACKETS_FOREIGN_SOURCE);
        if (foreign > 0) {
            found.add(
                    times(foreign, "packet") + " came from another address than the device's and were ignored: another"
                            + " device sends to this port");
        }
        long otherPort = counters.get(Counter.PACKETS_FOREIGN_PORT);
        if (otherPort > 0) {
            found.add(
                    times(otherPort, "packet") + " came from the device's address, but not from the port of its stream,"
                            + " and were ignored: another host sends under its address (docs/security.md)");
        }
        long malformed = counters.get(Counter.PACKETS_MALFORMED);
        if (malformed > 0) {
            found.add(times(malformed, "packet") + " were malformed: another program sends to this port, or the device"
                    + " breaks the protocol");
        }
        return all(counters, found);
    }

    /**
     * Explains the losses of an RDMA stream. A frame that was cut off by the end of the stream is none.
     *
     * @param counters counters of one run
     * @param flowSetCount number of flow sets
     * @param lastLoss why the connection was lost the last time; empty when it never was
     * @return one sentence for each cause, most severe first; empty when nothing is lost
     */
    public static List<String> ofRdma(StreamStatistics counters, int flowSetCount, Optional<String> lastLoss) {
        List<String> found = new ArrayList<>();
        long reconnects = counters.get(Counter.RECONNECTS);
        long cutOff = counters.get(IncompleteCause.CONNECTION_LOST);
        if (reconnects > 0 || cutOff > 0 || lastLoss.isPresent()) {
            found.add("The connection was lost"
                    + (reconnects > 0 ? " and made again " + times(reconnects, "time") : "")
                    + (cutOff > 0 ? ", within " + times(cutOff, "frame") : "")
                    + lastLoss.map(reason -> ", the last time because: " + withoutStop(reason))
                            .orElse("")
                    + "; the frames in between are lost: check the device's power, its cable, the switch and flow"
                    + " control (./peregrine doctor --rdma)");
        }
        long malformed = counters.get(Counter.MESSAGES_MALFORMED);
        if (malformed > 0) {
            found.add("The device broke the protocol " + times(malformed, "time")
                    + ", which ends its connection: install newer firmware, or stream over GVSP (UseRdma=0)");
        }
        long errors = counters.get(Counter.COMPLETION_ERRORS);
        if (errors > 0) {
            found.add("The adapter failed to complete its work " + times(errors, "time")
                    + ", which ends the connection: check for packets lost in the network, flow control, or a device"
                    + " that sends more than the flow sets hold (./peregrine doctor --rdma)");
        }
        long dropped = counters.get(Counter.FRAMES_DROPPED_BY_DEVICE);
        if (dropped > 0) {
            found.add("The device dropped " + times(dropped, "frame") + " because none of the " + flowSetCount
                    + " flow sets was free: close composites earlier, or raise FlowSetCount");
        }
        long gaps = counters.get(Counter.BLOCK_ID_GAPS) - dropped;
        if (gaps > 0) {
            found.add(gaps(gaps));
        }
        whatTheDeviceSent(counters, found);
        return all(counters, found);
    }

    /** Blocks that are incomplete although every packet arrived. */
    private static void whatTheDeviceSent(StreamStatistics counters, List<String> found) {
        long refused = counters.get(IncompleteCause.DEVICE_ERROR);
        if (refused > 0) {
            found.add("The device reports an error in " + times(refused, "frame")
                    + ": lower its frame rate, and check its status and temperature");
        }
        long tooLarge = counters.get(IncompleteCause.DATA_LARGER_THAN_FLOW_SET);
        if (tooLarge > 0) {
            found.add(times(tooLarge, "frame") + " had more bytes than the device had announced: stop the stream before"
                    + " changing its format, and start it again");
        }
        long contradicting = counters.get(IncompleteCause.DATA_MISSING) + counters.get(IncompleteCause.CONTRADICTION);
        if (contradicting > 0) {
            found.add(times(contradicting, "frame")
                    + " lack bytes that the device promises in them, or contradict themselves:"
                    + " install newer firmware");
        }
        long unusable = counters.get(Counter.FRAMES_DROPPED_UNUSABLE);
        if (unusable > 0) {
            found.add(times(unusable, "frame")
                    + " could not be used, because the description of their content is missing or"
                    + " malformed: stop packets from being lost, or install newer firmware");
        }
    }

    /** No loss without a sentence; frames skipped on purpose are none, and come last. */
    private static List<String> all(StreamStatistics counters, List<String> found) {
        long incomplete = counters.get(Counter.FRAMES_INCOMPLETE) - counters.get(IncompleteCause.STREAM_ENDED);
        long lost = counters.framesLost();
        if (found.isEmpty() && incomplete + lost > 0) {
            found.add(times(incomplete, "frame") + " are incomplete and " + times(lost, "frame")
                    + " are lost: each composite reports what it lacks (incompleteReason)");
        }
        skipped(counters).ifPresent(found::add);
        return List.copyOf(found);
    }

    /**
     * Explains the frames that were skipped.
     *
     * @param counters counters of one run, over any transport
     * @return empty when there are none
     */
    public static Optional<String> skipped(StreamStatistics counters) {
        long skipped = counters.get(Counter.FRAMES_SKIPPED);
        return skipped == 0
                ? Optional.empty()
                : Optional.of(times(skipped, "frame") + " were skipped because a newer one was there before they were"
                        + " taken (StreamBufferHandlingMode=NewestOnly): nothing is lost; to get each frame, use"
                        + " OldestFirst, or take them faster");
    }

    private static String gaps(long blocks) {
        return "Nothing arrived of " + times(blocks, "block")
                + " between others that did: the device skipped them, or the path to it was down";
    }

    private static String withoutStop(String sentence) {
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }

    /**
     * Packets that the device sent, or sent again, and that did not reach this host's socket: those that are missing or
     * came only when requested again, and answers that did not come, except for what the kernel dropped or was shed.
     */
    public static long lostInNetwork(StreamStatistics counters) {
        return lostInNetwork(counters, 1);
    }

    /** The same, or fewer, where the kernel counts a run of up to that many packets as one when it drops it. */
    private static long lostInNetwork(StreamStatistics counters, int longestRunPackets) {
        return Math.max(
                0,
                notReceived(counters)
                        - counters.get(Counter.PACKETS_SHED)
                        - counters.get(Counter.KERNEL_DROPS) * longestRunPackets);
    }

    /**
     * Packets that the device sent, or sent again, and that were noticed not to have been received, wherever they were
     * lost.
     */
    public static long notReceived(StreamStatistics counters) {
        long answersMissing = counters.get(Counter.RESENDS_REQUESTED)
                - counters.get(Counter.RESENDS_RECEIVED)
                - counters.get(Counter.RESENDS_UNAVAILABLE)
                - counters.get(Counter.RESENDS_NOT_YET);
        return counters.get(Counter.PACKETS_MISSING)
                + counters.get(Counter.PACKETS_SHED)
                + counters.get(Counter.PACKETS_RECOVERED)
                + answersMissing
                // Either the answer that was missed, or the packet that its block ended without.
                - counters.get(Counter.PACKETS_LATE);
    }

    private static String kernelDrops(long drops, boolean shed, Reception reception) {
        int granted = reception.grantedBufferBytes();
        int wanted = reception.wantedBufferBytes();
        int run = reception.longestRunPackets();
        String lost = run > 1 ? times(drops, "run") + " of up to " + run + " packets" : times(drops, "packet");
        String what = "The kernel's receive buffer" + (granted > 0 ? " of " + size(granted) : "")
                + " overflowed and lost " + lost + (shed ? ", perhaps including those of dropped frames" : "") + ": ";
        if (granted > 0 && granted < wanted) {
            return what + "raise net.core.rmem_max to " + size(wanted) + ": sysctl -w net.core.rmem_max=" + wanted;
        }
        return what + "this host does not keep up: use larger packets (MTU 9000), close other programs, or give the"
                + " receiver thread a separate core"
                + (wanted < MAX_USUAL_BUFFER_BYTES ? ", or raise ReceiveBufferBytes" : "");
    }

    private static String lostInNetwork(long lost, StreamStatistics counters, Reception reception) {
        long missing = counters.get(Counter.PACKETS_MISSING);
        String what = times(lost, "packet") + " were lost between the device and this host's socket"
                + (missing == 0 ? ", and all arrived when requested again" : "") + ": ";
        if (!reception.resendEnabled() && missing > 0) {
            return what
                    + "resending is off or the device does not support it; else check for a bad cable, a switch that is"
                    + " full, or a full ring of the network adapter (ethtool -S, /proc/net/softnet_stat)";
        }
        return what + "check for a bad cable, a switch that is full (give the device a packet delay), or a full ring of"
                + " the network adapter (ethtool -S, ethtool -G, /proc/net/softnet_stat)";
    }

    private static String times(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private static String size(int bytes) {
        return bytes >= 1 << 20 && bytes % (1 << 20) == 0 ? (bytes >> 20) + " MiB" : (bytes >> 10) + " KiB";
    }
}
