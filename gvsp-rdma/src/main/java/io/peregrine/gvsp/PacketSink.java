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
}
