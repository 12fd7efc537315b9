/** Discover, open and stream devices. */
@NullMarked
package io.peregrine.device;

import org.jspecify.annotations.NullMarked;
