/** GigE Vision control protocol. For the modules of Peregrine; users open devices by {@code io.peregrine.device}. */
@NullMarked
package io.peregrine.gvcp;

import org.jspecify.annotations.NullMarked;
