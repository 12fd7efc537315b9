package io.peregrine.virtualcamera;

/**
 * The counters of a virtual camera since its start. Immutable.
 *
 * @param controlPackets GVCP packets received
 * @param malformedControlPackets GVCP packets dropped or refused for their form
 * @param refusedCommands acknowledges with an error status
 * @param heartbeatTimeouts how often the heartbeat ended the control
 * @param blocksSent blocks finished, by GVSP and by RDMA
 * @param packetsSent stream packets sent, resent ones included
 * @param bytesSent bytes of those, GVSP header included
 * @param packetsLostByFault stream packets dropped by the loss fault
 * @param resendRequests PACKETRESEND commands accepted
 * @param packetsResent stream packets sent again
 * @param packetsUnavailable status packets sent for packets that are no longer or not yet available
 * @param sendFailures stream packets that the network refused
 * @param eventsSent events that were acknowledged, or sent without asking for an acknowledge
 * @param eventsRepeated how often an event was sent again, because no acknowledge arrived
 * @param eventsLost events that were not acknowledged, that the network refused, or for which there was no room to wait
 * @param rdmaConnections RDMA connections established
 * @param rdmaRefusals RDMA connections refused
 * @param rdmaBlocksSent blocks whose every RDMA message and write succeeded
 * @param rdmaBlocksDropped blocks dropped because no flow set was announced for them
 * @param rdmaBlocksBrokenOff blocks begun whose RDMA connection ended before they were whole
 */
public record VirtualCameraStatistics(
        long controlPackets,
        long malformedControlPackets,
        long refusedCommands,
        long heartbeatTimeouts,
        long blocksSent,
        long packetsSent,
        long bytesSent,
        long packetsLostByFault,
        long resendRequests,
        long packetsResent,
        long packetsUnavailable,
        long sendFailures,
        long eventsSent,
        long eventsRepeated,
        long eventsLost,
        long rdmaConnections,
        long rdmaRefusals,
        long rdmaBlocksSent,
        long rdmaBlocksDropped,
        long rdmaBlocksBrokenOff) {}
