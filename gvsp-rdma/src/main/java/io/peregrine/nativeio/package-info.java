/**
 * Calls into the system's own libraries, by JNA. The only package that knows JNA: pointers and sizes are {@code long},
 * structures are laid out in direct buffers, and errors are this package's own. 64-bit systems only.
 */
package io.peregrine.nativeio;
