package io.peregrine.device;

import io.peregrine.stream.End;
import io.peregrine.stream.StreamStatistics;
import java.util.List;

/** One stream of a device, open or not. */
interface StreamPort extends AutoCloseable {

    /** Number of the stream channel. */
    int index();

    /** Opens the stream, one at a time. */
    <T> T open(Class<T> type);

    /** Packet size in use; 0 where there is none. */
    int packetSizeBytes();

    /** How packets are received, in the words of the parameter; empty where there are none. */
    default String receiver() {
        return "";
    }

    /** Counters of the present or last run. */
    StreamStatistics statistics();

    /** What went wrong so far and what to do about it, most severe first; empty when nothing did. */
    List<String> diagnosis();

    /**
     * What the stream needs of a link.
     *
     * @throws DeviceException if it has none
     */
    default Bandwidth.Stream bandwidth(double framesPerSecond) {
        throw new DeviceException("A recording takes nothing of a link");
    }

    /** Sets the delay after each packet, in ticks of the device. */
    default void packetDelay(long ticks) {
        throw new DeviceException("A recording takes nothing of a link");
    }

    /** Ends the stream as its connection has ended. */
    void endWith(End how);

    /** If the stream runs, it waits from now on for the device to come back. Never blocks. */
    default void suspend() {}

    /** Lets go of the receiver of a stream that waits; what it filled can still be taken. */
    default void detach() {}

    /**
     * Makes a new receiver for a stream that waits.
     *
     * @throws RuntimeException if that is not possible; it waits still
     */
    default void resume() {}

    /**
     * Lets the device send to a stream that waits and has a receiver again, which ends the wait.
     *
     * @throws RuntimeException if that is not possible; it waits still
     */
    default void resumeAcquisition() {}

    /** Gives back what a device that another stream still ran on did not take when this one ended. */
    default void giveBack() {}

    @Override
    void close();
}
