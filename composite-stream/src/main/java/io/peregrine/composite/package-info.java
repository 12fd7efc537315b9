/**
 * Streams of a device and the frames that they give: {@link io.peregrine.composite.CompositeStream} waits for
 * {@link io.peregrine.composite.Composite}, whose {@link io.peregrine.composite.Item} are views of the memory that the
 * frame was received into.
 */
@NullMarked
package io.peregrine.composite;

import org.jspecify.annotations.NullMarked;
