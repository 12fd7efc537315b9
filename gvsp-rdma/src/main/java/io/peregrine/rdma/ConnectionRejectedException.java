package io.peregrine.rdma;

/** The other side refused a connection. */
public class ConnectionRejectedException extends RdmaException {
    private static final long serialVersionUID = 1L;

    /** No one listens on the port (InfiniBand connection manager, rejection reason 8). */
    public static final int REASON_NO_LISTENER = 8;
    /** The application refused (rejection reason 28); its private data says why. */
    public static final int REASON_BY_CONSUMER = 28;

    private final int reason;
    private final transient byte[] privateData;

    /**
     * Creates an exception.
     *
     * @param message what happened
     * @param reason rejection reason of the connection manager, 0 when unknown
     * @param privateData what the other side's application said, zero padded; may be empty
     */
    public ConnectionRejectedException(String message, int reason, byte[] privateData) {
        super(message);
        this.reason = reason;
        this.privateData = privateData.clone();
    }

    /** Rejection reason of the connection manager, 0 when unknown. */
    public int reason() {
        return reason;
    }

    /** What the other side's application said; it may be longer than what was sent, and is zero padded then. */
    public byte[] privateData() {
        return privateData == null ? new byte[0] : privateData.clone();
    }
}
