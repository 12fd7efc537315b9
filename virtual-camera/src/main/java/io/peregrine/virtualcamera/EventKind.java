package io.peregrine.virtualcamera;

/** What the camera can tell by its message channel; the ordinal is the value of EventSelector. */
enum EventKind {
    /** On command, to try the way of an event. */
    TEST(0x9000, false),
    /** A block begins; the event's time is the block's. */
    FRAME_START(0x9001, false),
    /** The exposure of a block is over; its id comes as data, of 64 bits whatever the head. */
    EXPOSURE_END(0x9002, true),
    /** A block has been sent. */
    FRAME_END(0x9003, false),
    /** A scheduled action came after its time, and was executed at once. Its id is the standard's. */
    ACTION_LATE(0x0009, false),
    /** Another application has been granted the control by its key; the first one still has the message channel. */
    PRIMARY_APPLICATION_SWITCH(0x0007, false);

    private final int id;
    private final boolean data;

    EventKind(int id, boolean data) {
        this.id = id;
        this.data = data;
    }

    /** Id on the wire, of the range that is the device's own unless the standard has one. */
    int id() {
        return id;
    }

    /** Whether it is about the stream. */
    boolean ofStream() {
        return this == FRAME_START || this == EXPOSURE_END || this == FRAME_END;
    }

    /** Whether it goes by EVENTDATA, with the id of the block as data. */
    boolean data() {
        return data;
    }
}
