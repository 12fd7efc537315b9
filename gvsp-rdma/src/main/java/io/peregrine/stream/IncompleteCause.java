package io.peregrine.stream;

/** Why a delivered block is incomplete. */
public enum IncompleteCause {
    /** Packets did not arrive in time, and resending was off, refused or too late. */
    PACKETS_MISSING,
    /** The device reported that it can no longer resend the missing packets. */
    PACKETS_UNAVAILABLE,
    /** The leader did not arrive, so geometry and time of the block are unknown. */
    LEADER_MISSING,
    /** The trailer did not arrive, so the end of the block is unknown. */
    TRAILER_MISSING,
    /** The block was larger than the flow set; the excess was not stored. */
    DATA_LARGER_THAN_FLOW_SET,
    /** The stream ended while the block was being received. */
    STREAM_ENDED,
    /** The connection broke while the block was being received. */
    CONNECTION_LOST,
    /** The device reported an error in the block. */
    DEVICE_ERROR,
    /** The device sent fewer bytes than its leader, trailer or descriptor promises. */
    DATA_MISSING,
    /** What the device reports about the block contradicts itself, or what arrived. */
    CONTRADICTION
}
