package io.peregrine.virtualcamera;

import io.peregrine.rdma.PacketFaults;

/**
 * The faults that a virtual camera injects while it streams by RDMA. Immutable. Those of packets need the provider
 * {@code software}; they apply to every packet that the camera sends, acknowledgements and those of the connection
 * manager included.
 *
 * @param dropPerMille share of packets that are not sent
 * @param reorderPerMille share of packets sent after their successor
 * @param duplicatePerMille share of packets sent twice
 * @param corruptPerMille share of packets whose invariant checksum (ICRC) is wrong
 * @param notReadyPerMille share of the host's messages that are answered with "receiver not ready" at first
 * @param vanishEveryBlocks each nth block breaks off in its middle with the connection; 0 for none
 * @param vanishForGoodAtBlock the block id at which the connection breaks off and none is accepted any more; 0 for none
 * @param wrongSetIdEveryBlocks each nth block is reported done with the id of another flow set; 0 for none
 * @param wrongLengthEveryBlocks each nth block is reported done with more bytes than its flows can hold; 0 for none
 * @param errorStatusEveryBlocks each nth block stays incomplete and is reported done with an error; 0 for none
 */
public record RdmaFaultPlan(
        double dropPerMille,
        double reorderPerMille,
        double duplicatePerMille,
        double corruptPerMille,
        double notReadyPerMille,
        int vanishEveryBlocks,
        long vanishForGoodAtBlock,
        int wrongSetIdEveryBlocks,
        int wrongLengthEveryBlocks,
        int errorStatusEveryBlocks) {
    /** No fault at all. */
    public static final RdmaFaultPlan NONE = new RdmaFaultPlan(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Checks the ranges. */
    public RdmaFaultPlan {
        checkPerMille("rdmaDropPerMille", dropPerMille);
        checkPerMille("rdmaReorderPerMille", reorderPerMille);
        checkPerMille("rdmaDuplicatePerMille", duplicatePerMille);
        checkPerMille("rdmaCorruptPerMille", corruptPerMille);
        checkPerMille("rdmaNotReadyPerMille", notReadyPerMille);
        checkCount("rdmaVanishEveryBlocks", vanishEveryBlocks);
        checkCount("rdmaVanishForGoodAtBlock", vanishForGoodAtBlock);
        checkCount("rdmaWrongSetIdEveryBlocks", wrongSetIdEveryBlocks);
        checkCount("rdmaWrongLengthEveryBlocks", wrongLengthEveryBlocks);
        checkCount("rdmaErrorStatusEveryBlocks", errorStatusEveryBlocks);
    }

    // Here and not in FaultPlan: that class needs this one to begin with.
    static void checkPerMille(String name, double value) {
        if (!(value >= 0 && value <= 1000)) {
            throw new VirtualCameraException(name + " must be between 0 and 1000, not " + value);
        }
    }

    private static void checkCount(String name, long value) {
        if (value < 0) {
            throw new VirtualCameraException(name + " must not be negative, not " + value);
        }
    }

    PacketFaults packets(long seed) {
        return new PacketFaults(
                seed, dropPerMille, reorderPerMille, duplicatePerMille, corruptPerMille, notReadyPerMille);
    }

    boolean vanishes(long blockId) {
        return isNth(vanishEveryBlocks, blockId) || vanishesForGood(blockId);
    }

    boolean vanishesForGood(long blockId) {
        return vanishForGoodAtBlock > 0 && Long.compareUnsigned(blockId, vanishForGoodAtBlock) >= 0;
    }

    boolean namesWrongSet(long blockId) {
        return isNth(wrongSetIdEveryBlocks, blockId);
    }

    boolean reportsWrongLength(long blockId) {
        return isNth(wrongLengthEveryBlocks, blockId);
    }

    boolean reportsError(long blockId) {
        return isNth(errorStatusEveryBlocks, blockId);
    }

    private static boolean isNth(int every, long blockId) {
        return every > 0 && Long.remainderUnsigned(blockId, every) == 0;
    }
}
