package io.peregrine.gvsp;

import io.peregrine.stream.PacketReceiverKind;
import io.peregrine.stream.engine.FrameTimes;

/** A source of stream packets: a socket, a ring, a file. Used by one thread at a time, but for {@link #wakeUp}. */
public interface PacketReceiver extends AutoCloseable {

    /**
     * Waits for packets until the deadline and hands over those that arrived. Returns early after {@link #wakeUp},
     * after a batch, and when the receiver is closed.
     *
     * @param into takes the packets
     * @param deadlineNanos when to return at the latest, in the time of {@link System#nanoTime()}; a time that has
     *     passed takes what is there without waiting
     * @return number of packets that arrived, those of strangers too
     */
    int receive(PacketSink into, long deadlineNanos);

    /**
     * Takes packets of one port of the device only; before this is called, of the port that the first packet of a block
     * comes from. The others are counted. Any thread.
     *
     * @param port UDP port that the device sends from; 0 for the one that the next packet of a block comes from
     */
    default void expectFrom(int port) {}

    /** Makes a waiting {@link #receive} return, or the next one if none waits. Any thread. */
    void wakeUp();

    /** What this is; {@link PacketReceiverKind#AUTO} if it is none of the others. */
    default PacketReceiverKind kind() {
        return PacketReceiverKind.AUTO;
    }

    /**
     * Admits all blocks, or an even share of them by their ids. The others are rejected in the kernel, which may count
     * their packets as dropped. In the thread that receives.
     *
     * @param share from 1 to {@link BlockNumber#ALL}, see {@link BlockNumber#isIn}
     * @return whether this receiver can; if not, all are admitted
     */
    default boolean admit(int share) {
        return false;
    }

    /** Whether the last {@link #receive} took all that had arrived. In the thread that receives. */
    default boolean emptied() {
        return true;
    }

    /**
     * When the system had the packet that is handed over at the moment, in nanoseconds since 1970;
     * {@link FrameTimes#UNKNOWN} where it does not say. In the thread that receives, from {@link #receive}.
     */
    default long kernelEpochNanos() {
        return FrameTimes.UNKNOWN;
    }

    /** Most packets that came joined to one run, which the kernel counts as one when it drops them. Any thread. */
    default int longestRunPackets() {
        return 1;
    }

    /** UDP port that packets must be sent to; 0 if there is none. */
    int localPort();

    /** Size of the socket's buffer in bytes as the system granted it; 0 if there is none. */
    int receiveBufferBytes();

    @Override
    void close();
}
