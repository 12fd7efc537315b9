/** What the command sees of an archive. */
@NullMarked
package io.peregrine.distribution.archive;

import org.jspecify.annotations.NullMarked;
