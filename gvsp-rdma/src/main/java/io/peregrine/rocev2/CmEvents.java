package io.peregrine.rocev2;

/**
 * What happens to a connection. After {@link #established}, or instead of it, comes one of the others, once; nothing
 * comes any more after {@link ConnectionManager#disconnect}.
 */
interface CmEvents {
    /**
     * Both sides agree. The asking side must make its queue pair ready to receive and to send before this returns: the
     * peer is notified then.
     *
     * @param peer the other side
     * @param privateData what the peer's application said, zero padded; may be empty on the asked side
     */
    void established(CmPeer peer, byte[] privateData);

    /**
     * The peer refused.
     *
     * @param reason rejection reason
     * @param privateData what the peer's application said, zero padded
     */
    void rejected(int reason, byte[] privateData);

    /**
     * The peer refused because it cannot receive packets of the path MTU that was asked for.
     *
     * @param pathMtuCode the largest that it can, less than what was asked for
     */
    default void pathMtuTooLarge(int pathMtuCode) {
        rejected(CmMessage.REASON_INVALID_MTU, new byte[0]);
    }

    /** The peer ended the connection. */
    void disconnected();

    /**
     * The connection could not be made, or broke.
     *
     * @param why for people to read
     */
    void failed(String why);
}
