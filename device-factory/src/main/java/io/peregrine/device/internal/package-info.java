/** What the packages of this module share. Not for users. */
@NullMarked
package io.peregrine.device.internal;

import org.jspecify.annotations.NullMarked;
