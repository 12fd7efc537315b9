/** GenApi node maps. */
@NullMarked
package io.peregrine.genapi;

import org.jspecify.annotations.NullMarked;
