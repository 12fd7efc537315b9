/** Discover, open and stream devices. */
package io.peregrine.device;
