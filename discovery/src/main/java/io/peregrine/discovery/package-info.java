/** Finding GigE Vision devices. */
package io.peregrine.discovery;
