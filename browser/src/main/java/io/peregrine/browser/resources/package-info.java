/** What the page asks for, one class for each resource. */
@NullMarked
package io.peregrine.browser.resources;

import org.jspecify.annotations.NullMarked;
