/**
 * What users meet of a stream: statistics, how it ended, what the transport knows about a block, and errors. All types
 * are immutable.
 */
@NullMarked
package io.peregrine.stream;

import org.jspecify.annotations.NullMarked;
