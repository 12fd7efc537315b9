package io.peregrine.rocev2;

/**
 * What the own queue pair must know of the other side.
 *
 * @param remoteAddress IPv4 address of the peer
 * @param queuePairNumber queue pair of the peer, 24 bit
 * @param startingPsn packet sequence number that the own side must send first
 * @param pathMtuCode 1 for 256 bytes of payload a packet to 5 for 4096
 * @param ackTimeoutExponent timeout of the own requests: 4.096 us times two to this power
 * @param retryCount how often to send again what is not acknowledged
 * @param rnrRetryCount how often to send again what the peer has no receive for; 7 for any number
 * @param responderResources reads that the peer serves at a time
 * @param initiatorDepth reads that the peer makes at a time
 * @param trafficClass type of service that the peer wants packets to have; 0 when it does not matter
 */
record CmPeer(
        int remoteAddress,
        int queuePairNumber,
        int startingPsn,
        int pathMtuCode,
        int ackTimeoutExponent,
        int retryCount,
        int rnrRetryCount,
        int responderResources,
        int initiatorDepth,
        int trafficClass) {

    /** A peer that asks. */
    static CmPeer of(int source, CmReq req) {
        return new CmPeer(
                source,
                req.queuePairNumber(),
                req.startingPsn(),
                req.pathMtuCode(),
                req.primary().ackTimeoutExponent(),
                req.retryCount(),
                req.rnrRetryCount(),
                req.responderResources(),
                req.initiatorDepth(),
                req.primary().trafficClass());
    }

    /** A peer that answered, which has no say in the type of service. */
    static CmPeer of(int source, CmRep rep, CmLocal local) {
        return new CmPeer(
                source,
                rep.queuePairNumber(),
                rep.startingPsn(),
                local.pathMtuCode(),
                local.ackTimeoutExponent(),
                local.retryCount(),
                rep.rnrRetryCount(),
                rep.responderResources(),
                rep.initiatorDepth(),
                0);
    }
}
