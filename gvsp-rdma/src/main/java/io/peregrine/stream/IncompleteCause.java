package io.peregrine.stream;

/** Why a delivered block is not whole. */
public enum IncompleteCause {
    /** Packets did not arrive in time, and resending them was off, refused or too late. */
    PACKETS_MISSING,
    /** The device said that it can no longer resend the missing packets. */
    PACKETS_UNAVAILABLE,
    /** The leader never came, so geometry and time of the block are unknown. */
    LEADER_MISSING,
    /** The trailer never came, so the end of the block is unknown. */
    TRAILER_MISSING,
    /** The block was larger than the flow set; the excess was not stored. */
    DATA_LARGER_THAN_FLOW_SET,
    /** The stream ended while the block was being received. */
    STREAM_ENDED,
    /** The connection broke while the block was being received. */
    CONNECTION_LOST,
    /** The device said that the block is not good. */
    DEVICE_ERROR,
    /** The device sent less than its leader, trailer or descriptor tells of. */
    DATA_MISSING,
    /** What the device says about the block contradicts itself, or what arrived. */
    CONTRADICTION
}
