package io.peregrine.gvsp;

import java.nio.ByteBuffer;

/** Where a {@link PacketReceiver} puts what arrives. */
@FunctionalInterface
public interface PacketSink {

    /**
     * Takes one packet. The buffer belongs to the receiver and is only valid during the call.
     *
     * @param packet big-endian buffer that holds the packet
     * @param offset index of the first byte of the GVSP header
     * @param lengthBytes bytes from there to the end of the packet
     * @param nowNanos time of arrival, in the time of {@link System#nanoTime()}
     */
    void onPacket(ByteBuffer packet, int offset, int lengthBytes, long nowNanos);

    /**
     * Tells where the data of the next packets belongs, so that a receiver can let the system put it there.
     *
     * @param next takes the answer; left alone when there is none
     * @return whether packets are expected
     */
    default boolean expect(ExpectedPackets next) {
        return false;
    }

    /**
     * Takes a packet whose data lies where {@link #expect} told for the first packet, the next time for the second one, and
     * so on. It must be the one that belongs there: otherwise nothing happens, and it and those behind it must be handed
     * over whole.
     *
     * @param head big-endian buffer that holds the head of the packet
     * @param offset index of the first byte of the GVSP header
     * @param lengthBytes bytes of the whole packet
     * @param nowNanos time of arrival, in the time of {@link System#nanoTime()}
     * @return whether it was taken
     */
    default boolean onPacketInPlace(ByteBuffer head, int offset, int lengthBytes, long nowNanos) {
        return false;
    }
}
