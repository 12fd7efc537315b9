package io.peregrine.rocev2;

/**
 * What the own side brings into a connection. For an accepted connection the path MTU, the timeout and the retries are
 * what the asking side said, and are not used here.
 *
 * @param queuePairNumber own queue pair, 24 bit
 * @param startingPsn packet sequence number that the own side expects first
 * @param pathMtuCode 1 for 256 bytes of payload a packet to 5 for 4096
 * @param ackTimeoutExponent timeout of requests, of both sides: 4.096 us times two to this power
 * @param retryCount how often both sides send again what is not acknowledged, 0 to 7
 * @param rnrRetryCount how often the peer sends again what the own side has no receive for, 0 to 6; 7 for any number
 * @param sharedReceiveQueue whether the own receives are shared
 * @param maxReads reads that the own side serves at a time, and reads that it makes at a time; both at most
 */
record CmLocal(
        int queuePairNumber,
        int startingPsn,
        int pathMtuCode,
        int ackTimeoutExponent,
        int retryCount,
        int rnrRetryCount,
        boolean sharedReceiveQueue,
        int maxReads) {

    /** Checks the ranges. */
    CmLocal {
        CmMessage.check("queuePairNumber", queuePairNumber, 24);
        CmMessage.check("startingPsn", startingPsn, 24);
        CmMessage.check("ackTimeoutExponent", ackTimeoutExponent, 5);
        CmMessage.check("retryCount", retryCount, 3);
        CmMessage.check("rnrRetryCount", rnrRetryCount, 3);
        CmMessage.check("maxReads", maxReads, 8);
        if (pathMtuCode < 1 || pathMtuCode > 5) {
            throw new IllegalArgumentException("pathMtuCode is " + pathMtuCode + ": give 1 to 5");
        }
    }
}
