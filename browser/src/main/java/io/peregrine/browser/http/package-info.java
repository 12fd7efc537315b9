/** Requests and answers, and who may make them. */
@NullMarked
package io.peregrine.browser.http;

import org.jspecify.annotations.NullMarked;
