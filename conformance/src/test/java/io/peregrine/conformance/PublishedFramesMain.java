package io.peregrine.conformance;

import io.peregrine.composite.Composite;
import io.peregrine.composite.CompositeStream;
import io.peregrine.composite.WaitResult;
import io.peregrine.device.Device;
import io.peregrine.device.DeviceFactory;
import io.peregrine.device.OpenOptions;
import io.peregrine.stream.StreamStatistics;
import io.peregrine.stream.StreamStatistics.Counter;
import java.time.Duration;
import java.util.Map;

/**
 * Takes frames of a published stream of a virtual camera and checks each byte: a line as soon as the first one is
 * there, and one at the end. Arguments: name of the stream, number of whole frames.
 */
final class PublishedFramesMain {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** A busy host may hold up this program for seconds. */
    private static final String FLOW_SETS = "200";

    private PublishedFramesMain() {}

    public static void main(String[] arguments) {
        long wanted = Long.parseLong(arguments[1]);
        try (Device device = DeviceFactory.open(
                        "aeron:" + arguments[0], new OpenOptions(Map.of("FlowSetCount", FLOW_SETS)));
                CompositeStream stream = device.stream(CompositeStream.class, 0)) {
            stream.start();
            long whole = 0;
            long incomplete = 0;
            long bad = 0;
            long first = 0;
            long last = 0;
            while (whole < wanted) {
                WaitResult result = stream.waitFor(LIMIT);
                if (!(result instanceof WaitResult.Ok ok)) {
                    System.out.println("ended " + result + " after " + whole + ", " + stream.statistics());
                    break;
                }
                try (Composite composite = ok.composite()) {
                    if (composite.complete()) {
                        whole++;
                        bad += PatternCheck.badBytes(composite);
                    } else {
                        incomplete++;
                    }
                    last = composite.blockId();
                    if (first == 0) {
                        first = last;
                        System.out.println("first " + first);
                    }
                }
            }
            StreamStatistics counted = stream.statistics();
            System.out.println("whole " + whole + ", bad bytes " + bad + ", incomplete " + incomplete + ", gaps "
                    + counted.get(Counter.BLOCK_ID_GAPS) + ", no flow set "
                    + counted.get(Counter.FRAMES_DROPPED_NO_FLOW_SET) + ", missing "
                    + (last - first + 1 - whole - incomplete) + ", lost " + counted.framesLost() + ", joins "
                    + counted.get(Counter.RECONNECTS) + ", malformed " + counted.get(Counter.PACKETS_MALFORMED));
            stream.diagnosis().forEach(sentence -> System.out.println("diagnosis " + sentence));
        }
    }
}
