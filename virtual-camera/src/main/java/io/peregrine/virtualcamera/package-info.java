/** A GigE Vision device in software. */
package io.peregrine.virtualcamera;
