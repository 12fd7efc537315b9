package io.peregrine.rocev2;

/**
 * Somebody wants to connect.
 *
 * @param peer who, and what the own queue pair must know before accepting
 * @param port what is asked for
 * @param sourcePort port of the asking side, for people to read
 * @param sharedReceiveQueue whether the receives of the asking side are shared
 * @param userData what the asking application says, zero padded
 */
record CmRequest(CmPeer peer, int port, int sourcePort, boolean sharedReceiveQueue, CmBytes userData) {

    static CmRequest of(CmPeer peer, CmReq req) {
        return new CmRequest(
                peer,
                req.port(),
                req.address().sourcePort(),
                req.sharedReceiveQueue(),
                CmBytes.padded(req.userData(), CmReq.USER_DATA_BYTES));
    }

    /** What the asking application says: 56 bytes, zero padded. */
    byte[] privateData() {
        return userData.toArray();
    }
}
