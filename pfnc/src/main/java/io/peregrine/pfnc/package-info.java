/**
 * Pixel formats of the Pixel Format Naming Convention (PFNC 2.4): codes and names, layouts, sizes in bytes, conversion.
 */
@NullMarked
package io.peregrine.pfnc;

import org.jspecify.annotations.NullMarked;
