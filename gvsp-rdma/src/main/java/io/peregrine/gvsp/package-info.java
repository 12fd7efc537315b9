/**
 * Reception of the GigE Vision streaming protocol (GVSP) over UDP: views of its packets, the state machine that puts
 * blocks together, and the sockets that feed it.
 */
package io.peregrine.gvsp;
