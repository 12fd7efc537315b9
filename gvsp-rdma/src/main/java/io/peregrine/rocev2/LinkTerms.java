package io.peregrine.rocev2;

/**
 * What both ends of a connection agreed on.
 *
 * @param mtuBytes payload bytes a packet
 * @param ackTimeoutExponent timeout of requests: 4.096 us times two to this power
 * @param retryCount how often to send again what is not acknowledged
 * @param rnrRetryCount how often to send again what the peer has no receive for, 0 to 6; 7 for any number
 * @param rnrLimitNanos how long to send again what the peer has no receive for, whatever the number
 * @param readsAsked reads of the peer's memory that may be outstanding; 0 if the peer serves none
 * @param readsServed reads of the own memory that the peer may have outstanding; 0 for none
 */
record LinkTerms(
        int mtuBytes,
        int ackTimeoutExponent,
        int retryCount,
        int rnrRetryCount,
        long rnrLimitNanos,
        int readsAsked,
        int readsServed) {}
