/** The WebSocket endpoints. */
@NullMarked
package io.peregrine.browser.socket;

import org.jspecify.annotations.NullMarked;
