/** What GenApi shares with the modules of this project that build on it. Not for users. */
@NullMarked
package io.peregrine.genapi.internal;

import org.jspecify.annotations.NullMarked;
