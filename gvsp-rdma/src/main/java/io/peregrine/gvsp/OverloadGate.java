package io.peregrine.gvsp;

/**
 * Keeps frames whole when more comes than this host can take. The kernel then drops some packets of every frame, so that
 * none is whole and everything that was received was received for nothing. The gate instead keeps all packets out, as soon
 * as the buffer has overflowed, until what is in the buffer is used up, and lets them in again when it is empty: frames
 * come in runs that are whole, and those between them are shed as a whole, by the kernel and at little cost.
 *
 * <p>Only in an overload, that is when the kernel drops packets again and again; a single overflow is left to resending.
 * Has no clock and no socket: tells what to do.
 */
final class OverloadGate {
    private boolean admitting = true;
    private long dropsWhenOpened;

    /** Whether packets are let in. */
    boolean admitting() {
        return admitting;
    }

    /**
     * Looks at the socket while packets of it are being handled.
     *
     * @param drops packets that the kernel has dropped until now
     * @return whether packets may be let in
     */
    boolean look(long drops) {
        if (admitting && drops != dropsWhenOpened) {
            admitting = false;
            dropsWhenOpened = drops;
        }
        return admitting;
    }

    /**
     * Nothing is left in the socket: from now on what comes is whole again.
     *
     * @param drops packets that the kernel has dropped until now
     */
    void emptied(long drops) {
        admitting = true;
        dropsWhenOpened = drops;
    }
}
