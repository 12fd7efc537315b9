package io.peregrine.virtualcamera;

import io.peregrine.rdma.PacketFaults;
import java.time.Duration;
import java.util.Objects;

/**
 * The faults that a virtual camera injects. Every decision is a function of the seed, the block id and the packet id,
 * hence the same in each run. Immutable.
 *
 * @param seed seed of the random decisions
 * @param lossPerMille share of stream packets that are not sent, leader and trailer included
 * @param resendLossPerMille share of packets that are not sent again when asked for
 * @param duplicatePerMille share of packets sent twice
 * @param reorderPerMille share of packets sent after their successor
 * @param delayPerMille share of packets sent late
 * @param delay how late they are sent
 * @param stallEveryBlocks each nth block ends in its middle without a trailer; 0 for none
 * @param wrongDescriptorEveryBlocks each nth GenDC block carries a damaged descriptor; 0 for none
 * @param pendingAcknowledge each register write is answered after a PENDING_ACK and this delay; zero for none
 * @param rdma faults while the camera streams by RDMA
 * @param files faults of file access
 */
public record FaultPlan(
        long seed,
        double lossPerMille,
        double resendLossPerMille,
        double duplicatePerMille,
        double reorderPerMille,
        double delayPerMille,
        Duration delay,
        int stallEveryBlocks,
        int wrongDescriptorEveryBlocks,
        Duration pendingAcknowledge,
        Rdma rdma,
        FileFault files) {
    /** No fault at all. */
    public static final FaultPlan NONE = new FaultPlan(1, 0, 0, 0, 0, 0, Duration.ofMillis(2), 0, 0, Duration.ZERO);

    /** Checks the ranges. */
    public FaultPlan {
        Rdma.checkPerMille("lossPerMille", lossPerMille);
        Rdma.checkPerMille("resendLossPerMille", resendLossPerMille);
        Rdma.checkPerMille("duplicatePerMille", duplicatePerMille);
        Rdma.checkPerMille("reorderPerMille", reorderPerMille);
        Rdma.checkPerMille("delayPerMille", delayPerMille);
        Objects.requireNonNull(delay, "delay");
        Objects.requireNonNull(pendingAcknowledge, "pendingAcknowledge");
        Objects.requireNonNull(rdma, "rdma");
        Objects.requireNonNull(files, "files");
        if (stallEveryBlocks < 0 || wrongDescriptorEveryBlocks < 0) {
            throw new VirtualCameraException("stallEveryBlocks and wrongDescriptorEveryBlocks must not be negative");
        }
        if (delay.isNegative() || delay.compareTo(Duration.ofSeconds(60)) > 0) {
            throw new VirtualCameraException("delay must be between 0 and 60 s, not " + delay);
        }
        if (pendingAcknowledge.isNegative() || pendingAcknowledge.compareTo(Duration.ofSeconds(60)) > 0) {
            throw new VirtualCameraException(
                    "pendingAcknowledge must be between 0 and 60 s, not " + pendingAcknowledge);
        }
    }

    /** Faults that touch neither RDMA nor files. */
    public FaultPlan(
            long seed,
            double lossPerMille,
            double resendLossPerMille,
            double duplicatePerMille,
            double reorderPerMille,
            double delayPerMille,
            Duration delay,
            int stallEveryBlocks,
            int wrongDescriptorEveryBlocks,
            Duration pendingAcknowledge) {
        this(
                seed,
                lossPerMille,
                resendLossPerMille,
                duplicatePerMille,
                reorderPerMille,
                delayPerMille,
                delay,
                stallEveryBlocks,
                wrongDescriptorEveryBlocks,
                pendingAcknowledge,
                Rdma.NONE,
                FileFault.NONE);
    }

    /** Whether packets are sent twice or not in their order. */
    boolean disordersPackets() {
        return duplicatePerMille > 0 || reorderPerMille > 0 || delayPerMille > 0;
    }

    boolean loses(long blockId, long packetId) {
        return happens(lossPerMille, 1, blockId, packetId, 0);
    }

    boolean losesResend(long blockId, long packetId, int attempt) {
        return happens(resendLossPerMille, 2, blockId, packetId, attempt);
    }

    boolean duplicates(long blockId, long packetId) {
        return happens(duplicatePerMille, 3, blockId, packetId, 0);
    }

    boolean reorders(long blockId, long packetId) {
        return happens(reorderPerMille, 4, blockId, packetId, 0);
    }

    boolean delays(long blockId, long packetId) {
        return happens(delayPerMille, 5, blockId, packetId, 0);
    }

    boolean stalls(long blockId) {
        return stallEveryBlocks > 0 && Long.remainderUnsigned(blockId, stallEveryBlocks) == 0;
    }

    boolean damagesDescriptor(long blockId) {
        return wrongDescriptorEveryBlocks > 0 && Long.remainderUnsigned(blockId, wrongDescriptorEveryBlocks) == 0;
    }

    private boolean happens(double perMille, int kind, long blockId, long packetId, int attempt) {
        if (perMille <= 0) {
            return false;
        }
        long h = mix(seed + kind * 0x9E3779B97F4A7C15L);
        h = mix(h ^ blockId);
        h = mix(h ^ ((packetId << 16) | (attempt & 0xFFFF)));
        return (h >>> 11) * 0x1p-53 * 1000 < perMille;
    }

    /** Finalizer of the SplitMix64 generator. */
    private static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Faults of a virtual camera's file access. */
    public enum FileFault {
        /** Nothing. */
        NONE,
        /** Files cannot be opened. */
        OPEN_FAILS,
        /** Reading fails. */
        READ_FAILS,
        /** Writing fails. */
        WRITE_FAILS,
        /** Each operation reads or writes half of what was asked for, one byte at least. */
        SHORT,
        /** Each operation succeeds without reading or writing a byte. */
        NOTHING,
        /** Each operation reports one byte more than was asked for. */
        OVERSTATED
    }

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
     * @param vanishForGoodAtBlock the block id at which the connection breaks off and none is accepted any more; 0 for
     *     none
     * @param wrongSetIdEveryBlocks each nth block is reported done with the id of another flow set; 0 for none
     * @param wrongLengthEveryBlocks each nth block is reported done with more bytes than its flows can hold; 0 for none
     * @param errorStatusEveryBlocks each nth block stays incomplete and is reported done with an error; 0 for none
     */
    public record Rdma(
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
        public static final Rdma NONE = new Rdma(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

        /** Checks the ranges. */
        public Rdma {
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
}
