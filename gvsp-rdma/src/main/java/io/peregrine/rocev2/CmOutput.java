package io.peregrine.rocev2;

import java.nio.ByteBuffer;

/** Takes the messages to send. */
interface CmOutput {
    /**
     * Sends a message to queue pair 1 of an address.
     *
     * @param destinationAddress IPv4 address
     * @param mad256 the 256 bytes, from position to limit; reused after the call
     */
    void sendMad(int destinationAddress, ByteBuffer mad256);
}
