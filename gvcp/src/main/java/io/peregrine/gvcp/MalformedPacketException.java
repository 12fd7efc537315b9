package io.peregrine.gvcp;

/** A datagram that is not the control packet it should be: too short, wrong code, or lengths that contradict. */
public final class MalformedPacketException extends GvcpException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what is wrong with the packet
     */
    public MalformedPacketException(String message) {
        super(message);
    }
}
