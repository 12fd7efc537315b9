/** What the doctor examines for distribution. */
@NullMarked
package io.peregrine.distribution.doctor;

import org.jspecify.annotations.NullMarked;
