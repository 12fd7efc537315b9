/** How another module gives devices that are no cameras in reach, but streams that somebody publishes. */
@NullMarked
package io.peregrine.device.spi;

import org.jspecify.annotations.NullMarked;
