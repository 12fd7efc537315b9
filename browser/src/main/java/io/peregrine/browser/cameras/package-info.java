/** The cameras that the browser found, opened and configured. */
@NullMarked
package io.peregrine.browser.cameras;

import org.jspecify.annotations.NullMarked;
