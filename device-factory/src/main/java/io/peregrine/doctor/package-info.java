/** What a host lacks for streaming, and how a camera is reached: checks with evidence and a fix each. */
@NullMarked
package io.peregrine.doctor;

import org.jspecify.annotations.NullMarked;
