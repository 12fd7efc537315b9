/** What composite streams share with the modules of this project that build on them. Not for users. */
@NullMarked
package io.peregrine.composite.internal;

import org.jspecify.annotations.NullMarked;
