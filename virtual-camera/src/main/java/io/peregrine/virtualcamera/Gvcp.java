package io.peregrine.virtualcamera;

/** Numbers of the GVCP wire format that the device side needs. */
final class Gvcp {
    static final int KEY = 0x42;
    static final int HEADER_BYTES = 8;
    /** A datagram has at most 576 bytes, IP and UDP header included. */
    static final int MAX_PAYLOAD_BYTES = 540;

    static final int FLAG_ACKNOWLEDGE = 0x01;
    static final int FLAG_EXTENDED_IDS = 0x10;
    static final int FLAG_BROADCAST_ACKNOWLEDGE = 0x10;
    static final int FLAG_SCHEDULED = 0x80;

    static final int DISCOVERY = 0x0002;
    static final int FORCEIP = 0x0004;
    static final int PACKETRESEND = 0x0040;
    static final int READREG = 0x0080;
    static final int WRITEREG = 0x0082;
    static final int READMEM = 0x0084;
    static final int WRITEMEM = 0x0086;
    static final int PENDING_ACK = 0x0089;
    static final int EVENT = 0x00C0;
    static final int EVENTDATA = 0x00C2;
    static final int ACTION = 0x0100;

    static final int SUCCESS = 0x0000;
    static final int NOT_IMPLEMENTED = 0x8001;
    static final int INVALID_PARAMETER = 0x8002;
    static final int INVALID_ADDRESS = 0x8003;
    static final int WRITE_PROTECT = 0x8004;
    static final int BAD_ALIGNMENT = 0x8005;
    static final int ACCESS_DENIED = 0x8006;
    static final int BUSY = 0x8007;
    static final int INVALID_HEADER = 0x800E;
    static final int NO_REF_TIME = 0x8013;
    static final int OVERFLOW = 0x8015;
    static final int ACTION_LATE = 0x8016;
    static final int ERROR = 0x8FFF;

    private Gvcp() {}
}
