/** GigE Vision control protocol. */
package io.peregrine.gvcp;
