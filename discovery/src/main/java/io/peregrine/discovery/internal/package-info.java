/** Finding GigE Vision devices. For the modules of Peregrine; users find devices by {@code io.peregrine.device}. */
@NullMarked
package io.peregrine.discovery.internal;

import org.jspecify.annotations.NullMarked;
