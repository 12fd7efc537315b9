package io.peregrine.gvcp;

import java.util.Locale;

/** Numbers of the GigE Vision control protocol: port, header key, flags, command and acknowledge codes, event ids. */
public final class Gvcp {
    /** UDP port on which a device listens. */
    public static final int PORT = 3956;

    /** First byte of every command. */
    public static final int KEY = 0x42;
    /** Bytes of a command or acknowledge header. */
    public static final int HEADER_SIZE_BYTES = 8;
    /** Most payload bytes a control datagram may carry after its header (576 byte datagram limit). */
    public static final int MAX_PAYLOAD_SIZE_BYTES = 540;

    /** Flag of any command: the receiver is to answer. */
    public static final int FLAG_ACKNOWLEDGE = 0x01;
    /** Flag of DISCOVERY and FORCEIP: the device may answer by broadcast. */
    public static final int FLAG_BROADCAST_ACKNOWLEDGE = 0x10;
    /** Flag of PACKETRESEND, EVENT and EVENTDATA: 64-bit block ids and 32-bit packet ids. */
    public static final int FLAG_EXTENDED_ID = 0x10;
    /** Flag of ACTION: a time to act at follows. */
    public static final int FLAG_SCHEDULED = 0x80;

    /** Command code DISCOVERY. */
    public static final int DISCOVERY = 0x0002;
    /** Acknowledge code of DISCOVERY. */
    public static final int DISCOVERY_ACK = 0x0003;
    /** Command code FORCEIP. */
    public static final int FORCE_IP = 0x0004;
    /** Acknowledge code of FORCEIP. */
    public static final int FORCE_IP_ACK = 0x0005;
    /** Command code PACKETRESEND. */
    public static final int PACKET_RESEND = 0x0040;
    /** Acknowledge code of PACKETRESEND. */
    public static final int PACKET_RESEND_ACK = 0x0041;
    /** Command code READREG. */
    public static final int READ_REGISTER = 0x0080;
    /** Acknowledge code of READREG. */
    public static final int READ_REGISTER_ACK = 0x0081;
    /** Command code WRITEREG. */
    public static final int WRITE_REGISTER = 0x0082;
    /** Acknowledge code of WRITEREG. */
    public static final int WRITE_REGISTER_ACK = 0x0083;
    /** Command code READMEM. */
    public static final int READ_MEMORY = 0x0084;
    /** Acknowledge code of READMEM. */
    public static final int READ_MEMORY_ACK = 0x0085;
    /** Command code WRITEMEM. */
    public static final int WRITE_MEMORY = 0x0086;
    /** Acknowledge code of WRITEMEM. */
    public static final int WRITE_MEMORY_ACK = 0x0087;
    /** Acknowledge code PENDING: the device needs more time. */
    public static final int PENDING_ACK = 0x0089;
    /** Command code EVENT. */
    public static final int EVENT = 0x00C0;
    /** Acknowledge code of EVENT. */
    public static final int EVENT_ACK = 0x00C1;
    /** Command code EVENTDATA. */
    public static final int EVENT_DATA = 0x00C2;
    /** Acknowledge code of EVENTDATA. */
    public static final int EVENT_DATA_ACK = 0x00C3;
    /** Command code ACTION. */
    public static final int ACTION = 0x0100;
    /** Acknowledge code of ACTION. */
    public static final int ACTION_ACK = 0x0101;

    /** Event id: trigger (deprecated). */
    public static final int EVENT_TRIGGER = 0x0002;
    /** Event id: start of exposure (deprecated). */
    public static final int EVENT_EXPOSURE_START = 0x0003;
    /** Event id: end of exposure (deprecated). */
    public static final int EVENT_EXPOSURE_END = 0x0004;
    /** Event id: start of transfer (deprecated). */
    public static final int EVENT_TRANSFER_START = 0x0005;
    /** Event id: end of transfer (deprecated). */
    public static final int EVENT_TRANSFER_END = 0x0006;
    /** Event id: another primary application took over. */
    public static final int EVENT_PRIMARY_APPLICATION_SWITCH = 0x0007;
    /** Event id: the link speed changed. */
    public static final int EVENT_LINK_SPEED_CHANGE = 0x0008;
    /** Event id: an action command came too late. */
    public static final int EVENT_ACTION_LATE = 0x0009;
    /** Event id: an error. */
    public static final int EVENT_ERROR = 0x8001;
    /** First event id of the range of errors. */
    public static final int EVENT_ERROR_FIRST = 0x8001;
    /** First event id that the device's description defines. */
    public static final int EVENT_DEVICE_SPECIFIC_FIRST = 0x9000;

    private Gvcp() {}

    /**
     * The standard's name of a command or acknowledge code.
     *
     * @param code command or acknowledge code
     * @return its name, or the number in hex when unknown
     */
    public static String name(int code) {
        return switch (code) {
            case DISCOVERY -> "DISCOVERY_CMD";
            case DISCOVERY_ACK -> "DISCOVERY_ACK";
            case FORCE_IP -> "FORCEIP_CMD";
            case FORCE_IP_ACK -> "FORCEIP_ACK";
            case PACKET_RESEND -> "PACKETRESEND_CMD";
            case PACKET_RESEND_ACK -> "PACKETRESEND_ACK";
            case READ_REGISTER -> "READREG_CMD";
            case READ_REGISTER_ACK -> "READREG_ACK";
            case WRITE_REGISTER -> "WRITEREG_CMD";
            case WRITE_REGISTER_ACK -> "WRITEREG_ACK";
            case READ_MEMORY -> "READMEM_CMD";
            case READ_MEMORY_ACK -> "READMEM_ACK";
            case WRITE_MEMORY -> "WRITEMEM_CMD";
            case WRITE_MEMORY_ACK -> "WRITEMEM_ACK";
            case PENDING_ACK -> "PENDING_ACK";
            case EVENT -> "EVENT_CMD";
            case EVENT_ACK -> "EVENT_ACK";
            case EVENT_DATA -> "EVENTDATA_CMD";
            case EVENT_DATA_ACK -> "EVENTDATA_ACK";
            case ACTION -> "ACTION_CMD";
            case ACTION_ACK -> "ACTION_ACK";
            default -> String.format(Locale.ROOT, "0x%04X", code);
        };
    }
}
