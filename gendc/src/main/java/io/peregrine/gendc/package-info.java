/**
 * GenDC containers (GenDC 1.1): reading and writing descriptors, and views of what they describe. Nothing is known here
 * of how a container travels.
 */
@NullMarked
package io.peregrine.gendc;

import org.jspecify.annotations.NullMarked;
