/** Recordings that pages make of cameras. */
@NullMarked
package io.peregrine.browser.recording;

import org.jspecify.annotations.NullMarked;
