package io.peregrine.rdma;

/**
 * Faults that a transport in software commits on the packets it sends, and as a receiver, so that recovery can be tried
 * out. Every decision comes from the seed.
 *
 * @param seed where the decisions come from
 * @param dropPerMille share of packets that are not sent
 * @param reorderPerMille share of packets that are sent behind their successor
 * @param duplicatePerMille share of packets that are sent twice
 * @param corruptPerMille share of packets whose checksum is wrong
 * @param notReadyPerMille share of packets that begin a message of the peer, or end a write with immediate data, which
 *     are answered with "receiver not ready" although a receive is posted
 */
public record PacketFaults(
        long seed,
        double dropPerMille,
        double reorderPerMille,
        double duplicatePerMille,
        double corruptPerMille,
        double notReadyPerMille) {
    /** No fault at all. */
    public static final PacketFaults NONE = new PacketFaults(1, 0, 0, 0, 0, 0);

    /** Checks the ranges. */
    public PacketFaults {
        check("dropPerMille", dropPerMille);
        check("reorderPerMille", reorderPerMille);
        check("duplicatePerMille", duplicatePerMille);
        check("corruptPerMille", corruptPerMille);
        check("notReadyPerMille", notReadyPerMille);
    }

    private static void check(String name, double value) {
        if (!(value >= 0 && value <= 1000)) {
            throw new RdmaException(name + " must be between 0 and 1000, not " + value);
        }
    }

    /** Whether there is any fault. */
    public boolean any() {
        return dropPerMille > 0
                || reorderPerMille > 0
                || duplicatePerMille > 0
                || corruptPerMille > 0
                || notReadyPerMille > 0;
    }
}
