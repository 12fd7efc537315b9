/** GigE Vision devices in software: a camera for tests and demonstrations, and custom devices declared in code. */
@NullMarked
package io.peregrine.virtualcamera;

import org.jspecify.annotations.NullMarked;
