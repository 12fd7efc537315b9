/** Copies of frames, and their way to the viewers. */
@NullMarked
package io.peregrine.browser.frames;

import org.jspecify.annotations.NullMarked;
