/** IPv4 addresses of devices. */
@NullMarked
package io.peregrine.discovery;

import org.jspecify.annotations.NullMarked;
