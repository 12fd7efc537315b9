/** The camera browser: a web server for loopback, with the page that it serves. */
@NullMarked
package io.peregrine.browser;

import org.jspecify.annotations.NullMarked;
