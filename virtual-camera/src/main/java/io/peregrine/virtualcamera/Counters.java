package io.peregrine.virtualcamera;

import java.util.concurrent.atomic.LongAdder;

/** The counters behind {@link VirtualCamera.Statistics}. */
final class Counters {
    final LongAdder controlPackets = new LongAdder();
    final LongAdder malformedControlPackets = new LongAdder();
    final LongAdder refusedCommands = new LongAdder();
    final LongAdder heartbeatTimeouts = new LongAdder();
    final LongAdder blocksSent = new LongAdder();
    final LongAdder packetsSent = new LongAdder();
    final LongAdder packetsSentByVerbs = new LongAdder();
    final LongAdder bytesSent = new LongAdder();
    final LongAdder packetsLostByFault = new LongAdder();
    final LongAdder resendRequests = new LongAdder();
    final LongAdder packetsResent = new LongAdder();
    final LongAdder packetsUnavailable = new LongAdder();
    final LongAdder sendFailures = new LongAdder();
    final LongAdder eventsSent = new LongAdder();
    final LongAdder eventsRepeated = new LongAdder();
    final LongAdder eventsLost = new LongAdder();
    final LongAdder rdmaConnections = new LongAdder();
    final LongAdder rdmaRefusals = new LongAdder();
    final LongAdder rdmaBlocksSent = new LongAdder();
    final LongAdder rdmaBlocksDropped = new LongAdder();
    final LongAdder rdmaBlocksBrokenOff = new LongAdder();
}
