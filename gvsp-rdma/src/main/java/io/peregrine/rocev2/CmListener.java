package io.peregrine.rocev2;

/** Who answers requests on a port. */
interface CmListener {
    /**
     * Somebody wants to connect. Answer with {@link ConnectionManager#accept} or {@link ConnectionManager#reject}, now
     * or later.
     *
     * @param id names the request, and the connection that becomes of it
     * @param request who asks for what
     */
    void requested(CmId id, CmRequest request);

    /** The asking side gave up, or the answer took too long: the request is no more. */
    default void withdrawn(CmId id) {}
}
