/**
 * RoCEv2 in software: InfiniBand's reliable connections and connection manager over UDP. The protocol engine is pure,
 * with time and packets given from outside; only the edge knows sockets.
 */
package io.peregrine.rocev2;
