package io.peregrine.distribution;

import java.util.List;

/** Where a publisher's frames go. For the publisher's thread, but where it says otherwise. */
interface FrameOutlet extends AutoCloseable {

    /** Identifies the stream in announcements. */
    int session();

    /** Whether a consumer receives frames now. For any thread, until it is closed. */
    boolean connected();

    /** Whether a frame can be taken now. */
    boolean ready();

    /** Notes who is to blame that a frame was dropped. For any thread, until it is closed. */
    void heldUp();

    /** Takes a frame, and closes it when it is sent or cannot be; the outcome is counted. */
    void take(WaitingFrame frame);

    /** Goes on with what was taken; returns whether something is left that has to go on soon. */
    boolean turn();

    /** Says that nothing more comes, and waits until all of it is under way, or that takes too long. */
    void end();

    /** Publications with frames, for what the media driver counts. */
    List<Long> registrationIds();

    /** Gives up what was not sent. */
    @Override
    void close();
}
