package io.peregrine.gvsp;

/** Status codes of stream packets (GigE Vision status codes, as in Wireshark's GVSP dissector). */
public final class GvspStatus {
    /** All well: {@value}. */
    public static final int SUCCESS = 0x0000;
    /** All well, and the packet was sent again on request: {@value}. */
    public static final int PACKET_RESEND = 0x0100;
    /** The packet asked for is not available any more: {@value}. */
    public static final int PACKET_UNAVAILABLE = 0x800C;
    /** The packet asked for was not sent yet: {@value}. */
    public static final int PACKET_NOT_YET_AVAILABLE = 0x8010;
    /** The packet asked for, and all before it, have left the device's memory: {@value}. */
    public static final int PACKET_AND_PREVIOUS_REMOVED = 0x8011;
    /** The packet asked for has left the device's memory: {@value}. */
    public static final int PACKET_REMOVED = 0x8012;
    /** The packet asked for is not available just now: {@value}. */
    public static final int PACKET_TEMPORARILY_UNAVAILABLE = 0x8014;
    /** The leader or trailer is larger than the device may send (GigE Vision 2.1): {@value}. */
    public static final int LEADER_TRAILER_OVERFLOW = 0x8017;

    private GvspStatus() {}

    /** Whether a packet with this status carries data. */
    public static boolean carriesData(int status) {
        return status == SUCCESS || status == PACKET_RESEND;
    }

    /** Whether this status says that the packet asked for may come later. */
    public static boolean isLater(int status) {
        return status == PACKET_NOT_YET_AVAILABLE || status == PACKET_TEMPORARILY_UNAVAILABLE;
    }

    /** Whether this status says that asking again is of no use. */
    public static boolean isFinal(int status) {
        return status == PACKET_UNAVAILABLE
                || status == PACKET_AND_PREVIOUS_REMOVED
                || status == PACKET_REMOVED
                || status == LEADER_TRAILER_OVERFLOW;
    }
}
