package io.peregrine.verbs;

import java.util.List;

/** An event of the connection manager, copied out of its memory. */
final class CmEvent {
    static final int ADDR_RESOLVED = 0;
    static final int ADDR_ERROR = 1;
    static final int ROUTE_RESOLVED = 2;
    static final int ROUTE_ERROR = 3;
    static final int CONNECT_REQUEST = 4;
    static final int CONNECT_RESPONSE = 5;
    static final int CONNECT_ERROR = 6;
    static final int UNREACHABLE = 7;
    static final int REJECTED = 8;
    static final int ESTABLISHED = 9;
    static final int DISCONNECTED = 10;
    static final int DEVICE_REMOVAL = 11;

    private static final List<String> NAMES = List.of(
            "address resolved",
            "no way to the address",
            "route resolved",
            "no route",
            "connect request",
            "connect response",
            "connecting failed",
            "unreachable",
            "rejected",
            "established",
            "disconnected",
            "device removed",
            "multicast join",
            "multicast error",
            "address changed",
            "time wait exit");

    private final long id;
    private final int type;
    private final int status;
    private final byte[] privateData;

    CmEvent(long id, int type, int status, byte[] privateData) {
        this.id = id;
        this.type = type;
        this.status = status;
        this.privateData = privateData;
    }

    /** Identifier that it is about; for a request a new one. */
    long id() {
        return id;
    }

    /** {@code rdma_cm_event_type}. */
    int type() {
        return type;
    }

    /** Depends on the type: a rejection reason, or a negative error number. */
    int status() {
        return status;
    }

    /** What the other side's application said. */
    byte[] privateData() {
        return privateData;
    }

    /** The type in words. */
    static String name(int type) {
        return type >= 0 && type < NAMES.size() ? NAMES.get(type) : "event " + type;
    }

    /** Takes the events of one identifier, on the event thread. */
    @FunctionalInterface
    interface Handler {
        /** Takes one. */
        void onEvent(CmEvent event);
    }
}
