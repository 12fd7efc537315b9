/** Devices that a user configured: a name, which device it means, and parameters for opening it, kept in a file. */
@NullMarked
package io.peregrine.device.configured;

import org.jspecify.annotations.NullMarked;
