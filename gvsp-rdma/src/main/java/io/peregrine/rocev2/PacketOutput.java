package io.peregrine.rocev2;

import java.nio.ByteBuffer;

/** Takes the packets that the protocol engine makes; it adds the checksum. */
interface PacketOutput {

    /**
     * Makes room for a packet to an address. If there is room, write it into {@link #buffer()} from {@link #at()} on,
     * then call {@link #commit()}.
     *
     * @param destination IPv4 address
     * @param lengthBytes length with the four bytes of the checksum
     * @return false when nothing more can be taken now
     */
    boolean begin(int destination, int lengthBytes);

    /** The buffer to write into. */
    ByteBuffer buffer();

    /** Where in the buffer the packet begins. */
    int at();

    /** The packet is written, but for its checksum. */
    void commit();
}
