package io.peregrine.gvcp;

/**
 * What happened on a message channel so far.
 *
 * @param events events that were given to the listener
 * @param repetitions commands that came again because the device missed the answer; answered, not given again
 * @param dropped events that were dropped because the listener was too slow
 * @param malformed datagrams from the device that are no events
 * @param foreign datagrams from other addresses than the device's
 * @param foreignPort datagrams from the device's address, but from another port than its events
 */
public record MessageStatistics(
        long events, long repetitions, long dropped, long malformed, long foreign, long foreignPort) {}
