package io.peregrine.rocev2;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Why a request is refused.
 *
 * @param reason rejection reason
 * @param informationBytes how much of the information counts
 * @param information what the reason says more
 */
record CmRefusal(int reason, int informationBytes, CmBytes information) {
    private static final int PARTITION_MASK = 0x7FFF;

    /** For a reason that says all, or one that says more. */
    static CmRefusal of(int reason, byte... information) {
        return new CmRefusal(reason, information.length, CmBytes.padded(information, CmRej.INFORMATION_BYTES));
    }

    /**
     * What an address grants to no one.
     *
     * @param localAddress the own IPv4 address
     * @param source where the request came from
     * @param largestMtuCode the largest path MTU here, from 1 to 5
     * @return empty for a request that can be granted
     */
    static Optional<CmRefusal> of(CmReq req, int localAddress, int source, int largestMtuCode) {
        if (req.transportType() != 0) {
            return Optional.of(of(CmMessage.REASON_INVALID_TRANSPORT));
        }
        if ((req.partitionKey() & PARTITION_MASK) != PARTITION_MASK
                || !req.primary().remoteGid().isIpv4(localAddress)
                || !req.primary().localGid().isIpv4(source)) {
            CmGid own = CmGid.ofIpv4(localAddress);
            byte[] gid = ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(own.high())
                    .putLong(own.low())
                    .array();
            return Optional.of(of(CmMessage.REASON_INVALID_GID, gid));
        }
        if (req.pathMtuCode() < 1 || req.pathMtuCode() > largestMtuCode) {
            return Optional.of(of(CmMessage.REASON_INVALID_MTU, (byte) largestMtuCode));
        }
        if (!req.address().isIpv4() || req.address().destinationIpv4() != localAddress) {
            return Optional.of(of(CmMessage.REASON_CONSUMER));
        }
        return Optional.empty();
    }
}
