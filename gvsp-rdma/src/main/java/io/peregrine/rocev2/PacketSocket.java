package io.peregrine.rocev2;

import java.nio.ByteBuffer;

/**
 * The edge: moves packets between the engine and the network, with the right checksums. One thread at a time uses it,
 * and one waits.
 */
interface PacketSocket extends AutoCloseable {

    /** Takes packets whose checksum is right. */
    @FunctionalInterface
    interface Receiver {
        void onPacket(int source, ByteBuffer packet, int at, int lengthBytes);
    }

    /** Hands over a batch of what is there, without waiting. Whether there may be more. */
    boolean receive(Receiver receiver);

    /** Where packets go that are to be sent; they leave with {@link #flush()}. */
    PacketOutput output();

    /** Sends what the output holds. */
    void flush();

    /**
     * Sends every packet by itself from now on. What cuts runs of packets may number them in a way that the checksums
     * do not foresee; the peer then drops all but the first.
     */
    void sendOneByOne();

    /** Sets the type of service of all packets from now on. */
    void typeOfService(int value);

    /** Waits until something can be received or somebody wakes the socket. */
    void await(long timeoutNanos);

    /** Wakes {@link #await}; any thread. */
    void wakeUp();

    /** Packets that arrived damaged. */
    long damagedPackets();

    /** Packets that the system refused to send. */
    long sendFailures();

    /** Packets sent. */
    long sentPackets();

    @Override
    void close();
}
