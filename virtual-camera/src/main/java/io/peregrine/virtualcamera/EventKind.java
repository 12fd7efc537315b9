package io.peregrine.virtualcamera;

/** The events of the camera; the ordinal is the value of EventSelector. */
enum EventKind {
    /** On command, to try the way of an event. */
    TEST(0x9000, false),
    /** A block begins; the event's time is the block's. */
    FRAME_START(0x9001, false),
    /** The exposure of a block is over; its id is in the data, with 64 bits in either form of header. */
    EXPOSURE_END(0x9002, true),
    /** A block has been sent. */
    FRAME_END(0x9003, false),
    /** A scheduled action arrived after its time, and was executed at once. Its id is standard. */
    ACTION_LATE(0x0009, false),
    /** Another application has been granted the control by its key; the first one still has the message channel. */
    PRIMARY_APPLICATION_SWITCH(0x0007, false);

    private final int id;
    private final boolean data;

    EventKind(int id, boolean data) {
        this.id = id;
        this.data = data;
    }

    /** Id on the wire, device-specific unless the standard defines one. */
    int id() {
        return id;
    }

    /** Whether it is about the stream. */
    boolean ofStream() {
        return this == FRAME_START || this == EXPOSURE_END || this == FRAME_END;
    }

    /** Whether it is sent as EVENTDATA, with the id of the block as data. */
    boolean data() {
        return data;
    }
}
