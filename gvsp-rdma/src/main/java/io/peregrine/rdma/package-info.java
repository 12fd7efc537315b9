/**
 * RDMA seen from above: transports that move messages between registered memory over reliable connections, whichever
 * provider implements them, and the mapping of GigE Vision streams onto them.
 */
package io.peregrine.rdma;
